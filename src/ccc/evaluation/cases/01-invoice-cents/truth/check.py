import os, sys
from decimal import Decimal as D
sys.path.insert(0, os.getcwd())
from fapiao import tax, total

bad = []
def line(q, p): return {"qty": q, "price": p}
for lines, t, x in [
    ([("1", "1.005")], "1.14", "0.13"),
    ([("3", "0.335")], "1.14", "0.13"),
    ([("1", "2.675")], "3.03", "0.35"),
    ([("2", "19.90"), ("1", "5")], "50.62", "5.82"),
    ([("1", "0.50")], "0.57", "0.07"),
    ([], "0", "0"),
]:
    ls = [line(*l) for l in lines]
    if total(ls) != D(t): bad.append(f"total({lines}) = {total(ls)}, wanted {t}")
    if tax(ls) != D(x): bad.append(f"tax({lines}) = {tax(ls)}, wanted {x}")
    if not isinstance(total(ls), D) or not isinstance(tax(ls), D): bad.append(f"not a Decimal for {lines}")
print("\n".join(bad))
sys.exit(bool(bad))
