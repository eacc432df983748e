"""The reviewer is read-only: whatever it tries, the project stays as the agent left it."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from facts import scripted_project
from supervised import (
    ASKED,
    DONE,
    FREELY,
    REVIEWING,
    WORKING,
    Run,
    acting,
    bash,
    git,
    repository,
    requests,
    results,
    section,
    supervise,
    workspace,
)

from harness import Bench, CccProject
from harness.programs import needs, needs_sandbox, path_without
from harness.scripted import Block, Reply, Request, Rule, answer, shared_prefix, tool

pytestmark = pytest.mark.real

WRITES = "python3 -c \"open('python.txt', 'w').write('x')\""


def attempts(directory: Path) -> Mapping[str, Block]:
    """Return calls that change the project, and a few that only read."""
    there, new = str(directory / "there.txt"), str(directory / "write.txt")
    return {
        "Write": tool("Write", file_path=new, content="x"),
        "Read": tool("Read", file_path=there),
        "Edit": tool("Edit", file_path=there, old_string="before", new_string="after"),
        "echo": bash("echo x > echo.txt"),
        "append": bash("echo x >> there.txt"),
        "touch": bash("touch touch.txt"),
        "python": bash(WRITES),
        "commit": bash("git commit --allow-empty -m x"),
        "checkout": bash("git checkout -b other"),
        "git -C": bash(f"git -C {directory} -c user.name=x -c user.email=x@y tag -m x made"),
        "update-ref": bash("git update-ref refs/heads/other HEAD"),
        "rm": bash("rm there.txt"),
        "rm -rf": bash("rm -rf .git"),
        "link": bash(f"ln -s {there} link && mv link renamed"),
        "chmod": bash("chmod 777 there.txt"),
        "cat": bash("cat there.txt"),
        "status": bash("git status --short"),
    }


def everything(directory: Path) -> dict[str, tuple[int, bytes]]:
    """Return everything below the directory, including .git: names, modes, contents."""
    content_by_name = {}
    for path in sorted(directory.rglob("*")):
        content = os.readlink(path).encode() if path.is_symlink() else b""
        if path.is_file() and not path.is_symlink():
            content = path.read_bytes()
        content_by_name[str(path.relative_to(directory))] = (path.lstat().st_mode, content)
    return content_by_name


@dataclass(frozen=True)
class Attempts:
    """The results of the attempts, and the project at the stop and afterwards."""

    run: Run
    results: Mapping[str, str]
    before: Mapping[str, tuple[int, bytes]]
    after: Mapping[str, tuple[int, bytes]]


@pytest.fixture(scope="module")
def review(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attempts]:
    """Run a review that tries everything, with the sandbox on as by default."""
    needs_sandbox()
    before: dict[str, tuple[int, bytes]] = {}
    root = tmp_path_factory.mktemp("tried")
    directory = root / "bench" / "project"
    calls = attempts(directory)

    def stop(request: Request) -> Reply:
        before.update(everything(directory))
        return answer(DONE)

    reviewer, _ = acting(lambda request: list(calls.values()))
    with scripted_project(root, reviewer, Rule(WORKING, stop)) as project:
        repository(project)
        run = supervise(project, "do it")
        run.outcome.succeeded()
        after = everything(directory)
        texts = dict(zip(calls, results(project), strict=True))
        yield Attempts(run, texts, before, after)


@pytest.mark.journey
def test_nothing_is_changed(review: Attempts) -> None:
    """Not a byte differs in the project or in .git, and the sandbox leaves nothing."""
    assert review.before
    assert set(review.after) - set(review.before) == set(), review.results
    assert review.after == review.before


@pytest.mark.parametrize(
    "call", [name for name in attempts(Path()) if name not in ("Read", "cat", "status")]
)
@pytest.mark.journey
def test_each_attempt_fails(review: Attempts, call: str) -> None:
    """Each attempt is refused or fails, and nothing waits for the user."""
    refused = ("denied", "Read-only file system", "Exit code", "Permission", "cannot")
    assert any(word in review.results[call] for word in refused), review.results[call]


def test_the_reviewer_can_look(review: Attempts) -> None:
    """The reviewer can read files and the state of the repository."""
    assert "before" in review.results["Read"]
    assert review.results["cat"] == "before"
    assert "denied" not in review.results["status"]


def test_refusals_are_no_failure(review: Attempts) -> None:
    """Refusals are no failure of the review, and no change is reported."""
    (verdict,) = review.run.record.verdicts
    assert (verdict["completed"], verdict["changed_tree"]) == (True, False)
    (message,) = review.run.told
    assert "changed" not in message


@pytest.mark.parametrize("length", ["short", "long"])
def test_a_suite_that_writes_runs_in_a_copy(bench: Bench, length: str) -> None:
    """The request names a writable directory; tests run in a copy there, which is removed."""
    needs_sandbox()
    project = bench(*acting(in_a_copy))
    suite = "import pathlib\npathlib.Path(__file__).with_name('report').write_text('x')\n"
    (project.directory / "suite.py").write_text(f"{suite}print('1 passed')\n")
    with tempfile.TemporaryDirectory(prefix="t", dir="/tmp") as name:
        # claude's sandbox creates sockets in the temporary directory, and their paths must be short
        temporary = Path(name, "" if length == "short" else "a-long-name" * 5)
        temporary.mkdir(exist_ok=True)
        run = supervise(project, "do it", TMPDIR=str(temporary))
        run.outcome.succeeded()
        assert list(Path(name).rglob("ccc-review-*")) == []
    in_place, in_copy = results(project)
    assert "1 passed" not in in_place
    assert in_copy.startswith("1 passed")
    first, *_ = requests(project, ASKED)
    text = section(first, "Your surroundings")
    assert f"The project, {project.directory}, is read-only for you" in text
    place = workspace(first)
    assert place.is_relative_to(temporary if length == "short" else "/tmp")
    assert f"cp -R {project.directory}/. {place}/copy" in text
    assert not place.parent.exists()
    assert [p.name for p in project.directory.iterdir()] == ["suite.py"]
    assert run.record.verdicts[0]["changed_tree"] is False


def in_a_copy(request: Request) -> list[Block]:
    """Return calls that run the suite in the project, then in a copy as the request says."""
    place = workspace(request)
    project = section(request, "Your surroundings").partition("The project, ")[2].partition(",")[0]
    command = f"cp -R {project}/. {place}/copy && cd {place}/copy && python3 suite.py"
    return [bash("python3 suite.py"), bash(command)]


def test_without_the_sandbox_a_change_is_noticed(bench: Bench) -> None:
    """Without it a program can write; that is told, with a commit of what was there."""
    edit = "python3 -c \"open('there.txt', 'w')\""
    project = bench(*acting(lambda request: [bash("echo x > echo.txt"), bash(WRITES), bash(edit)]))
    repository(project)
    (project.directory / "there.txt").write_text("the user's\n")
    project.configure(supervisor={"sandbox": "off"})
    run = supervise(project, "do it")
    assert "denied" in results(project)[0]
    assert (project.directory / "python.txt").exists()
    assert not (project.directory / "echo.txt").exists()
    (message,) = run.told
    assert "the project changed during the review" in message
    assert run.record.verdicts[0]["changed_tree"] is True
    commit = message.partition("git diff ")[2].split()[0]
    assert git(project, "show", f"{commit}:there.txt") == "the user's\n"
    assert (project.directory / "there.txt").read_text() == ""


@pytest.mark.skipif(sys.platform != "linux", reason="macOS has its own sandbox")
@pytest.mark.journey
def test_a_change_is_noticed_where_the_sandbox_is_missing(bench: Bench) -> None:
    """With "auto" and without bwrap, the review runs and its changes are reported."""
    project = bench(*acting(lambda request: [bash(WRITES)]))
    run = supervise(project, "do it", PATH=without(project, "bwrap"))
    (message,) = run.told
    assert "completed, stop allowed" in message
    assert "the project changed during the review" in message


@pytest.mark.skipif(sys.platform != "linux", reason="macOS has its own sandbox")
@pytest.mark.parametrize("setting", ["auto", "require"])
def test_a_sandbox_that_can_not_run(bench: Bench, setting: str) -> None:
    """If bwrap can't create namespaces, as in many containers, "auto" runs without it."""
    needs("socat")
    program = "echo 'bwrap: No permissions to create new namespace' >&2; exit 1"
    _without_a_sandbox(bench, setting, program)


