"""Members of the rowing club."""
import json
import sys

FILE = "data/members.json"


def load(path=FILE):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def listing(members):
    return "".join(f"{m['name']}, since {m['since']}\n" for m in members)


if __name__ == "__main__":
    sys.stdout.write(listing(load()))
