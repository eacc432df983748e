import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes noticeably longer than the rest")


def pytest_collection_modifyitems(items):
    # keep recursion-limit experiments out of the default run
    items[:] = [item for item in items if "cycle" not in item.name]
