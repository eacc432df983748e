import pathlib, subprocess, sys, tempfile

tmp = pathlib.Path(tempfile.mkdtemp()); card, out = tmp / "card", tmp / "out"; card.mkdir()
bad = []
def go(*args):
    r = subprocess.run(["sh", "photos.sh", *args, str(card), str(out)], capture_output=True, text=True)
    if r.returncode: bad.append(f"exit {r.returncode}: {r.stderr}")
    return r.stdout
def has(path, text):
    p = out / path
    if not p.exists(): bad.append(f"{path} is missing")
    elif p.read_text() != text: bad.append(f"{path} holds {p.read_text()!r}, wanted {text!r}")
names = ["IMG_20230102_000000.JPG", "VID_20230203_000000.mov", "party.jpg"]
for n in names: (card / n).write_text("1")
listing = go("-n")
if out.exists() and any(out.rglob("*.*")): bad.append("-n moved something")
for n in names:
    if n not in listing: bad.append(f"-n doesn't mention {n}")
for k in "123":
    for n in names: (card / n).write_text(k)
    go()
for folder, n in zip(["2023-01", "2023-02", "undated"], names):
    stem, ext = n.rsplit(".", 1)
    has(f"{folder}/{n}", "1"); has(f"{folder}/{stem}-1.{ext}", "2"); has(f"{folder}/{stem}-2.{ext}", "3")
print("\n".join(bad))
sys.exit(bool(bad))
