"""The pages about the queue: examples that work, and the same in both languages."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

import ccc
from ccc.backlog import task_file
from ccc.backlog.task import RUNNING, STATES, QueuedTask
from ccc.config import schema
from ccc.config.layer import Secret

ROOT = Path(__file__).parents[2]
SOURCE = Path(ccc.__file__).parent
PAGES = {"en": "queue.md", "zh": "queue.zh-CN.md"}
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def page(language: str) -> str:
    """Return the page in a language."""
    return (ROOT / "docs" / PAGES[language]).read_text("utf-8")


def blocks(language: str, kind: str) -> list[str]:
    """Return the blocks of a kind."""
    return [body for found, body in FENCE.findall(page(language)) if found == kind]


def parsed(language: str, has: str) -> dict[str, Any]:
    """Return the block of YAML with this top-level key."""
    values = map(yaml.safe_load, blocks(language, "yaml"))
    (found,) = (each for each in values if isinstance(each, dict) and has in each)
    return found


@pytest.mark.parametrize("language", PAGES)
def test_task_files(language: str, tmp_path: Path) -> None:
    """The example files are read as the page says."""
    plain, full = (block for block in blocks(language, "yaml") if not is_machinery(block))
    file = tmp_path / "tasks.yaml"
    file.write_text(plain, "utf-8")
    assert len(task_file.read(str(file), QueuedTask())) == 2
    file.write_text(full, "utf-8")
    schema, api, invoice = task_file.read(str(file), QueuedTask())
    assert schema.task.checks == ("make test",)
    assert (api.after_names, api.task.priority) == (("schema",), 5)
    assert invoice.after_names == ("schema", "api")
    assert invoice.task.providers == ("kimi", "glm")
    assert invoice.task.pull_request


def is_machinery(block: str) -> bool:
    """Whether the block is for Docker or Kubernetes."""
    return "services:" in block or "apiVersion:" in block


@pytest.mark.parametrize("language", PAGES)
def test_the_keys_of_a_task_file(language: str) -> None:
    """The table lists exactly the keys of a task, and refers to the limits of `supervisor`."""
    text = FENCE.sub("", page(language))
    table = text[text.index("| `task`") :].partition("\n\n")[0]
    cells = "".join(row.split("|")[1] for row in table.splitlines())
    names = task_file.NAMES - {task_file.TASKS, task_file.DEFAULTS, *schema.LIMITS}
    assert {*re.findall(r"`(\w+)`", cells)} == {*names, "supervisor"}


@pytest.mark.parametrize("language", PAGES)
def test_compose(language: str) -> None:
    """Each worker has its own name and home, and every volume is declared."""
    compose = parsed(language, "services")
    workers = {name: each for name, each in compose["services"].items() if name != "db"}
    assert len(workers) == 2
    for name, worker in workers.items():
        assert worker["hostname"] == name
        assert f"{name}:/home/worker" in worker["volumes"]
        assert "exec ccc queue work" in worker["command"][-1]
        assert worker["environment"]["CCC_QUEUE_URL"].startswith("postgresql://")
        assert worker["depends_on"]["db"]["condition"] == "service_healthy"
    assert {*compose["volumes"]} == {"db", *workers}


@pytest.mark.parametrize("language", PAGES)
def test_the_configuration_of_a_worker(language: str) -> None:
    """The example is a configuration, whose key is a variable that the worker gets."""
    (text,) = blocks(language, "json")
    config = schema.parse(text, "ccc.json")
    assert config.unknown_keys == ()
    key = config.providers["kimi"].env["ANTHROPIC_AUTH_TOKEN"]
    assert isinstance(key, Secret)
    assert key.variable in parsed(language, "services")["services"]["worker-1"]["environment"]


@pytest.mark.parametrize("language", PAGES)
def test_kubernetes(language: str) -> None:
    """The labels fit, and every mounted volume exists."""
    manifest = parsed(language, "apiVersion")
    spec = manifest["spec"]
    assert manifest["kind"] == "StatefulSet"
    assert spec["selector"]["matchLabels"] == spec["template"]["metadata"]["labels"]
    pod = spec["template"]["spec"]
    (container,) = pod["containers"]
    volumes = {each["name"] for each in pod["volumes"]}
    volumes |= {each["metadata"]["name"] for each in spec["volumeClaimTemplates"]}
    assert {each["name"] for each in container["volumeMounts"]} == volumes
    assert "exec ccc queue work" in container["command"][-1]


@pytest.mark.parametrize("language", PAGES)
def test_every_state(language: str) -> None:
    """The page says what to do in each state."""
    assert all(f"\n| {state} |" in page(language) for state in STATES)


def told() -> set[str]:
    """Return the events that a worker tells: those named in its code, and the states of a task."""
    source = [ast.parse(file.read_text("utf-8")) for file in (SOURCE / "backlog").glob("*.py")]
    calls = (each for tree in source for each in ast.walk(tree) if isinstance(each, ast.Call))
    named = [
        call.args[0].value
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and call.func.attr == "tell"
        and isinstance(call.args[0], ast.Constant)
    ]
    assert len(named) > 5
    return {str(each) for each in named} | {*STATES} - {RUNNING}


@pytest.mark.parametrize("language", PAGES)
def test_every_event(language: str) -> None:
    """The table lists exactly the events of a worker."""
    text = page(language)
    table = text[text.index("| `worker_started`") :].partition("\n\n")[0]
    cells = "".join(row.split("|")[1] for row in table.splitlines())
    assert {*re.findall(r"`(\w+)`", cells)} == told()


def test_both_languages_have_the_same() -> None:
    """Both pages have the same headings, rows, blocks and commands."""
    shapes = []
    for language in PAGES:
        plain = FENCE.sub("", page(language))
        shapes.append(
            {
                "headings": re.findall(r"^#+", plain, re.MULTILINE),
                "rows": len(re.findall(r"^\|", plain, re.MULTILINE)),
                "points": len(re.findall(r"^- ", plain, re.MULTILINE)),
                "blocks": [kind for kind, _ in FENCE.findall(page(language))],
                "commands": {
                    re.sub(r'"[^"]*"', "", span) for span in re.findall(r"`(ccc [^`]+)`", plain)
                },
                "machinery": list(filter(is_machinery, blocks(language, "yaml"))),
            }
        )
    assert shapes[0] == shapes[1]
