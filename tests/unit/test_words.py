"""The two catalogues have the same entries, and all that the code needs."""

import ast
import os
import string
from collections.abc import Iterator

import pytest
from rich.cells import cell_len

from ccc import words
from ccc.claude.capabilities import CAPABILITIES
from ccc.command_table import COMMANDS
from ccc.errors import CccError
from ccc.model.outcome import OUTCOMES
from ccc.storage.paths import Paths
from ccc.text import jsontext
from ccc.ui.arguments import usage
from harness import catalogue
from harness.source import modules
from harness.words import messages_of

SOURCE = modules()
TREES = [ast.parse(path.read_text("utf-8")) for path in SOURCE if "words" not in path.parts]
EN, ZH = catalogue("en"), catalogue("zh")
PUT_TOGETHER = (
    *("provider.head_", "provider.from_", "provider.need_"),
    *("permit.choice_", "permit.level_", "permit.may_"),
    *("obstacle.", "selftest.", "signal.", "eval.kind_", "eval.head_", "eval.omitted_"),
    *("queue.state_", "queue.obstacle_", "queue.outcome_", "queue.head_", "queue.of_"),
    *("worker.", "statusline."),
    *("validate.bad_", "validate.step_", "validate.untried_"),
)
DYNAMIC = {"mode.on", "mode.off"} | {key for each in OUTCOMES.values() for key in messages_of(each)}
DYNAMIC |= {key for key in EN if key.startswith(PUT_TOGETHER) or key.endswith(".usage")}
DYNAMIC |= {key for key in EN if key.startswith(("count.", "option."))}
DYNAMIC |= {f"client.{name}" for name in (*CAPABILITIES, "reviewer_bash_required")}
DYNAMIC |= {f"show.{log}" for log in (*Paths({}).records(""), "errors")}
DYNAMIC |= {f"watch.{kind}" for kind in ("on", "off", "stop", "check", "review", "ended")}
"""Entries whose names are built at run time: `say(f"mode.{word}")`."""


@pytest.fixture(autouse=True)
def _language_as_before() -> Iterator[None]:
    """Reset the language after each test."""
    yield
    words.use(os.environ)


