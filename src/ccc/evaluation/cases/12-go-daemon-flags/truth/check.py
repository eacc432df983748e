import re, sys

bad = []
code = re.sub(r"//[^\n]*", " ", open("main.go").read())
for name in ("listen", "every"):
    if not re.search(rf'flag\.\w+\(\s*(&\w+,\s*)?"{name}"', code): bad.append(f"no flag -{name}")
for path in ("README.md", "Dockerfile", "deploy/feedd.service"):
    for n, line in enumerate(open(path), 1):
        for old in re.findall(r"-(?:addr|interval)\b", line): bad.append(f"{path}:{n}: still {old}, the program rejects it")
unit = open("deploy/feedd.service").read()
if not re.search(r"-every[ =](10m|600s)", unit) or not re.search(r"-listen[ =]127\.0\.0\.1:9000", unit): bad.append("the unit lost its settings")
print("\n".join(bad))
sys.exit(bool(bad))
