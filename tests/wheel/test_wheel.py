"""The built wheel: its content, and that it works in an otherwise empty environment."""

import csv
import io
import json
import os
import pwd
import re
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Sequence
from email.message import Message
from email.parser import Parser
from pathlib import Path
from typing import Any

import pytest

from harness import CccProject, catalogue, source
from harness.page import PageServer
from harness.processes import nothing_runs
from harness.programs import needs
from harness.scripted import (
    Rule,
    Scenario,
    ScriptedModel,
    agent_turn,
    answer,
    every,
    said,
    said_last,
    tool,
    tool_result,
)

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
# the data files of the package
DATA = {
    "ccc/ui/page/report.css",
    "ccc/claude/known_versions.json",
    "ccc/presets.json",
    "ccc/prompts/SUPERVISOR.en.md",
    "ccc/prompts/SUPERVISOR.zh.md",
    "ccc/py.typed",
    "ccc/share_key.sh",
    *(f"ccc/web/static/{name}" for name in ("icon.svg", "web.css", "web.js")),
    *(str(path.relative_to(SOURCE)) for path in source.copied()),
}
KEY = "sk-wheel-0123456789"
FEEDBACK = "write b.txt too"
FREELY = ("--permission-mode", "bypassPermissions")
REVIEWING = every(agent_turn(), said("ccc, which supervises this session"))
EVERY_MODULE = """
import importlib, json, pkgutil, sys
import ccc
for module in pkgutil.walk_packages(ccc.__path__, "ccc."):
    try:
        importlib.import_module(module.name)
    except ImportError as error:
        # the queue's own modules need its extra
        queue = ("ccc.backlog.", "ccc.commands.queue.", "ccc.web.queue_access", "ccc.web.board")
        is_queue = module.name.startswith(queue)
        if not is_queue or error.name not in ("sqlalchemy", "dbos", "yaml"):
            raise
files = {name: getattr(module, "__file__", None) for name, module in sys.modules.items()}
print(json.dumps({name: file for name, file in files.items() if file}))
"""


class Installed(CccProject):
    """A user's machine with ccc from the wheel, and only the claude that the wheel depends on."""

    def __init__(self, root: Path, model: ScriptedModel, place: Path) -> None:
        super().__init__(root, model)
        self.place = place
        (self.bin / "claude").unlink()
        (self.claude_dir / "ccc.json").unlink()

    @property
    def ccc(self) -> str:
        """Return the path of the console script that pip wrote."""
        return str(self.place / "bin" / "ccc")


def built(target: Path, source: Path = ROOT, *options: str) -> Path:
    """Build as `make wheel` does, into the directory, and return the wheel."""
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(target), *options]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return next(target.glob("*.whl"))


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    """Return the wheel of the tree; the source archive is in the same directory."""
    return built(tmp_path / "dist")


def content(wheel: Path) -> dict[str, bytes]:
    """Return every file in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def modules() -> set[str]:
    """Return the names that the tree's modules have in a wheel."""
    return {str(path.relative_to(SOURCE)) for path in source.modules()}


def metadata(files: dict[str, bytes]) -> tuple[str, Message]:
    """Return the wheel's dist-info directory and its METADATA."""
    (name,) = (name for name in files if name.endswith(".dist-info/METADATA"))
    return name.removesuffix("/METADATA"), Parser().parsestr(files[name].decode())


def test_the_content(wheel: Path) -> None:
    """The wheel contains all modules, their data, its own metadata, and nothing else."""
    files = content(wheel)
    info, _ = metadata(files)
    names = ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")
    script = info.replace(".dist-info", ".data/scripts/ccc")
    assert set(files) == modules() | DATA | {script, *(f"{info}/{name}" for name in names)}
    assert files[script] == (ROOT / "scripts/ccc").read_bytes()
    for name in modules() | DATA:
        assert files[name] == (SOURCE / name).read_bytes(), name
    record = csv.reader(io.StringIO(files[f"{info}/RECORD"].decode()))
    assert {row[0] for row in record} == set(files)


