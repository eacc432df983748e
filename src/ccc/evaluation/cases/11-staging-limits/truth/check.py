import subprocess, sys

bad = []
for env, want in [("staging", "workers=3 timeout=90"), ("production", "workers=16 timeout=30")]:
    r = subprocess.run(["sh", "run.sh", env, "--print"], capture_output=True, text=True)
    if r.stdout.strip() != want: bad.append(f"run.sh {env} --print: {r.stdout.strip()} {r.stderr.strip()}, wanted {want}")
print("\n".join(bad))
sys.exit(bool(bad))
