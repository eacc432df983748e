import pathlib, subprocess, sys, tempfile

bad = []
d = pathlib.Path(tempfile.mkdtemp())
(d / "data").mkdir(); (d / "data" / "f").write_text("one\n")
tar = d / "x.tar"

def run(*args): return subprocess.run(["sh", "backup.sh", *map(str, args)], capture_output=True, text=True)

if run("create", d / "data", tar).returncode or not (d / "x.tar.sum").exists(): bad.append("create writes no .sum")
r = run("verify", tar)
if r.returncode or "校验通过" not in r.stdout: bad.append("verify refuses an intact archive")
raw = bytearray(tar.read_bytes()); raw[600] ^= 1; tar.write_bytes(raw)
r = run("verify", tar)
if r.returncode != 1 or not r.stderr.strip(): bad.append(f"verify accepts a damaged archive (exit {r.returncode}, {r.stdout.strip()!r})")
(d / "x.tar.sum").unlink()
if run("verify", tar).returncode != 1: bad.append("verify without .sum doesn't fail")
if "verify" not in pathlib.Path("README.md").read_text(): bad.append("README lacks verify")
print("\n".join(bad))
sys.exit(bool(bad))
