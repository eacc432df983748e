"""Reads feeds.json and prints the mail; cron pipes it to sendmail."""
import json
import sys

from mailer.digest import build_digest

with open(sys.argv[1], encoding="utf-8") as f:
    sys.stdout.write("Subject: Digest\n\n" + build_digest(json.load(f)))
