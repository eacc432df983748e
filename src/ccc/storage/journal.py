"""A session's records: the hook's log, the output of the agent and reviewer, and the verdicts."""

import fcntl
import os
import time

from ccc.errors import CccError
from ccc.storage import files
from ccc.storage.paths import Paths
from ccc.system import private_files
from ccc.text.jsontext import dumps


def stamp(moment: float | None = None) -> str:
    """Return a time, by default the current one, in ISO 8601 with the local offset."""
    text = time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(moment))
    return f"{text[:-2]}:{text[-2:]}"


class Journal:
    """The records of one session; `problem` is the first reason why a write failed.

    Records are for people to read, so a full disk must not decide whether a stop is allowed.
    """

    def __init__(
        self, paths: Paths, session: str, round: int = 0, largest_record: int = 100_000_000
    ) -> None:
        self._log = paths.invocation_log
        self.output_file = paths.review_output(session)
        self.agent_file = paths.agent_output(session)
        self.verdicts_file = paths.verdicts(session)
        self._session = session
        self.round = round
        self._output = _Record(self.output_file, largest_record)
        self._agent = _Record(self.agent_file, largest_record)
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
        self._append(_Record(self._log), f"{stamp()} {event} {words}")

    def note(self, text: str) -> None:
        """Record a message as the user saw it."""
        for line in text.splitlines():
            if line.strip():
                self.log("told", text=line.strip())

    def output_size(self) -> int:
        """Return the current size of the reviewer's output."""
        return _size(self.output_file)

    def raw(self, line: str) -> None:
        """Append a line of the reviewer's stream-json."""
        self._append(self._output, line)

    def agent(self, line: str) -> None:
        """Append a line of the agent's stream-json."""
        self._append(self._agent, line)

    def verdict(self, record: dict[str, object]) -> None:
        """Append a verdict with its cost."""
        line = dumps({"time": stamp(), **record})
        self._append(_Record(self.verdicts_file), line)

    def _append(self, record: "_Record", line: str) -> None:
        problem = ""
        try:
            record.append(line.replace("\n", "\\n"))
        except CccError as error:
            problem = str(error)
        except OSError as error:
            problem = f"{record.path}: {error.strerror}"
        self.problem = self.problem or problem


class _Record:
    """A private file that lines are appended to. It stays open, since a stream has many lines."""

    def __init__(self, path: str, largest: int = 0) -> None:
        self.path = path
        self._largest = largest
        self._file: int | None = None

    def __del__(self) -> None:
        self._close()

    def append(self, line: str) -> None:
        """Append a line; raise CccError if the file already exceeds its limit."""
        file = self._open()
        try:
            _lock(file, fcntl.LOCK_EX)  # half of another process's line would look truncated
            size = os.fstat(file).st_size
            if self._largest and size > self._largest:
                limit = f"{self._largest // 1_000_000} MB"
                raise CccError("record.full", file=self.path, size=limit)
            if size and os.pread(file, 1, size - 1) != b"\n":
                files.write_all(file, b"\n")  # a full disk truncated the last line
            # not joined: a line may be megabytes, and a copy takes longer than the write
            files.write_all(file, line.encode("utf-8", "replace"))
            files.write_all(file, b"\n")
        finally:
            _lock(file, fcntl.LOCK_UN)

    def _open(self) -> int:
        """Open the file, again if somebody has removed it."""
        if self._file is not None and os.fstat(self._file).st_nlink:
            return self._file
        self._close()
        files.make_directory(os.path.dirname(self.path))
        self._file = private_files.open_file(self.path, os.O_RDWR | os.O_APPEND)
        return self._file

    def _close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _lock(file: int, operation: int) -> None:
    try:
        fcntl.flock(file, operation)
    except OSError:
        pass  # a file system without locks


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _quote(value: object) -> str:
    text = value if isinstance(value, str) else dumps(value)
    is_plain = text and not any(c.isspace() or c in '"=' for c in text)
    return text if is_plain else dumps(text)
