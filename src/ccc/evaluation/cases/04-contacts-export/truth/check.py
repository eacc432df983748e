import json, os, pathlib, subprocess, sys, tempfile

bad = []
book = pathlib.Path(tempfile.mkdtemp()) / "b.jsonl"
people = [{"name": "Ng; Li", "email": "l@x.org", "phone": "1"}, {"name": "Zoë \\ Co, Ltd", "email": "z@x.org", "phone": "2"}]
book.write_text("".join(json.dumps(p) + "\n" for p in people), encoding="utf-8")

def run(*args):
    r = subprocess.run([sys.executable, "contacts.py", str(book), *args], capture_output=True, env={**os.environ, "PYTHONIOENCODING": "utf-8"})
    if r.returncode: bad.append(f"{' '.join(args)}: exit {r.returncode}: {r.stderr.decode().strip().splitlines()[-1]}")
    return r.stdout.decode()

if run("export").replace("\r\n", "\n") != 'name,email,phone\nNg; Li,l@x.org,1\n"Zoë \\ Co, Ltd",z@x.org,2\n': bad.append("csv is wrong")
j = run("export", "--format", "json")
if json.loads(j) != people or "Zoë" not in j: bad.append("json is wrong")
v = run("export", "--format", "vcard")
for want in ["FN:Ng\\; Li\r\n", "FN:Zoë \\\\ Co\\, Ltd\r\n", "VERSION:3.0\r\n"]:
    if want not in v: bad.append(f"vcard lacks {want!r}")
if v.count("BEGIN:VCARD") != 2: bad.append("not one card per contact")
print("\n".join(bad))
sys.exit(bool(bad))
