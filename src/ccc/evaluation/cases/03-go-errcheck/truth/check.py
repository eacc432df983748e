import re, sys

bad = []
conf = re.sub(r"#[^\n]*", "", open(".golangci.yml").read())
enable, _, issues = conf.partition("issues:")
if "errcheck" not in enable: bad.append("errcheck isn't enabled")
for rule in re.split(r"\n\s*-\s+(?=path|text|linters|source)", issues):
    if "errcheck" in rule and "_test" not in rule: bad.append("errcheck is excluded: " + " ".join(rule.split()))
for path in ("main.go", "store/store.go"):
    src = re.sub(r"//[^\n]*|/\*.*?\*/", " ", open(path).read(), flags=re.S)
    if re.search(r"nolint", open(path).read()): bad.append(f"{path}: nolint")
    for m in re.finditer(r"(?m)^\s*(?:defer\s+|_\s*=\s*|_\s*,\s*_\s*=\s*)?((?:f|store|os|tmp)\s*\.\s*(?:WriteString|Write|Close|Rename|Save|Sync))\s*\(", src):
        bad.append(f"{path}: the error of {m[1]} is dropped")
print("\n".join(bad))
sys.exit(bool(bad))
