"""Files truncated at any byte or with a flipped bit are reported and set aside, never trusted."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from homes import SESSION, Home, answer_of
from places import check_outcome

from ccc.model import state as model
from harness import Outcome
from harness.soak import Tally, rounds

NewTally = Callable[[str], Tally]
LOOKS = [
    ["status"],
    ["show"],
    ["history"],
    ["statusline"],
    ["supervisor-mode", "status"],
    ["report", "-o", "-"],
]
ENV = {"CCC_SUPERVISOR_ID": SESSION, "CLAUDECODE": "1"}


class Damage:
    """A file to damage repeatedly."""

    def __init__(self, home: Home, name: str) -> None:
        self.home = home
        self.path = home.project.claude_dir / name
        self.whole = self.path.read_bytes()

    def cut(self, length: int) -> bytes:
        self.path.write_bytes(self.whole[:length])
        return self.whole[:length]

    def flip(self, at: int) -> bytes:
        """Flip one bit of the byte."""
        byte = self.whole[at] ^ (1 << at % 7)
        data = self.whole[:at] + bytes([byte]) + self.whole[at + 1 :]
        self.path.write_bytes(data)
        return data

    def aside(self) -> list[Path]:
        return sorted(self.path.parent.glob(f"{self.path.name}.corrupt*"))

    def run(self, line: list[str]) -> Outcome:
        stdin = self.home.event() if line[0] in ("supervisor-hook", "statusline") else ""
        return self.home.project.run(*line, env=ENV, stdin=stdin)


def is_json(data: bytes) -> bool:
    """Return whether the data is still a JSON object."""
    try:
        return isinstance(json.loads(data), dict)
    except ValueError:
        return False


def check_stop(damage: Damage, data: bytes) -> None:
    """Check that a stop with this state is allowed with a message or judged, never completed."""
    outcome = check_outcome(damage.run(["supervisor-hook"]), codes=(0,))
    answer = answer_of(outcome.stdout) if outcome.stdout else {}
    # the only check fails, so nothing can be completed
    assert "completed, stop allowed" not in answer.get("systemMessage", ""), outcome
    aside = damage.aside()
    assert [path.read_bytes() for path in aside] == [data] * len(aside)
    if not is_json(data):
        assert len(aside) == 1, outcome
        assert str(aside[0]) in answer["systemMessage"], outcome
        assert "decision" not in answer
        assert damage.home.state()["enabled"] is False
    for path in aside:
        path.unlink()


def test_every_byte(home: Home, tally: NewTally) -> None:
    """No prefix of a state parses as a state."""
    row = tally("state cut off, as it is read")
    home.supervise()
    text = home.project.read(f".claude/ccc/supervisor-{SESSION}.json")
    whole = text.rstrip()

    def trial(length: int) -> None:
        with pytest.raises(model.Corrupt):
            model.parse(whole[:length], SESSION)

    for length in range(len(whole)):
        row.survived(lambda length=length: trial(length))
    assert model.parse(whole, SESSION).enabled


@pytest.mark.parametrize("half", [0, 1])
def test_state_cut_off(home: Home, half: int, tally: NewTally) -> None:
    """A state truncated at any byte leaves commands and stops working."""
    row = tally(f"state cut off, {('even', 'odd')[half]} bytes")
    home.supervise()
    damage = Damage(home, f"ccc/supervisor-{SESSION}.json")
    every = list(range(half, len(damage.whole), 2))
    # both ends first, then random places, so that a short run covers all parts
    order = [every.pop(0), every.pop(), *random.Random(half).sample(every, len(every))]

    def trial(number: int) -> None:
        data = damage.cut(order[number])
        check_outcome(damage.run(LOOKS[number % len(LOOKS)]), codes=(0, 1))
        assert damage.path.read_bytes() == data
        check_stop(damage, data)

    for number in rounds(5, len(order), 130):
        row.survived(lambda number=number: trial(number))
    home.check_alone()


def test_state_with_a_wrong_bit(home: Home, tally: NewTally) -> None:
    """A flipped bit in any byte of the state leaves commands and stops working."""
    row = tally("state with a wrong bit")
    home.supervise()
    damage = Damage(home, f"ccc/supervisor-{SESSION}.json")
    size = len(damage.whole)

    def trial(number: int) -> None:
        data = damage.flip(number * 131 % size)
        check_outcome(damage.run(LOOKS[number % len(LOOKS)]), codes=(0, 1))
        check_stop(damage, data)

    for number in rounds(6, size, 100):
        row.survived(lambda number=number: trial(number))


@pytest.mark.parametrize("name", ["ccc.json", "settings.json"])
def test_files_of_the_user(home: Home, name: str, tally: NewTally) -> None:
    """A damaged file of the user is reported and stays unchanged, byte for byte."""
    row = tally(f"{name} cut off")
    home.supervise()
    damage = Damage(home, name)
    lines = [["b"], ["doctor"], ["uninstall", "--yes"], ["provider", "use", "a"], *LOOKS]
    lines += [["supervisor-mode", "on"], ["supervisor-hook"], ["run", "do it"]]

    def trial(length: int, line: list[str]) -> None:
        data = damage.cut(length)
        outcome = check_outcome(damage.run(line), codes=(0, 1))
        if not is_json(data) and data.strip():
            assert damage.path.read_bytes() == data, outcome
        if line in (["b"], ["supervisor-hook"]) and name == "ccc.json":
            assert name in outcome.stderr + outcome.stdout, outcome
        assert damage.path.read_bytes().count(b"supervisor-hook") <= 1

    for number in rounds(len(lines) // 2, 250, 45):
        length = number * 37 % len(damage.whole)
        line = lines[number % len(lines)]
        row.survived(lambda length=length, line=line: trial(length, line))
    damage.path.write_bytes(damage.whole)
    home.run("b")
    row.survived(home.check_tidy)


RECORDS = [
    "ccc/ledger.json",
    "ccc/lock",
    f"ccc/supervisor-{SESSION}-verdicts.jsonl",
    "ccc/hook-invocation.log",
]


@pytest.mark.parametrize("name", RECORDS)
def test_records(home: Home, name: str, tally: NewTally) -> None:
    """A truncated file of ccc's own disturbs nothing, and later lines are complete."""
    kind = name.replace(SESSION, "<id>")
    row = tally(f"{kind} cut off")
    home.supervise()
    home.run("supervisor-hook", stdin=home.event(), **ENV)
    if name == "ccc/lock":
        # whatever the file names, only ccc's own temporary files are removed
        home.project.write(f".claude/{name}", str(home.project.claude_dir / "settings.json"))
    damage = Damage(home, name)
    lines = [["b"], ["supervisor-hook"], *LOOKS, ["doctor"], ["clean", "--yes"]]

    def trial(number: int) -> None:
        damage.cut(number * 61 % (len(damage.whole) + 1))
        (home.project.directory / "work").write_text(str(number))
        check_outcome(damage.run(lines[number % len(lines)]), codes=(0, 1))
        event = home.event(prompt=f"p{number}")
        assert "decision" in answer_of(home.run("supervisor-hook", stdin=event, **ENV))
        path = home.project.claude_dir / f"ccc/supervisor-{SESSION}-verdicts.jsonl"
        assert json.loads(path.read_text().splitlines()[-1])["prompt_id"] == f"p{number}"
        home.run("b", **ENV)
        assert home.files()["settings.json"].count("supervisor-hook") == 1
        assert len(json.loads(home.files()["ccc/ledger.json"])["files"]) >= 6
        home.run("supervisor-mode", "on", **ENV)

    for number in rounds(1, 60, 30):
        row.survived(lambda number=number: trial(number))
    row.survived(home.check_tidy)
