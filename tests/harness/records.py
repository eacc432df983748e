"""Sample session records in ccc's format, for the commands that read them."""

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

MOMENT = 1_794_000_000.0
"""The time of the sample sessions."""
TASK = "Add a --dry-run option to the importer, with tests, and describe it in the README"
FEEDBACK = """The option works, but two things are missing:

1. `README.md` still describes only `--force`; the request asks for a description of `--dry-run`.
2. `test_dry_run` passes even if the importer writes: it compares the list with itself. Compare \
the table before and after instead."""
FAILED_OUTPUT = """tests/test_importer.py ..F                                          [100%]

=================================== FAILURES ===================================
    def test_dry_run_writes_nothing(table):
        before = rows(table)
        run_import(table, dry_run=True)
>       assert rows(table) == before
E       AssertionError: assert 3 == 0

tests/test_importer.py:41: AssertionError
1 failed, 2 passed in 0.31s"""
PRICED = "genai-prices 0.2.1"
"""The source of the costs on record."""


def state(session: str, **more: Any) -> dict[str, Any]:
    """Return a session's state."""
    return {
        "session_id": session,
        "enabled": True,
        "count": 5,
        "created_at": stamp(MOMENT - 60),
        "updated_at": stamp(MOMENT + 1_330),
        "provider": "kimi",
        "claude": "/usr/local/bin/claude",
        "pid": 0,
        "prompt_id": "p1",
        "task_started": MOMENT,
        "cost_usd": 0.0772,
        "cost_source": PRICED,
        "feedback": [FEEDBACK],
        "cwd": "/home/somebody/code/importer",
        "model": "kimi-k2.7-code",
        "request": TASK,
        "limit": 10,
        "outcome": "completed",
        "decided_at": MOMENT + 1_330,
        "version": 1,
        **more,
    }


def receipt(command: str, code: int | None, seconds: float, output: str = "") -> dict[str, Any]:
    """Return a receipt of a check."""
    return {
        "command": command,
        "exit_code": code,
        "seconds": seconds,
        "head": "3f2c9d0e8b7a6f5e4d3c2b1a0f9e8d7c6b5a4f3e",
        "dirty": True,
        "output_file": "/home/somebody/.claude/ccc/check-1.log",
        "output": output,
    }


def verdict(iteration: int, at: float, outcome: str, feedback: str = "", **more: Any) -> Any:
    """Return a line of the verdicts file."""
    return {
        "time": stamp(MOMENT + at),
        "iteration": iteration,
        "prompt_id": "p1",
        "outcome": outcome,
        "allowed": outcome != "not_completed",
        "completed": outcome == "completed",
        "feedback": feedback,
        "needs_user": False,
        "failure": "",
        "cost_usd": 0.0,
        "cost_source": PRICED,
        "tokens": {},
        "seconds": 0.0,
        "changed_tree": False,
        "request": TASK,
        "agent_model": "kimi-k2.7-code",
        "provider": "kimi",
        "model": "kimi-k2.7-code",
        "limit": 10,
        "task_started": MOMENT,
        "stopped_at": MOMENT + at - 30,
        "diff": None,
        "receipts": [],
        **more,
    }


def tokens(sent: int, cached: int, output: int) -> dict[str, int]:
    """Return the token counts of a review."""
    return {"input": 12, "cache_read": cached, "cache_creation": sent - cached, "output": output}


def story() -> list[dict[str, Any]]:
    """Return five rounds: a failing check, three reviews with feedback, and a completed task."""
    lint, passed = receipt("make lint", 0, 2.1, "All checks passed!"), "3 passed in 0.28s"
    return [
        verdict(
            *(1, 240, "not_completed"),
            f"The check `make test` fails with exit code 1. Make it pass.\n\n{FAILED_OUTPUT}",
            receipts=[lint, receipt("make test", 1, 6.4, FAILED_OUTPUT)],
            diff={"files": 2, "added": 61, "removed": 4},
        ),
        verdict(
            *(2, 515, "not_completed", FEEDBACK),
            receipts=[lint, receipt("make test", 0, 6.1, passed)],
            cost_usd=0.0189,
            tokens=tokens(41_200, 38_900, 640),
            seconds=31.4,
            diff={"files": 3, "added": 88, "removed": 6},
        ),
        verdict(
            *(3, 790, "not_completed"),
            "`--dry-run` together with `--force` writes: the importer looks at `force` first.",
            receipts=[lint, receipt("make test", 0, 6.3, passed)],
            cost_usd=0.0214,
            tokens=tokens(47_800, 46_100, 812),
            seconds=44.0,
            diff={"files": 4, "added": 131, "removed": 12},
        ),
        verdict(
            *(4, 1_050, "not_completed"),
            "The new check for both options is there, but README.md does not say which one wins.",
            receipts=[lint, receipt("make test", 0, 6.2, passed)],
            cost_usd=0.0173,
            tokens=tokens(52_300, 51_000, 420),
            seconds=27.9,
            diff={"files": 4, "added": 149, "removed": 15},
        ),
        verdict(
            *(5, 1_330, "completed", "Everything that was asked for is there and tested."),
            receipts=[lint, receipt("make test", 0, 6.2, passed)],
            cost_usd=0.0196,
            tokens=tokens(55_900, 54_700, 530),
            seconds=25.2,
            diff={"files": 4, "added": 156, "removed": 15},
        ),
    ]


