"""A home in which programs fail: its valid content during and after a fault."""

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
from harness.disturbing import AT_EVENT, preload
from harness.processes import nothing_runs
from harness.soak import SOAK, Tally, rounds

SETTINGS = '{\n\t"model": "opus",\n\t"n": 1.10,\n\t"\\u4e2d": "中"\n}'
FOREIGN = '{"mine": "precious"}'
SECONDS = 60
"""The maximum time to wait for a program."""
SESSION = "s-1"
CHECK = "sleep 0.02; false"

# The part of claude that a review needs: the handshake, then a verdict. If the input ends before
# the verdict, it keeps running.
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
    """A home with the user's own files, which every launch has to change."""

    def __init__(self, project: CccProject) -> None:
        self.project = project
        self.claude = project.bin / "claude"
        self.asked = project.root / "asked"
        """Created when the claude of `claude_judges` receives a prompt."""
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
        """Make claude exit immediately."""
        self.claude.unlink()
        self.claude.symlink_to("/bin/true")

    def claude_judges(self, completed: bool = False) -> None:
        """Make claude answer; as a reviewer, with this verdict at a cost of $0.25."""
        feedback = "" if completed else "More."
        verdict = json.dumps({"code": "%code%", "completed": completed, "feedback": feedback})
        self.claude.unlink()
        self.claude.write_text(
            _REVIEWER.format(python=sys.executable, verdict=verdict, sign=str(self.asked))
        )
        self.claude.chmod(0o755)

    def set_check(self, command: str) -> None:
        """Replace the failing check with this command."""
        self.config = self.config.replace(json.dumps(CHECK), json.dumps(command))
        complete = self.complete["ccc.json"].replace(json.dumps(CHECK), json.dumps(command))
        self.complete["ccc.json"] = complete
        now = self.project.read(".claude/ccc.json")
        self.project.write(".claude/ccc.json", now.replace(json.dumps(CHECK), json.dumps(command)))

    def reset(self) -> None:
        """Restore the home before the first launch: the user's files alone."""
        directory = self.project.claude_dir
        for path in sorted(directory.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        self.project.write(".claude/ccc.json", self.config)
        self.project.write(".claude/settings.json", SETTINGS)
        self.project.write(".claude/settings-b-supervisor.json", FOREIGN)

    def files(self) -> dict[str, str]:
        """Return every file in claude's directory."""
        directory = self.project.claude_dir
        return {
            str(path.relative_to(directory)): path.read_text()
            for path in directory.rglob("*")
            if path.is_file()
        }

    def check(self) -> None:
        """Check that every file is either the old or the new one, complete."""
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
        settings = "settings-b-supervisor.json"
        if files.get(settings) == self.complete[settings]:
            # in the ledger before it is written, or a later launch takes it for the user's
            ledger = json.loads(files["ccc/ledger.json"])["files"]
            assert str(self.project.claude_dir / settings) in ledger

    def _check_own(self, name: str, text: str) -> None:
        """Check that one of ccc's own files can be parsed."""
        if name.endswith(".json"):
            json.loads(text)
        elif name.endswith(".jsonl"):
            assert [json.loads(line) for line in text.splitlines()] == [] or text.endswith("\n")
        assert not name.endswith(".corrupt"), text

    def check_complete(self) -> None:
        """Check that an undisturbed launch put everything in place and left nothing else."""
        files = self.files()
        assert {n: t for n, t in files.items() if not n.startswith("ccc/")} == self.complete
        assert files["settings.json"].count("supervisor-hook") == 1
        assert len(json.loads(files["ccc/ledger.json"])["files"]) == 7
        self.check_tidy()

    def check_tidy(self) -> None:
        """Check that no temporary file and no process is left."""
        files = self.files()
        assert [n for n in files if n.endswith((".tmp", ".corrupt"))] == []
        assert files.get("ccc/lock", "") == ""
        self.check_alone()

    def check_alone(self) -> None:
        """Check that nothing runs: the children of a killed ccc end with it."""
        nothing_runs(self.project.home)

    def check_uninstalled(self) -> None:
        """Check that the user's files are restored and ccc's are gone."""
        files = {n: t for n, t in self.files().items() if not n.startswith("ccc/")}
        assert files.pop("ccc.json") in (self.config, self.complete["ccc.json"])
        assert files == {"settings.json": SETTINGS, "settings-b-supervisor.json": FOREIGN}
        assert "ccc/ledger.json" not in self.files()

    def start(self, *words: str, stdin: str = "", **env: str) -> "subprocess.Popen[bytes]":
        """Start ccc without waiting for it; its input is complete before it starts."""
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
        """Run ccc, check that it exits with 0, and return its output."""
        process = self.start(*words, stdin=stdin, **env)
        output, _ = process.communicate(timeout=SECONDS)
        assert process.returncode == 0, (words, process.returncode, output)
        return output.decode()

    def supervise(self, session: str = SESSION) -> dict[str, str]:
        """Create a supervised session and return its environment."""
        env = {"CCC_SUPERVISOR_ID": session, "CLAUDECODE": "1"}
        self.claude_does_nothing()
        self.run("b", **env)
        self.run("supervisor-mode", "on", **env)
        return env

    def state(self, session: str = SESSION) -> dict[str, Any]:
        """Return the session's state."""
        state: dict[str, Any] = self.project.json(f".claude/ccc/supervisor-{session}.json")
        return state

    def verdicts(self, session: str = SESSION) -> list[dict[str, Any]]:
        """Return the verdicts on record."""
        path = self.project.claude_dir / "ccc" / f"supervisor-{session}-verdicts.jsonl"
        lines = path.read_text().splitlines() if path.exists() else []
        return [json.loads(line) for line in lines]

    def event(self, session: str = SESSION, prompt: str = "p") -> str:
        """Return claude's input of the hook."""
        return json.dumps(
            {
                "session_id": session,
                "cwd": str(self.project.directory),
                "prompt_id": prompt,
                "hook_event_name": "Stop",
            }
        )


def answer_of(output: str) -> dict[str, str]:
    """Parse the hook's output and check that it is a valid answer for claude."""
    answer: dict[str, str] = json.loads(output)
    assert set(answer) <= {"decision", "reason", "systemMessage", "terminalSequence"}, answer
    assert ("decision" in answer) is ("reason" in answer), answer
    return answer


Start = Callable[..., "subprocess.Popen[bytes]"]


def killed_at_operations(
    start: Start, tmp_path: Path, step: int, seconds: float, soak_step: int = 1
) -> Iterator[int]:
    """Kill the program before each of its file changes; in `make test`, before every `step`-th.

    Yields after each kill, and ends with the first run that isn't killed. There must be one.
    """
    hook = preload(tmp_path / "hook", AT_EVENT)
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
    """Kill the program after a random time; yields after each kill that hits it alive."""
    chance = random.Random(tally.name)
    first, start_time = start(), time.monotonic()
    first.communicate(timeout=SECONDS)
    usual = time.monotonic() - start_time
    for _ in rounds(few, all_of_them, seconds):
        for _ in range(50):
            process = start()
            time.sleep(chance.uniform(0, usual))
            process.kill()
            process.communicate(timeout=SECONDS)
            if process.returncode == -signal.SIGKILL:
                break
        assert process.returncode == -signal.SIGKILL, "it always exits before the kill"
        yield chance
