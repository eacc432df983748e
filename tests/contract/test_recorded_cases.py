"""`ccc eval add`: what becomes part of a case, what is left out, and when ccc refuses."""

import json
import os
import subprocess
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from looking import DONE

from harness import CccProject
from harness.records import MOMENT, Records, receipt, verdict

REQUEST = "Add a --dry-run option"
LATER = "and describe it"
MESSAGE = "Both are done."


def git(directory: Path, *arguments: str) -> str:
    """Run git with a test identity."""
    somebody = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org")
    line = ["git", *somebody, *arguments]
    return subprocess.run(line, cwd=directory, capture_output=True, text=True, check=True).stdout


class Story:
    """A session of two rounds in a repository, with claude's record of it."""

    def __init__(self, project: CccProject, records: Records, inside: str = "") -> None:
        self.project, self.records = project, records
        self.top = project.directory
        self.directory = self.top / inside
        self.directory.mkdir(exist_ok=True)
        self.lines: list[dict[str, Any]] = []
        self.write("a.txt", "before\n")
        git(self.top, "init", "--quiet", "--initial-branch=main")
        self.commit("start")
        self.start = git(self.top, "rev-parse", "HEAD").strip()

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file of the project, older than the verdict."""
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        os.utime(path, (MOMENT, MOMENT))

    def commit(self, message: str) -> None:
        """Commit everything."""
        git(self.top, "add", "--all", "--force")
        git(self.top, "commit", "--quiet", "--allow-empty", "--message", message)

    def said(self, at: float, *blocks: Any, kind: str = "assistant") -> None:
        """Add an entry to claude's record."""
        content = [{"type": "text", "text": b} if isinstance(b, str) else b for b in blocks]
        moment = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(MOMENT + at))
        message = {"role": kind, "content": content}
        entry = {"type": kind, "timestamp": moment, "cwd": str(self.directory), "message": message}
        self.lines.append({**entry, **({"promptId": "p1"} if kind == "user" else {})})

    def called(self, at: float, name: str, output: str = "", **given: str) -> None:
        """Add a call of a tool, with its result."""
        call = f"toolu_{len(self.lines)}"
        self.said(at, {"type": "tool_use", "id": call, "name": name, "input": given})
        result = {"type": "tool_result", "tool_use_id": call, "content": output}
        self.said(at, result, kind="user")

    def tell(self) -> None:
        """Tell the usual story: sent back once, then completed."""
        self.said(0, REQUEST, kind="user")
        self.called(10, "Edit", file_path=str(self.directory / "a.txt"))
        self.said(20, "The option is done.")
        self.said(60, f"Stop hook feedback:\nWhere is the description?\n{LATER}", kind="user")
        self.called(70, "Bash", "fine", command="make test")
        self.said(80, MESSAGE)
        self.said(500, "The user asked for something else.")

    def record(self, size: tuple[int, int, int] | None, **more: Any) -> None:
        """Write the records of the session; `size` is that of the change at the last verdict."""
        diff = dict(zip(("files", "added", "removed"), size, strict=True)) if size else None
        requests = {"request": REQUEST, "requests": [REQUEST, LATER], "task": "p1"}
        no = verdict(1, 50, "not_completed", "Where is the description?", **requests)
        no |= {"stopped_at": MOMENT + 30, "diff": {"files": 1, "added": 7, "removed": 1}}
        yes = verdict(2, 120, "completed", **requests, diff=diff, **more)
        yes |= {"stopped_at": MOMENT + 90, "receipts": [receipt("make lint", 0, 1.0)]}
        self.records.add(DONE, [no, yes], cwd=str(self.directory), start_head=self.start)
        file = self.project.claude_dir / "projects" / "-p" / f"{DONE}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(json.dumps(line) + "\n" for line in self.lines))

    def add(self, *arguments: str) -> Any:
        """Run `ccc eval add`."""
        words = arguments or ("--truth", "not-done", "--kind", "half-done")
        return self.project.run("eval", "add", DONE[:8], *words)

    def case(self, *arguments: str) -> Path:
        """Make the case and return its directory."""
        self.add(*arguments).succeeded()
        (found,) = (self.project.claude_dir / "ccc" / "cases").iterdir()
        return found


