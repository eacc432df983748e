import os, sys
sys.path.insert(0, os.getcwd())
from hanzi import to_int

bad = []
for text, want in [("十五", 15), ("九千零三", 9003), ("两千", 2000), ("一万零五", 10005), ("十二万三千", 123000), ("三亿", 3 * 10**8),
                   ("三亿二千万", 320000000), ("一亿零三百万零七", 103000007), ("两亿五千万", 250000000), ("一万亿", 10**12)]:
    try: got = to_int(text)
    except Exception as e: got = repr(e)
    if got != want: bad.append(f"to_int({text}) = {got}, wanted {want}")
for text in ("", "abc", "三x"):
    try: bad.append(f"to_int({text!r}) = {to_int(text)}, wanted ValueError")
    except ValueError: pass
    except Exception as e: bad.append(f"to_int({text!r}): {e!r}")
print("\n".join(bad))
sys.exit(bool(bad))
