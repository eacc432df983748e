"""A golden case: a project before and after an agent's work, its words, and the proved truth.

It is a directory, which is read here, and written for a case of the user's own.
"""

import json
import os
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from typing import TypeVar

import msgspec
from msgspec import Struct, structs

from ccc.errors import CccError
from ccc.storage import files
from ccc.storage.paths import display_path
from ccc.system import private_files

_Content = TypeVar("_Content", bound=msgspec.Struct)
SHIPPED = os.path.join(os.path.dirname(__file__), "cases")
KINDS = {
    1: "tests_weakened",
    2: "hard_coded",
    3: "gate_altered",
    4: "stub",
    5: "half_done",
    6: "regression",
    7: "wrong_behaviour",
    8: "run_claimed",
    9: "wrong_proof",
    10: "error_swallowed",
    11: "wrong_file",
    12: "not_updated",
    13: "deferred",
    14: "effect_claimed",
}
TWINS = ("bad", "good")
RUN, EDIT, SAY, FEEDBACK = STEPS = ("run", "edit", "say", "feedback")
"""What a step can be; feedback is what a reviewer said at an earlier stop."""


def kind_word(kind: int) -> str:
    """Return the word for a kind on the command line."""
    return KINDS[kind].replace("_", "-")


def parse_kind(text: str) -> int:
    """Return the kind with this number or word; 0 if there is none."""
    wanted = text.strip().casefold().replace("_", "-")
    return next((kind for kind in KINDS if wanted in (str(kind), kind_word(kind))), 0)


class CaseStep(Struct, frozen=True):
    """Something that the agent did or said."""

    kind: str  # one of `STEPS`
    text: str  # the command, the path or the words
    output: str = ""
    failed: bool = False
    commit: str = ""  # the message of the commit that the step makes


class _About(msgspec.Struct, kw_only=True):
    """The content of case.toml."""

    kind: int
    title: str
    prompts: tuple[str, ...]
    language: str = ""
    checks: tuple[str, ...] = ()
    truth: str = ""
    """The hidden command that proves whether the work is done; empty if the user says so."""
    passed: tuple[str, ...] = ()
    """Checks that passed at a recorded stop; not run, as the copy may lack what they need."""
    failed_check: str = ""  # the check that failed at a recorded stop

    def __post_init__(self) -> None:
        self.kind = self.kind if self.kind in KINDS else 0
        self.prompts = tuple(map(str.strip, self.prompts))


class _Twin(msgspec.Struct):
    """The content of bad.toml or good.toml."""

    message: str
    step: tuple[dict[str, str | bool], ...] = ()


class GoldenCase(_About, kw_only=True):
    """One twin of a pair."""

    directory: str
    twin: str
    steps: tuple[CaseStep, ...]
    message: str  # the agent's last message

    @property
    def name(self) -> str:
        """The name of the case, such as `01-skipped-test/bad`."""
        return f"{os.path.basename(self.directory)}/{self.twin}"

    @property
    def is_done(self) -> bool:
        """Return whether the work is complete."""
        return self.twin == "good"

    def part(self, name: str) -> str:
        """Return the path of a part of the case."""
        return os.path.join(self.directory, name)


def load_all(directory: str) -> list[GoldenCase]:
    """Load all cases below a directory, in order."""
    try:
        names = sorted(os.listdir(directory))
    except OSError as error:
        raise files.unusable("file.unreadable", directory, error) from None
    folders = (os.path.join(directory, name) for name in names if not name.startswith("."))
    return [case for folder in folders if os.path.isdir(folder) for case in load(folder)]


def load(directory: str) -> Iterator[GoldenCase]:
    """Yield the twins of one pair; a case of a user's own has just one of them."""
    about = structs.asdict(_read(os.path.join(directory, "case.toml"), _About))
    for twin in TWINS:
        file = os.path.join(directory, f"{twin}.toml")
        if os.path.exists(file):
            work = _read(file, _Twin)
            about |= {"steps": tuple(map(_step, work.step)), "message": work.message.strip()}
            yield GoldenCase(directory=directory, twin=twin, **about)


def _read(file: str, kind: type[_Content]) -> _Content:
    try:
        with open(file, "rb") as stream:
            return msgspec.convert(tomllib.load(stream), kind)
    except (OSError, ValueError) as error:
        raise CccError("eval.bad_case", file=file, cause=str(error)) from None


def _step(value: Mapping[str, str | bool]) -> CaseStep:
    kind = next((name for name in STEPS if name in value), SAY)
    return msgspec.convert({**value, "kind": kind, "text": value.get(kind, "")}, CaseStep)


class TextFile(Struct, frozen=True):
    """A text file of a case."""

    text: str
    is_executable: bool = False


def write(directory: str, parts: Mapping[str, TextFile]) -> None:
    """Write the files of a case, by their paths in it, to a new directory: private, and whole."""
    if os.path.lexists(directory):
        raise CccError("eval.there_is", file=display_path(directory))
    parent, name = os.path.split(directory)
    files.make_directory(parent)
    unfinished = os.path.join(parent, f".{name}.{os.getpid()}")
    try:
        for path, part in parts.items():
            _write(os.path.join(unfinished, path), part)
        os.rename(unfinished, directory)
    except OSError as error:
        raise files.unusable("file.unwritable", directory, error) from None
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _write(path: str, part: TextFile) -> None:
    files.make_directory(os.path.dirname(path))
    private_files.write(path, part.text)
    if part.is_executable:
        os.chmod(path, 0o700)


def toml(values: Mapping[str, object]) -> str:
    """Return names with texts, numbers, truth values and lists of texts as TOML."""
    return "".join(f"{name} = {_value(value)}\n" for name, value in values.items())


def _value(value: object) -> str:
    """Return the value as TOML has it: as JSON, but for a text of several lines."""
    if isinstance(value, str) and "\n" in value:
        lines = "\n".join(_value(line)[1:-1] for line in value.split("\n"))
        readable = lines.replace('\\"', '"').replace('"""', '""\\"')
        # a quote at the end would belong to the closing ones
        readable = readable[:-1] + '\\"' if readable.endswith('"') else readable
        return f'"""\n{readable}"""'
    # TOML allows this control character in no string
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
