"""Measure start-up, status with many sessions, and the delay between a stop and its review."""

import json
import statistics
import time
from pathlib import Path

from bench.scene import (
    BARE,
    CCC,
    MODEL,
    PLAIN,
    SESSION,
    Command,
    Scene,
    agree,
    claude,
    many,
    provider,
)
from bench.table import Case, Row, Section, against
from ccc.scripted import ScriptedModel

_HOOK = (CCC, "supervisor-hook")


def starts(directory: Path, quick: bool) -> list[Row]:
    """Measure the commands that run at every launch and at every stop."""
    scene = Scene(directory)
    state = {"session_id": SESSION, "enabled": False, "count": 0}
    (scene.records / f"supervisor-{SESSION}.json").write_text(json.dumps(state))
    commands: list[Command] = [
        (BARE, {}),
        ((CCC, "--version"), {}),
        (_HOOK, PLAIN),
        (_HOOK, {"CCC_SUPERVISOR_ID": "none"}),
        (_HOOK, {"CCC_SUPERVISOR_ID": SESSION}),
    ]
    bare, *times = scene.medians(commands, 4 if quick else 40)
    return [
        against(case, seconds * 1000, bare * 1000)
        for case, seconds in zip(STARTS.cases, times, strict=True)
    ]


STARTS = Section(
    "starts",
    "Start-up, hook",
    "The whole process, from start to exit, compared with an interpreter that does nothing "
    "(`python -I -c pass`).",
    ("ms", "against"),
    (
        Case("ccc --version", "The minimum for any ccc command.", 1.35),
        Case(
            "a stop in plain claude",
            "The hook is in your own settings, so a claude that ccc didn't start runs it too.",
            1.35,
        ),
        Case(
            "an unsupervised stop (no state)",
            "The same in a session that ccc started and that has no state.",
            1.35,
        ),
        Case(
            "a stop with supervision off",
            "The same with a state to read, which says off.",
            1.4,
        ),
    ),
    starts,
)


def launches(directory: Path, quick: bool) -> list[Row]:
    """Measure a whole `ccc kimi -p hi` against `claude -p hi`, in turns."""
    with ScriptedModel(agree) as model:
        scene = Scene(directory, model.url, claude())
        commands: list[Command] = [
            ((claude(), "-p", "hi"), provider(model.url, MODEL)),
            ((CCC, "kimi", "-p", "hi"), {}),
        ]
        alone, launched = scene.medians(commands, 3 if quick else 20)
    (case,) = LAUNCHES.cases
    return [against(case, launched * 1000, alone * 1000)]


LAUNCHES = Section(
    "launch",
    "A launch",
    "The real claude with a scripted model on loopback that answers immediately. What ccc does "
    "before it becomes claude isn't compared with a bare interpreter any more: nobody waits for "
    "that part alone.",
    ("ms", "against"),
    (
        Case(
            "ccc kimi -p hi, to its end",
            "Read the configuration, check ccc's entries in your settings, write the session's "
            "state, become claude and answer; compared with `claude -p hi`. The bare interpreter, "
            "typed JSON and the hook at the end take two thirds of the difference.",
            1.25,
        ),
    ),
    launches,
)


def looks(directory: Path, quick: bool) -> list[Row]:
    """Measure the commands that show sessions, with few and with many sessions."""
    scene = Scene(directory)
    few, more, most = (many(directory, count) for count in (10, 1_000, 10_000))
    status, everything = (CCC, "status"), (CCC, "status", "--all")
    line: Command = ((CCC, "statusline"), {"CCC_WORK_DIR": more, "CCC_SUPERVISOR_ID": SESSION})
    status_commands: list[Command] = [
        (status, {"CCC_WORK_DIR": where}) for where in (few, more, most)
    ]
    bare, *times = scene.medians([(BARE, {}), line, *status_commands], 4 if quick else 30)
    slow: list[Command] = [(everything, {"CCC_WORK_DIR": where}) for where in (few, more, most)]
    all_bare, *all_times = scene.medians([(BARE, {}), *slow], 1 if quick else 5)
    compared = [(each, bare) for each in times] + [(times[3], times[1])]
    compared += [(each, all_bare) for each in all_times] + [(all_times[2], all_times[1])]
    return [
        against(case, seconds * 1000, reference * 1000)
        for case, (seconds, reference) in zip(LOOKS.cases, compared, strict=True)
    ]


