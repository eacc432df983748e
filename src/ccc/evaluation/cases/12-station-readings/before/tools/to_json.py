"""The readings as JSON, for the web page: python3 tools/to_json.py FILE"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from utils import read

print(json.dumps([{"station": r[0], "time": r[1], "celsius": round(r[2], 1)} for r in read(sys.argv[1])]))
