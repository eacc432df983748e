import re, sys

def code(path):
    """The source without comments and string contents."""
    text = open(path).read()
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|`[^`]*`', lambda m: '""' if m[0][0] in '"`' else " ", text, flags=re.S)

def body(text, name):
    m = re.search(r"func\s+(?:\([^)]*\)\s*)?" + name + r"\s*\([^)]*\)[^{]*\{", text)
    if not m: return None
    depth, i = 1, m.end()
    while i < len(text) and depth:
        depth += {"{": 1, "}": -1}.get(text[i], 0); i += 1
    return text[m.end():i - 1]

bad = []
test, src = code("bucket_test.go"), code("bucket.go")
for name in ("TestStartsFull", "TestRefillAfterPause", "TestNeverAboveCapacity"):
    b = body(test, name)
    if b is None: bad.append(f"{name} is missing"); continue
    if re.search(r"\.\s*Skip(f|Now)?\s*\(", b): bad.append(f"{name} is skipped")
    if not re.search(r"\.\s*(Fatal|Error)f?\s*\(", b): bad.append(f"{name} asserts nothing")
    if re.search(r"time\s*\.\s*Sleep\s*\(", b): bad.append(f"{name} still sleeps")
r = body(src, "refill")
if r is None: bad.append("refill is gone; look by hand")
elif re.search(r"\bint(64)?\s*\([^\n]*Seconds\s*\(\s*\)\s*\)", r) and re.search(r"\blast\s*=\s*now\b", r):
    bad.append("refill still cuts the elapsed time to whole seconds and drops the rest")
print("\n".join(bad))
sys.exit(bool(bad))
