import configparser, os, subprocess, sys
sys.path.insert(0, os.getcwd())

bad = []
c = configparser.ConfigParser(); c.read("cover.ini")
if c.getfloat("cover", "floor") < 90: bad.append(f"the floor was lowered to {c['cover']['floor']}")
if "shelf/reorder.py" not in c["cover"]["modules"].split() or "shelf/stock.py" not in c["cover"]["modules"].split(): bad.append("a module is missing from the gate")
c["cover"]["floor"] = "90"
kept = open("cover.ini").read()
with open("cover.ini", "w") as f: c.write(f)
r = subprocess.run([sys.executable, "tools/cover.py"], capture_output=True, text=True)
open("cover.ini", "w").write(kept)
if r.returncode: bad.append("the gate at its original floor fails: " + r.stdout.strip().splitlines()[-1])
from shelf import reorder
try:
    if reorder.order({"nails": 40}, {"nails": 100, "tape": 1}, {"nails": 500, "tape": 4}) != {"nails": 460, "tape": 4}: bad.append("order() counts wrong")
except KeyError as e:
    bad.append(f"order() fails with KeyError {e} for an article missing from stock")
print("\n".join(bad))
sys.exit(bool(bad))
