"""Members of the rowing club."""
import json
import sys

FILE = "data/members.json"


def load(path=FILE):
    with open(path, encoding="utf-8") as f:
        data = json.load(f)
    if not isinstance(data, dict) or data.get("version") != 2:
        raise ValueError(f"{path} is not a members file of version 2, see migrate.py")
    return data["members"]


def listing(members):
    return "".join(f"{m['last']}, {m['first']}, since {m['since']}\n" for m in members)


if __name__ == "__main__":
    sys.stdout.write(listing(load()))
