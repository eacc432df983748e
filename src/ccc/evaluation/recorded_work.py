"""The project before a session and what the agent changed, as far as it can be part of a case."""

import fnmatch
import os
import stat
from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from ccc.errors import CccError
from ccc.evaluation.case import TextFile
from ccc.project import git
from ccc.project.tree import Tree

_MOST_FILES, _MOST_BYTES = 5_000, 50 * 1024 * 1024
_LARGEST = 1024 * 1024
_SECONDS = 60.0
_MAY_HOLD_KEYS = (
    *(".env", ".env.*", "*.env", ".envrc", ".netrc", ".pgpass", ".npmrc", ".pypirc", ".htpasswd"),
    *("*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx"),
    *("id_rsa*", "id_ed25519*", "id_ecdsa*", "credentials", "credentials.json", "secrets.*"),
)
_HARMLESS = (".env.example", ".env.sample", ".env.template", "*.pub")
_REGULAR, _EXECUTABLE = "100644", "100755"
KEYS, BINARY, LARGE, LINK, OUTSIDE = REASONS = ("keys", "binary", "large", "link", "outside")
"""Why a file is left out."""


class ProjectChange(Struct):
    """The files before and after, and those that are left out."""

    before: dict[str, TextFile] = field(default_factory=dict)
    after: dict[str, TextFile] = field(default_factory=dict)
    """The files that the agent has created or changed."""
    deleted: list[str] = field(default_factory=list)
    commits: list[str] = field(default_factory=list)
    """The subjects of the commits since, oldest first."""
    omitted: dict[str, list[str]] = field(default_factory=dict)
    """The names of the files that are left out, by reason."""

    def omit(self, name: str, reason: str) -> None:
        """Note that a file is left out."""
        names = self.omitted.setdefault(reason, [])
        if name not in names:
            names.append(name)

    def add(
        self, known: dict[str, TextFile], name: str, content: bytes, is_executable: bool
    ) -> None:
        """Add a file, or note that it is left out because it isn't text."""
        try:
            text = content.decode()
        except UnicodeDecodeError:
            text = "\0"
        if "\0" in text:
            self.omit(name, BINARY)
        else:
            known[name] = TextFile(text, is_executable)


def read(tree: Tree, start: str) -> ProjectChange:
    """Return the project at the commit `start`, and what has changed in it until now."""
    top = tree.repository[0]
    inside = os.path.relpath(os.path.realpath(tree.directory), os.path.realpath(top))
    prefix = "" if inside == os.curdir else f"{inside}/"
    begin, work = start or tree.head() or git.EMPTY_TREE, ProjectChange()
    _read_before(work, top, begin, prefix)
    changed = tree.git_names(*git.DIFF, "--name-only", "--no-renames", begin)
    new = tree.git_names("ls-files", "--others", "--exclude-standard")
    for name in sorted({*changed, *new}):
        if name.startswith(prefix):
            _read_after(work, top, name, name.removeprefix(prefix))
        else:
            work.omit(name, OUTSIDE)
    _check_size(work)
    if start:
        log = git.ask(top, "log", "--format=%s", "--reverse", f"{start}..HEAD") or b""
        work.commits = log.decode(errors="replace").splitlines()
    return work


def _read_before(work: ProjectChange, top: str, commit: str, prefix: str) -> None:
    listed = git.ask(
        top, "ls-tree", "-r", "-l", "-z", commit, "--", prefix or ".", seconds=_SECONDS
    )
    if listed is None:
        raise CccError("eval.no_start", commit=commit[:12])
    wanted: list[tuple[str, str, str]] = []
    for entry in os.fsdecode(listed).split("\0")[:-1]:
        about, _, path = entry.partition("\t")
        mode, _, blob, size = about.split()
        name = path.removeprefix(prefix)
        if reason := _reason(name, mode, size):
            work.omit(name, reason)
        else:
            wanted.append((name, mode, blob))
    if len(wanted) > _MOST_FILES:
        raise _too_large(len(wanted), 0)
    for (name, mode, _), content in zip(wanted, _blobs(top, [w[2] for w in wanted]), strict=True):
        work.add(work.before, name, content, mode == _EXECUTABLE)


def _blobs(top: str, ids: Sequence[str]) -> Iterator[bytes]:
    """Yield the content of each blob, from one run of git."""
    given = "".join(f"{each}\n" for each in ids).encode()
    output = git.ask(top, "cat-file", "--batch", seconds=_SECONDS, given=given) if ids else b""
    if output is None:
        raise CccError("eval.git", command="git cat-file", directory=top)
    at = 0
    for _ in ids:
        end = output.index(b"\n", at)
        size = int(output[at:end].split()[-1])
        yield output[end + 1 : end + 1 + size]
        at = end + 1 + size + 1


def _read_after(work: ProjectChange, top: str, path: str, name: str) -> None:
    """Add a file as it is now, or note that it is deleted."""
    full = os.path.join(top, path)
    try:
        status = os.lstat(full)
    except OSError:
        if name in work.before:
            work.deleted.append(name)
        return
    is_executable = bool(status.st_mode & stat.S_IXUSR)
    mode = _EXECUTABLE if is_executable else _REGULAR
    mode = mode if stat.S_ISREG(status.st_mode) else ""
    if reason := _reason(name, mode, str(status.st_size)):
        work.omit(name, reason)
        return
    with open(full, "rb") as file:
        work.add(work.after, name, file.read(_LARGEST + 1), is_executable)


def _reason(name: str, mode: str, size: str) -> str:
    """Return why a file is left out, as far as its content isn't the reason; empty if it isn't."""
    if mode not in (_REGULAR, _EXECUTABLE):
        return LINK
    if may_hold_keys(name):
        return KEYS
    return LARGE if int(size) > _LARGEST else ""


def may_hold_keys(name: str) -> bool:
    """Return whether files of this name usually hold keys."""
    base = os.path.basename(name).casefold()
    is_harmless = any(fnmatch.fnmatchcase(base, pattern) for pattern in _HARMLESS)
    return not is_harmless and any(fnmatch.fnmatchcase(base, p) for p in _MAY_HOLD_KEYS)


def _check_size(work: ProjectChange) -> None:
    files = [*work.before.values(), *work.after.values()]
    size = sum(len(each.text) for each in files)
    if len(files) > _MOST_FILES or size > _MOST_BYTES:
        raise _too_large(len(files), size)


def _too_large(files: int, size: int) -> CccError:
    return CccError("eval.too_large", files=files, size=f"{size // 1024 // 1024} MB")
