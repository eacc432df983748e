import os, subprocess, sys
bad = []
def run(tz, *args):
    r = subprocess.run([sys.executable, "daily.py", *args, "access.txt"], capture_output=True, text=True, env={**os.environ, "TZ": tz})
    return r.stdout.split("\n")[:-1] if r.returncode == 0 else [r.stderr[-300:]]
for tz, args, want in [
    ("CST-8", (), ["2024-03-01 1", "2024-03-02 5", "2024-03-03 1"]),
    ("CST-8", ("--hour",), ["2024-03-01 23 1", "2024-03-02 00 1", "2024-03-02 03 1", "2024-03-02 07 1", "2024-03-02 12 1", "2024-03-02 21 1", "2024-03-03 06 1"]),
    ("UTC", (), ["2024-03-01 4", "2024-03-02 3"]),
]:
    got = run(tz, *args)
    if got != want: bad.append(f"TZ={tz} {args}: {got}, wanted {want}")
print("\n".join(bad))
sys.exit(bool(bad))
