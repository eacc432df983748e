"""What ccc does with a real claude that lacks something: a wrapper breaks one thing."""

import re
import sys

import pytest
from supervised import REVIEWING, WORKING, YES, acting, bash, hooked, judged, replies

from ccc.claude import binary, known_claudes
from ccc.claude.capabilities import Answers
from ccc.storage.paths import Paths
from harness import Bench, CccProject, claude_binary
from harness.broken_claude import break_claude
from harness.processes import nothing_runs, wait_until
from harness.programs import needs_sandbox
from harness.scripted import (
    Rule,
    answer,
    every,
    tool,
    tool_result,
)

pytestmark = [pytest.mark.real]


def wrap(project: CccProject, code: str) -> None:
    """Replace the claude on PATH by one that runs the code first, which may change `argv`."""
    directory = project.root / "wrapped"
    directory.mkdir(parents=True)
    program = directory / "claude"
    program.write_text(
        f"#!{sys.executable} -I\nimport json, os, sys\nargv = sys.argv[1:]\n{code}\n"
        f"os.execv({str(claude_binary())!r}, ['claude', *argv])\n"
    )
    program.chmod(0o755)
    (project.bin / "claude").unlink()
    (project.bin / "claude").symlink_to(program)


@pytest.mark.journey
def test_a_reviewer_that_sees_nothing(bench: Bench) -> None:
    """If all of the reviewer's commands fail in the sandbox, it reviews again without it."""
    needs_sandbox()
    project = bench(*acting(lambda _: [bash("echo seen")]))
    project.configure(supervisor={"sandbox": "auto"})
    break_claude(project.bin, "reviewer_bash")
    outcome = project.run("run", "do it").succeeded()
    assert project.model is not None
    seen = [r.last_tool_result for r in project.model.requests if REVIEWING(r) and replies(r)]
    assert ["bwrap: broken" in (each or "") for each in seen] == [True, False]
    assert "ccc reviewed again without it" in " ".join(outcome.stderr.split())


def test_a_blind_reviewer_in_a_required_sandbox(bench: Bench) -> None:
    """Its verdict doesn't count: the run couldn't be judged, and says why."""
    needs_sandbox()
    project = bench(*acting(lambda _: [bash("echo seen")]))
    project.configure(supervisor={"sandbox": "require"})
    break_claude(project.bin, "reviewer_bash")
    outcome = project.run("run", "do it")
    assert outcome.code not in (0, 1), outcome
    assert "bwrap: broken on purpose" in " ".join(outcome.stderr.split())


@pytest.mark.journey
def test_a_lost_cache_has_a_price(bench: Bench) -> None:
    """A review that shares nothing with the agent's prompt is told once, with the tokens."""
    project = bench(
        Rule(REVIEWING, answer(YES), name="reviewer"),
        Rule(every(WORKING, tool_result()), answer("Done."), name="agent"),
        Rule(WORKING, answer(tool("Read", file_path="a.txt")), name="agent at work"),
    )
    (project.directory / "a.txt").write_text("a\n")
    break_claude(project.bin, "print_cache")
    paths = Paths({"CLAUDE_CONFIG_DIR": str(project.claude_dir)})
    version = binary.version_of(str(claude_binary()))
    known_claudes.save(paths, str(project.bin / "claude"), Answers(version, {"print_cache"}))
    first, second = (project.run("run", "do it").succeeded() for _ in range(2))
    (tokens,) = re.findall(r"paid for ([\d,]+) tokens", " ".join(first.stderr.split()))
    assert "By itself, claude" in first.stderr
    assert project.model is not None
    review = next(each for each in project.model.exchanges if REVIEWING(each.request))
    assert review.usage is not None
    paid = review.usage.prompt - review.usage.cache_read_input_tokens
    assert 1000 <= int(tokens.replace(",", "")) <= paid
    assert "paid for" not in second.stderr


def test_a_test_beside_a_launch(bench: Bench) -> None:
    """A launch of an unknown claude has it tested; the next supervised stop uses the answers."""
    needs_sandbox()
    project = bench(*acting(lambda _: [bash("echo seen")]))
    project.configure(supervisor={"sandbox": "auto"})
    break_claude(project.bin, "reviewer_bash")
    project.run("kimi", "-p", "hi", env={"CCC_SELFTEST": None}).succeeded()
    stored = project.claude_dir / "ccc"
    wait_until(lambda: list(stored.glob("client-*.json")), "the answers")
    assert not list(stored.glob("client-*.started"))
    outcome = project.run("run", "do it").succeeded()
    said = " ".join(outcome.stderr.split())
    assert "the reviewer's commands fail in claude's sandbox" in said
    assert "reviewed again" not in said
    nothing_runs(project.home)


def test_an_updated_claude_behind_a_script(bench: Bench) -> None:
    """The script is the same, but the session's transcript shows that its claude is newer."""
    project = bench(*judged(YES, YES))
    wrap(project, "pass")
    paths = Paths({"CLAUDE_CONFIG_DIR": str(project.claude_dir)})
    program = str(project.bin / "claude")
    for version, is_known in (("2.1.230", False), ("2.1.999", True)):
        known_claudes.save(paths, program, Answers(version, {"prompt_id"}))
        hooked(project, "/supervisor do it").outcome.succeeded()
        assert (known_claudes.load(paths, program) is not None) is is_known


def test_a_demo_whose_reviewer_sees_nothing(bench: Bench) -> None:
    """The demo fails if none of the reviewer's commands work."""
    project = bench()
    fails = 'if "--fork-session" in argv: os.environ["CLAUDE_CODE_SHELL_PREFIX"] = "/bin/false"'
    wrap(project, fails)
    outcome = project.run("demo", "--fast")
    assert outcome.code == 1
    assert "none of the reviewer's commands worked" in " ".join(outcome.stderr.split())
