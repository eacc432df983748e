"""A home in which things go wrong: what may be in it at any moment, and what must be at the end."""

import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from harness import CccProject
from harness.disturbing import AT_EVENT, loaded
from harness.processes import nothing_runs
from harness.soak import SOAK, Tally, rounds

SETTINGS = '{\n\t"model": "opus",\n\t"n": 1.10,\n\t"\\u4e2d": "中"\n}'
FOREIGN = '{"mine": "precious"}'
SECONDS = 60
"""The most that anything here waits for a program."""
SESSION = "s-1"
CHECK = "sleep 0.02; false"

# Claude as far as a review needs it: the handshake, then a verdict. Left alone between, it stays.
_REVIEWER = """#!{python} -I
import json, re, sys, time
owes = False
def emit(**message):
    print(json.dumps(message), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    owes = True
    if message["type"] == "control_request":
        body = {{"subtype": "success", "request_id": message["request_id"], "response": {{}}}}
        emit(type="control_response", response=body)
    elif message["type"] == "user":
        open({sign!r}, "w").close()
        reviews = "--fork-session" in sys.argv
        text = {verdict!r} if reviews else "Done."
        time.sleep(0.03)
        code = re.findall('{{"code": "([0-9a-f]+)"', str(message.get("message")))
        text = text.replace("%code%", code[-1] if code else "")
        emit(type="result", subtype="success", is_error=False, result=text, duration_ms=1,
             duration_api_ms=1, num_turns=1, session_id="x", total_cost_usd=0.25,
             usage={{"input_tokens": 1, "output_tokens": 1}})
        owes = False
if owes:
    time.sleep(60)
"""


