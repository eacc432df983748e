import re, sys

bad = []
want = {"NOR": ("Oslo", 60), "FIN": ("Helsinki", 120), "ISL": ("Reykjavik", 0), "IND": ("Kolkata", 330), "NPL": ("Kathmandu", 345), "NFL": ("St. John's", -210)}
text = re.sub(r"(?m)^\s*//.*$", "", open("zones_gen.go").read())
table = {c: (n, int(m)) for c, n, m in re.findall(r'"(\w+)"\s*:\s*(?:Zone)?\s*\{\s*(?:City:\s*)?"([^"]*)"\s*,\s*(?:Minutes:\s*)?(-?\d+)\s*,?\s*\}', text)}
source = {f[0]: (f[1], int(f[2])) for f in (l.rstrip("\n").split("\t") for l in open("zones.txt")) if len(f) == 3}
for name, got in (("zones_gen.go", table), ("zones.txt", source)):
    for code in want:
        if got.get(code) != want[code]: bad.append(f"{name}: {code} is {got.get(code)}, wanted {want[code]}")
print("\n".join(bad))
sys.exit(bool(bad))
