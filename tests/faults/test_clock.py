"""A clock that jumps between and during stops: limits hold, and no duration is negative."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from homes import Home, answer_of
from places import check_outcome

from harness.disturbing import JUMPING, preload
from harness.soak import SOAK, Tally

DAY = 86_400
YEAR = 365 * DAY
JUMPS = [-20 * YEAR, -DAY, -60, 60, DAY, 20 * YEAR]
LOOKS = [["status"], ["show"], ["history"], ["statusline"], ["report", "-o", "-"]]
NEGATIVE = re.compile(r"(?<![\w.-])-\d+(\.\d+)? ?(s|m|h|min|秒|分)\b")


def shifted(tmp_path: Path, **seconds: int) -> dict[str, str]:
    """Return the environment of a program whose clock is wrong."""
    wrong = {name: str(value) for name, value in seconds.items()}
    return {**preload(tmp_path / "clock", JUMPING), **wrong}


@pytest.mark.parametrize("limit", ["max_iterations", "max_minutes"])
def test_stops(home: Home, tmp_path: Path, limit: str, tally: Callable[[str], Tally]) -> None:
    """Supervision ends whatever the clock does between and during stops."""
    row = tally(f"clock jumps, {limit}")
    env = home.supervise()
    text = home.project.read(".claude/ccc.json").replace('"max_iterations": 100', f'"{limit}": 3')
    home.project.write(".claude/ccc.json", text)
    work = home.project.directory / "work"

    def stop(prompt: str, number: int, **wrong: int) -> dict[str, str]:
        work.write_text(str(number))
        clock = shifted(tmp_path, **wrong)
        event = home.event(prompt=prompt)
        return answer_of(home.run("supervisor-hook", stdin=event, **env, **clock))

    def trial(jump: int) -> None:
        before, prompt = len(home.verdicts()), f"p{jump}"
        if limit == "max_iterations":
            stops = [{"SHIFT": jump * n, "JUMP": jump} for n in range(4)]
        else:
            # four minutes after the jump the limit of three minutes is over in either direction
            stops = [{}, {"SHIFT": jump}, {"SHIFT": jump + 240}]
        answers = [stop(prompt, number, **wrong) for number, wrong in enumerate(stops)]
        assert "decision" in answers[0]
        assert "decision" not in answers[-1]
        for verdict in home.verdicts()[before:]:
            assert verdict["seconds"] >= 0
            assert all(receipt["seconds"] >= 0 for receipt in verdict["receipts"])

    for jump in JUMPS if SOAK else JUMPS[:1]:
        row.survived(lambda jump=jump: trial(jump))


def test_looking(home: Home, tmp_path: Path, tally: Callable[[str], Tally]) -> None:
    """A record from the future or the distant past is shown without a negative duration."""
    row = tally("clock jumps, looking")
    env = home.supervise()
    home.run("supervisor-hook", stdin=home.event(), **env)

    def trial(line: list[str], jump: int) -> None:
        clock = shifted(tmp_path, SHIFT=jump)
        outcome = home.project.run(*line, env={**env, **clock}, stdin=home.event())
        check_outcome(outcome, codes=(0,))
        assert not NEGATIVE.search(outcome.stdout), outcome

    for number, line in enumerate(LOOKS):
        for jump in JUMPS if SOAK else [JUMPS[number % 2 * -1]]:
            row.survived(lambda line=line, jump=jump: trial(line, jump))


def test_run(home: Home, tmp_path: Path, tally: Callable[[str], Tally]) -> None:
    """A run completes even if the clock jumps during it."""
    row = tally("clock jumps during a run")
    home.run("b")
    home.set_check("true")
    home.claude_judges(completed=True)

    def trial(jump: int) -> None:
        clock = shifted(tmp_path, JUMP=jump)
        line = ["run", "--max-minutes", "5", "do it"]
        outcome = check_outcome(home.project.run(*line, env=clock), codes=(0,))
        assert not NEGATIVE.search(outcome.stderr), outcome

    for jump in JUMPS if SOAK else JUMPS[:1]:
        row.survived(lambda jump=jump: trial(jump))
    home.check_tidy()
