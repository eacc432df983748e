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

from ccc.backlog.task import Task
from ccc.errors import CccError
from ccc.system import capture
from ccc.text.values import dataclass

_SECONDS = 120.0
_LONGEST_ERROR = 500
_MOST_DIRECTORIES = 50_000
_SKIPPED = {"node_modules", ".venv", "venv", "target"}
# no hook, no program that watches files; nobody could type a passphrase
SAFE = (
    *("git", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"),
    *("-c", "commit.gpgsign=false", "-c", "protocol.ext.allow=never"),
)
# only what no program takes for the end of a host's name
_USER = re.compile(r"(?i)(https?://)[a-z0-9.~%!$&'()*+,;=:_-]*@")
_ALONE = {"GIT_TERMINAL_PROMPT": "0", "GIT_SSH_COMMAND": "ssh -o BatchMode=yes", "LC_ALL": "C"}


def environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment for git: it asks nobody, and finds nothing by variables."""
    kept = {name: value for name, value in environ.items() if not name.startswith("GIT_")}
    who = ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL")
    names = {name: environ[name] for name in who if name in environ}
    ssh = {name: environ[name] for name in ("GIT_SSH_COMMAND",) if name in environ}
    return {**kept, **_ALONE, **names, **ssh}


@dataclass(frozen=True, slots=True)
class Repository:
    """The git directory of a task's worktree, and one of ccc's own beside it."""

    worktree: str
    real: str
    """The worktree's own git directory."""
    common: str
    """The one that it shares with other worktrees; the same in a clone."""
    clean: str
    """The temporary one, without any configuration."""
    environ: Mapping[str, str]

    def head(self) -> str:
        """Return the commit that is checked out."""
        return self.ask("rev-parse", "--verify", "HEAD^0")

    def snapshot(self) -> str:
        """Return a tree with everything in the worktree that git wouldn't ignore."""
        index = os.path.join(self.real, "index")
        if os.path.isfile(index):
            shutil.copyfile(index, os.path.join(self.clean, "index"))
        else:
            self._work("read-tree", self.head())
        exclude = os.path.join(self.common, "info", "exclude")
        if os.path.isfile(exclude):
            shutil.copyfile(exclude, os.path.join(self.clean, "info", "exclude"))
        nested = [f":(exclude,literal){path}" for path in _nested(self.worktree)]
        self._work("add", "--all", "--", ".", *nested)
        return self._work("write-tree")

    def commit(self, tree: str, branch: str, message: str) -> str:
        """Commit the tree if it is new; let the branch name the result, and return its commit.

        If the branch has commits that the result hasn't, they keep a branch of their own.
        """
        head, ref = self.head(), f"refs/heads/{branch}"
        if tree != self.ask("rev-parse", "--verify", f"{head}^{{tree}}"):
            head = self._work(*self._identity(), "commit-tree", tree, "-p", head, "-m", message)
        before = self.ask("rev-parse", "--verify", "--quiet", ref, fails=True)
        if before and before != head and not self._contains(head, before):
            self.ask("update-ref", f"{ref}-before", before)
        self.ask("update-ref", ref, head)
        self.ask("symbolic-ref", "HEAD", ref)
        self.ask("read-tree", head)
        return head

    def commits_since(self, start: str) -> int:
        """Return how many commits the result has."""
        count = self.ask("rev-list", "--count", f"{start}..HEAD", "--", fails=True)
        return int(count) if count.isdigit() else 0

    def diff_stat(self, start: str, tree: str) -> str:
        """Return git's summary of the difference."""
        return self._work("diff-tree", "--shortstat", "-r", start, tree, "--")

    def push_line(self, url: str, commit: str, branch: str) -> Sequence[str]:
        """Return the command that pushes a commit as a branch."""
        where = f"--git-dir={self.clean}"
        return (*SAFE, where, "push", "--quiet", "--", url, f"{commit}:refs/heads/{branch}")

    def ask(self, *arguments: str, fails: bool = False) -> str:
        """Run a command that reads no file of the worktree, in the real git directory."""
        return self._run((f"--git-dir={self.real}",), arguments, {}, fails)

    def _work(self, *arguments: str) -> str:
        """Run a command on the worktree, with the clean git directory."""
        where = (f"--git-dir={self.clean}", f"--work-tree={self.worktree}")
        return self._run(where, arguments, {"GIT_OBJECT_DIRECTORY": self._objects}, False)

    @property
    def _objects(self) -> str:
        return os.path.join(self.common, "objects")

    def _run(
        self,
        where: Sequence[str],
        arguments: Sequence[str],
        env: Mapping[str, str],
        fails: bool,
    ) -> str:
        line = [*SAFE, *where, *arguments]
        own = {**environment(self.environ), **env}
        done, output = capture.run(line, self.worktree, own, _SECONDS)
        if done or fails:
            return output if done else ""
        verb = next(each for each in arguments if not each.startswith("-") and "=" not in each)
        cause = output[-_LONGEST_ERROR:]
        raise CccError("worker.git", command=f"git {verb}", directory=self.worktree, cause=cause)

    def _contains(self, commit: str, other: str) -> bool:
        found = self.ask("rev-list", "--max-count=1", other, f"^{commit}", "--", fails=True)
        return not found

    def _identity(self) -> tuple[str, ...]:
        """Return options for a user who has no name yet."""
        line = [*SAFE, f"--git-dir={self.clean}", "var", "GIT_COMMITTER_IDENT"]
        if capture.run(line, self.worktree, environment(self.environ), _SECONDS)[0]:
            return ()
        return ("-c", "user.name=ccc", "-c", "user.email=ccc@localhost")


def open_repository(task: Task, environ: Mapping[str, str]) -> Repository:
    """Open the repository of a task's worktree; `close` removes what it needs."""
    real, common = _find(task, environ)
    clean = _create(environ, "--bare")
    for name in ("info", os.path.join("objects", "info")):
        os.makedirs(os.path.join(clean, name), exist_ok=True)
    with open(os.path.join(clean, "objects", "info", "alternates"), "w") as file:
        file.write(os.path.join(common, "objects") + "\n")
    return Repository(task.worktree, real, common, clean, environ=environ)


def close(repository: Repository) -> None:
    """Remove the temporary git directory."""
    shutil.rmtree(repository.clean, ignore_errors=True)


@contextlib.contextmanager
def empty_checkout(address: str, environ: Mapping[str, str]) -> Iterator[str]:
    """Create a checkout without files, whose only setting is the address of origin."""
    directory = _create(environ)
    try:
        line = [*SAFE, "remote", "add", "--", "origin", address]
        done, output = capture.run(line, directory, environment(environ), _SECONDS)
        if not done:
            command = "git remote"
            raise CccError("worker.git", command=command, directory=directory, cause=output)
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def storable_address(address: str, repo: str) -> str:
    """Return the address of a remote as a task keeps it: absolute, and without user and password.

    Git needs the user of an address for ssh, which has no password.
    """
    start = address.partition("/")[0]
    if address and ":" not in start:
        return os.path.join(repo, address)
    return _USER.sub(r"\1", address, count=1)


def _create(environ: Mapping[str, str], *options: str) -> str:
    """Create a temporary repository without any configuration; return its directory."""
    directory = tempfile.mkdtemp(prefix="ccc-queue-")
    line = ["git", "init", "--quiet", "--template=", *options, directory]
    done, output = capture.run(line, "/", environment(environ), _SECONDS)
    if not done:
        shutil.rmtree(directory, ignore_errors=True)
        raise CccError("worker.git", command="git init", directory=directory, cause=output)
    return directory


def _find(task: Task, environ: Mapping[str, str]) -> tuple[str, str]:
    """Return the git directory that belongs to the worktree's path, and the shared one."""
    if task.is_remote:
        own = os.path.join(task.worktree, ".git")
        if os.path.isdir(own) and not os.path.islink(own):
            return own, own
    else:
        line = [*SAFE, "rev-parse", "--path-format=absolute", "--git-common-dir"]
        _, common = capture.run(line, task.repo, environment(environ), _SECONDS)
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


def _nested(worktree: str) -> list[str]:
    """Return the repositories inside the worktree: git would run what their settings name."""
    found, count = [], 0
    for directory, directories, files in os.walk(worktree):
        count += 1
        if count > _MOST_DIRECTORIES:
            break
        if directory != worktree and (".git" in directories or ".git" in files):
            found.append(os.path.relpath(directory, worktree))
            directories[:] = []
            continue
        directories[:] = [each for each in directories if each not in {".git", *_SKIPPED}]
    return found
