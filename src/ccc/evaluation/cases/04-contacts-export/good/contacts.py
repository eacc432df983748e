"""Address book in a JSON-lines file."""
import argparse
import csv
import io
import json
import re
import sys


def load(path):
    with open(path, encoding="utf-8") as f:
        people = [json.loads(line) for line in f if line.strip()]
    # TODO: sort by locale, not by code point
    return sorted(people, key=lambda p: p["name"])


def listing(people):
    return "".join(f"{p['name']} <{p['email']}>\n" for p in people)


def to_csv(people):
    out = io.StringIO()
    writer = csv.DictWriter(out, ["name", "email", "phone"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(people)
    return out.getvalue()


def to_json(people):
    return json.dumps(people, ensure_ascii=False, indent=2) + "\n"


def to_vcard(people):
    """vCard 3.0, one card per contact, values escaped, CRLF line ends."""
    lines = []
    for p in people:
        name = re.sub(r"([\\,;])", r"\\\1", p["name"])
        lines += ["BEGIN:VCARD", "VERSION:3.0", f"N:{name};;;;", f"FN:{name}"]
        lines += [f"EMAIL:{p['email']}", f"TEL:{p['phone']}", "END:VCARD"]
    return "".join(line + "\r\n" for line in lines)


FORMATS = {"csv": to_csv, "json": to_json, "vcard": to_vcard}


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("book")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list")
    export = commands.add_parser("export")
    export.add_argument("--format", choices=FORMATS, default="csv")
    args = parser.parse_args(argv)
    people = load(args.book)
    text = listing(people) if args.command == "list" else FORMATS[args.format](people)
    sys.stdout.reconfigure(newline="")
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
