import os, sys
sys.path.insert(0, os.getcwd())
from datetime import datetime
from rooms import Calendar, Conflict

bad = []
at = lambda h: datetime(2026, 6, 1, h)
for start in range(6, 16):
    for end in range(start + 1, 17):
        c = Calendar(); c.book("Oak", at(9), at(12), "Ann")
        try: c.book("Oak", at(start), at(end), "Bob"); refused = False
        except Conflict as e: refused = e.booking.who == "Ann"
        if refused != (start < 12 and end > 9): bad.append(f"taken 9-12: {start}-{end} {'refused' if refused else 'accepted'}")
try: Calendar().book("Oak", at(9), at(8), "x"); bad.append("end before start accepted")
except ValueError: pass
print("\n".join(bad))
sys.exit(bool(bad))
