import re, sys

def clean(path): return re.sub(r"//[^\n]*|/\*.*?\*/", " ", open(path).read(), flags=re.S)
bad = []
src, test = clean("theme.go"), clean("theme_test.go")
if not re.search(r"func\s+ParseHex\s*\([^)]*\)\s*\(\s*(\w+\s+)?RGB\s*,\s*(\w+\s+)?error\s*\)", src): bad.append("ParseHex doesn't return an error")
if re.search(r"\bpanic\s*\(", src): bad.append("it still panics")
# a nibble is doubled by * 17 (0x11), by n<<4|n, or by writing each character twice
if not re.search(r"\*\s*(17|0x11)\b|\b(17|0x11)\s*\*|<<\s*4\s*\)?\s*[|+]|\|\s*\(?\s*\w+\s*<<\s*4|\[1\][^\n]*\[1\]|\w\s*,\s*(\w)\s*,\s*\1\b", src): bad.append("#abc isn't read as #aabbcc: the digits aren't doubled")
m = re.search(r"func\s+TestParseHex\s*\(.*?(?=\nfunc\s|\Z)", test, re.S)
if not m: bad.append("TestParseHex is gone")
elif not re.search(r"(!=|==)\s*(\w+\s*\.\s*)?want\b|\bwant\s*(!=|==)|DeepEqual", m[0]): bad.append("TestParseHex no longer compares the colours with what is wanted")
if "1e90ff" not in test: bad.append("cases are gone")
print("\n".join(bad))
sys.exit(bool(bad))
