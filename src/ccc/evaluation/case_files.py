"""Write a case as a directory: private, and there as a whole or not at all."""

import json
import os
import shutil
from collections.abc import Mapping

from ccc.errors import CccError
from ccc.evaluation.recorded_work import TextFile
from ccc.storage import files
from ccc.storage.paths import display_path
from ccc.system import private_files


def write(directory: str, parts: Mapping[str, TextFile]) -> None:
    """Write the files of a case, by their paths in it, to a new directory."""
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
