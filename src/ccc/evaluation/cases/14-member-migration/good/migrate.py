"""Converts a members file from version 1 to version 2: python3 migrate.py [--dry-run] FILE

The old file is kept next to it as NAME.v1.json.
"""
import json
import pathlib
import sys


def convert(member):
    first, _, last = member["name"].rpartition(" ")
    month, year = member["since"].split("/")
    return {"first": first, "last": last, "since": f"{year}-{month}"}


def main(argv):
    dry = "--dry-run" in argv
    path = pathlib.Path([a for a in argv if a != "--dry-run"][0])
    text = path.read_text(encoding="utf-8")
    old = json.loads(text)
    if isinstance(old, dict):
        sys.exit(f"{path} is version {old['version']} already")
    new = {"version": 2, "members": [convert(m) for m in old]}
    if not dry:
        path.with_suffix(".v1.json").write_text(text, encoding="utf-8")
        path.write_text(json.dumps(new, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{path}: {len(old)} members converted to version 2")


if __name__ == "__main__":
    main(sys.argv[1:])
