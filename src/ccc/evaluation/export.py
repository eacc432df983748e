"""Write cases as a task for another program, into a directory that can be moved."""

import json
import os
import shutil
from collections.abc import Iterable, Sequence

import ccc
from ccc.errors import CccError
from ccc.evaluation.case import KINDS, GoldenCase
from ccc.storage import files
from ccc.text import lenient_json

FORMATS = ("inspect",)
TASK = "ccc_eval.py"
_LIST, _CASES, _NEW = "cases.json", "cases", ".cases.new"
_MADE_BY = "ccc eval --export inspect"


def export(kind: str, directory: str, cases: Sequence[GoldenCase]) -> str:
    """Write the cases and the task; return the directory's absolute path."""
    if kind not in FORMATS:
        raise CccError("eval.format", name=kind, formats=", ".join(FORMATS))
    place = os.path.abspath(directory)
    try:
        _write(place, cases)
    except OSError as error:
        raise files.unusable("file.unwritable", error.filename or place, error) from None
    return place


def _write(directory: str, cases: Sequence[GoldenCase]) -> None:
    os.makedirs(directory, exist_ok=True)
    # logs of experiments may be beside an earlier export
    earlier = lenient_json.parse_object(files.read_or_none(os.path.join(directory, _LIST)) or "")
    if os.listdir(directory) and (earlier or {}).get("made_by") != _MADE_BY:
        raise CccError("eval.not_export", directory=directory)
    listing = {"made_by": _MADE_BY, "version": ccc.__version__, "cases": [*map(_about, cases)]}
    with open(os.path.join(directory, _LIST), "w", encoding="utf-8") as stream:
        stream.write(json.dumps(listing, ensure_ascii=False, indent=1) + "\n")
    _copy({each.directory for each in cases}, directory)
    task = os.path.join(os.path.dirname(__file__), "inspect", TASK)
    shutil.copyfile(task, os.path.join(directory, TASK))


def _about(case: GoldenCase) -> dict[str, object]:
    return {
        "case": case.name,
        "kind": f"{case.kind:02}-{KINDS.get(case.kind, 'other')}",
        "language": case.language,
        "title": case.title,
        "done": case.is_done,
        "prompts": list(case.prompts),
        "message": case.message,
    }


def _copy(sources: Iterable[str], directory: str) -> None:
    """Replace the copies of an earlier export, which may be the sources themselves."""
    new, target = os.path.join(directory, _NEW), os.path.join(directory, _CASES)
    shutil.rmtree(new, ignore_errors=True)
    for source in sources:
        place = os.path.join(new, os.path.basename(source))
        shutil.copytree(source, place, ignore=shutil.ignore_patterns("__pycache__"))
    if os.path.lexists(target):
        shutil.rmtree(target)
    os.rename(new, target)