class Home:
    """A home that every launch has to change, with files of the user's in it."""

    def __init__(self, project: CccProject) -> None:
        self.project = project
        self.claude = project.bin / "claude"
        self.asked = project.root / "asked"
        """Made when the claude of `claude_judges` is asked something."""
        self.claude_does_nothing()
        provider = project.provider()
        project.configure(
            providers={"a": provider, "b": provider},
            current_provider="a",
            supervisor={"sandbox": "off", "checks": [CHECK], "max_iterations": 100},
        )
        self.config = project.read(".claude/ccc.json")
        self.reset()
        project.run("b").succeeded()
        self.complete = {n: t for n, t in self.files().items() if not n.startswith("ccc/")}
        self.reset()

    def claude_does_nothing(self) -> None:
        """Claude ends at once."""
        self.claude.unlink()
        self.claude.symlink_to("/bin/true")

    def claude_judges(self, completed: bool = False) -> None:
        """Claude answers; as a reviewer with this verdict, which costs 0.25."""
        feedback = "" if completed else "More."
        verdict = json.dumps({"code": "%code%", "completed": completed, "feedback": feedback})
        self.claude.unlink()
        self.claude.write_text(
            _REVIEWER.format(python=sys.executable, verdict=verdict, sign=str(self.asked))
        )
        self.claude.chmod(0o755)

    def set_check(self, command: str) -> None:
        """Have this check in place of the one that fails."""
        self.config = self.config.replace(json.dumps(CHECK), json.dumps(command))
        complete = self.complete["ccc.json"].replace(json.dumps(CHECK), json.dumps(command))
        self.complete["ccc.json"] = complete
        now = self.project.read(".claude/ccc.json")
        self.project.write(".claude/ccc.json", now.replace(json.dumps(CHECK), json.dumps(command)))

    def reset(self) -> None:
        """As it was before the first launch: the user's files alone."""
        directory = self.project.claude_dir
        for path in sorted(directory.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        self.project.write(".claude/ccc.json", self.config)
        self.project.write(".claude/settings.json", SETTINGS)
        self.project.write(".claude/settings-b-supervisor.json", FOREIGN)

    def files(self) -> dict[str, str]:
        """Every file in claude's directory."""
        directory = self.project.claude_dir
        return {
            str(path.relative_to(directory)): path.read_text()
            for path in directory.rglob("*")
            if path.is_file()
        }

    def check(self) -> None:
        """Every file is the old one or the new one, whole."""
        old = {
            "ccc.json": self.config,
            "settings.json": SETTINGS,
            "settings-b-supervisor.json": FOREIGN,
        }
        files = self.files()
        assert {"ccc.json", "settings.json"} <= set(files)
        assert FOREIGN in files.values()
        for name, text in files.items():
            if name.startswith("ccc/"):
                self._check_own(name, text)
            elif not name.endswith(".tmp"):
                assert text in (old.get(name), self.complete.get(name)), (name, text)
        ours = "settings-b-supervisor.json"
        if files.get(ours) == self.complete[ours]:
            # in the ledger before it is written, or a later launch would take it for the user's
            ledger = json.loads(files["ccc/ledger.json"])["files"]
            assert str(self.project.claude_dir / ours) in ledger

    def _check_own(self, name: str, text: str) -> None:
        """A file of ours parses, line by line where it grows."""
        if name.endswith(".json"):
            json.loads(text)
        elif name.endswith(".jsonl"):
            assert [json.loads(line) for line in text.splitlines()] == [] or text.endswith("\n")
        assert not name.endswith(".corrupt"), text

    def check_complete(self) -> None:
        """After a launch that was left alone all is in place, and nothing is left over."""
        files = self.files()
        assert {n: t for n, t in files.items() if not n.startswith("ccc/")} == self.complete
        assert files["settings.json"].count("supervisor-hook") == 1
        assert len(json.loads(files["ccc/ledger.json"])["files"]) == 7
        self.check_tidy()

    def check_tidy(self) -> None:
        """Nothing is left over: no temporary file, no process."""
        files = self.files()
        assert [n for n in files if n.endswith((".tmp", ".corrupt"))] == []
        assert files.get("ccc/lock", "") == ""
        self.check_alone()

    def check_alone(self) -> None:
        """Nothing runs any more: what was killed takes all along that it had started."""
        nothing_runs(self.project.home)

    def check_uninstalled(self) -> None:
        """The user's files are what they were, and nothing of ours is among them."""
        files = {n: t for n, t in self.files().items() if not n.startswith("ccc/")}
        assert files.pop("ccc.json") in (self.config, self.complete["ccc.json"])
        assert files == {"settings.json": SETTINGS, "settings-b-supervisor.json": FOREIGN}
        assert "ccc/ledger.json" not in self.files()

    def start(self, *words: str, stdin: str = "", **env: str) -> "subprocess.Popen[bytes]":
        """Run ccc, without waiting for its end; the input is there before it starts."""
        with tempfile.TemporaryFile(dir=self.project.root) as file:
            file.write(stdin.encode())
            file.seek(0)
            return subprocess.Popen(
                [self.project.ccc, *words],
                cwd=self.project.directory,
                env={**self.project.env, **env},
                stdin=file,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )

    def run(self, *words: str, stdin: str = "", **env: str) -> str:
        """Run ccc to a good end; what it said."""
        process = self.start(*words, stdin=stdin, **env)
        said, _ = process.communicate(timeout=SECONDS)
        assert process.returncode == 0, (words, process.returncode, said)
        return said.decode()

    def supervise(self, session: str = SESSION) -> dict[str, str]:
        """Have a session that is supervised; its environment."""
        env = {"CCC_SUPERVISOR_ID": session, "CLAUDECODE": "1"}
        self.claude_does_nothing()
        self.run("b", **env)
        self.run("supervisor-mode", "on", **env)
        return env

    def state(self, session: str = SESSION) -> dict[str, Any]:
        """The session's state."""
        found: dict[str, Any] = self.project.json(f".claude/ccc/supervisor-{session}.json")
        return found

    def verdicts(self, session: str = SESSION) -> list[dict[str, Any]]:
        """The verdicts on record."""
        path = self.project.claude_dir / "ccc" / f"supervisor-{session}-verdicts.jsonl"
        lines = path.read_text().splitlines() if path.exists() else []
        return [json.loads(line) for line in lines]

    def event(self, session: str = SESSION, prompt: str = "p") -> str:
        """What claude tells the hook."""
        return json.dumps(
            {
                "session_id": session,
                "cwd": str(self.project.directory),
                "prompt_id": prompt,
                "hook_event_name": "Stop",
            }
        )


def answer_of(said: str) -> dict[str, str]:
    """The one JSON object that a hook said, of the form that claude takes."""
    found: dict[str, str] = json.loads(said)
    assert set(found) <= {"decision", "reason", "systemMessage", "terminalSequence"}, found
    assert ("decision" in found) is ("reason" in found), found
    return found


Start = Callable[..., "subprocess.Popen[bytes]"]


def killed_at_operations(
    start: Start, tmp_path: Path, step: int, seconds: float, soak_step: int = 1
) -> Iterator[int]:
    """Kill the program before each of its changes of a file; in `make test` one of each step.

    Yields after each kill; ends after the run that came to its end, and there has to be one.
    """
    hook = loaded(tmp_path / "hook", AT_EVENT)
    until = time.monotonic() + seconds
    first, step = (1, soak_step) if SOAK else (step // 2, step)
    for operation in range(first, 1000, step):
        process = start(**hook, KILL_AT=str(operation))
        process.communicate(timeout=SECONDS)
        if process.returncode == 0:
            return
        assert process.returncode == -signal.SIGKILL, process.returncode
        yield operation
        if time.monotonic() > until:
            break
    raise AssertionError(f"{operation} operations in {seconds} s, and not at its end")


def killed_at_moments(
    start: Start, few: int, all_of_them: int, seconds: float, tally: Tally
) -> Iterator[random.Random]:
    """Kill the program after a random time; yields after each kill that met it alive."""
    chance = random.Random(tally.name)
    first, begun = start(), time.monotonic()
    first.communicate(timeout=SECONDS)
    usual = time.monotonic() - begun
    for _ in rounds(few, all_of_them, seconds):
        for _ in range(50):
            process = start()
            time.sleep(chance.uniform(0, usual))
            process.kill()
            process.communicate(timeout=SECONDS)
            if process.returncode == -signal.SIGKILL:
                break
        assert process.returncode == -signal.SIGKILL, "it always ended before"
        yield chance
