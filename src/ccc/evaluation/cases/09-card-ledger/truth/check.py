import subprocess, sys
bad = []
for month, want in [("february", "172.10"), ("march", "1,632.10")]:
    r = subprocess.run([sys.executable, "ledger.py", f"statements/{month}.txt"], capture_output=True, text=True)
    if r.stdout.strip() != f"{month} total: {want}": bad.append(f"{month}: {r.stdout!r} {r.stderr[-200:]!r}, wanted {want}")
print("\n".join(bad))
sys.exit(bool(bad))
