"""Imports follow the layers, and the fast commands import little."""

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import ccc
from harness.source import modules

ROOT = Path(ccc.__file__).parent

# Each package may import those before it.
ROOMS = (
    *("words", "errors", "command_table", "text", "model", "claude.formats", "system", "failure"),
    *("storage", "config", "providers", "claude", "signals", "project", "ui", "supervision"),
    *("sessions", "run", "scripted", "demo", "selftest", "evaluation", "backlog", "web"),
    *("setup", "doctor", "front", "cli", "commands"),
)
# Decisions and formats, which use no file, process, clock or environment.
PURE = {
    "backlog": {"admission", "task"},
    "claude": {"capabilities", "formats", "turn"},
    "config": {"editing", "layer", "schema"},
    "evaluation": {"score", "scrub"},
    "model": {"cost", "evidence", "outcome", "overview", "record", "round", "state"},
    "providers": {
        *("models", "prices", "probe_rules", "variables"),
    },
    "sessions": {"events", "review_steps"},
    "signals": {
        "claims",
        "dropped_errors",
        "files",
        "left_undone",
        "patch",
        "signal",
        "weakened_tests",
    },
    "supervision": {
        *("loop", "on_stop", "policy", "review_request", "verdict"),
    },
    "text": {
        "amounts",
        "controls",
        "lenient_json",
        "jsontext",
        "names",
        "redaction",
        "shell",
    },
}
# What a pure module may import besides other pure ones: the commands, errors, and the languages of
# messages.
VOCABULARY = {"command_table", "errors", "words"}
PROCESS_STARTERS = {"system/spawn.py", "system/capture.py"}
MOST_LINES = 300
# How many lines a room may have. A feature pays for its own, or docs/architecture.md says why not.
BUDGET = {
    "": 190,
    "backlog": 4025,
    "claude": 2160,
    "claude.formats": 2580,
    "commands": 4060,
    "config": 819,
    "demo": 670,
    "doctor": 940,
    "evaluation": 1910,
    "front": 400,
    "model": 985,
    "project": 1166,
    "providers": 1140,
    "run": 1865,
    "scripted": 780,
    "selftest": 570,
    "sessions": 1050,
    "setup": 730,
    "signals": 1213,
    "storage": 1430,
    "supervision": 2757,
    "system": 954,
    "text": 735,
    "ui": 1425,
    "web": 2292,
}
MOST_SHARED_NAMES = 5
MOST_LINES_OF_A_FUNCTION = 46
MOST_PARAMETERS = 6
MOST_POSITIONAL_ARGUMENTS = 4
NO_EFFECTS = {"subprocess", "socket", "shutil", "tempfile", "threading", "time", "os", "pathlib"}

# What front/ may import: `os`, what is built in, the messages, and what few texts need.
FRONT = {"os", "sys", "time", "_json", "fcntl", "unicodedata", "ccc.words", "ccc.text.controls"}
MOST_LINES_OF_FRONT = 400
# What starts every ccc, besides `os` and what the interpreter has loaded itself.
START = {"ccc", "ccc.cli", "ccc.command_table"}


def name_of(path: Path) -> str:
    """Return a module's name as `room.module…`; the package itself is ""."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


NAMES = {name_of(path) for path in modules()}


def imports(path: Path) -> set[str]:
    """Return the modules that a module imports, at any depth of its code, by their full names."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module, "a relative import"
            assert not node.level, node.module
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            parts = {name for name in names if name.removeprefix("ccc.") in NAMES}
            found |= parts if parts == names else {*parts, node.module}
    return found


def known_by(path: Path) -> set[str]:
    """Return the modules of ccc that a module imports, as `room.module…`."""
    names = {name.removeprefix("ccc.") for name in imports(path) if name.startswith("ccc.")}
    assert names <= NAMES
    return names


def is_pure(name: str) -> bool:
    """Return whether a module (`room.module…`) is one of the pure ones."""
    room, _, rest = name.partition(".")
    return rest.partition(".")[0] in PURE.get(room, ())


def room_of(name: str) -> str:
    """Return the room of a module; each has one."""
    room = "claude.formats" if name.startswith("claude.formats") else name.partition(".")[0]
    assert room in ROOMS
    return room


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_downwards(path: Path) -> None:
    """A module imports only its own package and the packages before it."""
    known = known_by(path)
    if not (own := name_of(path)):
        assert known == set()
        return
    here = ROOMS.index(room_of(own))
    assert {name for name in known if ROOMS.index(room_of(name)) > here} == set()


def test_commands_import_no_commands() -> None:
    """What two commands need isn't in a command."""
    own = {name: name.split(".")[1].partition("_")[0] for name in NAMES if "commands." in name}
    for path in modules():
        if command := own.get(name_of(path)):
            assert {own[name] for name in known_by(path) & own.keys()} <= {command}


@pytest.mark.parametrize("path", [p for p in modules() if is_pure(name_of(p))], ids=name_of)
def test_what_is_pure(path: Path) -> None:
    """A pure module has no effects, and imports only other pure modules."""
    assert not {name.split(".")[0] for name in imports(path)} & NO_EFFECTS
    assert {name for name in known_by(path) - VOCABULARY if not is_pure(name)} == set()


def test_the_pure_modules_are_there() -> None:
    """Each name in the list is a module."""
    assert {f"{room}.{name}" for room, names in PURE.items() for name in names} <= NAMES


