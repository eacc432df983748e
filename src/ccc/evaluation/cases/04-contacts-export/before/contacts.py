"""Address book in a JSON-lines file."""
import argparse
import json
import sys


def load(path):
    with open(path, encoding="utf-8") as f:
        people = [json.loads(line) for line in f if line.strip()]
    # TODO: sort by locale, not by code point
    return sorted(people, key=lambda p: p["name"])


def listing(people):
    return "".join(f"{p['name']} <{p['email']}>\n" for p in people)


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("book")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list")
    args = parser.parse_args(argv)
    sys.stdout.write(listing(load(args.book)))


if __name__ == "__main__":
    main()
