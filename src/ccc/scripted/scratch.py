"""A temporary home, project and environment for ccc on a scripted model."""

import json
import os
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence

from ccc import words
from ccc.claude import binary
from ccc.errors import CccError
from ccc.storage.paths import Paths
from ccc.system import capture, terminal

PROVIDER = "scripted"
MODEL = "scripted-model"
KEY = "no-key-needed"
# a longer path would move the reviewer's workspace elsewhere, because socket paths are short
_LONGEST_TEMPORARY_DIRECTORY = 28
_VERSION_SECONDS = 60.0
_REMOVE_SECONDS = 5.0
# nothing else from the user's environment gets in: no key, no setting, no proxy
_INHERITED = (
    *("TERM", "COLORTERM", "NO_COLOR", "TERM_PROGRAM", "LANG", "LC_ALL", "LC_CTYPE", "TZ"),
    *("USER", "LOGNAME", "SHELL", "TMUX", "TMUX_PANE"),
)
_FIXED = {
    "DISABLE_TELEMETRY": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_MAX_RETRIES": "1",
    "CCC_SELFTEST": "off",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUTF8": "1",
    "GIT_CONFIG_NOSYSTEM": "1",
    # requests to anything but loopback reach a closed port
    "HTTP_PROXY": "http://127.0.0.1:9",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "NO_PROXY": "127.0.0.1,localhost",
}


class Scratch:
    """The directories, removed with all their contents at the end."""

    def __init__(self, environ: Mapping[str, str], name: str, keep: bool = False) -> None:
        """`name` is that of the project's directory."""
        root = tempfile.mkdtemp(prefix="ccc-scratch-", dir=_temporary_directory())
        self.root = os.path.realpath(root)
        self.home = os.path.join(self.root, "home")
        self.project = os.path.join(self.root, name)
        self.env = self._environment(environ)
        self.version = ""
        self.takes_bundled = True
        """Whether the bundled claude will do if the other one doesn't run here."""
        self._keep = keep

    @property
    def where(self) -> Paths:
        """The paths of ccc's files in that home."""
        return Paths({"CLAUDE_CONFIG_DIR": os.path.join(self.home, ".claude")})

    def furnish(
        self, claude: str, url: str, files: Mapping[str, str], checks: Sequence[str] = ()
    ) -> None:
        """Write the project's files and a configuration for the scripted model."""
        for path in (self.project, self._path("bin"), self._path("tmp"), self.where.claude_dir):
            os.makedirs(path)
        self._install("python3", sys.executable)
        self._install_claude(claude)
        # the answers to the questions that claude asks on its first start
        trust = {"projects": {self.project: {"hasTrustDialogAccepted": True}}}
        answers = {"hasCompletedOnboarding": True, "theme": "dark", **trust}
        self.write(os.path.join(self.home, ".claude.json"), json.dumps(answers))
        self.write(self.where.config, json.dumps(_configuration(url, checks), indent=2) + "\n")
        for name, text in files.items():
            self.write(os.path.join(self.project, name), text)

    def commit(self) -> bool:
        """Make the project a repository, or return False without git."""
        git = ["git", "-c", "user.name=ccc demo", "-c", "user.email=demo@localhost"]
        steps = (
            ("init", "--quiet", "--initial-branch=main"),
            ("add", "."),
            ("commit", "--quiet", "--message", "start"),
        )
        outputs = (capture.output_of([*git, *s], self.project, self.env, 20) for s in steps)
        return all(output is not None for output in outputs)

    def read(self, name: str) -> str:
        """Return the text of a file in the project."""
        with open(os.path.join(self.project, name), encoding="utf-8") as file:
            return file.read()

    @property
    def claude(self) -> str:
        """The program that starts claude there."""
        return os.path.join(self._path("bin"), "claude")

    @property
    def run_log(self) -> str:
        """The file with the run's output."""
        return self._path("run.log")

    def run_said(self) -> str:
        """Return what the run has printed."""
        with open(self.run_log, encoding="utf-8", errors="replace") as file:
            return file.read().strip()

    @property
    def logs(self) -> str:
        """The directory of the logs that stay, or an empty string if they are removed."""
        return self.where.state_dir if self._keep else ""

    def leave(self) -> None:
        """Remove everything, or print where it is."""
        if self._keep:
            terminal.tell(words.say("demo.kept", directory=self.root))
            return
        until = time.monotonic() + _REMOVE_SECONDS
        while os.path.exists(self.root) and time.monotonic() < until:
            # a process that is being ended may still write for a moment
            shutil.rmtree(self.root, ignore_errors=True)
        if os.path.exists(self.root):
            terminal.tell(words.say("demo.not_removed", directory=self.root))

    def _path(self, name: str) -> str:
        return os.path.join(self.root, name)

    def _environment(self, environ: Mapping[str, str]) -> dict[str, str]:
        path = environ.get("PATH", os.defpath)
        return {
            **{name: environ[name] for name in _INHERITED if name in environ},
            "PATH": os.pathsep.join([self._path("bin"), path]),
            "HOME": self.home,
            "TMPDIR": self._path("tmp"),
            "CLAUDE_CODE_TMPDIR": self._path("tmp"),
            "CCC_LANG": words.current_language(),
            **_FIXED,
        }

    def _install_claude(self, program: str) -> None:
        """Use the claude that a launch would find, or the bundled one if a shim needs the home."""
        others = binary.bundled() if self.takes_bundled else ()
        for candidate in dict.fromkeys((program, *others)):
            if not os.path.isfile(candidate):
                continue
            self._install("claude", candidate)
            line = ["claude", "--version"]
            output = capture.output_of(line, self.project, self.env, _VERSION_SECONDS)
            if output and output.strip():
                self.version = output.decode(errors="replace").split()[0]
                return
        raise CccError("demo.claude_fails", hint="claude.missing", file=program)

    def _install(self, name: str, target: str) -> None:
        """Put a program on PATH under a name, with a wrapper so that it sees its own path."""
        path = os.path.join(self._path("bin"), name)
        self.write(path, f'#!/bin/sh\nexec {shlex.quote(target)} "$@"\n')
        os.chmod(path, 0o755)

    def write(self, path: str, text: str) -> None:
        """Write a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def _temporary_directory() -> str:
    usual = os.path.realpath(tempfile.gettempdir())
    fits = len(os.fsencode(usual)) <= _LONGEST_TEMPORARY_DIRECTORY
    return usual if fits or not os.access("/tmp", os.W_OK) else "/tmp"


def _configuration(url: str, checks: Sequence[str]) -> dict[str, object]:
    return {
        "language": words.current_language(),
        "providers": {
            PROVIDER: {
                "env": {
                    "ANTHROPIC_BASE_URL": url,
                    "ANTHROPIC_AUTH_TOKEN": KEY,
                    "ANTHROPIC_MODEL": MODEL,
                    "ANTHROPIC_DEFAULT_HAIKU_MODEL": MODEL,
                    # claude does not know the model and would warn about it
                    "CLAUDE_CODE_MAX_CONTEXT_TOKENS": "200000",
                },
                "permissions": {"defaultMode": "acceptEdits", "allow": ["Bash(python3:*)"]},
            }
        },
        "supervisor": {"checks": list(checks)},
        # the same with and without a sandbox
        "run": {"permissions": "edit"},
    }
