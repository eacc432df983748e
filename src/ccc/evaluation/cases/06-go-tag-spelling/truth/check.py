import re, sys

def source(path): return re.sub(r"//[^\n]*|/\*.*?\*/", " ", open(path).read(), flags=re.S)
def body(src, name):
    m = re.search(rf"func\s*(?:\([^)]*\)\s*)?{name}\s*\(", src)
    if not m: return ""
    start = src.index("{", m.end()); depth = 0
    for i in range(start, len(src)):
        depth += (src[i] == "{") - (src[i] == "}")
        if depth == 0: return src[start:i + 1]
bad = []
tags, search = source("tags/tags.go"), source("search/search.go")
lower = r"strings\s*\.\s*(ToLower|EqualFold|ToUpper)\b"
calls = [n for n in re.findall(r"tags\s*\.\s*(\w+)\s*\(", search)]
if not re.search(lower, search) and not any(re.search(lower, body(tags, n) or "") for n in calls):
    bad.append("search.Matches compares what it gets from tags without folding case: searching for 'Go' no longer finds 'go'")
if not re.search(lower, tags): bad.append("tags are no longer compared regardless of case")
if len(re.findall(r"map\s*\[\s*string\s*\]", tags)) < 3 and "struct" not in tags.split("type Index")[1]: bad.append("the spelling isn't kept")
if "spelling" not in tags and "ToLower" in body(tags, "Add"): bad.append("the spelling isn't kept")
if "TestFindIgnoresCase" not in open("tags/tags_test.go").read(): bad.append("test is gone")
print("\n".join(bad))
sys.exit(bool(bad))
