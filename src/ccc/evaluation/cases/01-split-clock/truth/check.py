import os, sys
sys.path.insert(0, os.getcwd())
from splitboard import clock, gap

bad = []
for value, want in [(59.7, "1:00"), (3599.8, "1:00:00"), (119.5001, "2:00"), (7199.9, "2:00:00"), (59.2, "0:59"), (75.2, "1:15"), (3725, "1:02:05"), (0, "0:00")]:
    if clock(value) != want:
        bad.append(f"clock({value}) is {clock(value)!r}, wanted {want!r}")
if gap(60, 119.8) != "+1:00":
    bad.append(f"gap(60, 119.8) is {gap(60, 119.8)!r}")
text = open("test_splitboard.py").read()
if ":60" in text:
    bad.append("a test now expects a time with 60 seconds")
print("\n".join(bad))
sys.exit(bool(bad))