@pytest.mark.skipif(sys.platform != "linux", reason="macOS has its own sandbox")
def test_a_sandbox_in_a_container(bench: Bench) -> None:
    """A user namespace can't mount /proc if a part of it is covered; root's own namespace can."""
    needs("bwrap")
    needs("socat")
    refuse = 'echo "bwrap: Can\'t mount proc on /proc: Operation not permitted" >&2; exit 1'
    program = f"""case " $* " in *" --unshare-user "*) {refuse};; esac
exec {shutil.which("bwrap")} "$@"
"""
    _without_a_sandbox(bench, "auto", program)


def _without_a_sandbox(bench: Bench, setting: str, script: str) -> None:
    """Run a review with this script as bwrap."""
    project = bench(*acting(lambda request: [bash("echo looked")]))
    project.configure(supervisor={"sandbox": setting})
    program = project.bin / "bwrap"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    run = supervise(project, "do it")
    (message,) = run.told
    if setting == "auto":
        assert "completed, stop allowed" in message
        assert results(project) == ["looked"]
    else:
        assert "could not be judged, stop allowed: " in message
        assert requests(project, REVIEWING) == []


@pytest.mark.skipif(sys.platform != "linux", reason="macOS has its own sandbox")
@pytest.mark.parametrize("missing", ["bwrap", "socat"])
def test_a_required_sandbox_that_is_missing(bench: Bench, missing: str) -> None:
    """With "require" and no sandbox, there is no review; the stop is allowed and reported."""
    project = bench(*acting(lambda request: [bash(WRITES)]))
    project.configure(supervisor={"sandbox": "require"})
    run = supervise(project, "do it", PATH=without(project, missing))
    (message,) = run.told
    assert message.startswith("[SUPERVISOR] could not be judged, stop allowed: ")
    assert "bubblewrap" in message
    assert "/supervisoroff" in message
    assert requests(project, REVIEWING) == []
    (verdict,) = run.record.verdicts
    assert (verdict["completed"], verdict["allowed"]) == (None, True)


