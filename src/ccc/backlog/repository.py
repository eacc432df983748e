"""The repository of a task's result, used without trusting what the agent did to it.

The agent may have changed the repository's configuration, its hooks or the `.git` of its worktree,
and git would run programs that these name. So ccc reads the files with a git directory of its own,
which has no configuration, and shares only the objects. What `.git` says is not asked: the git
directory is the one that belongs to the worktree's path.
"""

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ccc.backlog import git_command
from ccc.backlog.task import QueuedTask
from ccc.errors import CccError
from ccc.project import git
from ccc.supervision import workspace
from ccc.system import capture
from ccc.text import lenient_json

_GITLINK = b"160000"
# only what no program takes for the end of a host's name
_USER = re.compile(r"(?i)(https?://)[a-z0-9.~%!$&'()*+,;=:_-]*@")


class Repository(Struct, frozen=True):
    """The git directory of a task's worktree, and one of ccc's own beside it."""

    worktree: str
    real: str  # the worktree's own git directory
    common: str  # the one that it shares with other worktrees; the same in a clone
    clean: str  # the temporary one, without any configuration

    def head(self) -> str:
        """Return the commit that is checked out."""
        return self.ask("rev-parse", "--verify", "HEAD^0")

    def snapshot(self) -> str:
        """Return a tree with everything in the worktree that git wouldn't ignore.

        Git runs what the configuration of a gitlink's repository names when it compares the two,
        wherever that is. So gitlinks leave the index for that time, and a repository inside the
        worktree is skipped: only the user's submodules stay in the tree.
        """
        workspace.remove_placeholders(self.worktree, self.real, self.common)
        links = self._copy_index()
        new = self._list("ls-files", "-z", "--others", "--exclude-standard")
        self._enter(b"0", links)
        self._work("add", "--update")
        # a name of a directory is that of a repository
        files = b"".join(each + b"\0" for each in new if not each.endswith(b"/"))
        options = ("-z", "--add", "--remove", "--replace", "--stdin")
        self._work("update-index", *options, given=files)
        self._enter(_GITLINK, self._submodules(links))
        return self._work("write-tree")

    def _copy_index(self) -> Mapping[bytes, bytes]:
        """Copy the index, or create one if it can't be read; return its gitlinks."""
        index, own = (os.path.join(place, "index") for place in (self.real, self.clean))
        if os.path.isfile(index):
            shutil.copyfile(index, own)
            with contextlib.suppress(CccError):
                return _gitlinks(self._list("ls-files", "-z", "--stage"))
            os.unlink(own)
        self._work("read-tree", self.head())
        return _gitlinks(self._list("ls-files", "-z", "--stage"))

    def _enter(self, mode: bytes, links: Mapping[bytes, bytes]) -> None:
        """Give gitlinks a mode in the index; 0 removes them."""
        lines = (b"%s %s\t%s\0" % (mode, id_, path) for path, id_ in links.items())
        options = ("-z", "--add", "--replace", "--index-info")
        self._work("update-index", *options, given=b"".join(lines))

    def _submodules(self, links: Mapping[bytes, bytes]) -> Mapping[bytes, bytes]:
        """Return the gitlinks that are submodules, and not just repositories that were added."""
        if not links:
            return {}
        committed = _gitlinks(self._list("ls-tree", "-r", "-z", self.head()))
        named = {os.fsencode(each) for each in git.submodules(self.worktree)}
        top = os.fsencode(os.path.realpath(self.worktree))
        paths = {path: os.path.join(top, path) for path in links}
        real = {path for path, where in paths.items() if path in committed or where in named}
        return {path: links[path] for path in real if os.path.isdir(paths[path])}

    def commit(self, tree: str, branch: str, message: str) -> str:
        """Commit the tree if it is new; let the branch name the result, and return its commit.

        If the branch has commits that the result hasn't, they keep a branch of their own.
        """
        head, ref = self.head(), f"refs/heads/{branch}"
        if tree != self._work("rev-parse", "--verify", f"{head}^{{tree}}"):
            # a user may have no name yet
            has_name = self._work("var", "GIT_COMMITTER_IDENT", fails=True)
            who = () if has_name else ("-c", "user.name=ccc", "-c", "user.email=ccc@localhost")
            head = self._work(*who, "commit-tree", tree, "-p", head, "-m", message)
        before = self.ask("rev-parse", "--verify", "--quiet", ref, fails=True)
        missing = ("rev-list", "--max-count=1", before, f"^{head}", "--")
        if before and before != head and self._work(*missing, fails=True):
            self.ask("update-ref", f"{ref}-before", before)
        self.ask("update-ref", ref, head)
        self.ask("symbolic-ref", "HEAD", ref)
        self.ask("read-tree", head)
        return head

    def commits_since(self, start: str) -> int:
        """Return how many commits the result has."""
        count = self._work("rev-list", "--count", f"{start}..{self.head()}", "--", fails=True)
        return int(count) if count.isdigit() else 0

    def diff_stat(self, start: str, tree: str) -> str:
        """Return git's summary of the difference."""
        return self._work("diff-tree", "--shortstat", "-r", start, tree, "--")

    def push_line(self, url: str, commit: str, branch: str) -> Sequence[str]:
        """Return the command that pushes a commit as a branch."""
        where = f"--git-dir={self.clean}"
        return ("git", where, "push", "--quiet", "--", url, f"{commit}:refs/heads/{branch}")

    def changed_programs(self) -> list[str]:
        """Return what names a program to git and has changed since the worktree was prepared."""
        try:
            with open(os.path.join(self.real, git.TASK_MARK), encoding="utf-8") as file:
                before = lenient_json.parse_object(file.read()) or {}
        except OSError:
            return []
        now = git.programs(self.real, self.common) if before else {}
        return sorted(
            each for each in before.keys() | now.keys() if before.get(each) != now.get(each)
        )

    def ask(self, *arguments: str, fails: bool = False) -> str:
        """Run a command that reads no file of the worktree, in the real git directory."""
        where = f"--git-dir={self.real}"
        return git_command.run(self.worktree, where, *arguments, fails=fails)

    def _work(self, *arguments: str, **options: Any) -> str:
        """Run a command on the worktree, with the clean git directory."""
        env, where = self._own()
        return git_command.run(self.worktree, *where, *arguments, env=env, **options)

    def _list(self, *arguments: str) -> list[bytes]:
        """Return the parts of a list, as bytes because names needn't be text."""
        env, where = self._own()
        line, seconds = ("git", *where, *arguments), git_command.SECONDS
        listed = capture.output_of(line, self.worktree, env, seconds, is_alone=True)
        if listed is None:
            command = f"git {arguments[0]}"
            raise CccError("worker.git", command=command, directory=self.worktree, cause="")
        return listed.split(b"\0")[:-1]

    def _own(self) -> tuple[Mapping[str, str], tuple[str, str]]:
        objects = {"GIT_OBJECT_DIRECTORY": os.path.join(self.common, "objects")}
        where = (f"--git-dir={self.clean}", f"--work-tree={self.worktree}")
        return git_command.environment() | objects, where