@pytest.fixture
def story(stubbed: CccProject, records: Records) -> Story:
    """A session of two rounds."""
    return Story(stubbed, records)


def names(directory: Path) -> set[str]:
    """Return the files below the directory."""
    return {str(p.relative_to(directory)) for p in directory.rglob("*") if p.is_file()}


def steps(case: Path, twin: str = "bad") -> Sequence[dict[str, Any]]:
    """Return the agent's steps in a case."""
    found: list[dict[str, Any]] = tomllib.loads((case / f"{twin}.toml").read_text())["step"]
    return found


def test_two_rounds(story: Story) -> None:
    """The whole task up to the round, with the feedback, and nothing that came later."""
    story.tell()
    story.write("a.txt", "after\n")
    story.record((1, 1, 1))
    case = story.case()
    about = tomllib.loads((case / "case.toml").read_text())
    assert about["prompts"] == [REQUEST, LATER]
    assert (about["title"], about["passed"]) == (f"{REQUEST} {LATER}", ["make lint"])
    assert steps(case) == [
        {"edit": "a.txt"},
        {"say": "The option is done."},
        {"feedback": "Where is the description?"},
        {"run": "make test", "output": "fine"},
    ]
    assert tomllib.loads((case / "bad.toml").read_text())["message"] == MESSAGE
    assert (case / "before" / "a.txt").read_text() == "before\n"
    assert (case / "bad" / "a.txt").read_text() == "after\n"


def test_it_is_measured(story: Story) -> None:
    """The table counts it like any other case; the message says the command."""
    story.tell()
    story.write("a.txt", "after\n")
    story.record((1, 1, 1))
    told = story.add("--truth", "done", "--kind", "5", "--title", "A block").succeeded().stdout
    assert "(Round 2/10 · completed)" in told
    command = next(line.split() for line in told.splitlines() if "--no-model" in line)
    cases = os.path.join(str(story.project.home), command[3].removeprefix("~/"))
    words = ("eval", "--cases", cases, "--no-model", "--json")
    found = json.loads(story.project.run(*words).succeeded().stdout)
    (each,) = found["cases"]
    assert (each["kind"], each["done"], each["failed_check"]) == (5, True, "")
    again = story.add("--truth", "done", "--kind", "5")
    assert (again.code, "exists already" in again.stderr) == (1, True)
    assert [path.name for path in Path(cases).iterdir()] == [each["case"].partition("/")[0]]


def test_what_is_left_out(story: Story) -> None:
    """Secrets, binary and large files, links: named, and not there."""
    story.write(".env", "A_TOKEN=tracked-by-mistake-1\n")
    story.write("image.png", b"\x89PNG\0")
    story.write("latin.txt", "é".encode("latin-1"))
    story.write(".gitignore", "ignored.txt\n")
    (story.top / "link").symlink_to("/etc/passwd")
    story.commit("more")
    story.start = git(story.top, "rev-parse", "HEAD").strip()
    story.tell()
    story.write("large.txt", "x" * 1_100_000)
    story.write("server.key", "none of yours\n")
    story.write("ignored.txt", "none of yours\n")
    story.write("new dir/b c.txt", "new\n")
    story.record((3, 2, 0))
    told = story.add().succeeded().stdout
    assert "Left out (may hold keys): .env, server.key" in told
    assert "Left out (not text): image.png, latin.txt" in told
    assert "(larger than 1 MB): large.txt" in told
    assert "(link or submodule): link" in told
    case = next((story.project.claude_dir / "ccc" / "cases").iterdir())
    assert names(case / "before") == {"a.txt", ".gitignore"}
    assert names(case / "bad") == {"new dir/b c.txt"}