def placeholders(text: str) -> set[str]:
    """Return the names of the parameters that the text needs."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def problem(key: str) -> str:
    """Return the entry without its remedy."""
    return EN[key].partition("\n→ ")[0]


def remedy(key: str) -> str:
    """Return the remedy in the entry, or all of an entry that is a hint of its own."""
    return EN[key].partition("\n→ ")[2] or EN[key]


def called(call: ast.Call) -> str:
    """Return the last part of the called name."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def calls() -> Iterator[ast.Call]:
    """Yield every call in the source."""
    for tree in TREES:
        yield from (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def constants(node: ast.AST | None) -> list[str]:
    """Return the strings that an expression can evaluate to, with both sides of a condition."""
    if isinstance(node, ast.IfExp):
        return constants(node.body) + constants(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def asked_for() -> set[str]:
    """Return the entries that the source names where one is needed."""
    found: set[str] = set()
    for call in calls():
        if called(call) == "_tell" and call.args:
            found.update(constants(call.args[0]))
        if called(call) in ("say", "CccError", "JsonError", "wrong") and call.args:
            keys = constants(call.args[0])
            found.update(keys)
        for keyword in call.keywords:
            if keyword.arg == "hint":
                found.update(constants(keyword.value))
    return found


def mentioned() -> set[str]:
    """Return every string in the source."""
    nodes = (node for tree in TREES for node in ast.walk(tree))
    return {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}


@pytest.mark.parametrize("room", sorted({*words.ROOMS, words.COMMON}))
def test_an_entry_is_where_it_is_looked_for(room: str) -> None:
    """A file contains exactly the messages that start with its name."""
    for language in words.LANGUAGES:
        words.use({"CCC_LANG": language})
        rooms = {key.partition(".")[0] for key in words.catalogue(room)}
        assert rooms == {room} if room != words.COMMON else not rooms & words.ROOMS


def test_both_catalogues_have_the_same_entries() -> None:
    """Both languages have the same entries, in the same order."""
    assert list(EN) == list(ZH)


@pytest.mark.parametrize("key", EN)
def test_both_say_what_to_do(key: str) -> None:
    """A translation has a remedy, after the arrow, if the original has one."""
    assert EN[key].count("\n→ ") == ZH[key].count("\n→ ") <= 1


@pytest.mark.parametrize("key", EN)
def test_both_need_the_same_parameters(key: str) -> None:
    """A translation has the same parameters as the original."""
    assert placeholders(EN[key]) == placeholders(ZH[key])


def test_what_is_asked_for_exists() -> None:
    """Each entry that the source names is in the catalogues."""
    asked = asked_for()
    assert {"config.missing", "config.set_up", "json.bom", "env.name", "hook.begun"} <= asked
    assert asked - EN.keys() == set()


def test_no_entry_is_unused() -> None:
    """Each entry of the catalogues is named in the source."""
    texts = mentioned()
    used = texts
    assert [k for k in EN if k not in used | DYNAMIC] == []


def test_dynamic_entries_exist() -> None:
    """The names that are built at run time exist, too."""
    assert EN.keys() >= DYNAMIC


def test_an_error_brings_what_its_words_need() -> None:
    """Each error raised in the source has the parameters of its message and its hint."""
    checked = 0
    for call in calls():
        if called(call) != "CccError" or not call.args:
            continue
        given = {keyword.arg for keyword in call.keywords} - {"hint", "exit_code"}
        hints = [k.value for k in call.keywords if k.arg == "hint"]
        for key in constants(call.args[0]):
            assert placeholders(problem(key) if hints else EN[key]) <= given, key
            checked += 1
        for key in (c for hint in hints for c in constants(hint)):
            assert placeholders(remedy(key)) <= given, key
    assert checked > 20


def test_what_is_said_brings_what_its_words_need() -> None:
    """Each `say` in the source has the parameters of its entry."""
    checked = 0
    for call in calls():
        if called(call) == "say" and call.args:
            given = {keyword.arg for keyword in call.keywords}
            for key in constants(call.args[0]):
                assert None in given or placeholders(problem(key)) <= given, key
                checked += 1
    assert checked > 5


@pytest.mark.parametrize(
    ("environ", "configured", "expected"),
    [
        ({}, "", "en"),
        ({"LANG": ""}, "", "en"),
        ({"LANG": "C"}, "", "en"),
        ({"LANG": "C.UTF-8"}, "", "en"),
        ({"LANG": "POSIX"}, "", "en"),
        ({"LANG": "de_DE.UTF-8"}, "", "en"),
        ({"LANG": "en_US.UTF-8"}, "", "en"),
        ({"LANG": "zh_CN.UTF-8"}, "", "zh"),
        ({"LANG": "zh_TW"}, "", "zh"),
        ({"LANG": "ZH"}, "", "zh"),
        ({"LC_MESSAGES": "zh_CN", "LANG": "en_US"}, "", "zh"),
        ({"LC_ALL": "en_GB", "LC_MESSAGES": "zh_CN", "LANG": "zh_CN"}, "", "en"),
        ({"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, "", "en"),
        ({"LC_ALL": "zh_CN.UTF-8", "LANG": "en_US.UTF-8"}, "", "zh"),
        ({"LC_ALL": "", "LC_MESSAGES": "", "LANG": "zh_CN"}, "", "zh"),
        ({"LANG": "en_US"}, "zh", "zh"),
        ({"LANG": "zh_CN"}, "en", "en"),
        ({"CCC_LANG": "en"}, "zh", "en"),
        ({"CCC_LANG": "zh", "LANG": "en_US"}, "en", "zh"),
        ({"CCC_LANG": "zh-CN", "LANG": "en_US"}, "", "zh"),
        ({"CCC_LANG": "EN_us"}, "", "en"),
        ({"CCC_LANG": "fr", "LANG": "en_US"}, "zh", "zh"),
        ({"CCC_LANG": "fr", "LANG": "zh_CN"}, "", "zh"),
        ({"CCC_LANG": "", "LANG": "zh_CN"}, "", "zh"),
    ],
)
def test_language(environ: dict[str, str], configured: str, expected: str) -> None:
    """`CCC_LANG` decides, then the configuration, then a Chinese locale, else it is English."""
    assert words.language(environ, configured) == expected


def said(language: str, key: str, **params: object) -> str:
    """Return the entry in the language."""
    words.use({"CCC_LANG": language})
    return words.say(key, **params)


LOGS = {"state_dir": "/w/ccc", "hook_log": "/w/ccc/hook.log", "output_log": "/w/ccc/out.jsonl"}


def test_the_log_paths_as_they_were_asked_for() -> None:
    """In Chinese, the log paths have the literal words of the requirement."""
    lines = said("zh", "supervisor.logs", heading="日志", **LOGS).split("\n")
    assert [line.split(" ")[-1] for line in lines[1:] if "/" in line] == list(LOGS.values())
    assert "状态目录" in lines[1]
    assert "hook 调用日志" in lines[2]
    assert "supervisor 输出日志" in lines[3]


def test_one_name_for_supervision() -> None:
    """Whoever reads the terminal sees one name; only fixed lines for programs have another."""
    fixed = ("supervisor.enabled", "supervisor.log_heading")
    for language in words.LANGUAGES:
        for key, text in catalogue(language).items():
            assert key in fixed or "Supervisor Mode]" not in text, key


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize(
    ("key", "literals"),
    [
        ("supervisor.enabled", ["Supervisor mode enabled"]),
        ("supervisor.log_heading", ["[Supervisor Mode] 日志文件:"]),
        ("hook.begun", ["[SUPERVISOR HOOK] 开始执行"]),
        ("hook.reviewing", ["[SUPERVISOR] 正在审查工作...", "请在新窗口查看日志文件了解详情"]),
        ("hook.not_completed", ["[SUPERVISOR] 任务未完成", "Agent 将根据反馈继续工作"]),
        ("hook.completed", ["[SUPERVISOR] 任务已完成", "允许停止"]),
    ],
)
def test_what_stderr_has_in_every_language(language: str, key: str, literals: list[str]) -> None:
    """The required lines start with their literal words, whatever the language."""
    lines = (EN if language == "en" else ZH)[key].replace("=", "").split("\n")
    assert all(any(line.strip().startswith(text) for line in lines) for text in literals)


def test_claudes_own_terminal_has_one_language() -> None:
    """In English, a systemMessage and the spinner's text are in English only."""
    shown = [text for key, text in EN.items() if key.startswith("stop.") or key == "hook.status"]
    assert len(shown) > 10
    assert [text for text in shown if not text.isascii()] == []


def test_counts() -> None:
    """One is singular, any other number is plural; Chinese has one form."""
    words.use({"CCC_LANG": "en"})
    assert [words.count("files", n) for n in (0, 1, 2)] == ["0 files", "1 file", "2 files"]
    assert words.count("times", 1) == "1 time"
    words.use({"CCC_LANG": "zh"})
    assert [words.count("files", n) for n in (1, 2)] == ["1 个文件", "2 个文件"]


def test_every_count_exists() -> None:
    """Everything that the source counts is in the catalogues, singular and plural."""
    counted = {
        f"count.{key}"
        for call in calls()
        if isinstance(call.func, ast.Attribute) and called(call) == "count" and call.args
        if isinstance(call.func.value, ast.Name) and call.func.value.id == "words"
        for key in constants(call.args[0])
    }
    assert counted <= EN.keys()
    assert all(EN[key].count(" | ") == 1 for key in EN if key.startswith("count."))


@pytest.mark.parametrize("language", ["zh", "en"])
def test_help(language: str) -> None:
    """Help names supervisor-mode and the variables, except the one that switches nothing on."""
    text = said(language, "help.usage", version="1.2.3")
    assert "1.2.3" in text
    assert "supervisor-mode" in text
    names = {word for word in text.split() if word.startswith("CCC_")}
    assert {"CCC_CONFIG_DIR", "CCC_WORK_DIR", "CCC_CLAUDE", "CCC_SUPERVISOR_ID"} <= names
    assert "CCC_SUPERVISOR" not in names


def test_a_reason_is_said_in_the_same_language() -> None:
    """A reason among the parameters is an entry, too, with its own parameters."""
    params: dict[str, object] = {"file": "f", "path": "p", "least": 1, "most": 9}
    english = said("en", "config.wrong", reason="config.not_whole", **params)
    assert english == "f: p: must be a whole number from 1 to 9"
    chinese = said("zh", "config.wrong", reason="config.not_whole", **params)
    assert chinese == "f：p：必须是 1 到 9 之间的整数"


def test_braces_in_a_value_are_only_text() -> None:
    """A name from a file can't affect the format."""
    assert said("en", "provider.unknown", name="{known} {0} %s") == (
        "unknown provider: {known} {0} %s"
    )


def test_an_error_speaks() -> None:
    """An error's text is its entry; it exits with 1 unless it says otherwise."""
    words.use({"CCC_LANG": "en"})
    error = CccError("config.missing", hint="config.set_up", file="f")
    assert str(error) == "there is no configuration yet: f"
    assert (error.remedy, error.exit_code) == (words.say("config.set_up"), 1)
    assert CccError("config.missing", exit_code=3).exit_code == 3
    missing = CccError("cwd.gone")
    assert str(missing) == "the current directory has been deleted"
    assert missing.remedy == "Change to an existing directory, for example: cd ~"
    assert CccError("lock.waiting", process="", file="f").remedy == ""


def test_every_reason_of_the_json_reader_has_a_hint() -> None:
    """Every error in a text has a reason and a hint."""
    for text in ("", "{", "\ufeff", "//", "[1,]", "[NaN]", "x", "[" * 100_000):
        with pytest.raises(jsontext.JsonError) as caught:
            jsontext.parse(text)
        assert caught.value.reason in EN
        assert "\n→ " in EN[caught.value.reason]
        assert "\n→ " in ZH[caught.value.reason]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("command", COMMANDS)
def test_how_a_command_is_used_fits_the_terminal(command: str, language: str) -> None:
    """Every usage exists, starts with its synopsis, and fits 80 columns."""
    words.use({"CCC_LANG": language})
    text = usage(command)
    assert command == "help" or text.startswith(("Usage: ccc ", "用法：ccc "))
    assert [line for line in text.splitlines() if cell_len(line) > 80] == []
    # the names of limits are wrapped, nothing else
    own = words.text(f"{COMMANDS[command].partition('.')[0]}.usage").splitlines()
    assert [line for line in own if not {*"{}"} & {*line} and line not in text.splitlines()] == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_help_names_every_command(language: str) -> None:
    """Each command is in the help, on one line."""
    lines = said(language, "help.usage", version="1").splitlines()
    named = [line.split()[0].strip(",") for line in lines if line.startswith("  ")]
    assert {name: named.count(name) for name in COMMANDS} == dict.fromkeys(COMMANDS, 1)
