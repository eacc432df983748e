"""The slash command files, and which of them ccc may rewrite."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.claude.formats import slash

BOTH = pytest.mark.parametrize(("name", "switch"), slash.NAMES.items())


def test_names() -> None:
    """There are two commands: on and off."""
    assert slash.NAMES == {"supervisor": "on", "supervisoroff": "off"}


@BOTH
@pytest.mark.parametrize(
    ("path", "program"),
    [
        ("/opt/bin/ccc", "/opt/bin/ccc"),
        ("/opt/my tools/ccc", '"/opt/my tools/ccc"'),
        ("/opt/工具/ccc", "/opt/工具/ccc"),
    ],
)
def test_text(name: str, switch: str, path: str, program: str) -> None:
    """The command is allowed, is alone on its line, and is followed by the arguments."""
    lines = slash.text(name, path).split("\n")
    hint = ['argument-hint: "[task]"'] if switch == "on" else []
    assert lines[2:-6] == [*hint, "disable-model-invocation: true"]
    assert lines[0] == lines[-5] == "---"
    assert lines[1] == f"description: {'Enable' if switch == 'on' else 'Disable'} supervisor mode"
    command = f"{program} supervisor-mode {switch} --this-session"
    assert lines[-6] == f"allowed-tools: Bash({command})"
    assert lines[-4:] == [f"!`{command}`", "", "$ARGUMENTS", ""]


@BOTH
def test_in_chinese(name: str, switch: str) -> None:
    """A Chinese user sees Chinese in claude's list; ccc may rewrite either file."""
    text = slash.text(name, "/opt/ccc", "zh")
    assert "监督" in text
    assert slash.is_ours(name, text)
    earlier = {
        "supervisor": "启用 Supervisor 模式（完成之前不停止）",
        "supervisoroff": "关闭 Supervisor 模式",
    }
    first, _, *rest = text.split("\n")
    assert slash.is_ours(name, "\n".join([first, f"description: {earlier[name]}", *rest]))
    assert not any(slash.is_ours(other, text) for other in slash.NAMES if other != name)


@BOTH
def test_the_form_without_a_hint_is_ours(name: str, switch: str) -> None:
    """A file from the previous version is replaced."""
    old = slash.text(name, "/opt/ccc").replace("disable-model-invocation: true\n", "")
    assert slash.is_ours(name, old.replace('argument-hint: "[task]"\n', ""))


@BOTH
@given(directory=st.text(st.sampled_from("ab ./-中"), max_size=8))
def test_ours_wherever_ccc_was(name: str, switch: str, directory: str) -> None:
    """A file that a ccc elsewhere wrote is ccc's."""
    assert slash.is_ours(name, slash.text(name, f"/{directory}/ccc"))


@BOTH
def test_the_form_before_it_is_ours(name: str, switch: str) -> None:
    """A file from the first version, which did not say which session is meant, is replaced."""
    assert slash.is_ours(name, slash.text(name, "/opt/ccc").replace(" --this-session", ""))


@pytest.mark.parametrize("end", ["", "\n"])
@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("supervisor", "Enable supervisor mode\n---\n$ARGUMENTS!`ccc supervisor-mode on`"),
        ("supervisoroff", "Disable supervisor mode\n---\n$ARGUMENTS!`ccc supervisor-mode off`"),
    ],
)
def test_the_ancestors_form_is_ours(name: str, body: str, end: str) -> None:
    """The obsolete file of the older program is replaced."""
    assert slash.is_ours(name, f"---\ndescription: {body}{end}")


OURS = slash.text("supervisor", "/opt/ccc")
ANCESTOR = "---\ndescription: Enable supervisor mode\n---\n$ARGUMENTS!`ccc supervisor-mode on`\n"


@pytest.mark.parametrize("content", [OURS, ANCESTOR])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Enable", "Enables"),
        ("---\n", "---\nmodel: opus\n"),
        ("$ARGUMENTS", "$ARGUMENTS and be thorough"),
        ("supervisor-mode on", "supervisor-mode on --loud"),
        ("supervisor-mode on", "supervisor-mode off"),
        ("!`", " !`"),
        ("`\n", "`\n\nBe thorough.\n"),
        ("description", "\ndescription"),
    ],
)
def test_an_edited_file_is_not_ours(content: str, old: str, new: str) -> None:
    """After any edit, the file is the user's."""
    assert slash.is_ours("supervisor", content)
    assert not slash.is_ours("supervisor", content.replace(old, new, 1))


@pytest.mark.parametrize(
    "content",
    [
        "",
        "$ARGUMENTS",
        slash.text("supervisor", "/opt/other"),
        OURS.replace("\n", "\r\n"),
        OURS * 2,
        OURS + ANCESTOR,
    ],
)
def test_not_ours(content: str) -> None:
    """Another program's file, or one with more in it, is left alone."""
    assert not slash.is_ours("supervisor", content)


def test_each_name_has_its_own() -> None:
    """One command's file is not ccc's under the other's name."""
    assert not slash.is_ours("supervisoroff", slash.text("supervisor", "/opt/ccc"))
    assert not slash.is_ours("supervisor", slash.text("supervisoroff", "/opt/ccc"))


def test_a_path_that_the_shell_would_take_apart() -> None:
    """The path is quoted for the shell, and the rule is wider."""
    text = slash.text("supervisor", "/opt/it's $HOME/ccc")
    quoted = shlex.quote("/opt/it's $HOME/ccc")
    assert f"!`{quoted} supervisor-mode on --this-session`\n" in text
    assert "allowed-tools: Bash(*/ccc* supervisor-mode on --this-session)\n" in text
