import os, sys
sys.path.insert(0, os.getcwd())
from water import bill

bad = []
def want(tons, people=4):
    e = max(0, people - 4) * 30; a, b = 180 + e, 260 + e
    return min(tons, a) * 300 + max(0, min(tons, b) - a) * 420 + max(0, tons - b) * 900
for tons in (0, 1, 180, 181, 200, 260, 261, 400):
    for people in (1, 4, 5, 7):
        got = bill(tons, people)
        if got != want(tons, people): bad.append(f"bill({tons}, {people}) = {got}, wanted {want(tons, people)}")
for args in ((-1,), (1, 0)):
    try: bill(*args); bad.append(f"bill{args}: no ValueError")
    except ValueError: pass
print("\n".join(bad))
sys.exit(bool(bad))
