"""Where a stop looks for programs if the system doesn't say how its claude was started."""

import json

import pytest
from stops import Supervised

NOBODY = 4_194_305  # more than the system's maximum process id


@pytest.mark.parametrize("whose", ["launch", "another launch", "user"])
def test_the_path_of_a_stop(supervised: Supervised, whose: str) -> None:
    """It uses the PATH of the launch, unless the user's own settings set one."""
    project = supervised.project
    theirs, ours = (f"{project.root / name}:{project.env['PATH']}" for name in ("theirs", "ours"))
    own = project.directory / ".claude" / "settings.json"
    own.parent.mkdir()
    own.write_text(json.dumps({"env": {"PATH": theirs}}))
    if whose == "user":
        project.write(".claude/settings.json", json.dumps({"env": {"PATH": "/users:" + ours}}))
    supervised.configure(checks=['echo "$PATH"; false'])
    supervised.set_state(pid=NOBODY - (whose == "another launch"), path=ours)
    env = {"CLAUDE_PID": str(NOBODY), "CLAUDE_PROJECT_DIR": str(project.directory)}
    supervised.stop(env={**env, "PATH": theirs})
    (output,) = supervised.state_dir.glob("*-check-1.log")
    expected = {"launch": ours, "another launch": theirs, "user": "/users:" + ours}
    assert output.read_text().strip() == expected[whose]
