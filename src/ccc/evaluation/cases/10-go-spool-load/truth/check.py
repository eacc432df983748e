import re, sys

def clean(path): return re.sub(r"//[^\n]*|/\*.*?\*/", " ", open(path).read(), flags=re.S)
def block(src, start):
    depth = 0
    for i in range(start, len(src)):
        depth += (src[i] == "{") - (src[i] == "}")
        if depth == 0: return src[start:i + 1]
bad = []
src = clean("spool/spool.go")
m = re.search(r"func\s+Load\s*\([^)]*\)\s*\(\s*\[\]\s*Job\s*,\s*error\s*\)\s*\{", src)
if not m: print("no Load(dir) ([]Job, error)"); sys.exit(1)
load = block(src, m.end() - 1)
if not re.search(r"ErrNotExist|os\s*\.\s*IsNotExist", load): bad.append("a missing directory isn't told apart from an unreadable one")
for c in re.finditer(r"if\s+([^{]*?\berr\s*!=\s*nil[^{]*)\{", load):
    body = block(load, c.end() - 1)
    if "NotExist" in c[1] and "!errors" not in c[1].replace(" ", ""): continue
    if not re.search(r"return\b[^\n;]*\berr\b|return\b[^\n;]*Errorf", body): bad.append("error dropped: if " + " ".join((c[1] + body).split()))
if re.search(r",\s*_\s*:?=\s*(os|json|io)\s*\.|(?m:^\s*(_\s*=\s*)?json\s*\.\s*(Unmarshal|NewDecoder))|_\s*=\s*err\b", load): bad.append("error ignored in Load")
for call in ("ReadDir|Glob|WalkDir", "ReadFile|Open", "Unmarshal|Decode"):
    if not re.search(call, load): bad.append(f"no {call}")
main = clean("main.go")
m = re.search(r"(\w+)\s*,\s*(\w+)\s*:?=\s*spool\s*\.\s*Load", main)
if not m or m[2] == "_": bad.append("main ignores the error of Load")
elif not re.search(r"os\s*\.\s*Exit\s*\(\s*1\s*\)|log\s*\.\s*Fatal", main): bad.append("main doesn't exit with 1")
print("\n".join(bad))
sys.exit(bool(bad))
