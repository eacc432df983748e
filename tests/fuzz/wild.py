"""Wild input: valid examples with changes, unusual formatting or damage, and noise."""

import copy
import itertools
import json
import signal
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from harness.soak import SOAK, Tally, trials

T = TypeVar("T")
SECONDS = 20
"""The timeout of a single case; nearly all take a millisecond."""

EXAMPLES = Path(__file__).parent / "examples"
STREAM = (EXAMPLES / "stream.jsonl").read_text().splitlines()
"""Lines of the real client, version 2.1.325."""
TRANSCRIPT = (EXAMPLES / "transcript.jsonl").read_text().splitlines()
"""Lines of a transcript that the real client wrote."""
CODE = "0badc0de"
YES = f'{{"code": "{CODE}", "completed": true, "feedback": ""}}'
QUOTED = '{"completed": true, "feedback": ""}'
NO = '{"completed": false, "feedback": "add a test"}'
STOP = {
    "session_id": "abc123",
    "transcript_path": "/x/abc123.jsonl",
    "cwd": "/x",
    "prompt_id": "p1",
    "permission_mode": "default",
    "effort": {"level": "high"},
    "hook_event_name": "Stop",
    "stop_hook_active": False,
    "last_assistant_message": "Done.",
    "background_tasks": [{"id": "b1", "status": "running", "command": "sleep 9"}],
    "session_crons": [],
}
STATE = {
    "session_id": "abc123",
    "enabled": True,
    "count": 3,
    "created_at": "2026-11-15T08:09:56+0800",
    "provider": "kimi",
    "claude": "/bin/true",
    "pid": 4711,
    "arguments": ["--add-dir", "/y"],
    "task_started": 1794749970.5,
    "cost_usd": 0.25,
    "feedback": ["add a test"],
    "limit": 10,
    "outcome": "not_completed",
    "decided_at": 1794749970.5,
    "off_from_below": "",
    "stop": {"phase": "reviewing", "pid": 1, "since": 1794749970.0, "receipts": []},
    "run": {"task": "do it", "cwd": "/x", "session_id": "s", "count": 1, "saved_at": 1794749970.5},
    "version": 1,
    "later": {"of": ["another", "ccc"]},
}
CONFIG = {
    "settings": {"env": {"API_TIMEOUT_MS": 3000000, "A": None}, "permissions": {"deny": ["x"]}},
    "providers": {
        "kimi": {
            "env": {
                "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
                "ANTHROPIC_AUTH_TOKEN": "sk-test-0123456789",
                "B": {"env": "MY_KEY"},
            },
            "model": "m",
        },
        "glm": {"env": {"ANTHROPIC_AUTH_TOKEN": {"command": ["printf", "k"]}}},
        "official": {},
    },
    "current_provider": "kimi",
    "claude_args": ["--verbose"],
    "supervisor": {
        "max_iterations": 5,
        "timeout_seconds": 30.5,
        "checks": ["true", {"command": "true", "timeout_seconds": 9}],
        "sandbox": "off",
        "notify": ["true"],
    },
    "projects": {"/x": {"checks": ["true"]}},
    "language": "en",
    "mine": [1.10, 1e5, "中"],
}
SETTINGS = {
    "model": "opus",
    "env": {"A": "1"},
    "hooks": {
        "Stop": [
            {"hooks": [{"type": "command", "command": "say done", "timeout": 5}]},
            {"hooks": [{"type": "command", "command": "/old/ccc supervisor-hook"}]},
        ],
        "PreToolUse": [{"matcher": "Bash", "hooks": []}],
    },
    "statusLine": {"type": "command", "command": "mine"},
    "permissions": {"allow": ["Read"], "deny": []},
}

# --- values ----------------------------------------------------------------------------

_ODD = [
    *("", "true", "null", "../..", "a\0b", "\ud83d", "\u2028", "\x1b]52;c;eA==\x07", "--settings"),
    *(0, -1, True, False, None, 2**63, 10**400, -(10**400), 1e308, 5e-324),
    *(float("nan"), float("inf"), float("-inf"), [], {}, [None], {"": ""}),
]
SCALARS: st.SearchStrategy[Any] = (
    st.sampled_from(_ODD) | st.integers() | st.floats() | st.text(max_size=8)
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=5,
)


def places(value: object) -> list[tuple[str | int, ...]]:
    """Return the paths of all values inside a value, its own (empty) path first."""
    paths: list[tuple[str | int, ...]] = [()]
    steps: Any = ()
    if isinstance(value, dict):
        steps = value.items()
    elif isinstance(value, list):
        steps = enumerate(value)
    for step, inner in steps:
        paths += [(step, *rest) for rest in places(inner)]
    return paths


