import os, sys
sys.path.insert(0, os.getcwd())
import durations as d

bad = []
def eq(f, x, want):
    try: got = f(x)
    except Exception as e: got = f"{type(e).__name__}: {e}"
    if got != want: bad.append(f"{f.__name__}({x!r}) = {got!r}, wanted {want!r}")
for text, want in [("PT1H30M", 5400), ("P1D", 86400), ("P2W", 1209600), ("P1DT12H", 129600), ("PT0.5S", 0.5), ("P3DT1M2.5S", 259262.5)]: eq(d.parse, text, want)
for n, want in [(0, "PT0S"), (5400, "PT1H30M"), (86400, "P1D"), (129600, "P1DT12H"), (61.25, "PT1M1.25S"), (0.5, "PT0.5S")]: eq(d.format, n, want)
for text in ("", "P", "PT", "1H", "PT5"):
    try: bad.append(f"parse({text!r}) = {d.parse(text)!r}, wanted ValueError")
    except ValueError: pass
print("\n".join(bad))
sys.exit(bool(bad))