def review_of(iteration: int) -> list[dict[str, Any]]:
    """Return the raw lines of the sample review in that round."""
    calls = [
        ("Bash", {"command": "git diff HEAD --stat"}, " 4 files changed, 156 insertions(+)"),
        ("Bash", {"command": "make test"}, "tests/test_importer.py ...\n3 passed in 0.28s"),
        ("Read", {"file_path": "/home/somebody/code/importer/README.md"}, "1  # Importer\n2"),
        ("Grep", {"pattern": "dry.run", "path": "importer.py"}, "importer.py:12: dry_run"),
        ("Bash", {"command": "python -m importer --dry-run sample.csv"}, "would write 3 rows"),
    ]
    lines = [init()]
    for number, (tool, given, seen) in enumerate(calls[: iteration + 1]):
        lines += [called(tool, f"t{number}", **given), answered(seen, f"t{number}")]
    closing = "I ran the tests and the importer on a sample, and read the README."
    return [*lines, said(f'{closing}\n{{"completed": {json.dumps(iteration == 5)}}}')]


class Records:
    """A state directory to write sample sessions to."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        directory.mkdir(parents=True, exist_ok=True)

    def add(
        self,
        session: str,
        verdicts: list[dict[str, Any]] | None = None,
        changed: float | None = None,
        **more: Any,
    ) -> Path:
        """Write a session; without `verdicts` it is the five-round story."""
        lines = self._story(session) if verdicts is None else verdicts
        path = self.directory / f"supervisor-{session}.json"
        path.write_text(json.dumps(state(session, **more), ensure_ascii=False))
        if lines:
            self.file(session, "verdicts.jsonl").write_text("".join(map(line, lines)))
        moment = time.time() if changed is None else changed
        os.utime(path, (moment, moment))
        return path

    def _story(self, session: str) -> list[dict[str, Any]]:
        """Return the verdicts of the story, and write the output of its reviews."""
        lines, output = story(), self.file(session, "output.jsonl")
        output.unlink(missing_ok=True)
        end = 0
        for each in lines[1:]:
            self.append(session, "output.jsonl", *review_of(each["iteration"]))
            begin, end = end, output.stat().st_size
            each["output"] = [begin, end]
        return lines

    def file(self, session: str, name: str) -> Path:
        """Return the path of one of the session's files."""
        return self.directory / f"supervisor-{session}-{name}"

    def append(self, session: str, name: str, *values: Mapping[str, Any] | str) -> None:
        """Append lines to a session's file, as text or as JSON."""
        with open(self.file(session, name), "a", encoding="utf-8") as file:
            for value in values:
                file.write(value if isinstance(value, str) else line(value))

    def change(self, session: str, **more: Any) -> None:
        """Change the state as ccc does: by replacing the file."""
        path = self.directory / f"supervisor-{session}.json"
        value = {**json.loads(path.read_text()), **more}
        new = path.with_suffix(".new")
        new.write_text(json.dumps(value, ensure_ascii=False))
        new.replace(path)


def line(value: Mapping[str, Any]) -> str:
    """Return a line of a JSONL file."""
    return json.dumps(value, ensure_ascii=False) + "\n"


def stamp(moment: float) -> str:
    """Return a moment in ISO 8601, in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(moment))


def said(text: str) -> dict[str, Any]:
    """Return a raw line with text from the reviewer."""
    return _assistant({"type": "text", "text": text})


def called(name: str, id_: str = "t", **given: str) -> dict[str, Any]:
    """Return a raw line with a tool call of the reviewer."""
    return _assistant({"type": "tool_use", "id": id_, "name": name, "input": given})


def answered(seen: str, id_: str = "t") -> dict[str, Any]:
    """Return a raw line with the result of a tool call."""
    block = {"type": "tool_result", "tool_use_id": id_, "content": seen}
    return {"type": "user", "message": {"role": "user", "content": [block]}}


def init() -> dict[str, Any]:
    """Return the raw line at the start of a review."""
    return {"type": "system", "subtype": "init", "session_id": "fork", "model": "kimi-k2.7-code"}


def _assistant(block: dict[str, Any]) -> dict[str, Any]:
    return {"type": "assistant", "message": {"role": "assistant", "content": [block]}}
