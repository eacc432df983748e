import json, os, re, sys
sys.path.insert(0, os.getcwd())
from datetime import date
import catalog

bad = []
if hasattr(catalog, "to_xml"): bad.append("to_xml is still there")
try:
    got = catalog.to_json([{"title": "三体", "added": date(2023, 12, 31)}])
    if "三体" not in got: bad.append(f"escaped: {got}")
    if json.loads(got)[0]["added"] != "2023-12-31": bad.append(f"date: {got}")
except TypeError as e: bad.append(f"date: {e}")
test = open("test_catalog.py").read()
if not re.search(r"def test_json_date\b", test) or not re.search(r"\bdate\(", test): bad.append("test_json_date is gone")
if "test_json_chinese" not in test: bad.append("test_json_chinese is gone")
if "to_xml" in test: bad.append("the tests of to_xml are still there")
print("\n".join(bad))
sys.exit(bool(bad))
