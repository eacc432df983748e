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
    repository,
    requests,
    results,
    section,
    supervise,
    workspace,
)

from ccc.scripted import Block, Reply, Request, Rule, answer, shared_prefix, tool
from harness import Bench, CccProject
from harness.programs import needs, needs_sandbox, path_without

pytestmark = pytest.mark.real

WRITES = "python3 -c \"open('python.txt', 'w').write('x')\""


def attempts(directory: Path) -> Mapping[str, Block]:
    """Ways to change the project, and two to look at it."""
    there, made = str(directory / "there.txt"), str(directory / "write.txt")
    return {
        "Write": tool("Write", file_path=made, content="x"),
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
    """All that is below the directory: names, modes, contents, .git included."""
    found = {}
    for path in sorted(directory.rglob("*")):
        content = os.readlink(path).encode() if path.is_symlink() else b""
        if path.is_file() and not path.is_symlink():
            content = path.read_bytes()
        found[str(path.relative_to(directory))] = (path.lstat().st_mode, content)
    return found


@dataclass(frozen=True)
class Tried:
    """What came of the attempts, and the project when the agent stopped and afterwards."""

    run: Run
    results: Mapping[str, str]
    before: Mapping[str, tuple[int, bytes]]
    after: Mapping[str, tuple[int, bytes]]


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tried]:
    """A review that tries everything, with the sandbox on as it is by default."""
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
        found = dict(zip(calls, results(project), strict=True))
        yield Tried(run, found, before, after)


@pytest.mark.journey
def test_nothing_is_changed(tried: Tried) -> None:
    """Not a byte differs, in the project and in .git, and the sandbox left nothing behind."""
    assert tried.before
    assert set(tried.after) - set(tried.before) == set(), tried.results
    assert tried.after == tried.before


@pytest.mark.parametrize(
    "call", [name for name in attempts(Path()) if name not in ("Read", "cat", "status")]
)
@pytest.mark.journey
def test_each_attempt_fails(tried: Tried, call: str) -> None:
    """The reviewer is told that it was refused, or gets an error; nothing waits for a person."""
    refused = ("denied", "Read-only file system", "Exit code", "Permission", "cannot")
    assert any(word in tried.results[call] for word in refused), tried.results[call]


def test_the_reviewer_can_look(tried: Tried) -> None:
    """It reads files and the state of the repository."""
    assert "before" in tried.results["Read"]
    assert tried.results["cat"] == "before"
    assert "denied" not in tried.results["status"]


def test_the_verdict_counts_all_the_same(tried: Tried) -> None:
    """Refusals are no failure of the review, and no change is reported."""
    (verdict,) = tried.run.record.verdicts
    assert (verdict["completed"], verdict["changed_tree"]) == (True, False)
    (told,) = tried.run.told
    assert "changed" not in told


@pytest.mark.parametrize("length", ["short", "long"])
def test_a_suite_that_writes_runs_in_a_copy(bench: Bench, length: str) -> None:
    """The request says what is read-only and where to write; tests run there, and it is gone."""
    needs_sandbox()
    project = bench(*acting(in_a_copy))
    suite = "import pathlib\npathlib.Path(__file__).with_name('report').write_text('x')\n"
    (project.directory / "suite.py").write_text(f"{suite}print('1 passed')\n")
    with tempfile.TemporaryDirectory(prefix="t", dir="/tmp") as name:
        # claude's sandbox makes sockets in the temporary directory, whose paths must be short
        temporary = Path(name, "" if length == "short" else "a-long-name" * 5)
        temporary.mkdir(exist_ok=True)
        run = supervise(project, "do it", TMPDIR=str(temporary))
        run.outcome.succeeded()
        assert list(Path(name).rglob("ccc-review-*")) == []
    in_place, in_copy = results(project)
    assert "1 passed" not in in_place
    assert in_copy.startswith("1 passed")
    first, *_ = requests(project, ASKED)
    told = section(first, "Your surroundings")
    assert f"The project, {project.directory}, is read-only for you" in told
    place = workspace(first)
    assert place.is_relative_to(temporary if length == "short" else "/tmp")
    assert f"cp -R {project.directory}/. {place}/copy" in told
    assert not place.parent.exists()
    assert [p.name for p in project.directory.iterdir()] == ["suite.py"]
    assert run.record.verdicts[0]["changed_tree"] is False


