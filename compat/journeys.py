"""What a user does with ccc, tried on one version of claude, and what ccc says about it.

A journey works, works with something that ccc tells, or is refused with a reason. Anything else is
a silent failure: something that ccc relies on did not happen, and nobody was told.
"""

import contextlib
import json
import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ccc import words
from ccc.claude.capabilities import CAPABILITIES, REFUSE
from ccc.claude.formats.command_line import Plan
from ccc.scripted import Reply, Request, ScriptedModel, shared_prefix
from ccc.scripted.reply import Bill, Response, error
from ccc.scripted.scratch import KEY, PROVIDER, Scratch
from ccc.selftest import script
from ccc.storage import sessions
from ccc.system import spawn, terminal

CCC = str(Path(sys.executable).parent / "ccc")
WORKS, TOLD, REFUSED, SILENT = "works", "told", "refused", "SILENT"
_SECONDS = 180.0
_SCREEN_SECONDS = 75.0
_SETTLE_SECONDS = 3.0
_SHARED = 0.9
_PART = 20
FAILS = "review fails"
_DECOY = {"ANTHROPIC_AUTH_TOKEN": "decoy-key", "ANTHROPIC_MODEL": "decoy-model"}


@dataclass(frozen=True)
class Result:
    """How a journey ended."""

    kind: str
    told: tuple[str, ...] = ()
    """The capabilities whose absence ccc told."""
    detail: str = ""
    """The reason of a refusal, or what nobody was told."""


class _Refusal(Reply):
    """An error after which claude doesn't repeat a request."""

    def respond(self, request: Request, bill: Bill) -> Response:
        return error(403, "permission_error", "This key can't use the model.")


@dataclass
class Trial:
    """One journey on one claude: its home, and what was observed."""

    place: Scratch
    model: ScriptedModel
    code: int | None = 0
    output: str = ""
    effects: list[str] = field(default_factory=list)
    """The capabilities that turned out to be missing."""
    is_interactive: bool = False

    def run(self, *arguments: str, stdin: str = "", **env: str) -> None:
        """Run ccc, and add its output."""
        place = self.place
        try:
            done = subprocess.run(
                [CCC, *arguments],
                cwd=place.project,
                env={**place.env, **env},
                input=stdin,
                capture_output=True,
                timeout=_SECONDS,
                text=True,
            )
            self.code, self.output = done.returncode, f"{done.stdout}\n{done.stderr}"
        except subprocess.TimeoutExpired:
            self.code = None

    @property
    def outcome(self) -> str:
        """The outcome of the last stop."""
        known = [sessions.load(self.place.where, each) for each in sessions.ids(self.place.where)]
        return known[0].outcome if known and known[0] else ""


def launch(trial: Trial) -> Result:
    """`ccc kimi -p hi` while settings.json names another endpoint, key and model."""
    env = {"ANTHROPIC_BASE_URL": f"{trial.model.url}/decoy", **_DECOY}
    trial.place.write(trial.place.where.settings, json.dumps({"env": env}))
    trial.run(PROVIDER, "-p", "hi")
    asked = [each for each in trial.model.requests if script.is_agents(each)]
    if any("/decoy" in each.path for each in asked):
        return Result(SILENT, detail="the conversation went to another endpoint")
    return conclude(trial, is_done=bool(asked) and trial.code == 0)


def slash_command(trial: Trial) -> Result:
    """`/supervisor …` as a message in stream-json: a check fails, then the work is reviewed."""
    streams = ("--input-format", "stream-json", "--output-format", "stream-json", "--verbose")
    content = {"role": "user", "content": f"/supervisor {script.TASK}"}
    message = json.dumps({"type": "user", "message": content})
    trial.run(PROVIDER, "-p", *streams, stdin=message)
    if trial.outcome and "[SUPERVISOR]" not in trial.output:
        trial.effects.append("message_in_stream")
    return conclude_review(trial, "print_cache")


def unjudged(trial: Trial) -> Result:
    """`ccc kimi -p "/supervisor …"` whose review the provider refuses: ccc must say so."""
    trial.run(PROVIDER, "-p", f"/supervisor {script.TASK}")
    return conclude(trial, is_done=trial.code == 0)


def interactive(trial: Trial) -> Result:
    """`ccc --supervisor kimi …` on a terminal: a check fails, then the work is reviewed."""
    place, trial.is_interactive = trial.place, True
    line = (CCC, "--supervisor", PROVIDER, script.TASK)
    env = {**place.env, "TERM": "xterm-256color"}
    child, screen = spawn.start_on_pty(Plan(line, env, place.project), 120, 40)
    shown, until, settle = b"", time.monotonic() + _SCREEN_SECONDS, 0.0
    while time.monotonic() < until and child.poll() is None:
        with contextlib.suppress(OSError):
            if select.select([screen], [], [], 0.1)[0]:
                shown += os.read(screen, 65536)
        if not settle and trial.outcome not in ("", "not_completed"):
            settle = time.monotonic() + _SETTLE_SECONDS
        if settle and time.monotonic() > settle:
            break
    trial.code = child.poll()
    spawn.end(child)
    os.close(screen)
    trial.output = terminal.plain(shown.decode(errors="replace"))
    trial.code = 0 if trial.outcome == "completed" else trial.code
    return conclude_review(trial, "interactive_cache")


def run(trial: Trial) -> Result:
    """`ccc run "…"`: a check fails, then the work is reviewed."""
    trial.run("run", "--check", script.CHECK, script.TASK)
    return conclude_review(trial, "print_cache")


def demo(trial: Trial) -> Result:
    """`ccc demo --fast`."""
    trial.run("demo", "--fast")
    return conclude(trial, is_done=trial.code == 0)


