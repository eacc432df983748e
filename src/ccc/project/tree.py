"""The working tree: what it is like now, and whether it changed."""

import hashlib
import os
import stat
import time

from ccc.claude import process

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_SECONDS = 10.0
_MOST_FILES = 20_000
_MOST_BYTES = 4 * 1024 * 1024
_PASSED_OVER = {".git", "node_modules", ".venv", "venv", "__pycache__", "target", ".tox"}
# Nothing of the repository's own configuration may run a program here.
_GIT = (
    *("git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"),
    *("-c", "core.pager=cat", "-c", "diff.external="),
)
# What claude's sandbox leaves behind, empty, where it mounts something; outermost first.
_LEFTOVERS = (
    *(".claude", ".claude/.cc-writes", ".git/branches", ".git/config.worktree", ".git/glab-cli"),
    *(".git/info/.claude-sandbox-noreplace", ".git/objects/info/.claude-sandbox-noreplace"),
    *(".git/objects/info/alternates", ".git/objects/info/commit-graphs"),
    ".git/objects/info/commit-graphs/.claude-sandbox-noreplace",
    *(".git/remotes", ".git/worktrees"),
)


class Tree:
    """A project's directory."""

    def __init__(self, directory: str) -> None:
        self.directory = directory

    def head(self) -> str:
        """The commit that is checked out, or nothing."""
        return (self._git("rev-parse", "--verify", "--quiet", "HEAD") or b"").decode().strip()

    def dirty(self) -> bool:
        """Whether there are changes that are not committed."""
        return bool(self._git("status", "--porcelain", "--untracked-files=normal"))

    def diff(self, start: str, most: int) -> str:
        """What has changed since the commit `start`, new files by name; cut at `most`."""
        shown = ["diff", "--no-ext-diff", "--no-textconv", "--no-color", start or "HEAD"]
        text = (self._git(*shown) or b"").decode(errors="replace")
        new = (self._git("ls-files", "--others", "--exclude-standard") or b"").decode()
        if new:
            text += "\nNew files that git does not track:\n" + new
        return text if len(text) <= most else text[:most] + "\n[cut]"

    def fingerprint(self) -> str:
        """A text that changes when the tree does."""
        digest = hashlib.sha256()
        for part in self._of_git() or self._of_files():
            digest.update(part)
            digest.update(b"\0")
        return digest.hexdigest()

    def _of_git(self) -> list[bytes]:
        status = self._git("status", "--porcelain=v2", "-z", "--untracked-files=all")
        if status is None:
            return []
        diff = self._git("diff", "--no-ext-diff", "--no-textconv", "--binary", "HEAD") or b""
        # v2 status lines have a `?` before each path that git does not track
        new = [os.fsdecode(p[2:]) for p in status.split(b"\0") if p.startswith(b"? ")]
        contents = [self._content(name) for name in sorted(new)[:_MOST_FILES]]
        return [self.head().encode(), status, diff, *contents]

    def _of_files(self) -> "Iterator[bytes]":
        until = time.monotonic() + _SECONDS
        count = 0
        for root, directories, names in os.walk(self.directory):
            directories[:] = sorted(set(directories) - _PASSED_OVER)
            for name in sorted(names):
                count += 1
                if count > _MOST_FILES or time.monotonic() > until:
                    return
                path = os.path.join(root, name)
                try:
                    found = os.lstat(path)
                except OSError:
                    continue
                yield f"{path} {found.st_size} {found.st_mtime_ns} {found.st_mode}".encode(
                    "utf-8", "surrogateescape"
                )

    def _content(self, name: str) -> bytes:
        try:
            path = os.path.join(self.directory, name)
            found = os.lstat(path)
            if not stat.S_ISREG(found.st_mode) or found.st_size > _MOST_BYTES:
                return f"{name} {found.st_size} {found.st_mtime_ns}".encode()
            with open(path, "rb") as file:
                return hashlib.sha256(file.read()).digest()
        except OSError:
            return b"gone"

    def places(self) -> set[str]:
        """What stands where the sandbox would leave something."""
        return {name for name in _LEFTOVERS if os.path.lexists(self._path(name))}

    def remove_leftovers(self, before: "Collection[str]") -> None:
        """Remove the empty files and directories that the sandbox left behind."""
        for name in reversed(_LEFTOVERS):
            if name in before:
                continue
            path = self._path(name)
            try:
                found = os.lstat(path)
                if stat.S_ISREG(found.st_mode) and found.st_size == 0:
                    os.unlink(path)
                elif stat.S_ISDIR(found.st_mode):
                    os.rmdir(path)
            except OSError:
                continue

    def _path(self, name: str) -> str:
        return os.path.join(self.directory, name)

    def _git(self, *arguments: str) -> bytes | None:
        env = {"PATH": os.environ.get("PATH", os.defpath), "HOME": os.environ.get("HOME", "/")}
        env |= {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
        return process.output_of([*_GIT, *arguments], self.directory, env, _SECONDS)
