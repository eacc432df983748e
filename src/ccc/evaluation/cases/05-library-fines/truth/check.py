import os, sys
sys.path.insert(0, os.getcwd())
from datetime import date
from fines import fine

bad = []
for args, want in [((date(2026, 3, 2), date(2026, 2, 1)), 0), ((date(2026, 3, 2), date(2026, 3, 4)), 0), ((date(2026, 3, 2), date(2026, 3, 5)), 60),
                   ((date(2026, 3, 6), date(2026, 3, 12)), 80), ((date(2026, 4, 2), date(2026, 4, 7)), 0), ((date(2026, 4, 2), date(2026, 4, 9)), 80),
                   ((date(2026, 4, 30), date(2026, 5, 4)), 0), ((date(2026, 1, 2), date(2026, 12, 30)), 1000), ((date(2026, 1, 2), date(2026, 12, 30), True), 500),
                   ((date(2026, 3, 6), date(2026, 3, 12), True), 40)]:
    got = fine(*args)
    if got != want: bad.append(f"fine{tuple(map(str, args))} = {got}, wanted {want}")
print("\n".join(bad))
sys.exit(bool(bad))
