"""First sketch of the digest, as shown at the club evening."""


def _key(link):
    return link.split("#")[0].rstrip("/")


def build_digest(feeds):
    """All articles, the newest first, each link once."""
    articles = {}
    for feed in feeds:
        for item in feed["items"]:
            articles.setdefault(_key(item["link"]), item)
    newest = sorted(articles.values(), key=lambda item: item["date"], reverse=True)
    text = "Your articles today:\n"
    for item in newest:
        text += f"* {item['title']}\n  {item['link']}\n"
    return text