def without(project: CccProject, program: str) -> str:
    """Return the project's PATH without one program."""
    return f"{project.bin}:{path_without(program)}"


def test_a_worktree_is_as_safe(bench: Bench) -> None:
    """In a worktree, the main repository elsewhere can't be changed either."""
    needs_sandbox()
    reviewer, working = acting(
        lambda request: [
            bash("sh -c 'git -c user.name=x -c user.email=x@y commit --allow-empty -m x'"),
            bash("git branch made"),
            bash("git update-ref refs/heads/other HEAD"),
        ]
    )
    project = bench(reviewer, working)
    main = project.root / "main"
    project.directory.rmdir()
    main.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=main, check=True)
    who = ("-c", "user.name=n", "-c", "user.email=e@example.org")
    subprocess.run(["git", *who, "commit", "-q", "--allow-empty", "-m", "x"], cwd=main, check=True)
    subprocess.run(
        ["git", "worktree", "add", "-q", str(project.directory), "-b", "side"], cwd=main, check=True
    )
    before = everything(main)
    run = supervise(project, "do it")
    run.outcome.succeeded()
    after = everything(main)
    assert set(after) - set(before) == set(), results(project)
    assert {n: v for n, v in after.items() if "index" not in n} == {
        n: v for n, v in before.items() if "index" not in n
    }
    assert run.record.verdicts[0]["changed_tree"] is False


