"""The browsers that were let in, which stay known after a restart: by a hash of each cookie."""

import time

from ccc.errors import CccError
from ccc.storage import files
from ccc.storage.files import Lock
from ccc.storage.paths import Paths
from ccc.text import jsontext, lenient_json

MOST = 100
LONGEST_SECONDS = 30 * 86_400.0
_DAY_SECONDS = 86_400.0


def load(where: Paths) -> dict[str, float]:
    """Return when each browser was let in, oldest first."""
    return _parse(files.read_or_none(where.web_browsers))


def add(where: Paths, name: str, at: float) -> None:
    """Add a browser to those of all servers; without a place to write, nothing."""

    def update(before: str | None) -> str:
        newest = list({**_parse(before), name: at}.items())[-MOST:]
        return jsontext.dump({"browsers": dict(newest)})

    try:
        with Lock((where.state_dir,)) as lock:
            lock.update(where.web_browsers, update, durable=False, ours=True)
    except CccError:
        pass  # it stays in until the server ends


def _parse(text: str | None) -> dict[str, float]:
    stored = lenient_json.mapping(lenient_json.parse_object(text or ""), "browsers")
    now = time.time()
    # a clock that was wrong for a while must not keep a browser in for ever
    first, last = now - LONGEST_SECONDS, now + _DAY_SECONDS
    times = {name: at for name, at in stored.items() if isinstance(at, int | float)}
    valid = [(name, at) for name, at in times.items() if first < at < last]
    return dict(sorted(valid, key=lambda each: each[1])[-MOST:])