def test_the_metadata(wheel: Path) -> None:
    """The metadata states version, Python, script, licence, dependencies and the README."""
    files = content(wheel)
    info, fields = metadata(files)
    literal = re.search(r'__version__ = "(.+)"', (SOURCE / "ccc/__init__.py").read_text())
    assert literal is not None
    assert (fields["Name"], fields["Version"]) == ("ccc-supervisor", literal.group(1))
    assert fields["Requires-Python"] == ">=3.11"
    assert (fields["License-Expression"], fields["License-File"]) == ("MIT", "LICENSE")
    assert files[f"{info}/licenses/LICENSE"] == (ROOT / "LICENSE").read_bytes()
    script = "[console_scripts]\nccc-supervisor = ccc.cli:main\n"
    assert files[f"{info}/entry_points.txt"].decode() == script
    assert fields["Description-Content-Type"] == "text/markdown"
    assert fields.get_payload() == (ROOT / "README.md").read_text("utf-8")
    needed = [line for line in fields.get_all("Requires-Dist", []) if "extra ==" not in line]
    assert [re.split(r"\W", line.replace("-", "_"))[0] for line in needed] == [
        "claude_agent_sdk",
        "genai_prices",
        "httpx2",
        "itsdangerous",
        "msgspec",
        "rich",
        "starlette",
        "uvicorn",
    ]
    assert "Tag: py3-none-any" in files[f"{info}/WHEEL"].decode()


def test_the_source_archive_makes_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    """A wheel built from the source archive has the same files, byte for byte."""
    (archive,) = wheel.parent.glob("*.tar.gz")
    unpacked = tmp_path / "unpacked"
    unpacked.mkdir()
    subprocess.run(["tar", "-xf", archive, "-C", unpacked], check=True, timeout=60)
    (source,) = unpacked.iterdir()
    again = built(tmp_path / "again", source, "--target", "wheel")
    assert again.name == wheel.name
    assert content(again) == content(wheel)


def pip(place: Path, *arguments: str) -> str:
    """Run pip for the environment, with the user's own pip configuration and cache."""
    command = [sys.executable, "-m", "pip", "--python", str(place / "bin" / "python"), *arguments]
    env = {**os.environ, "HOME": pwd.getpwuid(os.getuid()).pw_dir}
    done = subprocess.run(
        command, cwd=place, env=env, capture_output=True, text=True, timeout=900, check=False
    )
    if done.returncode and "connection broken" in done.stderr:
        assert not os.environ.get("CCC_TESTS_MUST_NOT_SKIP"), done.stderr
        pytest.skip("the package index is unreachable")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


PINNED = ("--constraint", str(ROOT / "constraints.txt"))
NEWEST = ("--upgrade", "--upgrade-strategy", "eager")


def installed(wheel: str, place: Path, versions: Sequence[str] = PINNED) -> Path:
    """Install the wheel and its dependencies into a new environment; return its site-packages."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True, timeout=60)
    pip(place, "install", "--quiet", "--disable-pip-version-check", *versions, wheel)
    scheme = sysconfig.get_paths("venv", {"base": str(place), "platbase": str(place)})
    return Path(scheme["purelib"])


@pytest.mark.thorough
def test_the_program_of_an_old_pip(wheel: Path, tmp_path: Path) -> None:
    """The oldest pip of Python 3.11 installs a `ccc` that imports nothing except ccc."""
    place = tmp_path / "place"
    with_old_pip(wheel, place)
    assert (
        imported(place / "bin" / "ccc", "--version")
        - imported(place / "bin" / "python", "-c", "import ccc.cli")
        == set()
    )
    # the cost of an entry point with that pip, and the reason why ccc isn't one
    assert "re" in imported(place / "bin" / "ccc-supervisor", "--version")


@pytest.mark.thorough
def test_a_place_with_a_space(wheel: Path, tmp_path: Path) -> None:
    """If the path has a space, pip can't write the first line of `ccc`; `ccc-supervisor` works."""
    place = tmp_path / "a place"
    with_old_pip(wheel, place)
    with pytest.raises(FileNotFoundError):
        subprocess.run([place / "bin" / "ccc", "--version"], check=True)
    command = [place / "bin" / "ccc-supervisor", "--version"]
    assert subprocess.run(command, capture_output=True, check=True).stdout.startswith(b"ccc ")


