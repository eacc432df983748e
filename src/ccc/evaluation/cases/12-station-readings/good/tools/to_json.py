"""The readings as JSON, for the web page: python3 tools/to_json.py FILE"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from sensors import read

print(json.dumps([{"station": r.station, "time": r.time, "celsius": round(r.celsius, 1)} for r in read(sys.argv[1])]))
