"""The sessions of the self-test: ccc and a claude in a scratch home, on a scripted model."""

import contextlib
import glob
import json
import os
import select
import signal
import time
import uuid
from collections.abc import Mapping
from typing import Any

from ccc.claude import known_claudes
from ccc.claude.formats.command_line import Plan
from ccc.model.state import State
from ccc.scripted import Request, ScriptedModel
from ccc.scripted.scratch import PROVIDER, Scratch
from ccc.selftest import questions, script
from ccc.selftest.questions import Observation
from ccc.storage import files, sessions
from ccc.system import spawn
from ccc.text import lenient_json

_COLUMNS, _ROWS = 120, 40
_READ_BYTES = 65536
_ENTER = b"\r"
# an unknown dialog of claude gets an Enter
_PATIENCE_SECONDS = 6.0
_MAX_SCREEN_SECONDS = 90.0
_DECOY = {
    "ANTHROPIC_AUTH_TOKEN": "decoy-key",
    "ANTHROPIC_MODEL": "decoy-model",
    "ANTHROPIC_BETAS": script.DECOY,
}


class Session:
    """A session and the questions that it answers."""

    asks: questions.Questions

    def __init__(self, program: str, claude: str, seconds: float) -> None:
        self.place = Scratch(os.environ, "project")
        self.place.takes_bundled = False
        self.place.env[known_claudes.SELFTEST] = "running"
        self.id = str(uuid.uuid4())
        self._program = program
        self._claude = claude
        self._model = ScriptedModel(self.replies(), max_seconds=2 * seconds)
        self._child: spawn.Child | None = None
        self._until = time.monotonic() + seconds
        self.is_late = False
        """Whether its time was up. What it has not answered by then stays unknown."""

    def replies(self) -> script.Replies:
        """Return the model's replies."""
        raise NotImplementedError

    def start(self) -> None:
        """Start the session."""
        url = self._model.start().url
        self.place.furnish(self._claude, url, script.FILES, [script.CHECK])
        self._child = self._start(url)

    def _start(self, url: str) -> spawn.Child:
        raise NotImplementedError

    def _start_logged(self, *line: str) -> spawn.Child:
        place = self.place
        with open(self._path("output"), "wb") as output, open(place.run_log, "wb") as errors:
            return spawn.start_logged(
                line, place.project, place.env, output=output.fileno(), errors=errors.fileno()
            )

    def _path(self, name: str) -> str:
        return os.path.join(self.place.root, name)

    def _configure(self, supervisor: Mapping[str, object], **provider: object) -> None:
        config = json.loads(self.place.read(self.place.where.config))
        config["providers"][PROVIDER] |= provider
        self.place.write(self.place.where.config, json.dumps({**config, "supervisor": supervisor}))

    def look(self) -> Observation:
        """Return what is known so far."""
        assert self._child is not None
        is_over = self._child.poll() is not None
        self.is_late = time.monotonic() > self._until
        requests = tuple(self._model.requests)
        self._react(requests)
        return Observation(requests, is_over=is_over, **(self._facts() if is_over else {}))

    def _react(self, requests: tuple[Request, ...]) -> None:
        """Do what a user would do at this point."""

    def _facts(self) -> dict[str, Any]:
        """Return what is known at the end."""
        return {}

    def printed(self) -> str:
        """Return what ccc and claude have printed on stderr."""
        return self.place.run_said() if os.path.exists(self.place.run_log) else ""

    def end(self) -> None:
        """End all processes, and remove the scratch home."""
        if self._child is not None:
            spawn.end(self._child)
        self._model.stop()
        self.place.leave()


