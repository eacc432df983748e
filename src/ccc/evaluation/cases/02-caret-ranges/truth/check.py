import os, sys
sys.path.insert(0, os.getcwd())
from verrange import satisfies

bad = []
for version, spec, want in [
    ("0.3.0", "^0.2.3", False), ("0.0.4", "^0.0.3", False), ("0.2.9", "^0.2.3", True),
    ("0.6.0", "^0.5.1", False), ("0.5.7", "^0.5.1", True), ("0.5.0", "^0.5.1", False),
    ("0.0.8", "^0.0.7", False), ("0.0.7", "^0.0.7", True), ("0.1.0", "^0.0.7", False),
    ("1.9.0", "^1.4.2", True), ("2.0.0", "^1.4.2", False), ("0.4.9", "~0.4.2", True),
]:
    if satisfies(version, spec) is not want:
        bad.append(f"satisfies({version!r}, {spec!r}) is {not want}")
print("\n".join(bad))
sys.exit(bool(bad))