@contextlib.contextmanager
def open_repository(task: QueuedTask) -> Iterator[Repository]:
    """Open the repository of a task's worktree."""
    real, common = _find(task)
    with _create("--bare") as clean:
        for name in ("info", os.path.join("objects", "info")):
            os.makedirs(os.path.join(clean, name), exist_ok=True)
        with open(os.path.join(clean, "objects", "info", "alternates"), "w") as file:
            file.write(os.path.join(common, "objects") + "\n")
        for name in ("shallow", os.path.join("info", "exclude")):
            if os.path.isfile(os.path.join(common, name)):
                shutil.copyfile(os.path.join(common, name), os.path.join(clean, name))
        yield Repository(task.worktree, real, common, clean)


@contextlib.contextmanager
def empty_checkout(address: str) -> Iterator[str]:
    """Create a checkout without files, whose only setting is the address of origin."""
    with _create() as directory:
        git_command.run(directory, "remote", "add", "--", "origin", address)
        yield directory


def storable_address(address: str, repo: str) -> str:
    """Return the address of a remote as a task keeps it: absolute, and without user and password.

    Git needs the user of an address for ssh, which has no password.
    """
    start = address.partition("/")[0]
    if address and ":" not in start:
        return os.path.join(repo, address)
    return _USER.sub(r"\1", address, count=1)


@contextlib.contextmanager
def _create(*options: str) -> Iterator[str]:
    """Create a temporary repository without any configuration; yield its directory."""
    create = ("init", "--quiet", "--template=")
    with tempfile.TemporaryDirectory(prefix="ccc-queue-", ignore_cleanup_errors=True) as directory:
        git_command.run("/", *create, *options, directory)
        yield directory


def _find(task: QueuedTask) -> tuple[str, str]:
    """Return the git directory that belongs to the worktree's path, and the shared one."""
    if task.is_remote:
        own = os.path.join(task.worktree, ".git")
        if os.path.isdir(own) and not os.path.islink(own):
            return own, own
    else:
        ask = ("rev-parse", "--path-format=absolute", "--git-common-dir")
        common = git_command.run(task.repo, *ask)
        entries = os.path.join(common, "worktrees")
        for name in os.listdir(entries) if os.path.isdir(entries) else ():
            if _points_to(os.path.join(entries, name, "gitdir"), task.worktree):
                return os.path.join(entries, name), common
    raise CccError("worker.no_repository", directory=task.worktree)


def _points_to(file: str, worktree: str) -> bool:
    try:
        with open(file, encoding="utf-8", errors="surrogateescape") as stream:
            path = stream.readline().rstrip("\n")
    except OSError:
        return False
    return os.path.realpath(os.path.dirname(path)) == os.path.realpath(worktree)


def _gitlinks(entries: Sequence[bytes]) -> Mapping[bytes, bytes]:
    """Return the path and commit of each gitlink in git's list of entries."""
    parts = (each.partition(b"\t") for each in entries)
    # the id is the last of "mode type id", and the second of "mode id stage"
    links = ((path, head.split()) for head, _, path in parts if head.startswith(_GITLINK))
    return {path: max(words, key=len) for path, words in links}
