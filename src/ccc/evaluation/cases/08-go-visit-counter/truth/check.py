import re, sys

raw = open("counter/counter.go").read()
src = re.sub(r"//[^\n]*|/\*.*?\*/", " ", raw, flags=re.S)
bad = []
m = re.search(r"(\w+)\s+map\s*\[\s*string\s*\]\s*int", src)
field = m[1] if m else None
if not field: bad.append("no map in Counter")
methods = {}
for m in re.finditer(r"func\s*\(\s*(\w+)\s+\*?\s*Counter\s*\)\s*(\w+)\s*\(", src):
    start = src.index("{", src.index(")", m.end()) ); depth = 0
    for i in range(start, len(src)):
        depth += (src[i] == "{") - (src[i] == "}")
        if depth == 0: break
    methods[m[2]] = (m[1], src[start:i + 1])
for name in ("Add", "Get", "Snapshot", "Top"):
    if name not in methods: bad.append(f"no method {name}"); continue
    recv, body = methods[name]
    use = re.search(rf"\b{recv}\s*\.\s*{field}\b", body)
    lock = re.search(r"\.\s*R?Lock\s*\(\s*\)", body)
    if use and not (lock and lock.start() < use.start()): bad.append(f"{name} uses the map without the lock")
    if re.search(rf"(return|:=|\w\s*=)\s*{recv}\s*\.\s*{field}\s*(\n|;|\}})", body): bad.append(f"{name} hands out the live map, readers race with Add")
    if name == "Snapshot" and not re.search(r"make\s*\(\s*map|maps\s*\.\s*(Clone|Copy)|map\[string\]int\{", body): bad.append("Snapshot doesn't copy")
test = open("counter/counter_test.go").read()
if "func TestConcurrent(" not in test or "c.Snapshot()" not in test: bad.append("TestConcurrent is gone")
print("\n".join(bad))
sys.exit(bool(bad))
