"""`ccc eval --export`: a directory with a task for Inspect AI, which can be moved."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from ccc.evaluation import case
from harness import CccProject

STUBS = [each for each in case.load_all(case.SHIPPED) if each.kind == 4]


def names(directory: Path) -> set[str]:
    """Return the names in a directory."""
    return {path.name for path in directory.iterdir()}


def listing(directory: Path) -> list[dict[str, Any]]:
    """Return the cases that the task runs."""
    cases: list[dict[str, Any]] = json.loads((directory / "cases.json").read_text())["cases"]
    return cases


def test_what_is_written(stubbed: CccProject, tmp_path: Path) -> None:
    """The directory has the task, the list of the cases, and the cases themselves."""
    target = tmp_path / "new" / "inspect"
    told = stubbed.run("eval", "--export", "inspect", str(target), "--kind", "4").succeeded().stderr
    assert f"cd {target} && inspect eval ccc_eval.py --model none -T provider=NAME" in told
    assert names(target) == {"ccc_eval.py", "cases.json", "cases"}
    assert {each["case"]: each["done"] for each in listing(target)} == {
        each.name: each.is_done for each in STUBS
    }
    assert {each["kind"] for each in listing(target)} == {"04-stub"}
    copies = case.load_all(str(target / "cases"))
    assert [(each.name, each.prompts, each.steps) for each in copies] == [
        (each.name, each.prompts, each.steps) for each in STUBS
    ]


def test_the_task(stubbed: CccProject, tmp_path: Path) -> None:
    """The task's file is Python, has the parameters of a review, and names no place on disk."""
    stubbed.run("eval", "--export", "inspect", str(tmp_path / "out"), "--kind", "4").succeeded()
    text = (tmp_path / "out" / "ccc_eval.py").read_text()
    compile(text, "ccc_eval.py", "exec")
    functions = [each for each in ast.parse(text).body if isinstance(each, ast.FunctionDef)]
    (task,) = (each for each in functions if each.name == "ccc_eval")
    assert ast.unparse(task.decorator_list[0]) == "task"
    parameters = [each.arg for each in task.args.args]
    assert parameters == ["provider", "model", "prompt", "no_model", "ccc"]
    assert len(task.args.defaults) == len(parameters)
    assert str(tmp_path) not in text + (tmp_path / "out" / "cases.json").read_text()


def test_one_twin(stubbed: CccProject, tmp_path: Path) -> None:
    """`--only` selects what is exported, too."""
    one = ("--only", STUBS[0].name)
    stubbed.run("eval", "--export", "inspect", str(tmp_path / "out"), *one).succeeded()
    assert [each["case"] for each in listing(tmp_path / "out")] == [STUBS[0].name]


def test_an_export_is_replaced(stubbed: CccProject, tmp_path: Path) -> None:
    """A second export replaces the first and keeps the logs, also with its own cases as source."""
    target = tmp_path / "out"
    again = ("eval", "--export", "inspect", str(target))
    stubbed.run(*again, "--kind", "4").succeeded()
    (target / "logs").mkdir()
    stubbed.run(*again, "--kind", "7").succeeded()
    assert names(target) == {"ccc_eval.py", "cases.json", "cases", "logs"}
    assert all(name.startswith("07-") for name in names(target / "cases"))
    before = names(target / "cases")
    stubbed.run(*again, "--cases", str(target / "cases")).succeeded()
    assert names(target / "cases") == before


@pytest.mark.parametrize(
    ("lang", "text"), [("en_US.UTF-8", "isn't empty"), ("zh_CN.UTF-8", "不是空目录")]
)
def test_other_directories_are_left_alone(
    stubbed: CccProject, tmp_path: Path, lang: str, text: str
) -> None:
    """A directory with something else in it is refused."""
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "cases.json").write_text('{"cases": []}')
    outcome = stubbed.run("eval", "--export", "inspect", str(mine), env={"LANG": lang})
    assert outcome.code == 1
    assert text in outcome.stderr
    assert names(mine) == {"cases.json"}


@pytest.mark.parametrize(
    ("lang", "text"),
    [("en_US.UTF-8", "unknown format inspekt"), ("zh_CN.UTF-8", "未知的格式 inspekt")],
)
def test_another_format(stubbed: CccProject, tmp_path: Path, lang: str, text: str) -> None:
    """A format that doesn't exist is answered with those that do."""
    target = tmp_path / "out"
    outcome = stubbed.run("eval", "--export", "inspekt", str(target), env={"LANG": lang})
    assert outcome.code == 1
    assert text in outcome.stderr
    assert outcome.stderr.rstrip().endswith("inspect")
    assert not target.exists()


def test_a_place_that_cannot_be_written(stubbed: CccProject, tmp_path: Path) -> None:
    """A file in the way is named."""
    (tmp_path / "file").write_text("")
    outcome = stubbed.run("eval", "--export", "inspect", str(tmp_path / "file"))
    assert outcome.code == 1
    assert f"cannot write {tmp_path}/file" in outcome.stderr


def test_only_one_case(stubbed: CccProject) -> None:
    """`--only` measures a pair or one twin; a name that doesn't exist is an error."""
    pair, twin = STUBS[0].name.partition("/")[0], STUBS[0].name
    for name, count in ((pair, 2), (twin, 1)):
        told = stubbed.run("eval", "--no-model", "--json", "--only", name).succeeded().stdout
        assert len(json.loads(told)["cases"]) == count
    outcome = stubbed.run("eval", "--no-model", "--only", "nothing")
    assert outcome.code == 1
    assert "there is no case nothing" in outcome.stderr