def doctor(trial: Trial) -> Result:
    """`ccc doctor`: it must name everything that this claude lacks."""
    trial.run("doctor")
    # the scratch home has no hook and no status line, so only what it says about claude counts
    return conclude(trial, is_done=True)


JOURNEYS: dict[str, Callable[[Trial], Result]] = {
    "launch": launch,
    "`-p /supervisor`": slash_command,
    FAILS: unjudged,
    "interactive": interactive,
    "`ccc run`": run,
    "`ccc demo`": demo,
    "`ccc doctor`": doctor,
}
_OF_REVIEW = {"reviewer_bash", "private_fork", "key_hidden"}
_MATTERS = {
    "`-p /supervisor`": _OF_REVIEW,
    "interactive": _OF_REVIEW,
    "`ccc run`": _OF_REVIEW,
    "`ccc demo`": {"fork", "read_only", "reviewer_bash", "streamed_input"},
    "`ccc doctor`": set(CAPABILITIES),
}
"""What the journey must tell if the claude lacks it, beside what was observed."""


def attempt(name: str, claude: Path, missing: Sequence[str]) -> Result:
    """Try a journey on a claude that lacks these capabilities according to the self-test."""
    with _trial(claude, [_Refusal()] if name == FAILS else ()) as trial:
        trial.effects += [each for each in missing if each in _MATTERS.get(name, ())]
        result = JOURNEYS[name](trial)
    if name == FAILS and result.kind != REFUSED:
        return Result(SILENT, result.told, "exit code 0 without a review")
    return result


@contextlib.contextmanager
def _trial(claude: Path, review: Sequence[Reply] = ()) -> Iterator[Trial]:
    words.use({"CCC_LANG": "en"})
    place = Scratch(os.environ, "project")
    try:
        replies = script.supervised(place.project, review)
        with ScriptedModel(replies, max_seconds=2 * _SECONDS) as model:
            place.furnish(str(claude), model.url, script.FILES, [script.CHECK])
            _use(place, claude)
            yield Trial(place, model)
    finally:
        spawn.end_all()
        place.leave()


def _use(place: Scratch, claude: Path) -> None:
    """Install claude so that its path tells its version, as the usual installers do."""
    program = Path(place.root, "bin", "claude")
    program.unlink()
    program.symlink_to(claude)
    config = json.loads(place.read(place.where.config))
    config["providers"][PROVIDER]["permissions"] = {"allow": ["Bash"]}
    place.write(place.where.config, json.dumps(config))


def conclude_review(trial: Trial, cache: str) -> Result:
    """Conclude a journey whose work must have been reviewed."""
    requests = trial.model.requests
    reviews = [each for each in requests if script.is_review(each)]
    agents = [each for each in requests if script.is_agents(each)]
    results = [each.last_tool_result or "" for each in reviews if each.turn[1] == 1]
    effects = {
        "fork": not reviews,
        "reviewer_bash": bool(reviews) and not any(script.REVIEWER_SAW in r for r in results),
        "read_only": bool({script.BY_BASH, script.BY_WRITE} & set(os.listdir(trial.place.project))),
        cache: bool(reviews) and shared_prefix(agents[-1], reviews[0]) < _SHARED,
        "key_hidden": any(KEY in (each.last_tool_result or "") for each in agents),
    }
    trial.effects += [name for name, is_seen in effects.items() if is_seen]
    return conclude(trial, is_done=trial.code == 0 and trial.outcome == "completed")


def conclude(trial: Trial, is_done: bool) -> Result:
    """Compare what did not happen with what ccc told."""
    told = tuple(name for name in CAPABILITIES if _tells(trial.output, name, trial.is_interactive))
    silent = [name for name in dict.fromkeys(trial.effects) if name not in told]
    if not is_done:
        reason = _reason(trial, told)
        return Result(REFUSED, told, reason) if reason else Result(SILENT, told, "no result")
    if silent:
        return Result(SILENT, told, f"not told: {', '.join(silent)}")
    return Result(TOLD if told else WORKS, told)


_ALSO = {"reviewer_bash": ("client.blind", "client.blind_retry")}
"""Other messages that tell that a capability is missing."""


def _tells(output: str, name: str, is_interactive: bool) -> bool:
    """Whether the output has a part of a message about the capability that no other one has.

    A part, because claude's interface wraps a message, and doesn't draw letters again that are
    already there.
    """
    catalogue = words.catalogue("client")
    own = {key for key in catalogue if key.startswith(f"client.{name}")}
    own |= {*_ALSO.get(name, ())}
    if name == ("interactive_cache" if is_interactive else "print_cache"):
        own.add("client.paid_again")
    others = [_parts(text) for key, text in catalogue.items() if key not in own]
    parts = {part for key in own for part in _parts(catalogue[key])}.difference(*others)
    letters = _letters(output)
    return any(part in letters for part in parts)


def _parts(message: str) -> set[str]:
    """Return all parts of the message that have a certain number of letters and no parameter."""
    texts = [_letters(text) for text in re.split(r"\{\w+\}", message)]
    return {text[at : at + _PART] for text in texts for at in range(len(text) - _PART + 1)}


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _reason(trial: Trial, told: Sequence[str]) -> str:
    """Return why ccc does not go on, in its own words."""
    for name in told:
        if CAPABILITIES[name] == REFUSE:
            return words.say(f"client.{name}")
    lines = [line.strip() for line in trial.output.splitlines()]
    reasons = [line for line in lines if line.startswith(("ccc: ", "[ccc] ", "[SUPERVISOR]"))]
    if not reasons or not trial.code:
        return ""
    # the last one, because warnings come before it; without the names of this session
    reason = re.sub(r"^\S+ | Details: .*", "", reasons[-1])
    return f"{reason} (exit code {trial.code})"