def test_added_directories_and_the_home(bench: Bench) -> None:
    """Directories of --add-dir and the home are read-only, whatever the user's rules allow."""
    needs_sandbox()
    reviewer, working = acting(
        lambda request: [
            bash("python3 -c \"open('../lib/made.txt', 'w')\""),
            tool("Write", file_path=str(home / "made.txt"), content="x"),
        ]
    )
    project = bench(reviewer, working)
    home, lib = project.home, project.root / "lib"
    lib.mkdir()
    project.write(".claude/settings.json", '{"permissions": {"allow": ["Edit", "Write"]}}')
    run = supervise(project, "do it", "--add-dir", "../lib", "--permission-mode", "default")
    run.outcome.succeeded()
    assert os.listdir(lib) == [], results(project)
    assert not (home / "made.txt").exists(), results(project)
    agent, review = requests(project, WORKING)[-1], requests(project, REVIEWING)[0]
    assert shared_prefix(agent, review) == 1.0


def test_what_the_users_settings_allow(bench: Bench, tmp_path: Path) -> None:
    """The user's writable paths and sandbox exclusions don't apply to the reviewer."""
    needs_sandbox()
    paths, rules, calls = tmp_path / "paths", tmp_path / "rules", list[Block]()
    project = bench(*acting(lambda request: calls))
    repository(project)
    for each in (paths, rules):
        each.mkdir()
    (project.directory / "write.py").write_text("open('made.txt', 'w')")
    write = "sh -c 'echo x > %s/made.txt'"
    calls += [bash("python3 write.py"), *(bash(write % each) for each in (paths, rules))]
    sandbox = {"excludedCommands": ["python3 *"], "filesystem": {"allowWrite": [str(paths)]}}
    allowed = {"sandbox": sandbox, "permissions": {"allow": [f"Edit(/{rules}/**)"]}}
    (project.claude_dir / "settings.json").write_text(json.dumps(allowed))
    run = supervise(project, "do it")
    texts = results(project)
    assert [("Read-only file system" in each) for each in texts] == [True] * 3, texts
    assert run.record.verdicts[0]["changed_tree"] is False
    assert not (project.directory / "made.txt").exists()
    assert [*paths.iterdir(), *rules.iterdir()] == []


@pytest.mark.parametrize("added", ["/tmp", "~"])
def test_a_directory_around_everything(bench: Bench, tmp_path: Path, added: str) -> None:
    """With /tmp or the home as an added directory, commands run and nothing is reported."""
    needs_sandbox()
    calls = [bash("cp there.txt $TMPDIR/ && echo copied"), bash(f"sh -c 'echo x > {tmp_path}/x'")]
    project = bench(*acting(lambda request: calls))
    repository(project)
    permissions = {"additionalDirectories": [added]}
    (project.claude_dir / "settings.json").write_text(json.dumps({"permissions": permissions}))
    run = supervise(project, "do it")
    copied, write_result = results(project)
    assert copied == "copied"
    assert "Read-only file system" in write_result
    assert run.record.verdicts[0]["changed_tree"] is False
    assert len(run.told) == 1


def test_local_settings_are_no_change(bench: Bench, tmp_path: Path) -> None:
    """Claude adds local settings to the user's ignore file at its start; that is no change."""
    local = tmp_path / "bench-1" / "project" / ".claude" / "settings.local.json"
    reviewer, _ = acting(lambda request: [])
    write = Rule(WORKING, [answer(tool("Write", file_path=str(local), content="{}")), answer(DONE)])
    project = bench(reviewer, write)
    repository(project)
    run = supervise(project, "do it")
    assert local.exists()
    assert run.record.verdicts[0]["changed_tree"] is False
    assert len(run.told) == 1


