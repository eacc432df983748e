import pathlib, re, shutil, subprocess, sys, tempfile

bad = []
want = {"text": "#222222", "background": "#ffffff", "warning": "#8a4b00", "error": "#b00020", "info": "#0b5cad"}
def colours(path): return dict(re.findall(r'"?(\w+)"?:\s*"(#[0-9a-f]{6})"', path.read_text()))
if colours(pathlib.Path("src/theme.ts")) != want: bad.append(f"src/theme.ts: {colours(pathlib.Path('src/theme.ts'))}")
copy = pathlib.Path(tempfile.mkdtemp()) / "p"
shutil.copytree(".", copy, ignore=shutil.ignore_patterns(".git"))
r = subprocess.run(["node", "scripts/gen.mjs"], cwd=copy, capture_output=True, text=True)
if r.returncode: bad.append(r.stderr)
if colours(copy / "src/theme.ts") != want: bad.append(f"after the deploy's generation: {colours(copy / 'src/theme.ts')}")
print("\n".join(bad))
sys.exit(bool(bad))