def with_old_pip(wheel: Path, place: Path) -> None:
    """Create an environment where the pip of Python 3.11.0 has installed the wheel without deps."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True, timeout=60)
    pip(place, "install", "--quiet", "--disable-pip-version-check", "pip==22.3")
    command = [place / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-deps", wheel]
    subprocess.run(command, check=True, timeout=300, capture_output=True)


def imported(*command: str | Path) -> set[str]:
    """Return the modules that the program imports."""
    env = {"PYTHONPROFILEIMPORTTIME": "1", "HOME": "/nonexistent"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
    return {line.rsplit("|", 1)[1].strip() for line in done.stderr.splitlines() if "|" in line}


@pytest.mark.real
def test_a_user_installs_it(wheel: Path, tmp_path: Path) -> None:
    """ccc works from pip install to pip uninstall, with the claude that it depends on."""
    needs("git")
    place = tmp_path / "place"
    site = installed(str(wheel), place)
    rules = (
        Rule(REVIEWING, [answer(verdict(FEEDBACK)), answer(verdict()), answer(verdict())]),
        Rule(every(agent_turn(), said_last(FEEDBACK)), answer(bash("echo b > b.txt"))),
        Rule(every(agent_turn(), tool_result()), answer("Now it is there.")),
        Rule(agent_turn(), answer("Hello from the agent.")),
    )
    with ScriptedModel(Scenario(rules), max_seconds=300) as model:
        project = Installed(tmp_path / "bench", model, place)
        everything_is_imported_from(site, project)
        it_explains_itself(project, metadata(content(wheel))[1]["Version"])
        it_works(project, model)
        it_looks_back(project)
        project.run("demo", "--fast", timeout=180).succeeded()
        it_goes_away(project, site)
    nothing_runs(project.home)


@pytest.mark.real
@pytest.mark.thorough
@pytest.mark.parametrize("versions", [PINNED, NEWEST], ids=["pinned", "newest"])
def test_with_these_dependencies(wheel: Path, tmp_path: Path, versions: Sequence[str]) -> None:
    """With the pinned and with the newest dependencies: the demo, a task of the queue, the page."""
    needs("git")
    place = tmp_path / "place"
    installed(f"{wheel}[queue]", place, versions)
    rules = (
        Rule(REVIEWING, answer(verdict())),
        Rule(every(agent_turn(), tool_result()), answer("Now it is there.")),
        Rule(agent_turn(), answer(bash("echo b > b.txt"))),
    )
    with ScriptedModel(Scenario(rules), max_seconds=300) as model:
        project = Installed(tmp_path / "bench", model, place)
        it_explains_itself(project, metadata(content(wheel))[1]["Version"])
        project.run("demo", "--fast", timeout=180).succeeded()
        project.configure()
        a_task_of_the_queue_is_completed(project)
        with PageServer(project) as page:
            assert "write b.txt" in page.browser().get("/board").text
    nothing_runs(project.home)


def a_task_of_the_queue_is_completed(project: Installed) -> None:
    """Assert that a worker runs a task on SQLite, and commits the result to a branch."""
    git = ("-c", "user.name=t", "-c", "user.email=t@localhost")
    for line in (["init", "--quiet"], [*git, "commit", "--quiet", "--allow-empty", "-m", "start"]):
        project.run(*line, program="git").succeeded()
    project.run("queue", "add", "write b.txt", "--allow", "Bash(echo *)").succeeded()
    project.run("queue", "work", "--once", timeout=300).succeeded()
    (task,) = json.loads(project.run("queue", "list", "--all", "--json").succeeded().stdout)[
        "tasks"
    ]
    assert (task["state"], task["commits"]) == ("completed", 1), task


def verdict(feedback: str = "") -> str:
    """Return the reviewer's answer."""
    return json.dumps({"code": "%code%", "completed": not feedback, "feedback": feedback})


def bash(command: str) -> Any:
    """Return a call of the Bash tool."""
    return tool("Bash", command=command, description="Work")


