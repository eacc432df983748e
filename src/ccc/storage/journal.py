"""A session's records: the hook's log, the output of the agent and reviewer, and the verdicts."""

import fcntl
import json
import os
import time

from ccc.errors import CccError
from ccc.storage import files
from ccc.system import private_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.storage.paths import Paths


def stamp(moment: float | None = None) -> str:
    """Return a time, by default the current one, in ISO 8601 with the local offset."""
    text = time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(moment))
    return f"{text[:-2]}:{text[-2:]}"


class Journal:
    """The records of one session; `problem` is the first reason why a write failed.

    Records are for people to read, so a full disk must not decide whether a stop is allowed.
    """

    def __init__(
        self, paths: "Paths", session: str, round: int = 0, largest_record: int = 100_000_000
    ) -> None:
        self._log = paths.invocation_log
        self.output_file = paths.review_output(session)
        self.agent_file = paths.agent_output(session)
        self.verdicts_file = paths.verdicts(session)
        self._session = session
        self.round = round
        self._largest_record = largest_record
        self.problem = ""

    def trim(self, largest: int = 5_000_000, old_logs: int = 3) -> None:
        """Rotate a large log; writers open it by name for each line, so none is lost."""
        if _size(self._log) <= largest:
            return
        with files.Lock((os.path.dirname(self._log),)):
            if _size(self._log) <= largest:
                return  # another process was faster
            for number in range(old_logs, 0, -1):
                newer = f"{self._log}.{number - 1}" if number > 1 else self._log
                if os.path.exists(newer):
                    os.replace(newer, f"{self._log}.{number}")

    def log(self, event: str, **parameters: object) -> None:
        """Append to hook-invocation.log: ISO 8601 time, event, session, iteration, details."""
        pairs = {"session_id": self._session, "iteration": self.round, **parameters}
        words = " ".join(f"{name}={_quote(value)}" for name, value in pairs.items())
        self._append(self._log, f"{stamp()} {event} {words}")

    def note(self, text: str) -> None:
        """Record a message as the user saw it."""
        for line in text.splitlines():
            if line.strip():
                self.log("told", text=line.strip())

    def output_size(self) -> int:
        """Return the current size of the reviewer's output."""
        return _size(self.output_file)

    def agent_size(self) -> int:
        """Return the current size of the agent's output."""
        return _size(self.agent_file)

    def raw(self, line: str) -> None:
        """Append a line of the reviewer's stream-json."""
        self._append(self.output_file, line, self._largest_record)

    def agent(self, line: str) -> None:
        """Append a line of the agent's stream-json."""
        self._append(self.agent_file, line, self._largest_record)

    def verdict(self, record: dict[str, object]) -> None:
        """Append a verdict with its cost."""
        line = json.dumps({"time": stamp(), **record}, ensure_ascii=False)
        self._append(self.verdicts_file, line)

    def _append(self, path: str, line: str, largest: int = 0) -> None:
        problem = ""
        try:
            if not _append(path, line.replace("\n", "\\n") + "\n", largest):
                full = CccError("record.full", file=path, size=f"{largest // 1_000_000} MB")
                problem = str(full)
        except CccError as error:
            problem = str(error)
        except OSError as error:
            problem = f"{path}: {error.strerror}"
        self.problem = self.problem or problem


def _append(path: str, text: str, largest: int) -> bool:
    """Append to a private file in one write; return False if it already exceeds `largest`.

    If a full disk truncated the last line, the text starts on a new line.
    """
    try:
        file = private_files.open_file(path, os.O_RDWR | os.O_APPEND)
    except (FileNotFoundError, NotADirectoryError):
        files.make_directory(os.path.dirname(path))
        file = private_files.open_file(path, os.O_RDWR | os.O_APPEND)
    try:
        try:
            # half of another process's line would look truncated
            fcntl.flock(file, fcntl.LOCK_EX)
        except OSError:
            pass  # a file system without locks
        size = os.fstat(file).st_size
        if largest and size > largest:
            return False
        is_truncated = size and os.pread(file, 1, size - 1) != b"\n"
        files.write_all(file, (b"\n" if is_truncated else b"") + text.encode("utf-8", "replace"))
    finally:
        os.close(file)
    return True


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _quote(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    is_plain = text and not any(c.isspace() or c in '"=' for c in text)
    return text if is_plain else json.dumps(text, ensure_ascii=False)
