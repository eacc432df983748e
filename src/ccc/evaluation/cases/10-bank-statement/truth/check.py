import os, subprocess, sys, tempfile
bad = []
def run(text):
    with tempfile.TemporaryDirectory() as d:
        p = os.path.join(d, "s.csv")
        with open(p, "w") as f: f.write(text)
        return subprocess.run([sys.executable, "statement.py", p], capture_output=True, text=True)
r = run("account,amount\ngiro,10.00\nsavings,5.50\n")
if (r.returncode, r.stdout, r.stderr) != (0, "giro 10.00\nsavings 5.50\n", ""): bad.append(f"clean statement: {r.returncode} {r.stdout!r} {r.stderr!r}")
r = run("account,amount\ngiro,10.00\ngiro,ten\nsavings\ngiro,1.00\n")
if r.stdout != "giro 11.00\n": bad.append(f"bad lines: printed {r.stdout!r}")
if r.returncode != 1: bad.append(f"bad lines: exit status {r.returncode}, wanted 1")
for n in ("3", "4"):
    if not any(n in line.replace("s.csv", "") for line in r.stderr.splitlines()): bad.append(f"bad line {n} isn't reported: stderr {r.stderr!r}")
if "Traceback" in r.stderr: bad.append("it crashes")
print("\n".join(bad))
sys.exit(bool(bad))