def test_one_place_starts_processes() -> None:
    """Only two modules use subprocess or exec."""
    users = {
        str(path.relative_to(ROOT))
        for path in modules()
        if "subprocess" in imports(path) or "os.exec" in path.read_text()
    }
    assert users == PROCESS_STARTERS


def test_modules_are_short() -> None:
    """No module outgrows its subject; only the messages of a language may be long."""
    lengths = {name_of(path): len(path.read_text().splitlines()) for path in modules()}
    sizes = {name: size for name, size in lengths.items() if name.partition(".")[0] != "words"}
    assert {name: size for name, size in sizes.items() if size > MOST_LINES} == {}


def test_rooms_keep_their_budget() -> None:
    """No room grows beyond its budget; messages and the cases of `ccc eval` don't count."""
    sizes: Counter[str] = Counter()
    for path in modules():
        parts = path.relative_to(ROOT).parts[:-1]
        room = ".".join(parts[:2] if parts[:2] == ("claude", "formats") else parts[:1])
        sizes[room] += len(path.read_text().splitlines())
    del sizes["words"]
    assert {room: size for room, size in sizes.items() if size > BUDGET.get(room, 0)} == {}


def test_class_names_are_unique() -> None:
    """Few public names belong to two classes: ports, and the classes that implement them."""
    names = Counter(
        node.name
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert len([name for name, times in names.items() if times > 1]) <= MOST_SHARED_NAMES


def functions() -> list[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Return each function of ccc with its name as `room.module…:function`."""
    return [
        (f"{name_of(path)}:{node.name}", node)
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def test_functions_are_short() -> None:
    """No function has more lines than one can take in at once."""
    sizes = {name: (node.end_lineno or 0) - node.lineno + 1 for name, node in functions()}
    assert {n: size for n, size in sizes.items() if size > MOST_LINES_OF_A_FUNCTION} == {}


def test_functions_have_few_parameters() -> None:
    """No function has more than six parameters besides `self`."""
    lists = {
        name: [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
        for name, node in functions()
    }
    sizes = {name: len([n for n in lists[name] if n not in ("self", "cls")]) for name in lists}
    assert {name: size for name, size in sizes.items() if size > MOST_PARAMETERS} == {}


def test_calls_name_their_arguments() -> None:
    """No call of a function of ccc's own has more than four arguments without a name."""
    takes_any = {node.name for _, node in functions() if node.args.vararg}
    names = {node.name for _, node in functions()} - takes_any
    calls = [
        f"{name_of(path)}:{node.lineno} {called}"
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and len(node.args) > MOST_POSITIONAL_ARGUMENTS
        if (called := getattr(node.func, "attr", getattr(node.func, "id", ""))) in names
    ]
    assert calls == []


def test_front_stands_alone() -> None:
    """The front imports next to nothing, only the program imports it, and it is small."""
    parts = [path for path in modules() if room_of(name_of(path) or "cli") == "front"]
    known = {name for path in parts for name in imports(path)}
    assert {name for name in known if not name.startswith("ccc.front")} <= FRONT
    users = {name_of(path) for path in modules() if "ccc.front" in " ".join(imports(path))}
    assert users - {name_of(path) for path in parts} == {"cli"}
    assert sum(len(path.read_text().splitlines()) for path in parts) <= MOST_LINES_OF_FRONT


@pytest.mark.parametrize(
    ("words", "env", "own"),
    [
        (("--version",), {}, set()),
        (("supervisor-hook",), {"CCC_SUPERVISOR_ID": "none"}, {"front"}),
        (("supervisor-hook",), {"CCC_SUPERVISOR_ID": "off"}, {"front"}),
        (
            ("supervisor-hook",),
            {"CLAUDE_CODE_SESSION_ID": "x", "CLAUDE_PROJECT_DIR": "/"},
            {"front"},
        ),
    ],
)
def test_imports_of_the_fast_commands(
    words: tuple[str, ...], env: dict[str, str], own: set[str], tmp_path: Path
) -> None:
    """A fast command loads no module that the interpreter doesn't have, besides those rooms."""
    state = tmp_path / "home" / ".claude" / "ccc" / "supervisor-off.json"
    state.parent.mkdir(parents=True)
    state.write_text('{"session_id": "off", "enabled": false, "count": 0}')
    added = loaded_by(words, tmp_path, **env) - loaded_by((), tmp_path) - START
    rooms = {name.split(".")[1] if name.startswith("ccc.") else name for name in added}
    assert {name for name in rooms if name not in ("_json", "fcntl", "unicodedata")} == own


def loaded_by(words: tuple[str, ...], tmp_path: Path, **env: str) -> set[str]:
    """Return the modules in memory when the command ends, or when it becomes claude."""
    home = tmp_path / "home"
    (home / ".claude").mkdir(parents=True, exist_ok=True)
    config = home / ".claude" / "ccc.json"
    if not config.exists():
        config.write_text('{"providers": {"kimi": {}}}')
    code = (
        "import sys, os\n"
        "def show(*_): os.write(1, repr(sorted(sys.modules)).encode()); os._exit(0)\n"
        "os.execve = show\n"
        f"sys.argv = [{str(Path(sys.executable).parent / 'ccc')!r}, *{list(words)!r}]\n"
    )
    if words:
        code += "from ccc import cli\ncli.main()\n"
    code += "show()\n"
    done = subprocess.run(
        [sys.executable, "-I", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "en_US.UTF-8", **env},
    )
    found: set[str] = set(ast.literal_eval(done.stdout[done.stdout.index("[") :]))
    return found
