"""The browsers that were let in, which stay known after a restart: by a hash of each cookie."""

import time
from collections.abc import Mapping

from ccc.errors import CccError
from ccc.storage import files
from ccc.storage.files import Lock
from ccc.storage.paths import Paths
from ccc.text import json_path, jsontext

MOST = 100
_LONGEST_SECONDS = 30 * 86_400.0


def load(where: Paths) -> dict[str, float]:
    """Return when each browser was let in, oldest first."""
    return _parse(files.read_or_none(where.web_browsers))


def save(where: Paths, browsers: Mapping[str, float]) -> None:
    """Add these browsers to those of other servers; without a place to write, nothing."""

    def add(before: str | None) -> str:
        known = {**_parse(before), **browsers}
        newest = sorted(known.items(), key=lambda each: each[1])[-MOST:]
        return jsontext.dump({"browsers": dict(newest)})

    try:
        with Lock((where.state_dir,)) as lock:
            lock.update(where.web_browsers, add, durable=False, ours=True)
    except CccError:
        pass  # they stay in until the server ends


def _parse(text: str | None) -> dict[str, float]:
    stored = json_path.mapping(json_path.parse_object(text or ""), "browsers")
    since = time.time() - _LONGEST_SECONDS
    times = {name: value for name, value in stored.items() if isinstance(value, int | float)}
    return {name: at for name, at in sorted(times.items(), key=lambda e: e[1]) if at > since}
