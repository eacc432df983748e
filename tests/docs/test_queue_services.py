"""The services on the page about the queue: each starts a worker as it is written there."""

import configparser
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from ccc.backlog import places
from ccc.claude import sandbox
from ccc.storage.paths import Paths
from harness import CccProject
from harness.postgres import Postgres
from harness.processes import wait_until
from harness.source import modules

ROOT = Path(__file__).parents[2]
# the test of both languages compares their blocks
PAGE = (ROOT / "docs" / "queue.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
HOME = "/home/worker"
CONFIG = "/config"
GIVEN = {"DB_PASSWORD": "secret", "KIMI_KEY": "the-key"}
"""The variables of the user's shell."""


def block(kind: str, has: str) -> str:
    """Return the one block of a kind that has this text."""
    (found,) = (body for name, body in BLOCKS if name == kind and has in body)
    return str(found)


def compose() -> dict[str, Any]:
    """Return the compose file as Docker reads it."""

    def value(match: re.Match[str]) -> str:
        return GIVEN[match[1]]

    text = re.sub(r"\$\{(\w+):\?\}", value, block("yaml", "services:"))
    parsed: dict[str, Any] = yaml.safe_load(text)
    return parsed


def pod() -> dict[str, Any]:
    """Return the pod of the Kubernetes manifest."""
    parsed = yaml.safe_load(block("yaml", "kind: StatefulSet"))
    found: dict[str, Any] = parsed["spec"]["template"]["spec"]
    return found


def dockerfile() -> str:
    """Return the Dockerfile."""
    return block("dockerfile", "FROM")


class Machine:
    """A machine with ccc and the example's `ccc.json`, but without a configured user."""

    def __init__(self, project: CccProject) -> None:
        self.project = project
        self.home = project.root / "worker"
        self.config = project.root / "config"
        for directory in (self.home, self.config):
            directory.mkdir()
        (project.bin / "ccc").symlink_to(project.ccc)
        (self.config / "ccc.json").write_text(block("json", "providers"))
        self.env = {**project.env, "HOME": str(self.home)}

    def run(self, line: list[str], env: Mapping[str, str], seconds: float) -> dict[str, Any]:
        """Run a worker until it is there; return what the queue knows about it."""
        whole = {**self.env, **env}
        log = self.project.root / "worker.log"
        with open(log, "wb") as output:
            worker = subprocess.Popen(line, cwd=self.home, env=whole, stdout=output, stderr=output)
        found: list[dict[str, Any]] = []

        def is_there() -> bool:
            assert worker.poll() is None, log.read_text()
            listed = self.project.run("queue", "list", "--json", env=whole).succeeded().stdout
            found[:] = json.loads(listed)["workers"]
            return bool(found) and bool(found[0]["providers"])

        try:
            wait_until(is_there, "a worker", 30)
        finally:
            worker.send_signal(signal.SIGTERM)
            code = worker.wait(seconds)
        assert code == 0, log.read_text()
        assert found[0]["pid"] == worker.pid, "signals don't reach the worker"
        return found[0]


@pytest.fixture
def machine(stubbed: CccProject) -> Machine:
    """A new machine."""
    return Machine(stubbed)


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    """A Postgres server."""
    made = Postgres()
    yield made
    made.remove()


@pytest.mark.parametrize("name", ["worker-1", "worker-2"])
def test_compose(machine: Machine, server: Postgres, name: str) -> None:
    """Each worker of the compose file starts, finds the database, and ends in time."""
    file = compose()
    service, database = file["services"][name], file["services"]["db"]["environment"]
    user, password = database["POSTGRES_USER"], database["POSTGRES_PASSWORD"]
    address = f"postgresql://{user}:{password}@db:5432/{database['POSTGRES_DB']}"
    env = dict(service["environment"])
    assert env["CCC_QUEUE_URL"] == address
    assert f"./ccc.json:{CONFIG}/ccc.json:ro" in service["volumes"]
    env |= {"CCC_QUEUE_URL": server.database(), "CCC_QUEUE_HOST": service["hostname"]}
    seconds = float(service["stop_grace_period"].removesuffix("s"))
    known = machine.run(in_place(machine, service["command"]), env, seconds)
    assert (known["host"], known["jobs"], known["providers"]) == (name, 4, ["kimi"])


def test_kubernetes(machine: Machine, server: Postgres) -> None:
    """The container of the StatefulSet starts, finds the database, and ends in time."""
    spec = pod()
    (container,) = spec["containers"]
    mounts = {each["name"]: each["mountPath"] for each in container["volumeMounts"]}
    assert mounts == {"home": HOME, "config": CONFIG}
    assert container["env"] == [{"name": "HOME", "value": HOME}]
    # what the page says about the Secret
    env = {"CCC_QUEUE_URL": server.database(), "KIMI_KEY": GIVEN["KIMI_KEY"]}
    assert all(f"`{name}`" in PAGE for name in env)
    seconds = float(spec["terminationGracePeriodSeconds"])
    known = machine.run(in_place(machine, container["command"]), env, seconds)
    assert (known["jobs"], known["providers"]) == (4, ["kimi"])


def in_place(machine: Machine, command: list[str]) -> list[str]:
    """Return a container's command, with the directory of its volume on this machine."""
    assert any(f"{CONFIG}/ccc.json" in word for word in command)
    return [word.replace(f"{CONFIG}/", f"{machine.config}/") for word in command]


def test_the_image() -> None:
    """The image has what ccc needs, and the home that the services mount."""
    text = dockerfile()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (python,) = re.findall(r"^FROM python:([\d.]+)", text, re.MULTILINE)
    least = project["requires-python"].removeprefix(">=")
    assert version(python) >= version(least)
    (extra,) = re.findall(r'"/src\[(\w+)\]"', text)
    assert extra in project["optional-dependencies"]
    programs = {"bwrap": "bubblewrap", "socat": "socat"}
    assert {*sandbox.NEEDS} == {*programs}
    for package in ("git", *programs.values()):
        assert re.search(rf"apt-get install .* {package}\b", text), package
    assert f"useradd --create-home {os.path.basename(HOME)}" in text
    for service in compose()["services"].values():
        homes = [volume.partition(":")[2] for volume in service["volumes"]]
        assert HOME in homes or service["image"].startswith("postgres:")
    assert pod()["securityContext"]["runAsUser"] == 1000, "the first user of an image"


def version(text: str) -> tuple[int, ...]:
    """Return a version in a form that can be compared."""
    return tuple(map(int, text.split(".")))


def test_the_unit(machine: Machine) -> None:
    """The service that the page's command prints starts a worker, and systemd understands it."""
    (line,) = (each for each in PAGE.splitlines() if "--unit >" in each)
    command, _, target = line.partition(" > ")
    shutil.copytree(machine.config, machine.home / ".claude")
    unit = machine.project.run(*shlex.split(command)[1:], env=machine.env).succeeded().stdout
    parser = configparser.RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(unit)
    service = parser["Service"]
    file = service["EnvironmentFile"].removeprefix("-%h/")
    assert f"`~/{file}`" in PAGE
    variables = shlex.split(" ".join(re.findall(r"(?m)^Environment=(.*)$", unit)))
    env = dict(each.split("=", 1) for each in variables) | {"KIMI_KEY": GIVEN["KIMI_KEY"]}
    known = machine.run(shlex.split(service["ExecStart"]), env, float(service["TimeoutStopSec"]))
    assert known["jobs"] == 4
    if analyze := shutil.which("systemd-analyze"):
        path = machine.home / os.path.basename(target)
        path.write_text(unit)
        done = subprocess.run(
            [analyze, "verify", "--user", str(path)],
            env={**os.environ, "HOME": str(machine.home), "XDG_RUNTIME_DIR": str(machine.home)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_variables_and_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each variable of ccc that the page names is read by ccc, and each path is ccc's own."""
    source = "".join(path.read_text("utf-8") for path in modules() if "words" not in path.parts)
    names = {*re.findall(r"\bCCC_[A-Z_]+", PAGE)}
    assert len(names) > 2
    assert {name for name in names if f'"{name}"' not in source} == set()
    env = {"HOME": "/h"}
    monkeypatch.setenv("HOME", "/h")
    assert places.database_file(Paths(env)) == "/h/.claude/ccc/queue.db"
    assert "`~/.claude/ccc/queue.db`" in PAGE
    assert places.directory(env).startswith("/h/.local/state/ccc/queue")
    assert "`~/.local/state/ccc/queue`" in PAGE
