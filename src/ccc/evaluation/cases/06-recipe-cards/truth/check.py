import os, sys
sys.path.insert(0, os.getcwd())
from card import card
from order import order

bad = []
def same(what, got, want):
    if got != want: bad.append(f"{what}: {got!r}, wanted {want!r}")
r = {"name": "R", "portions": 4, "ingredients": [[1.0, "l", "milk"], [0.4, "kg", "flour"]]}
same("card", card(r, 6), "R\n=\n1 ½ l milk\n0.6 kg flour\n")
same("card", card(r, 1), "R\n=\n¼ l milk\n0.1 kg flour\n")
same("card", card({**r, "portions": 3}, 2), "R\n=\n⅔ l milk\n0.267 kg flour\n")
same("order", order([{"ingredients": [[0.5, "l", "milk"], [1.25, "kg", "flour"]]}]), "flour;1.25;kg\nmilk;0.5;l\n")
print("\n".join(bad))
sys.exit(bool(bad))
