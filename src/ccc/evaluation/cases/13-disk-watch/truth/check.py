import os, pathlib, re, subprocess, sys, tempfile

t = pathlib.Path(tempfile.mkdtemp()); bad = []
(t / "df").write_text('echo head\ncase $1 in /) p=95;; /b) p=80;; *) p=7;; esac\necho "/dev/x 100 1 1 $p% $1"\n')
(t / "c").write_text("# c\n/ 90\n\n/b 80\n/c 80\n")
env = {**os.environ, "DF": f"sh {t}/df", "DISK_LOG": f"{t}/log"}
run = lambda: subprocess.run(["sh", "disk.sh", str(t / "c")], capture_output=True, text=True, env=env)
r = run()
if r.returncode != 1 or len(r.stdout.splitlines()) != 2: bad.append(f"warnings: exit {r.returncode}: {r.stdout}{r.stderr}")
log = (t / "log").read_text().splitlines() if (t / "log").exists() else []
if [re.sub(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d ", "", l) for l in log] != ["/ 95%", "/b 80%", "/c 7%"]: bad.append(f"log: {log}")
(t / "log").write_text("x\n" * 1500); run()
n = len((t / "log").read_text().splitlines())
if n != 1000: bad.append(f"log has {n} lines after the run, wanted 1000")
print("\n".join(bad))
sys.exit(bool(bad))