def test_deleted_and_committed(story: Story) -> None:
    """A removed file is listed, and a commit of the agent is one in the case, too."""
    story.write("b c.txt", "b\n")
    story.commit("more")
    story.start = git(story.top, "rev-parse", "HEAD").strip()
    story.said(0, REQUEST, kind="user")
    story.called(10, "Bash", command="git rm 'b c.txt' && git commit -m 'Remove b'")
    story.called(20, "Write", file_path="/etc/motd", content="outside")
    story.called(30, "Write", file_path=str(story.top / "gone.txt"), content="")
    story.said(40, MESSAGE)
    (story.top / "b c.txt").unlink()
    story.commit("Remove b")
    story.record((1, 0, 1))
    case = story.case()
    assert (case / "bad" / ".deleted").read_text() == "b c.txt\n"
    # the edits are of files that aren't part of the project
    commit, feedback = steps(case)
    assert (commit["commit"], [*feedback]) == ("Remove b", ["feedback"])
    words = ("eval", "--cases", str(case.parent), "--no-model", "--json")
    (each,) = json.loads(story.project.run(*words).succeeded().stdout)["cases"]
    assert "claim_without_commit" not in each["signals"]


def test_part_of_a_repository(stubbed: CccProject, records: Records) -> None:
    """If the project is a directory of a repository, the case has that directory alone."""
    story = Story(stubbed, records, inside="part")
    story.tell()
    story.write("a.txt", "after\n")
    (story.top / "else.txt").write_text("else\n")
    story.record((2, 2, 1))
    told = story.add().succeeded().stdout
    assert "(outside the project's directory): else.txt" in told
    case = next((story.project.claude_dir / "ccc" / "cases").iterdir())
    assert (names(case / "before"), names(case / "bad")) == ({"a.txt"}, {"a.txt"})


def test_a_project_that_has_changed(story: Story) -> None:
    """A change since the verdict is refused if its size differs, else it is named."""
    story.tell()
    story.write("a.txt", "after\n")
    story.record((1, 1, 1))
    refused = story.add("--truth", "done", "--kind", "stub", "--round", "1")
    assert (refused.code, refused.stdout) == (1, "")
    assert "changed since the verdict: 1 file +7 −1 then, 1 file +1 −1 now" in refused.stderr
    (story.top / "a.txt").write_text("later\n")
    os.utime(story.top / "a.txt", (MOMENT + 1_000, MOMENT + 1_000))
    assert "Written after the verdict" in story.add().succeeded().stdout


def test_an_unknown_size(story: Story) -> None:
    """Without the size on record, ccc says that it can't tell."""
    story.tell()
    story.record(None)
    assert "check that the project is as it was" in story.add().succeeded().stdout


def test_refusals(story: Story) -> None:
    """Without a conversation, a start, git or a project there is no case."""
    story.record((0, 0, 0))
    cases = story.project.claude_dir / "ccc" / "cases"

    def refused(text: str, *arguments: str) -> None:
        outcome = story.add(*arguments)
        assert (outcome.code, outcome.stdout) == (1, "")
        assert text in outcome.stderr
        assert not cases.exists()

    refused("has no last message, or is gone")
    story.tell()
    story.record((0, 0, 0))
    refused("sometimes: there is no such kind", "--truth", "done", "--kind", "sometimes")
    refused("maybe", "--truth", "maybe", "--kind", "stub")
    refused("--truth", "--kind", "stub")
    story.start = "0" * 40
    story.record(None)
    refused("commit 000000000000, from which the session started, is gone")
    (story.top / ".git").rename(story.top / "git")
    refused("is not in a git repository")
    story.directory.rename(story.top.parent / "elsewhere")
    story.directory.mkdir()
    story.records.change(DONE, cwd="/nowhere/at/all")
    refused("the project of this session is gone: /nowhere/at/all")


def test_after_clear(story: Story) -> None:
    """If claude's record has another name, the prompt finds it."""
    story.tell()
    story.record((0, 0, 0))
    file = story.project.claude_dir / "projects" / "-p" / f"{DONE}.jsonl"
    other = file.with_name("0c0c0c0c-0000-4000-8000-000000000000.jsonl")
    file.rename(other)
    assert len(steps(story.case())) == 4