LOOKS = Section(
    "status",
    "Status with many sessions",
    "Compared with the bare interpreter; growth is compared with the same command and fewer "
    "sessions. Each session has a state and two records. `ccc status` loads what every command "
    "loads (typed JSON, `re`, the messages), which nobody feels; the limits guard against growth.",
    ("ms", "against"),
    (
        Case(
            "ccc statusline, 1,000 sessions",
            "What claude runs for every redraw of its status line: one session of many.",
            1.8,
        ),
        Case("ccc status, 10 sessions", "One line per session.", 7.5),
        Case(
            "ccc status, 1,000 sessions",
            "ccc counts all files, and reads and shows those of the 20 sessions that changed last.",
            8.0,
        ),
        Case("ccc status, 10,000 sessions", "The same.", 10.5),
        Case(
            "  growth, 10 to 10,000 sessions",
            "The factor for a thousand times as many sessions.",
            3.0,
        ),
        Case("ccc status --all, 10 sessions", "ccc reads and shows every state.", 7.5),
        Case("ccc status --all, 1,000 sessions", "The same.", 25.0),
        Case("ccc status --all, 10,000 sessions", "The same.", 190.0),
        Case(
            "  growth, 1,000 to 10,000 sessions",
            "The factor for ten times as many sessions; ten is linear.",
            11.0,
        ),
    ),
    looks,
)


def stops(directory: Path, quick: bool) -> list[Row]:
    """Measure from a stop to the reviewer's first request, against `claude -p --resume`."""
    times: list[list[float]] = [[], [], []]
    with ScriptedModel(agree) as model:
        scene = Scene(directory, model.url, claude())
        usual = scene.environ["PATH"]
        for turn in range(3 if quick else 8):
            session, without_npm = _stop(scene, model, f"{scene.no_npm}:{usual}")
            _, with_npm = _stop(scene, model, usual)
            resumed = _resume(scene, model, session)
            if turn:  # the first turn installs the hook
                for seconds, taken in zip(times, (without_npm, with_npm, resumed), strict=True):
                    seconds.append(taken)
    *reviews, resume = (statistics.median(seconds) * 1000 for seconds in times)
    return [
        against(case, review, resume) for case, review in zip(STOPS.cases, reviews, strict=True)
    ]


def _stop(scene: Scene, model: ScriptedModel, path: str) -> tuple[str, float]:
    """Run a supervised session; return its id and the seconds between the two requests."""
    before = len(model.requests)
    # prompts that come one by one: with the prompt as an argument it would be a run
    streams = ("--input-format", "stream-json", "--output-format", "stream-json", "--verbose")
    message = {"type": "user", "message": {"role": "user", "content": "/supervisor do it"}}
    printed = scene.run((CCC, "kimi", "-p", *streams), json.dumps(message), PATH=path)
    session = json.loads(printed.splitlines()[-1])["session_id"]
    stopped, reviewed = model.requests[before : before + 2]
    return session, reviewed.received_at - stopped.received_at


def _resume(scene: Scene, model: ScriptedModel, session: str) -> float:
    """Return the seconds that claude takes to answer in the session without ccc."""
    without_hooks = ("--settings", '{"disableAllHooks": true}')
    line = (claude(), "--resume", session, *without_hooks, "-p", "plain")
    start = time.perf_counter()
    scene.run(line, **provider(model.url, MODEL))
    return time.perf_counter() - start


STOPS = Section(
    "stop",
    "A supervised stop",
    "The real claude with a scripted model on loopback that answers immediately.",
    ("ms", "against"),
    (
        Case(
            "from a stop to the reviewer's first request",
            "From the agent's last request to the reviewer's first, compared with a whole "
            "`claude -p --resume`. The reviewer has to start as well, so 1 is the minimum.",
            1.5,
        ),
        Case(
            "the same with npm",
            "Where npm is installed, claude's sandbox runs `npm root -g` before its first request. "
            "In the row above, npm fails immediately.",
        ),
    ),
    stops,
)
