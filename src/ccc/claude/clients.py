"""What is known about each claude on this machine: one file per program, size and time."""

import contextlib
import os
import time

import ccc
from ccc.claude.capabilities import Answers
from ccc.storage import files
from ccc.storage.paths import Paths
from ccc.text import jsontext, lenient_json, names

_RETRY_SECONDS = 24 * 3600


def key(program: str) -> str:
    """Return a name for the program as it is now; "" if it doesn't exist.

    Root and other users get different answers, as does a new version of ccc, which asks more.
    """
    try:
        program = os.path.realpath(program)
        status = os.stat(program)
    except (OSError, ValueError):
        return ""
    is_root = os.geteuid() == 0
    facts = (program, status.st_size, status.st_mtime_ns, is_root, ccc.__version__)
    return names.checksum(repr(facts))


def load(paths: Paths, program: str) -> Answers | None:
    """Return the stored answers about the program."""
    name = key(program)
    raw = lenient_json.parse_object(files.read_or_none(_file(paths, name)) or "") if name else None
    if raw is None:
        return None
    lists = (lenient_json.texts(raw, "missing"), lenient_json.texts(raw, "unknown"))
    return Answers(lenient_json.text(raw, "version"), *lists)


def save(paths: Paths, program: str, answers: Answers) -> None:
    """Store the answers about the program."""
    content = {
        "program": program,
        "version": answers.version,
        "missing": sorted(answers.missing),
        "unknown": sorted(answers.unknown),
        "at": time.time(),
    }
    if name := key(program):
        with files.Lock((paths.state_dir,)) as lock:
            lock.write(_file(paths, name), jsontext.dump(content), durable=False, ours=True)
        files.remove(_mark(paths, name))


def forget(paths: Paths, program: str) -> None:
    """Remove the stored answers about the program."""
    if name := key(program):
        files.remove(_file(paths, name))


def claim(paths: Paths, program: str) -> bool:
    """Return whether this process is the one that starts the test of the program.

    If a test ends without an answer, the next one starts a day later.
    """
    if not (name := key(program)):
        return False
    mark = _mark(paths, name)
    with contextlib.suppress(OSError):  # another launch has, or the directory isn't writable
        if os.path.exists(mark) and time.time() - os.stat(mark).st_mtime > _RETRY_SECONDS:
            os.unlink(mark)
        os.close(os.open(mark, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        return True
    return False


def _file(paths: Paths, name: str) -> str:
    return os.path.join(paths.state_dir, f"client-{name}.json")


def _mark(paths: Paths, name: str) -> str:
    """Return the path of the file that exists while nobody else has to test the program."""
    return os.path.join(paths.state_dir, f"client-{name}.started")
