"""What a run that was killed had cost isn't lost, however the next one ends."""

from pathlib import Path

import pytest

from ccc.config.schema import Supervisor
from ccc.model.state import RunState
from ccc.run.run_store import RunStore
from ccc.storage.journal import Journal
from ccc.storage.paths import Paths
from ccc.supervision.session_store import SessionStore


@pytest.mark.parametrize("outcome", ["interrupted", "agent_failed"])
@pytest.mark.parametrize("begins", [True, False])
def test_the_cost_of_a_killed_turn(tmp_path: Path, outcome: str, begins: bool) -> None:
    """It is counted once, also if the continued run ends before its first step."""
    where = Paths({"CLAUDE_CONFIG_DIR": str(tmp_path)})
    tasks = SessionStore(where, "abc123", Journal(where, "abc123"))
    run = RunState(turn_cost_usd=0.25, turn_cost_source="prices")
    store = RunStore(tasks, run, Supervisor())
    if begins:
        store.start()
    store.finish(outcome)
    saved = tasks.load()
    assert saved.run is not None
    assert saved.task.cost_usd + saved.run.turn_cost_usd == 0.25
