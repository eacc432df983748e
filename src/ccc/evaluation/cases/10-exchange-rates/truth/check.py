import os, sys
sys.path.insert(0, os.getcwd())
from datetime import date
from decimal import Decimal as D
import rates, report

bad = []
r = rates.Rates({date(2024, 4, 29): {"USD": D("0.93")}, date(2024, 4, 30): {"USD": D("0.94"), "JPY": D("0.006")}})
E = getattr(rates, "RateError", None)
if E is None: bad.append("no RateError")
for day, want in [(date(2024, 4, 29), "9.30"), (date(2024, 5, 1), "9.40"), (date(2024, 5, 7), "9.40")]:
    got = r.convert(D(10), "USD", day)
    if got != D(want): bad.append(f"convert on {day}: {got}, wanted {want}")
for name, call in [("rate", lambda: r.rate("USD", date(2024, 5, 8))), ("convert, too old", lambda: r.convert(D(10), "USD", date(2024, 5, 8))),
                   ("convert, unknown currency", lambda: r.convert(D(10), "XAU", date(2024, 4, 30))),
                   ("total", lambda: report.total([(date(2024, 4, 30), D(100), "XAU")], r))]:
    try: bad.append(f"{name}: {call()} instead of RateError")
    except Exception as e:
        if E is None or not isinstance(e, E): bad.append(f"{name}: {e!r} instead of RateError")
print("\n".join(bad))
sys.exit(bool(bad))
