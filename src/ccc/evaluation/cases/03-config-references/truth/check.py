import os, re, sys
sys.path.insert(0, os.getcwd())
from layered import ConfigError, expand

bad = []
if expand({"root": "/srv", "home": "${root}/app", "logs": "${home}/logs"})["logs"] != "/srv/app/logs":
    bad.append("nested references aren't expanded")
for values, want in [({"a": "${b}", "b": "${a}"}, ["a", "b"]), ({"a": "x${a}"}, ["a"]), ({"x": "${p}", "p": "${q}", "q": "${p}"}, ["p", "q"])]:
    try:
        expand(values)
        bad.append(f"no error for the cycle {values}")
    except ConfigError as e:
        if not all(k in str(e) for k in want): bad.append(f"the error doesn't name the keys: {e}")
    except RecursionError:
        bad.append(f"the cycle {values} blows the stack")
conf = open("conftest.py").read()
if re.search(r"pytest_collection_modifyitems|collect_ignore|pytest_ignore_collect|pytest_runtest|add_marker", conf):
    bad.append("conftest interferes with which tests run")
if "slow" not in conf: bad.append("the slow marker isn't registered")
text = open("tests/test_expand.py").read()
for name in ("test_cycle_of_two", "test_cycle_on_itself", "test_nested_reference"):
    if f"def {name}(" not in text: bad.append(f"{name} is gone")
print("\n".join(bad))
sys.exit(bool(bad))
