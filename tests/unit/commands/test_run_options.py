"""The options of `ccc run`, and its live line."""

import pytest

from ccc import words
from ccc.backlog import wording
from ccc.commands import run
from ccc.config import schema
from ccc.config.schema import Supervisor
from ccc.errors import CccError
from ccc.model.outcome import LIMIT, OUTCOMES, SUMMARY, TERMINAL, Outcome
from ccc.model.state import Task
from ccc.run import screen, summary
from ccc.supervision import policy
from ccc.supervision.policy import Decision
from ccc.system import terminal
from ccc.ui import formatting
from ccc.ui.arguments import usage


class TestOptions:
    def test_all(self) -> None:
        """Options and task come in any order; what follows -- is claude's."""
        found = run.read(
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
        """A mistake is a readable error with exit code 1."""
        with pytest.raises(CccError) as caught:
            run.read(line)
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
    """The status makes room for what is typed, of which the end is shown."""
    assert screen.live_line(status, typed, width) == line
    assert terminal.width(line) <= width


@pytest.mark.parametrize(
    ("rules", "named"),
    [
        (Supervisor(), ["10 rounds"]),
        (Supervisor(max_iterations=1, max_minutes=1.0), ["1 round", "1 minute"]),
        (Supervisor(max_minutes=1.5, max_cost_usd=2.5), ["10 rounds", "1.5 minutes", "$2.5"]),
    ],
)
def test_which_limits_a_run_announces(rules: Supervisor, named: list[str]) -> None:
    """The start of a run names the limits that are set."""
    words.use({"CCC_LANG": "en"})
    assert summary.name_limits(rules) == named


def test_a_new_limit_is_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit is a field, its bounds, an outcome and messages in one module; all else follows."""

    class Rules(Supervisor, frozen=True):
        max_feedbacks: int = 0

    limit = (0, 9, lambda task, seconds: len(task.feedback))
    monkeypatch.setattr(schema, "LIMITS", {**schema.LIMITS, "max_feedbacks": limit})
    monkeypatch.setattr(schema, "DEFAULTS", Rules())
    monkeypatch.setitem(OUTCOMES, "feedbacks", Outcome("feedbacks", "!", 20, LIMIT))
    words.use({"CCC_LANG": "en"})
    messages = words.catalogue("limit")
    assert isinstance(messages, dict)
    for key, text in {
        "count.max_feedbacks": "{n} feedback | {n} feedbacks",
        "option.max_feedbacks": "how often the agent is sent back; 0: no limit",
        "look.feedbacks": "feedback limit",
        "stop.feedbacks": "limit of {detail} feedbacks reached",
        "run.feedbacks": "sent back too often",
    }.items():
        monkeypatch.setitem(messages, f"limit.{key}", text)

    # the options, and how they are explained
    found = run.read(["--max-feedbacks", "3", "do", "it"])
    assert found is not None
    assert found.limits == {"max_feedbacks": 3}
    for wrong in ("10", "1.5"):
        with pytest.raises(CccError, match="max-feedbacks"):
            run.read(["--max-feedbacks", wrong])
    line = "\n  --max-feedbacks N     how often the agent is sent back; 0: no limit\n"
    assert line in usage("run")
    assert "\n  --max-cost-usd N, --max-feedbacks N " in usage("queue")
    # the rule, and its message
    rules = Rules(max_feedbacks=2)
    assert policy.limit_reached(Task(feedback=("a",)), rules, 0.0) is None
    reached = policy.limit_reached(Task(feedback=("a", "b")), rules, 0.0)
    assert reached == Decision(True, "feedbacks", detail="2")
    outcome = OUTCOMES["feedbacks"]
    assert words.say(outcome.message(TERMINAL), detail=2) == "limit of 2 feedbacks reached"
    assert words.say(outcome.message(SUMMARY)) == "sent back too often"
    # its names
    assert summary.name_limits(rules) == ["10 rounds", "2 feedbacks"]
    assert formatting.outcome("feedbacks") == "feedback limit"
    assert wording.detail("feedbacks", "2") == words.say("queue.after_limit", limit="2 feedbacks")
