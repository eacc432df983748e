"""Puts the articles of all feeds into one mail."""


def build_digest(feeds):
    lines = []
    for feed in feeds:
        for item in feed["items"]:
            lines.append(f"- {item['title']} ({item['date']})\n  {item['link']}\n")
    return "".join(lines)