@st.composite
def changed(draw: st.DrawFn, example: object) -> Any:
    """Replace, remove, rename or wrap up to three parts of the example."""
    value = json.loads(json.dumps(example))
    for _ in range(draw(st.integers(0, 3))):
        path = draw(st.sampled_from(places(value)))
        if not path:
            continue
        *above, step = path
        inside: Any = value
        for each in above:
            inside = inside[each]
        how = draw(st.sampled_from(["replace", "replace", "remove", "rename", "wrap", "borrow"]))
        if how == "remove":
            del inside[step]
        elif how == "rename" and isinstance(inside, dict):
            name = draw(st.text(max_size=4) | st.sampled_from(sorted(inside)))
            inside[name] = inside.pop(step)
        elif how == "wrap":
            inside[step] = [inside[step]]
        elif how == "borrow":
            inside[step] = copy.deepcopy(draw(st.sampled_from(_parts(value))))
        else:
            inside[step] = copy.deepcopy(draw(VALUES))
    return value


def _parts(value: Any) -> list[Any]:
    parts = []
    for path in places(value):
        part = value
        for step in path:
            part = part[step]
        parts.append(part)
    return parts


# --- texts -----------------------------------------------------------------------------


@st.composite
def written(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> str:
    """Generate a value as JSON in various formats; NaN is written as Python does."""
    indent = draw(st.sampled_from([None, None, 2, 4, "\t"]))
    tight = draw(st.booleans()) and indent is None
    text = json.dumps(
        draw(values),
        indent=indent,
        ensure_ascii=draw(st.booleans()),
        separators=(",", ":") if tight else None,
    )
    if draw(st.booleans()):
        text = text.replace("\n", draw(st.sampled_from(["\r\n", "\n\n", "\n \t"])))
    return draw(st.sampled_from(["", "", "\n", " "])) + text + draw(st.sampled_from(["", "\n"]))


PIECES = st.sampled_from(
    [
        *('"', "'", "\\", "{", "}", "[", "]", ",", ":", "\n", "\r\n", "\0", "\u2028", "\ufeff"),
        *("\ud800", "\\ud800", "NaN", "-Infinity", "1e999", "9" * 5000, "// c", "/* c */", "\x1b"),
        *('"a": 1, "a": 2', "null", "true", ",,", "{}", "[]", "[" * 2000, '{"a":' * 1500, "```"),
        *(YES, NO, '"completed": true', "[TASK_COMPLETED]", "中", "“", "\\u0000", "<command-name>"),
    ]
)


@st.composite
def spoiled(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> str:
    """Cut a text, repeat a part of it, or insert foreign characters."""
    text = draw(texts)
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 30)))
        match draw(st.sampled_from(["insert", "insert", "remove", "double", "cut", "behead"])):
            case "insert":
                text = text[:start] + draw(PIECES) + text[start:]
            case "remove":
                text = text[:start] + text[end:]
            case "double":
                text = text[:end] + text[start:]
            case "cut":
                text = text[:start]
            case "behead":
                text = text[start:]
    return text


NOISE = (
    st.text(max_size=80)
    | st.text(st.sampled_from("{}[]\"':, \\\n\ttruefalsn0123456789.eE-+中"), max_size=80)
    | st.binary(max_size=80).map(lambda data: data.decode("latin-1"))
)


def texts_like(*examples: object) -> st.SearchStrategy[str]:
    """Generate text that resembles JSON of the examples, and noise; a string stays as it is."""
    valid = st.one_of(
        *(
            st.just(each) if isinstance(each, str) else written(changed(each) | st.just(each))
            for each in examples
        )
    )
    return st.one_of(valid, spoiled(valid), spoiled(valid), written(VALUES), NOISE)


@st.composite
def bytes_like(draw: st.DrawFn, *examples: object) -> bytes:
    """Generate the same as bytes, some of them invalid UTF-8."""
    data = draw(texts_like(*examples)).encode("utf-8", "surrogatepass")
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(data)))
        data = data[:at] + draw(st.sampled_from([b"\xff", b"\xc3", b"\0", b"\x80\n"])) + data[at:]
    return data


@st.composite
def chunks(draw: st.DrawFn, data: st.SearchStrategy[bytes]) -> list[bytes]:
    """Split the data at random places."""
    whole = draw(data)
    cuts = sorted(draw(st.lists(st.integers(0, len(whole)), max_size=8)))
    return [whole[a:b] for a, b in itertools.pairwise([0, *cuts, len(whole)])]


# --- trials ----------------------------------------------------------------------------


class TooLong(Exception):
    """A case took longer than allowed."""


def tried(
    row: Tally,
    few: int,
    all_of_them: int,
    cases: st.SearchStrategy[T],
    trial: Callable[[T], object],
) -> None:
    """Try and count the cases: always the same in `make test-all`, new ones in each soak."""

    @settings(
        max_examples=trials(few, all_of_them),
        derandomize=not SOAK,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
    )
    @given(cases)
    def each(case: T) -> None:
        row.survived(lambda: _bounded(trial, case))

    each()


def _bounded(trial: Callable[[T], object], case: T) -> None:
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        trial(case)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(number: int, frame: FrameType | None) -> None:
    raise TooLong
