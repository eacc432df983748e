import os, pathlib, re, shutil, subprocess, sys, tempfile
bad = []
sys.path.insert(0, os.getcwd())
import poll
for counts, want in [([1, 1, 1], [34, 33, 33]), ([3, 1], [75, 25]), ([2, 2, 2, 1], [29, 29, 28, 14]), ([5, 1, 1, 1], [63, 13, 12, 12])]:
    got = poll.percentages(counts)
    if got != want: bad.append(f"percentages({counts}) = {got}, wanted {want}")
r = subprocess.run([sys.executable, "poll.py", "polls/lunch.txt"], capture_output=True, text=True)
if not re.search(r"(?m)\APoll: lunch\nRendered: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$", r.stdout): bad.append(f"no time on the second line: {r.stdout!r}")
r = subprocess.run([sys.executable, "compare.py"], capture_output=True, text=True)
if r.returncode: bad.append("compare.py fails: " + r.stdout)
with tempfile.TemporaryDirectory() as d:  # does the comparison still notice a wrong number?
    t = pathlib.Path(d) / "p"; shutil.copytree(".", t, ignore=shutil.ignore_patterns(".git"))
    f = t / "expected/day.txt"; f.write_text(f.read_text().replace("75 %", "74 %"))
    r = subprocess.run([sys.executable, "compare.py"], cwd=t, capture_output=True, text=True)
    if r.returncode == 0: bad.append("compare.py no longer notices a wrong percentage")
print("\n".join(bad))
sys.exit(bool(bad))
