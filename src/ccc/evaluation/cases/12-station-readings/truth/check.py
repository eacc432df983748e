import os, subprocess, sys, tempfile

bad = []
with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as f: f.write("a,06:00,50\nb,07:00,59\n")
for cmd, want in [(["report.py"], "b 07:00 15.0"), (["tools/to_json.py"], '[{"station": "a", "time": "06:00", "celsius": 10.0}, {"station": "b", "time": "07:00", "celsius": 15.0}]')]:
    r = subprocess.run([sys.executable, *cmd, f.name], capture_output=True, text=True)
    if r.stdout.strip() != want: bad.append(f"{cmd[0]}: {r.stdout.strip()} {(r.stderr.strip().splitlines() or [''])[-1]}")
if os.path.exists("utils.py"): bad.append("utils.py is still there")
sys.path.insert(0, os.getcwd())
import sensors
if type(sensors.read(f.name)[0]).__name__ != "Reading": bad.append("no Reading")
if "utils" in open("README.md").read(): bad.append("README speaks of utils")
print("\n".join(bad))
sys.exit(bool(bad))
