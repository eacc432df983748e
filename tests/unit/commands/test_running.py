"""The pure parts of an unattended run: its state, its arguments, its lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.claude.formats import arguments
from ccc.commands.run import options, screen
from ccc.errors import CccError
from ccc.supervision import run_state
from ccc.supervision.run_state import RunState
from ccc.supervision.turn import Turn
from ccc.system import terminal
from ccc.text import jsontext

RUN = RunState(
    task="t",
    cwd="/p",
    requests=("t", "more"),
    limits={"max_iterations": 3},
    tokens={"input": 1},
    elapsed_seconds=1.5,
    agent_cost_usd=2.0,
)


class TestState:
    def test_there_and_back(self) -> None:
        """What is written is what is read."""
        raw = jsontext.parse(jsontext.dump(run_state.dump(RUN)))
        assert isinstance(raw, dict)
        assert run_state.parse(raw) == RUN

    def test_none(self) -> None:
        """A session that is no run has none."""
        assert run_state.parse({}) is None

    def test_of_an_earlier_ccc(self) -> None:
        """What it did not write down yet is as usual."""
        assert run_state.parse({"cwd": "/p", "task": "t"}) == run_state.RunState(task="t", cwd="/p")

    def test_tokens_add_up(self) -> None:
        """Each kind apart, also one that is new."""
        turn = Turn(tokens={"input": 3, "output": 2})
        assert run_state.with_cost({"input": 1, "cached": 5}, turn) == {
            "cached": 5,
            "input": 4,
            "output": 2,
        }
        assert list(run_state.with_cost({"b": 1}, Turn(tokens={"a": 1}))) == ["a", "b"]

    @pytest.mark.parametrize(
        "wrong", [{"requests": "t"}, {"requests": [1]}, {"count": "1"}, {"saved_at": 10**400}]
    )
    def test_not_half_believed(self, wrong: dict[str, object]) -> None:
        """A field of another kind makes the whole unusable."""
        assert run_state.parse({**run_state.dump(RUN), **wrong}) is None

    @given(st.dictionaries(st.sampled_from(list(run_state.dump(RUN))), st.from_type(object)))
    def test_never_raises(self, raw: dict[str, object]) -> None:
        """Whatever stands there, it is a run or none."""
        run_state.parse(raw)


class TestUnattended:
    @pytest.mark.parametrize(
        ("line", "task", "rest"),
        [
            (["-p", "do it"], "do it", ()),
            (["do it", "--print", "--verbose"], "do it", ()),
            (["-p", "--model", "m", "do it"], "do it", ("--model", "m")),
            (["--output-format", "json", "-p", "x"], "x", ()),
            (["-p", "--", "-x"], "-x", ()),
            (["-p"], "", ()),
        ],
    )
    def test_task_and_rest(self, line: list[str], task: str, rest: tuple[str, ...]) -> None:
        """The prompt is the task; how claude prints is said by the loop."""
        found = arguments.unattended(line)
        assert (found.task, found.rest) == (task, rest)

    def test_session(self) -> None:
        """What chooses a session counts at the first start only."""
        found = arguments.unattended(["--resume", "abc", "--fork-session", "--model", "m"])
        assert found.chooses_session
        assert found.in_a_known_session == ("--model", "m")

    def test_for_a_person(self) -> None:
        """What lets the agent do everything unasked is not for a session with a person in it."""
        line = ["--permission-mode", "bypassPermissions", "--dangerously-skip-permissions"]
        kept = ["--model", "m", "--add-dir", "/a", "/b", "--permission-mode", "acceptEdits"]
        assert arguments.unattended([*line, *kept]).for_a_person == tuple(kept)

    def test_no_secret_is_kept(self) -> None:
        """JSON on the command line is not written down."""
        found = arguments.unattended(["--mcp-config", '{"key": "k"}', "--effort", "high"])
        assert found.keepable == ("--effort", "high")
        assert found.effort == "high"


class TestOptions:
    def test_all(self) -> None:
        """Options and task in any order; behind -- it is claude's."""
        found = options.read(
            "--max-iterations 3 do --check a it --check b --json --max-minutes 1.5 "
            "--max-cost-usd 2 --open -v --allow Bash(ls) --allow WebSearch -- --model m".split()
        )
        assert found is not None
        assert found.task == "do it"
        assert found.limits == {
            "max_iterations": 3,
            "max_minutes": 1.5,
            "max_cost_usd": 2.0,
            "checks": ["a", "b"],
        }
        assert (found.json, found.quiet, found.resume) == (True, False, False)
        assert (found.open, found.verbose) == (True, True)
        assert found.allow == ("Bash(ls)", "WebSearch")
        assert found.claude == ("--model", "m")

    @pytest.mark.parametrize(
        "line",
        [
            *(["--max-iterations", text] for text in ("x", "0", "101", "1.5")),
            *(["--max-minutes", text] for text in ("-1", "x", "inf")),
            *(["--max-cost-usd", "nan"], ["--nope"], ["--json=1"], ["--no-resume"]),
            *(["--allow", text] for text in ("", "npm install", "Bash(x")),
        ],
    )
    def test_wrong(self, line: list[str]) -> None:
        """A mistake is an error for people, with exit code 1."""
        with pytest.raises(CccError) as caught:
            options.read(line)
        assert caught.value.exit_code == 1


@pytest.mark.parametrize(
    ("status", "typed", "width", "line"),
    [
        ("at work", "", 20, "at work"),
        ("at work", "and", 20, "at work › and"),
        ("at work for a long time", "", 10, "at work f…"),
        ("at work for a long time", "0123456789", 20, "at work f… › 3456789"),
        ("工作中", "写测试和文档", 16, "工作中 › 和文档"),
    ],
)
def test_live_line(status: str, typed: str, width: int, line: str) -> None:
    """The status gives way to what is typed, and of that the end is seen."""
    assert screen.live_line(status, typed, width) == line
    assert terminal.width(line) <= width