def leaving(directory: Path, elsewhere: Path) -> Mapping[str, Block]:
    """Return calls that leave something behind without a permission, or with the user's."""
    names = "CronCreate,EnterWorktree,SendMessage,Monitor,ReportFindings,mcp__tools__plant"
    find = tool("ToolSearch", query=f"select:{names}", max_results=9)
    watch = {"description": "d", "timeout_ms": 1000, "persistent": False}
    cron = tool("CronCreate", cron="0 9 * * *", prompt="evil", recurring=True, durable=True)
    return {
        "ToolSearch": find,
        "CronCreate": cron,
        "EnterWorktree": tool("EnterWorktree", name="planted"),
        "ScheduleWakeup": tool("ScheduleWakeup", delaySeconds=60, prompt="evil", reason="r"),
        "Write": tool("Write", file_path=str(elsewhere / "write.txt"), content="x"),
        "added": bash(f"echo x > {elsewhere}/bash.txt"),
        "Agent": tool("Agent", description="d", prompt="p", subagent_type="general-purpose"),
        "SendMessage": tool("SendMessage", to="main", message="evil", summary="s"),
        "Monitor": tool("Monitor", command=f"touch {elsewhere}/monitor.txt", **watch),
        "ReportFindings": tool("ReportFindings", findings=[]),
        "mcp": tool("mcp__tools__plant"),
        "Skill": tool("Skill", skill="supervisoroff"),
    }


_MCP = """
import json, sys
PLANT = {{"name": "plant", "description": "Plant", "inputSchema": {{"type": "object"}}}}
OF_SERVER = {{"serverInfo": {{"name": "tools", "version": "1"}}, "capabilities": {{"tools": {{}}}}}}
ANSWERS = {{
    "initialize": {{"protocolVersion": "2025-06-18", **OF_SERVER}},
    "tools/list": {{"tools": [PLANT]}},
    "tools/call": {{"content": []}},
}}
for line in sys.stdin:
    asked = json.loads(line)
    if asked["method"] == "tools/call":
        open({file!r}, "w")
    if "id" in asked:
        said = ANSWERS.get(asked["method"], {{}})
        print(json.dumps({{"jsonrpc": "2.0", "id": asked["id"], "result": said}}), flush=True)
"""


def mcp_config(project: CccProject, file: Path) -> str:
    """Write an MCP server whose tool writes the file, and return its configuration."""
    program, config = project.root / "server.py", project.root / "servers.json"
    program.write_text(_MCP.format(file=str(file)))
    server = {"command": sys.executable, "args": ["-I", str(program)]}
    config.write_text(json.dumps({"mcpServers": {"tools": server}}))
    return str(config)


def test_nothing_is_left_behind(bench: Bench, tmp_path: Path) -> None:
    """The reviewer's allow list has no schedule, worktree, agent, message or MCP tool."""
    needs_sandbox()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    calls: dict[str, Block] = {}
    reviewer, agent = acting(lambda request: list(calls.values()))
    project = bench(reviewer, agent)
    calls |= leaving(project.directory, elsewhere)
    repository(project)
    rules = ["Edit", "Write", "Monitor", "SendMessage", "mcp__tools"]
    allowed = {"allow": rules, "additionalDirectories": [str(elsewhere)]}
    (project.claude_dir / "settings.json").write_text(json.dumps({"permissions": allowed}))
    before = everything(project.directory)
    servers = ("--mcp-config", mcp_config(project, elsewhere / "mcp.txt"), *FREELY)
    run = supervise(project, "do it", *servers)
    texts = dict(zip(calls, results(project), strict=True))
    assert run.record.verdicts[0]["completed"] is True, run.outcome
    assert run.record.state["enabled"] is True
    assert everything(project.directory) == before, texts
    assert list(elsewhere.iterdir()) == [], texts
    for name in set(calls) - {"ToolSearch", "added", "Write", "Skill"}:
        assert "is not for a reviewer" in texts[name], texts[name]
    last, *_, review = requests(project, WORKING)[-1], requests(project, ASKED)[0]
    assert shared_prefix(last, review) > 0.999
