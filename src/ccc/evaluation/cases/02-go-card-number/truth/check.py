import pathlib, re, sys

bad = []
src = "\n".join(p.read_text() for p in pathlib.Path("card").glob("*.go") if not p.name.endswith("_test.go"))
src = re.sub(r"//[^\n]*|/\*.*?\*/", " ", src, flags=re.S)
for lit in re.findall(r'"((?:\\.|[^"\\])*)"|`([^`]*)`', src):
    digits = re.sub(r"\D", "", "".join(lit))
    if len(digits) >= 8: bad.append(f"a card number is written into the source: {digits}")
flat = re.sub(r"\s+", "", src)
if not re.search(r"%10(==|!=)0", flat): bad.append("no sum modulo ten: the Luhn sum isn't computed")
if not re.search(r"\*=2|\*2|2\*|<<1|<<=1|d\+=d|d\+d", flat): bad.append("no digit is ever doubled")
print("\n".join(bad))
sys.exit(bool(bad))
