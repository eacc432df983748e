"""Why a check can't run: looked up in files, without running anything.

Only what is certain counts. A command that can't be looked up, such as a pipeline, may run.
"""

import os
import re
import shlex
import shutil
from collections.abc import Callable, Sequence

from ccc import words
from ccc.project import git
from ccc.text import lenient_json

Read = Callable[[str], str | None]
"""Returns the text of a file, or "" of a directory, by its path; None if there is none."""

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_JUSTFILES = ("justfile", "Justfile", ".justfile")
_MAX_FILE = 1_000_000
_MOST_PARENTS = 12
_UNKNOWN = re.compile(r"[$`(){}*?\[\]~<>|&;#\n\\!]")
_OF_THE_SHELL = {
    *(":", "[", ".", "case", "command", "echo", "eval", "exec", "exit", "export", "false", "for"),
    *("if", "printf", "set", "test", "time", "true", "ulimit", "umask", "until", "wait", "while"),
}
_INTERPRETER = re.compile(r"(?:ba|da|z|k)?sh|python[\d.]*|ruby|perl")
# what may give a file targets that can't be seen in it
_MORE_TARGETS = re.compile(r"^ *-?s?include\b|^\.DEFAULT|^\$|\$[({]eval", re.MULTILINE)
_MORE_RECIPES = re.compile(r"^(?:import|mod)\b|^set\s+fallback", re.MULTILINE)
# what make builds without a rule
_SOURCES = ("", ".sh", ".c", ".cc", ".cpp", ".f", ".l", ".mod", ".o", ".p", ".s", ".S", ".y")


def find(command: str, directory: str, path: str, commit: str = "") -> str:
    """Return why a command can't run in the directory, in the user's words; "" if it may run.

    `path` is the PATH of its programs. With a commit, the files are those of the commit.
    """
    if not os.path.isdir(directory):
        return words.say("check.no_directory", directory=directory)
    first, *rest = command.split("&&", 2)
    if _UNKNOWN.search(first):
        return ""
    try:
        line = shlex.split(first)
    except ValueError:
        return ""
    if line[:1] == ["cd"] and len(line) == 2 and rest:
        return find("&&".join(rest), os.path.join(directory, line[1]), path, commit)

    def read(name: str) -> str | None:
        if commit and not os.path.isabs(name):
            text = git.ask(directory, "show", f"{commit}:./{name}")
            return None if text is None else text.decode(errors="replace")
        return read_file(os.path.join(directory, name))

    return _line_obstacle(line, directory, path, read)


def read_file(path: str) -> str | None:
    """Return the text of a file, or "" if it isn't a regular one or can't be read."""
    if not os.path.isfile(path):
        return "" if os.path.exists(path) else None
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(_MAX_FILE)
    except OSError:
        return ""


def _line_obstacle(line: Sequence[str], directory: str, path: str, read: Read) -> str:
    while line and re.match(r"\w+=", line[0]):
        if line[0].startswith("PATH="):
            return ""
        line = line[1:]
    if not line or line[0] in _OF_THE_SHELL:
        return ""
    program, given = line[0], line[1:]
    directories = os.pathsep.join(os.path.join(directory, p) for p in path.split(os.pathsep))
    if "/" in program:
        if obstacle := _program_obstacle(program, directory, read):
            return obstacle
    elif not shutil.which(program, path=directories):
        return words.say("check.no_program", name=program)
    name = os.path.basename(program)
    if any(each.startswith("-") for each in given):
        return ""  # an option may name another file
    if _INTERPRETER.fullmatch(name) and given:
        return "" if read(given[0]) is not None else _no_file(given[0])
    return _RUNNERS[name](given, read) if name in _RUNNERS else ""


def _no_file(file: str) -> str:
    return words.say("check.no_file", file=file)


def _program_obstacle(name: str, directory: str, read: Read) -> str:
    text, path = read(name), os.path.join(directory, name)
    if text is None:
        return _no_file(name)
    if os.path.isfile(path) and not os.access(path, os.X_OK):
        return words.say("check.not_executable", file=name)
    interpreter = text.partition("\n")[0].removeprefix("#!").split()[:1]
    if text.startswith("#!/") and not os.path.exists(interpreter[0]):
        return words.say("check.no_interpreter", file=name, name=interpreter[0])
    return ""


def _of_make(given: Sequence[str], read: Read) -> str:
    text = next((text for name in MAKEFILES if (text := read(name)) is not None), None)
    lines = (text or "").replace("\\\n", " ").split("\n")
    heads = (line.partition(":")[0] for line in lines if ":" in line and line[0] != "\t")
    known = {word for head in heads for word in head.split()}
    if _MORE_TARGETS.search(text or "") or any("%" in each or "$" in each for each in known):
        return ""
    for target in [each for each in given if "=" not in each] or [""] * (text is None):
        made = target and any(read(target + source) is not None for source in _SOURCES)
        if target not in known and not made:
            return _no_file("Makefile") if text is None else _no_target("Makefile", target)
    return ""


def _no_target(file: str, name: str) -> str:
    return words.say("check.no_target", file=file, name=name)


def _of_npm(given: Sequence[str], read: Read) -> str:
    if given == ["t"]:
        given = ["test"]
    if given != ["test"] and not (given[:1] == ["run"] and len(given) > 1):
        return ""
    name, text = given[-1] if given == ["test"] else given[1], _read_upwards(read, "package.json")
    if text is None:
        return _no_file("package.json")
    package = lenient_json.parse_object(text)
    scripts = (package or {}).get("scripts", {})
    is_known = package is None or not isinstance(scripts, dict) or name in scripts
    is_known = is_known or _read_upwards(read, f"node_modules/.bin/{name}") is not None
    return "" if is_known else _no_target("package.json", name)


def _of_just(given: Sequence[str], read: Read) -> str:
    text = next((text for n in _JUSTFILES if (text := _read_upwards(read, n)) is not None), None)
    if text is None:
        return _no_file("justfile")
    names = given[:1]
    is_known = any(re.search(rf"^(?:alias +)?@?{re.escape(n)}\b", text, re.M) for n in names)
    if not names or is_known or _MORE_RECIPES.search(text) or ":" in names[0]:
        return ""
    return _no_target("justfile", names[0])


def _of_cargo(given: Sequence[str], read: Read) -> str:
    is_known = not given or _read_upwards(read, "Cargo.toml") is not None
    return "" if is_known else _no_file("Cargo.toml")


def _read_upwards(read: Read, name: str) -> str | None:
    """Read a file in the directory or the nearest one above it."""
    texts = (read("../" * level + name) for level in range(_MOST_PARENTS))
    return next((text for text in texts if text is not None), None)


_RUNNERS: dict[str, Callable[[Sequence[str], Read], str]] = {
    **dict.fromkeys(("make", "gmake"), _of_make),
    **dict.fromkeys(("npm", "pnpm", "yarn"), _of_npm),
    "just": _of_just,
    "cargo": _of_cargo,
}
