"""Write a case as a directory: private, and there as a whole or not at all."""

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ccc.errors import CccError
from ccc.evaluation.case import CaseStep
from ccc.evaluation.recorded_work import ProjectChange
from ccc.storage import files
from ccc.storage.paths import display_path
from ccc.system import private_files


@dataclass(frozen=True, slots=True)
class Draft:
    """A case that isn't written yet; nothing in it is secret."""

    twin: str
    about: Mapping[str, object]  # the content of case.toml
    steps: Sequence[CaseStep]
    message: str
    work: ProjectChange


def write(directory: str, draft: Draft) -> None:
    """Write the case to a new directory."""
    if os.path.lexists(directory):
        raise CccError("eval.there_is", file=display_path(directory))
    parent, name = os.path.split(directory)
    files.make_directory(parent)
    unfinished = os.path.join(parent, f".{name}.{os.getpid()}")
    try:
        _write_parts(unfinished, draft)
        os.rename(unfinished, directory)
    except OSError as error:
        raise files.unusable("file.unwritable", directory, error) from None
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _write_parts(directory: str, draft: Draft) -> None:
    work = draft.work
    _write(os.path.join(directory, "case.toml"), toml(draft.about))
    said = [toml({"message": draft.message}), *map(_step, draft.steps)]
    _write(os.path.join(directory, f"{draft.twin}.toml"), "".join(said))
    for part, known in (("before", work.before), (draft.twin, work.after)):
        for name, file in known.items():
            path = os.path.join(directory, part, name)
            _write(path, file.text, 0o700 if file.is_executable else 0o600)
    if work.deleted:
        _write(os.path.join(directory, draft.twin, ".deleted"), "\n".join(work.deleted) + "\n")


def _write(path: str, text: str, mode: int = 0o600) -> None:
    files.make_directory(os.path.dirname(path))
    file = private_files.open_file(path, os.O_WRONLY | os.O_TRUNC)
    with open(file, "wb") as stream:
        stream.write(text.encode("utf-8", "replace"))
        os.fchmod(stream.fileno(), mode)


def _step(step: CaseStep) -> str:
    more = {"output": step.output, "failed": step.failed, "commit": step.commit}
    given = {name: value for name, value in more.items() if value}
    return "[[step]]\n" + toml({step.kind: step.text, **given})


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
