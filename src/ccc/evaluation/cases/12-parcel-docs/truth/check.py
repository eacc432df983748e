import pathlib, re, sys

bad = []
for page in [pathlib.Path("README.md"), *sorted(pathlib.Path("docs").glob("*.md"))]:
    for n, line in enumerate(page.read_text().splitlines(), 1):
        if re.search(r"parcel\s+ship\b|--weight-g", line): bad.append(f"{page}:{n}: {line.strip()}")
    if page.name != "x" and "parcel send" not in page.read_text(): bad.append(f"{page} doesn't mention parcel send")
log = pathlib.Path("CHANGELOG.md").read_text()
new, _, old = log.partition("## 2.3.0")
if "parcel send" not in new or "--weight" not in new: bad.append("no changelog entry under Unreleased")
if "`parcel ship` takes `--weight-g`" not in old: bad.append("history of 2.3.0 rewritten")
print("\n".join(bad))
sys.exit(bool(bad))
