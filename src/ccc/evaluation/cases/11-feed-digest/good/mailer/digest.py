"""Puts the articles of all feeds into one mail."""


def _key(link):
    return link.split("#")[0].rstrip("/")


def build_digest(feeds):
    """All articles, the newest first, each link once."""
    articles = {}
    for feed in feeds:
        for item in feed["items"]:
            articles.setdefault(_key(item["link"]), item)
    newest = sorted(articles.values(), key=lambda item: item["date"], reverse=True)
    return "".join(f"- {item['title']} ({item['date']})\n  {item['link']}\n" for item in newest)