class PrintSession(Session):
    """A supervised `claude -p`: a check sends the agent back, then the work is reviewed."""

    asks = questions.PRINT
    supervisor: Mapping[str, object] = {"checks": [script.CHECK]}

    def replies(self) -> script.Replies:
        """Return the model's replies."""
        return script.supervised(self.place.project)

    def _start(self, url: str) -> spawn.Child:
        place = self.place
        # a user's settings with another endpoint, and a hook that reveals its variables
        hook = {"type": "command", "command": f"env > {self._path('hook')}"}
        users = {
            "env": {"ANTHROPIC_BASE_URL": f"{url}/decoy", **_DECOY},
            "hooks": {"UserPromptSubmit": [{"hooks": [hook]}]},
        }
        place.write(place.where.settings, json.dumps(users))
        self._configure(self.supervisor, permissions={"allow": ["Bash"]})
        # already on, so that the other questions don't depend on the slash command
        sessions.change(place.where, self.id, lambda known: known.switch_on(time.time()))
        # a prompt among the arguments would be the task of a run, which has no hook
        content = {"role": "user", "content": f"/supervisor {script.TASK}"}
        place.write(self._path("input"), json.dumps({"type": "user", "message": content}))
        streams = ("--input-format", "stream-json", "--output-format", "stream-json", "--verbose")
        line = (self._program, PROVIDER, "-p", *streams, "--session-id", self.id)
        return self._start_logged("/bin/sh", "-c", 'exec "$@" < "$0"', self._path("input"), *line)

    def _facts(self) -> dict[str, Any]:
        where = self.place.where
        known = sessions.load(where, self.id) or State(self.id)
        reviewer = files.read_or_none(where.reviewer_settings(PROVIDER)) or ""
        transcripts = os.path.join(where.claude_dir, "projects", "**", "*.jsonl")
        return {
            "output": (files.read_or_none(self._path("output")) or "").splitlines(),
            "outcome": known.outcome,
            "prompt_id": known.task.prompt_id,
            "hook_environment": files.read_or_none(self._path("hook")),
            "files": os.listdir(self.place.project),
            "conversations": len(glob.glob(transcripts, recursive=True)),
            "is_sandboxed": "sandbox" in (lenient_json.parse_object(reviewer) or {}),
        }


class UnsandboxedSession(PrintSession):
    """The same without the reviewer's sandbox, as ccc reviews if commands fail in the sandbox."""

    asks = questions.UNSANDBOXED
    supervisor: Mapping[str, object] = {**PrintSession.supervisor, "sandbox": "off"}


class StreamedSession(Session):
    """`ccc run`: a check sends the agent back, then the user interrupts it."""

    asks = questions.STREAMED
    _is_interrupted = False

    def replies(self) -> script.Replies:
        """Return the model's replies."""
        return script.streamed()

    def _start(self, url: str) -> spawn.Child:
        return self._start_logged(self._program, "run", "--quiet", script.TASK)

    def _react(self, requests: tuple[Request, ...]) -> None:
        if not self._is_interrupted and any(map(script.is_sent_back, requests)):
            self._is_interrupted = True
            assert self._child is not None
            self._child.send_signal(signal.SIGINT)

    def _facts(self) -> dict[str, Any]:
        where = self.place.where
        texts = [files.read_or_none(where.agent_output(each)) or "" for each in sessions.ids(where)]
        return {"output": "".join(texts).splitlines()}


class InteractiveSession(Session):
    """A supervised session on a terminal, until its first review."""

    asks = questions.INTERACTIVE
    _terminal = -1
    _next_key = 0.0

    def replies(self) -> script.Replies:
        """Return the model's replies."""
        return script.interactive()

    def _start(self, url: str) -> spawn.Child:
        place = self.place
        self._until = min(self._until, time.monotonic() + _MAX_SCREEN_SECONDS)
        # no check: the first stop is reviewed
        self._configure({})
        line = (self._program, "--supervisor", PROVIDER, script.TASK)
        env = {**place.env, "TERM": "xterm-256color"}
        child, self._terminal = spawn.start_on_pty(Plan(line, env, place.project), _COLUMNS, _ROWS)
        self._next_key = time.monotonic() + _PATIENCE_SECONDS
        return child

    def _react(self, requests: tuple[Request, ...]) -> None:
        with contextlib.suppress(OSError):  # claude has ended
            while select.select([self._terminal], [], [], 0)[0]:
                if not os.read(self._terminal, _READ_BYTES):
                    break
            if not requests and time.monotonic() > self._next_key:
                self._next_key = time.monotonic() + _PATIENCE_SECONDS
                os.write(self._terminal, _ENTER)

    def end(self) -> None:
        """End all processes, close the terminal, and remove the scratch home."""
        super().end()
        if self._terminal >= 0:
            os.close(self._terminal)
