"""Write a case as a directory: private, and there as a whole or not at all."""

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ccc.errors import CccError
from ccc.evaluation.case import Step
from ccc.evaluation.recorded_work import Work
from ccc.storage import files
from ccc.storage.paths import display_path
from ccc.system import private_files


@dataclass(frozen=True, slots=True)
class Draft:
    """A case that isn't written yet; nothing in it is secret."""

    twin: str
    about: Mapping[str, object]
    """The content of case.toml."""
    steps: Sequence[Step]
    message: str
    work: Work


def write(directory: str, draft: Draft) -> None:
    """Write the case to a new directory."""
    if os.path.lexists(directory):
        raise CccError("eval.there_is", file=display_path(directory))
    parent, name = os.path.split(directory)
    files.make_directory(parent)
    unfinished = os.path.join(parent, f".{name}.{os.getpid()}")
    try:
        _write_all(unfinished, draft)
        os.rename(unfinished, directory)
    except OSError as error:
        raise files.unusable("file.unwritable", directory, error) from None
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _write_all(directory: str, draft: Draft) -> None:
    work = draft.work
    _write(os.path.join(directory, "case.toml"), toml(draft.about))
    said = [toml({"message": draft.message}), *map(_step, draft.steps)]
    _write(os.path.join(directory, f"{draft.twin}.toml"), "".join(said))
    for part, known in (("before", work.before), (draft.twin, work.after)):
        for name, file in known.items():
            path = os.path.join(directory, part, name)
            _write(path, file.text, 0o700 if file.is_executable else 0o600)
    if work.deleted:
        text = "".join(f"{name}\n" for name in work.deleted)
        _write(os.path.join(directory, draft.twin, ".deleted"), text)


def _write(path: str, text: str, mode: int = 0o600) -> None:
    files.make_directory(os.path.dirname(path))
    file = private_files.open_file(path, os.O_WRONLY | os.O_TRUNC)
    with open(file, "wb") as stream:
        stream.write(text.encode("utf-8", "replace"))
        os.fchmod(stream.fileno(), mode)


def _step(step: Step) -> str:
    values: dict[str, object] = {step.kind: step.text}
    values |= {"output": step.output} if step.output else {}
    values |= {"failed": True} if step.failed else {}
    values |= {"commit": step.commit} if step.commit else {}
    return f"[[step]]\n{toml(values)}"


def toml(values: Mapping[str, object]) -> str:
    """Return names with texts, numbers, truth values and lists of texts as TOML."""
    return "".join(f"{name} = {_value(value)}\n" for name, value in values.items())


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(_quoted(str(each)) for each in value)}]"
    return str(value)


def _quoted(text: str) -> str:
    """Return the text in quotes, on several lines if it has several."""
    escaped = "".join(map(_escaped, text.replace("\\", "\\\\").replace('"', '\\"')))
    if "\n" in text:
        readable = escaped.replace('\\"', '"').replace('"""', '""\\"')
        # a quote at the end would belong to the closing ones
        readable = readable[:-1] + '\\"' if readable.endswith('"') else readable
        return f'"""\n{readable}"""'
    return f'"{escaped}"'


def _escaped(char: str) -> str:
    """Escape what TOML allows in no string."""
    is_control = char < " " or char == "\x7f"
    return f"\\u{ord(char):04x}" if is_control and char not in "\n\t" else char
