import os, subprocess, sys, tempfile

script = os.path.abspath("rotate.sh")
bad = []
with tempfile.TemporaryDirectory() as d:
    def rotate(*args): return subprocess.run(["sh", script, *args], cwd=d, capture_output=True, text=True)
    def read(name):
        p = os.path.join(d, name)
        return open(p).read().strip() if os.path.exists(p) else None
    for args, keep in (((), 3), (("-k", "5"), 5), (("-k", "1"), 1)):
        log = f"x{keep}.log"
        for n in range(1, 8):
            with open(os.path.join(d, log), "w") as f: f.write(f"{n}\n")
            rotate(*args, log)
        got = [read(f"{log}.{i}") for i in range(1, keep + 2)]
        want = [str(8 - i) for i in range(1, keep + 1)] + [None]
        if got != want: bad.append(f"kept with {args}: {got}, wanted {want}")
    with open(os.path.join(d, "s.log"), "w") as f: f.write("12345")
    rotate("-s", "5", "s.log")
    if read("s.log") != "12345": bad.append("rotated though not over the size")
    rotate("-s", "4", "s.log")
    if read("s.log.1") != "12345": bad.append("not rotated though over the size")
    r = rotate("none.log")
    if r.returncode != 1 or not r.stderr.strip(): bad.append(f"missing file: status {r.returncode}, stderr {r.stderr!r}")
print("\n".join(bad))
sys.exit(bool(bad))