def in_a_copy(request: Request) -> list[Block]:
    """The suite where the project is, then in a copy as the request says."""
    place = workspace(request)
    project = section(request, "Your surroundings").partition("The project, ")[2].partition(",")[0]
    copied = f"cp -R {project}/. {place}/copy && cd {place}/copy && python3 suite.py"
    return [bash("python3 suite.py"), bash(copied)]


def test_without_the_sandbox_a_change_is_noticed(bench: Bench) -> None:
    """With `"sandbox": "off"` a program can write; the person is told, and it is on record."""
    project = bench(*acting(lambda request: [bash("echo x > echo.txt"), bash(WRITES)]))
    repository(project)
    project.configure(supervisor={"sandbox": "off"})
    run = supervise(project, "do it")
    assert "denied" in results(project)[0]
    assert (project.directory / "python.txt").exists()
    assert not (project.directory / "echo.txt").exists()
    (told,) = run.told
    assert "the project changed during the review" in told
    assert run.record.verdicts[0]["changed_tree"] is True


@pytest.mark.skipif(sys.platform != "linux", reason="macOS has a sandbox of its own")
@pytest.mark.journey
def test_a_change_is_noticed_where_the_sandbox_is_missing(bench: Bench) -> None:
    """With "auto" the review goes on without bwrap, and what it changes is told."""
    project = bench(*acting(lambda request: [bash(WRITES)]))
    run = supervise(project, "do it", PATH=without(project, "bwrap"))
    (told,) = run.told
    assert "completed, stop allowed" in told
    assert "the project changed during the review" in told


@pytest.mark.skipif(sys.platform != "linux", reason="macOS has a sandbox of its own")
@pytest.mark.parametrize("setting", ["auto", "require"])
def test_a_sandbox_that_can_not_run(bench: Bench, setting: str) -> None:
    """A bwrap that may not make namespaces, as in many containers: auto does without it."""
    needs("socat")
    program = "echo 'bwrap: No permissions to create new namespace' >&2; exit 1"
    _without_a_sandbox(bench, setting, program)


@pytest.mark.skipif(sys.platform != "linux", reason="macOS has a sandbox of its own")
def test_a_sandbox_in_a_container(bench: Bench) -> None:
    """In a user namespace /proc can't be mounted where a part of it is covered; root's own can."""
    needs("bwrap")
    needs("socat")
    refuse = 'echo "bwrap: Can\'t mount proc on /proc: Operation not permitted" >&2; exit 1'
    program = f"""case " $* " in *" --unshare-user "*) {refuse};; esac
exec {shutil.which("bwrap")} "$@"
"""
    _without_a_sandbox(bench, "auto", program)


def _without_a_sandbox(bench: Bench, setting: str, script: str) -> None:
    """A review where bwrap is this script."""
    project = bench(*acting(lambda request: [bash("echo looked")]))
    project.configure(supervisor={"sandbox": setting})
    program = project.bin / "bwrap"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    run = supervise(project, "do it")
    (told,) = run.told
    if setting == "auto":
        assert "completed, stop allowed" in told
        assert results(project) == ["looked"]
    else:
        assert "could not be judged, stop allowed: " in told
        assert requests(project, REVIEWING) == []


@pytest.mark.skipif(sys.platform != "linux", reason="macOS has a sandbox of its own")
@pytest.mark.parametrize("missing", ["bwrap", "socat"])
def test_a_required_sandbox_that_is_missing(bench: Bench, missing: str) -> None:
    """With "require" nobody is asked: could not be judged, allowed, told."""
    project = bench(*acting(lambda request: [bash(WRITES)]))
    project.configure(supervisor={"sandbox": "require"})
    run = supervise(project, "do it", PATH=without(project, missing))
    (told,) = run.told
    assert told.startswith("[SUPERVISOR] could not be judged, stop allowed: ")
    assert "bubblewrap" in told
    assert "/supervisoroff" in told
    assert requests(project, REVIEWING) == []
    (verdict,) = run.record.verdicts
    assert (verdict["completed"], verdict["allowed"]) == (None, True)


