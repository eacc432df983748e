"""The saved state of a run: written, read, and rejected as a whole if damaged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.supervision import run_state
from ccc.supervision.run_state import RunState
from ccc.supervision.turn import Turn
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
        """What is written is read back unchanged."""
        raw = jsontext.parse(jsontext.dump(run_state.dump(RUN)))
        assert isinstance(raw, dict)
        assert run_state.parse(raw) == RUN

    def test_none(self) -> None:
        """A session that is no run has none."""
        assert run_state.parse({}) is None

    def test_of_an_earlier_ccc(self) -> None:
        """Fields that an earlier ccc did not write have their defaults."""
        assert run_state.parse({"cwd": "/p", "task": "t"}) == run_state.RunState(task="t", cwd="/p")

    def test_tokens_add_up(self) -> None:
        """Each kind of token is added separately, including a new one."""
        turn = Turn(tokens={"input": 3, "output": 2})
        assert run_state.add_tokens({"input": 1, "cached": 5}, turn) == {
            "cached": 5,
            "input": 4,
            "output": 2,
        }
        assert list(run_state.add_tokens({"b": 1}, Turn(tokens={"a": 1}))) == ["a", "b"]

    @pytest.mark.parametrize(
        "wrong", [{"requests": "t"}, {"requests": [1]}, {"count": "1"}, {"saved_at": 10**400}]
    )
    def test_not_half_believed(self, wrong: dict[str, object]) -> None:
        """A field of the wrong type makes the whole unusable."""
        assert run_state.parse({**run_state.dump(RUN), **wrong}) is None

    @given(st.dictionaries(st.sampled_from(list(run_state.dump(RUN))), st.from_type(object)))
    def test_never_raises(self, raw: dict[str, object]) -> None:
        """Any value is a run or None."""
        run_state.parse(raw)
