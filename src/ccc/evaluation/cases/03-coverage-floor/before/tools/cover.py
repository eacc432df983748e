"""Line coverage of the modules in cover.ini while the unit tests run; fails below the floor."""
import configparser
import pathlib
import sys
import unittest

root = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(root))
settings = configparser.ConfigParser()
settings.read(root / "cover.ini")
floor = settings.getfloat("cover", "floor")
modules = {str(root / name) for name in settings["cover"]["modules"].split()}
seen = {name: set() for name in modules}


def lines(code):
    found = {line for _, _, line in code.co_lines() if line}
    for const in code.co_consts:
        if hasattr(const, "co_lines"):
            found |= lines(const)
    return found


def trace(frame, event, arg):
    name = frame.f_code.co_filename
    if name not in seen:
        return None
    seen[name].add(frame.f_lineno)
    return trace


sys.settrace(trace)
suite = unittest.defaultTestLoader.discover(str(root))
result = unittest.TextTestRunner(stream=open("/dev/null", "w")).run(suite)
sys.settrace(None)

total = hit = 0
for name in sorted(modules):
    wanted = lines(compile(pathlib.Path(name).read_text(), name, "exec")) - {0}
    got = wanted & seen[name]
    total, hit = total + len(wanted), hit + len(got)
    print(f"{pathlib.Path(name).relative_to(root)}: {100 * len(got) / len(wanted):.0f}%")
share = 100 * hit / total
print(f"total {share:.0f}%, floor {floor:.0f}%")
sys.exit(0 if result.wasSuccessful() and share >= floor else 1)