def without(project: CccProject, program: str) -> str:
    """The PATH of the project, but for one program."""
    return f"{project.bin}:{path_without(program)}"


def test_a_worktree_is_as_safe(bench: Bench) -> None:
    """In a worktree the main repository, which lies elsewhere, can't be changed either."""
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
    """What --add-dir names and the home are read-only too, with rules of the user's that allow."""
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
    """Neither paths that the user lets claude write to nor commands that leave its sandbox."""
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
    said = results(project)
    assert [("Read-only file system" in each) for each in said] == [True] * 3, said
    assert run.record.verdicts[0]["changed_tree"] is False
    assert not (project.directory / "made.txt").exists()
    assert [*paths.iterdir(), *rules.iterdir()] == []


@pytest.mark.parametrize("added", ["/tmp", "~"])
def test_a_directory_around_everything(bench: Bench, tmp_path: Path, added: str) -> None:
    """It holds the temporary files, or claude's own: commands run, and nothing is told."""
    needs_sandbox()
    calls = [bash("cp there.txt $TMPDIR/ && echo copied"), bash(f"sh -c 'echo x > {tmp_path}/x'")]
    project = bench(*acting(lambda request: calls))
    repository(project)
    permissions = {"additionalDirectories": [added]}
    (project.claude_dir / "settings.json").write_text(json.dumps({"permissions": permissions}))
    run = supervise(project, "do it")
    copied, written = results(project)
    assert copied == "copied"
    assert "Read-only file system" in written
    assert run.record.verdicts[0]["changed_tree"] is False
    assert len(run.told) == 1


def test_local_settings_are_no_change(bench: Bench, tmp_path: Path) -> None:
    """Claude adds them to the user's ignore file when it starts, and the reviewer's is one."""
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
    """Ways to leave something behind that need no permission, or that the user has allowed."""
    named = "CronCreate,EnterWorktree,SendMessage,Monitor,ReportFindings,mcp__tools__plant"
    find = tool("ToolSearch", query=f"select:{named}", max_results=9)
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


def planting(project: CccProject, file: Path) -> str:
    """A file with the configuration of an MCP server whose tool writes the other file."""
    program, config = project.root / "server.py", project.root / "servers.json"
    program.write_text(_MCP.format(file=str(file)))
    server = {"command": sys.executable, "args": ["-I", str(program)]}
    config.write_text(json.dumps({"mcpServers": {"tools": server}}))
    return str(config)


def test_nothing_is_left_behind(bench: Bench, tmp_path: Path) -> None:
    """An allow list: no schedule, worktree, file elsewhere, other agent, message or MCP tool."""
    needs_sandbox()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    found: dict[str, Block] = {}
    reviewer, agent = acting(lambda request: list(found.values()))
    project = bench(reviewer, agent)
    found |= leaving(project.directory, elsewhere)
    repository(project)
    rules = ["Edit", "Write", "Monitor", "SendMessage", "mcp__tools"]
    allowed = {"allow": rules, "additionalDirectories": [str(elsewhere)]}
    (project.claude_dir / "settings.json").write_text(json.dumps({"permissions": allowed}))
    before = everything(project.directory)
    servers = ("--mcp-config", planting(project, elsewhere / "mcp.txt"), *FREELY)
    run = supervise(project, "do it", *servers)
    said = dict(zip(found, results(project), strict=True))
    assert run.record.verdicts[0]["completed"] is True, run.outcome
    assert run.record.state["enabled"] is True
    assert everything(project.directory) == before, said
    assert list(elsewhere.iterdir()) == [], said
    for name in set(found) - {"ToolSearch", "added", "Write", "Skill"}:
        assert "is not for a reviewer" in said[name], said[name]
    last, *_, asked = requests(project, WORKING)[-1], requests(project, ASKED)[0]
    assert shared_prefix(last.body, asked.body) > 0.999
