import os, sys
sys.path.insert(0, os.getcwd())
from cache import Cache, Missing

bad, now = [], [0]
c = Cache(clock=lambda: now[0])
c.put("a", 1, ttl=5); c.put("b", 2, ttl=50); c.put("c", 3); c.put("d", 4, ttl=5)
now[0] = 6
n = c.purge()
if n != 2: bad.append(f"purge() returned {n!r}, wanted 2")
if len(c) != 2: bad.append(f"{len(c)} entries are left after purge(), wanted 2")
try: c.get("a"); bad.append("an expired entry is served")
except Missing: pass
if c.get("b") != 2 or c.get("c") != 3: bad.append("a live entry is lost")
l = Cache(max_entries=2, clock=lambda: now[0])
l.put("x", 1); l.put("y", 2); l.get("x"); l.put("z", 3)
try: l.get("y"); bad.append("the oldest entry wasn't dropped")
except Missing: pass
print("\n".join(bad))
sys.exit(bool(bad))
