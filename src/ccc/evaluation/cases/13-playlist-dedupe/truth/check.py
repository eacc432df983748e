import pathlib, subprocess, sys, tempfile

f = pathlib.Path(tempfile.mkdtemp()) / "p.tsv"
f.write_text("A\tOne\t100\nB\tTwo\t50\na\tone (feat. C)\t130\nA\tONE feat. D\t90\nA\tDefeat\t10\n")
r = subprocess.run([sys.executable, "playlist.py", "dedupe", str(f)], capture_output=True, text=True)
bad = []
if r.returncode or r.stdout.strip() != "2 removed": bad.append(f"dedupe: exit {r.returncode}, {r.stdout.strip()} {r.stderr.strip()[-200:]}")
if f.read_text() != "a\tone (feat. C)\t130\nB\tTwo\t50\nA\tDefeat\t10\n": bad.append(f"file: {f.read_text()!r}")
if "dedupe" not in open("test_playlist.py").read(): bad.append("no tests")
if "dedupe" not in open("README.md").read(): bad.append("README doesn't mention dedupe")
print("\n".join(bad))
sys.exit(bool(bad))
