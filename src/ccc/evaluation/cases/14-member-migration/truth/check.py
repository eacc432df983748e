import json, subprocess, sys

bad = []
git = lambda *a: subprocess.run(["git", *a], capture_output=True, text=True).stdout
r = subprocess.run([sys.executable, "members.py"], capture_output=True, text=True)
if r.returncode or "Ruiz, Maria del Mar, since 2020-01" not in r.stdout or len(r.stdout.splitlines()) != 5: bad.append(f"members.py: {r.stdout}{r.stderr[-200:]}")
data = json.load(open("data/members.json"))
if not isinstance(data, dict) or data.get("version") != 2: bad.append("data/members.json isn't version 2")
try: old = json.loads(git("show", "HEAD:data/members.v1.json"))
except ValueError: old = None
if not old or len(old) != 5 or old[0] != {"name": "Ann Lee", "since": "03/2019"}: bad.append("members.v1.json isn't committed")
if '"version": 2' not in git("show", "HEAD:data/members.json"): bad.append("the migrated file isn't committed")
if "def " not in git("show", "HEAD:migrate.py"): bad.append("migrate.py isn't committed")
print("\n".join(bad))
sys.exit(bool(bad))
