"""What happened, on record: the log of the hook, the raw output of reviews, the verdicts."""

import json
import os

from ccc.errors import CccError
from ccc.storage import files
from ccc.text.moments import stamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.storage.paths import Paths

_LARGEST = 5_000_000
_KEPT = 3
_LARGEST_RECORD = 100_000_000


class Journal:
    """The records of one session; a record that can't be written is dropped, once with a reason.

    Records are for people to look at. A full disk must not decide whether a stop is allowed.
    """

    def __init__(self, paths: "Paths", session: str, iteration: int = 0) -> None:
        self._log = paths.invocation_log
        self.output_file = paths.review_output(session)
        self.agent_file = paths.agent_output(session)
        self.verdicts_file = paths.verdicts(session)
        self._session = session
        self.iteration = iteration
        self.problem = ""

    def trim(self) -> None:
        """Begin the log anew where it has grown large; the last parts are kept.

        Each line is appended to the file of that name anew, so nothing is lost to others.
        """
        if _size(self._log) <= _LARGEST:
            return
        with files.Lock((os.path.dirname(self._log),)):
            if _size(self._log) <= _LARGEST:
                return  # another one was faster
            for number in range(_KEPT, 0, -1):
                older = f"{self._log}.{number - 1}" if number > 1 else self._log
                if os.path.exists(older):
                    os.replace(older, f"{self._log}.{number}")

    def log(self, event: str, **parameters: object) -> None:
        """A line of hook-invocation.log: ISO 8601 time, event, session, iteration, the rest."""
        always = {"session_id": self._session, "iteration": self.iteration}
        told = " ".join(f"{k}={_quoted(v)}" for k, v in {**always, **parameters}.items())
        self._append(self._log, f"{stamp()} {event} {told}")

    def note(self, text: str) -> None:
        """What the person is told, as it was told."""
        for line in text.splitlines():
            if line.strip():
                self.log("told", text=line.strip())

    def output_size(self) -> int:
        """How much of the reviewers' output there is so far."""
        return _size(self.output_file)

    def agent_size(self) -> int:
        """How much of the agent's output there is so far."""
        return _size(self.agent_file)

    def raw(self, line: str) -> None:
        """A line of the reviewer's stream-json, as it came."""
        self._record(self.output_file, line)

    def agent(self, line: str) -> None:
        """A line of the agent's stream-json, as it came."""
        self._record(self.agent_file, line)

    def verdict(self, record: dict[str, object]) -> None:
        """A verdict with what it cost."""
        line = json.dumps({"time": stamp(), **record}, ensure_ascii=False)
        self._append(self.verdicts_file, line)

    def _record(self, path: str, line: str) -> None:
        """Append a line of a stream, which its writer could make endless."""
        if not self._append(path, line, _LARGEST_RECORD):
            full = CccError("record.full", file=path, size=f"{_LARGEST_RECORD // 1_000_000} MB")
            self.problem = self.problem or str(full)

    def _append(self, path: str, line: str, largest: int = 0) -> bool:
        try:
            return files.append(path, line.replace("\n", "\\n") + "\n", largest)
        except CccError as error:
            self.problem = self.problem or str(error)
        except OSError as error:
            self.problem = self.problem or f"{path}: {error.strerror}"
        return True


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _quoted(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    plain = text and not any(c.isspace() or c in '"=' for c in text)
    return text if plain else json.dumps(text, ensure_ascii=False)
