"""Concurrent hooks and launches in one home: all succeed, and every count is right."""

import re
import subprocess
from collections.abc import Callable

from homes import SESSION, Home, answer_of

from harness.soak import Tally, rounds, trials

NewTally = Callable[[str], Tally]


def outputs_of(processes: "list[subprocess.Popen[bytes]]") -> list[str]:
    """Wait until each process exits with 0, and return their outputs."""
    outputs = [process.communicate(timeout=300)[0].decode() for process in processes]
    assert [process.returncode for process in processes] == [0] * len(processes)
    return outputs


def test_launches_on_a_new_home(home: Home, tally: NewTally) -> None:
    """Ten concurrent launches in a new home succeed, and everything is in place."""
    row = tally("ten launches at once on a new home")

    def trial() -> None:
        outputs_of([home.start("b") for _ in range(10)])
        home.check_complete()
        sessions = [name for name in home.files() if name.startswith("ccc/supervisor-")]
        assert len(sessions) == 10
        home.reset()

    for _ in rounds(1, 25, 60):
        row.survived(trial)


def test_hooks_and_launches(home: Home, tally: NewTally) -> None:
    """Concurrent hooks on shared and separate sessions succeed while launches run."""
    hooks, launches = trials(10, 50), trials(4, 20)
    row = tally(f"{hooks} hooks and {launches} launches at once")
    shared = hooks // 2
    own = [f"own-{number}" for number in range(hooks - shared)]
    for session in [SESSION, *own]:
        home.supervise(session)
    states = len(list((home.project.claude_dir / "ccc").glob("supervisor-*.json")))

    def trial(number: int) -> None:
        sessions = [SESSION] * shared + own
        prompt = f"p{number}"
        crowd = [
            home.start(
                "supervisor-hook",
                stdin=home.event(session, prompt),
                CCC_SUPERVISOR_ID=session,
                CLAUDECODE="1",
            )
            for session in sessions
        ]
        others = [home.start(("a", "b")[n % 2]) for n in range(launches)]
        answers = [answer_of(output) for output in outputs_of(crowd)]
        outputs_of(others)
        # the first stop of a session is sent back; the others on an unchanged tree are stuck
        assert sum("decision" in answer for answer in answers) > len(own)
        assert [home.state(session)["count"] for session in own] == [1] * len(own)
        assert home.state()["count"] == shared
        assert len(home.verdicts()) == (number + 1) * shared
        assert all(len(home.verdicts(session)) == number + 1 for session in own)
        log = home.files()["ccc/hook-invocation.log"]
        assert len(re.findall("supervisor-hook invoked", log)) == (number + 1) * hooks
        assert home.files()["settings.json"].count("supervisor-hook") == 1
        now = list((home.project.claude_dir / "ccc").glob("supervisor-*.json"))
        assert len(now) == states + (number + 1) * launches
        home.run("b")
        for path in set((home.project.claude_dir / "ccc").glob("supervisor-*.json")) - set(now):
            path.unlink()
        home.check_tidy()

    for number in rounds(1, 3, 60):
        row.survived(lambda number=number: trial(number))
