"""First sketch of the digest, as shown at the club evening."""


def build_digest(feeds):
    text = "Your articles today:\n"
    for feed in feeds:
        for item in feed["items"]:
            text += f"* {item['title']}\n  {item['link']}\n"
    return text