def everything_is_imported_from(site: Path, project: Installed) -> None:
    """Assert that all imported modules come from the environment or the standard library."""
    python = str(project.place / "bin" / "python")
    outcome = project.run("-P", "-c", EVERY_MODULE, program=python).succeeded()
    files = {name: Path(file) for name, file in json.loads(outcome.stdout).items()}
    own = {str(files[name].relative_to(site)) for name in files if name.split(".")[0] == "ccc"}
    left = modules() - own
    assert own <= modules()
    # the extra of the queue isn't installed
    need_it = ("ccc/backlog/", "ccc/commands/queue/", "ccc/web/board.py", "ccc/web/queue_access.py")
    assert all(each.startswith(need_it) for each in left)
    standard = Path(sysconfig.get_path("stdlib"))
    # a standard module may be a link, and so may its directory
    allowed = ((site, Path), (standard, Path), (standard.resolve(), Path.resolve))
    foreign = {
        name: str(file)
        for name, file in files.items()
        if not any(normalize(file).is_relative_to(place) for place, normalize in allowed)
    }
    assert foreign == {}


def it_explains_itself(project: Installed, version: str) -> None:
    """Assert that version, help in both languages and completion scripts are printed."""
    assert project.run("--version").succeeded().stdout == f"ccc {version}\n"
    for language in ("en", "zh"):
        output = project.run("--help", env={"CCC_LANG": language}).succeeded().stdout
        assert output.startswith(catalogue(language)["help.usage"].format(version=version)), output
    for shell in ("bash", "zsh", "fish"):
        assert "ccc" in project.run("completion", shell).succeeded().stdout


def it_works(project: Installed, model: ScriptedModel) -> None:
    """Assert that ccc can be set up, started, supervised by the hook and run unattended."""
    provider = ("--base-url", model.url, "--name", "mine", "--model", "some-model")
    options = ("--key-stdin", "--language", "en", "--statusline")
    project.run("init", *provider, *options, stdin=KEY).succeeded()
    assert project.run("mine", "-p", "hi").succeeded().stdout == "Hello from the agent.\n"
    settings = project.json(".claude/settings.json")
    assert settings["hooks"]["Stop"][0]["hooks"][0]["command"] == f"{project.ccc} supervisor-hook"
    assert {request.key for request in model.requests} == {KEY}

    run = project.run("run", "--json", "write a.txt and b.txt", "--", *FREELY)
    report = json.loads(run.succeeded().stdout)
    assert [v["completed"] for v in report["verdicts"]] == [False, True], run
    assert (project.directory / "b.txt").read_text() == "b\n"

    supervised = project.run("mine", *FREELY, "-p", "/supervisor say hello").succeeded()
    assert [state["outcome"] for state in states(project)] == ["completed", "completed"], supervised


def states(project: Installed) -> Sequence[dict[str, Any]]:
    """Return the states of the supervised sessions."""
    paths = (project.claude_dir / "ccc").glob("supervisor-*.json")
    states = [json.loads(path.read_text()) for path in paths]
    return [state for state in states if state.get("outcome")]


def it_looks_back(project: Installed) -> None:
    """Assert that report and status show the sessions and the doctor finds no problem."""
    page = project.run("report", "-o", "-").succeeded().stdout
    assert (SOURCE / "ccc/ui/page/report.css").read_text().splitlines()[0] in page
    assert len(project.run("status").succeeded().stdout.splitlines()) >= 2
    health = project.run("doctor", "--json")
    assert health.code == 0, health


def it_goes_away(project: Installed, site: Path) -> None:
    """Assert that `ccc uninstall` leaves nothing in the home, nor pip in the environment."""
    project.run("uninstall", "--purge", "--yes").succeeded()
    left = [path for path in project.claude_dir.rglob("*") if re.match(r"ccc\b", path.name)]
    assert left == []
    settings = project.claude_dir / "settings.json"
    assert not settings.exists() or "ccc" not in settings.read_text()
    pip(project.place, "uninstall", "--quiet", "--yes", "ccc-supervisor")
    assert not Path(project.ccc).exists()
    assert [path for path in site.iterdir() if path.name.startswith("ccc")] == []
