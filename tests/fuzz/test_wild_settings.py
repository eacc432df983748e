"""Wild texts in the user's files: ccc.json, settings, slash commands."""

import contextlib
import json
from collections.abc import Callable

from hypothesis import strategies as st
from wild import (
    CONFIG,
    SETTINGS,
    changed,
    spoiled,
    texts_like,
    tried,
    written,
)

from ccc import words
from ccc.claude.formats import (
    settings,
    slash,
)
from ccc.config import editing, schema
from ccc.config.layer import Layer, parse_layer
from ccc.errors import CccError
from ccc.text import jsontext
from harness.soak import Tally

Row = Callable[[str], Tally]


def message_of(error: CccError) -> str:
    """Return the error as the user sees it, in both languages."""
    texts = []
    for language in ("en", "zh"):
        words.use({"CCC_LANG": language})
        texts += [str(error), error.remedy]
    return "\n".join(texts)


def test_ccc_json(tally: Row) -> None:
    """Any file is a configuration or an error with the file, a remedy and mostly the key."""

    def trial(text: str) -> None:
        try:
            config = schema.parse(text, "/home/u/ccc.json")
        except CccError as error:
            check_message(error)
        else:
            assert not config.providers or config.choose() in config.providers

    def check_message(error: CccError) -> None:
        message = message_of(error)
        assert message.count("/home/u/ccc.json") >= 2
        assert error.remedy
        assert "sk-test-0123456789" not in message
        assert error.message != "config.wrong" or message.count(str(error.params["path"])) >= 2

    tried(tally("ccc.json"), 300, 8_000, texts_like(CONFIG), trial)


def test_a_layer_of_settings(tally: Row) -> None:
    """A --settings argument is a layer or an error for the user."""

    def trial(text: str) -> None:
        with contextlib.suppress(CccError):
            assert isinstance(parse_layer(text, "--settings"), Layer)

    tried(tally("--settings"), 100, 2_000, texts_like(SETTINGS), trial)


def members(text: str) -> list[tuple[str, str]]:
    """Return the members of the object with their own bytes, parsed independently of ccc."""
    decoder, result = json.JSONDecoder(), []
    white = " \t\r\n"
    at = len(text) - len(text.lstrip(white)) + 1
    while (rest := text[at:].lstrip(white)) and rest[0] != "}":
        at = len(text) - len(rest) + (rest[0] == ",")
        at += len(text[at:]) - len(text[at:].lstrip(white))
        key, end = decoder.raw_decode(text, at)
        start = text.index(":", end) + 1
        start += len(text[start:]) - len(text[start:].lstrip(white))
        _, at = decoder.raw_decode(text, start)
        result.append((key, text[start:at]))
    return result


EDITS: dict[str, Callable[[str], str]] = {
    "language": lambda text: jsontext.replace(text, ("language",), "zh"),
    "current_provider": lambda text: jsontext.replace(text, ("current_provider",), "glm"),
    "new": lambda text: editing.with_provider(text, "new", {"A": "1", "B": {"env": "X"}}),
    "kimi": lambda text: editing.with_env(text, "kimi", {"ANTHROPIC_BASE_URL": None, "C": "é"}),
    "gone": lambda text: editing.without_provider(text, "kimi"),
}


def test_edits_of_ccc_json(tally: Row) -> None:
    """An edit of a valid file preserves the bytes of every other member."""
    valid = written(changed(CONFIG) | st.just(CONFIG))
    cases = st.tuples(valid | spoiled(valid), st.sampled_from(sorted(EDITS)))

    def trial(case: tuple[str, str]) -> None:
        text, edit = case
        try:
            before = schema.parse(text, "f")
        except CccError:
            return
        if edit == "gone" and "kimi" not in before.providers:
            return
        after = EDITS[edit](text)
        old, new = members(text), members(after)
        about = {"gone": ["providers", "current_provider"]}.get(edit, ["providers", edit])
        assert [m for m in old if m[0] not in about] == [m for m in new if m[0] not in about]
        inner = [m for m in old if m[0] == "providers"][-1:]
        if edit in ("language", "current_provider"):
            assert [m for m in new if m[0] == "providers"][-1:] == inner
            assert dict(new)[edit] == '"zh"' if edit == "language" else '"glm"'
        elif inner:
            name = "kimi" if edit == "gone" else edit
            others = [m for m in members(inner[0][1]) if m[0] != name]
            assert [m for m in members(dict(new)["providers"]) if m[0] != name] == others

    tried(tally("edits of ccc.json"), 200, 6_000, cases, trial)


def test_settings_json(tally: Row) -> None:
    """Adding and removing ccc's hook restores the settings; an unreadable file is refused."""

    def trial(text: str) -> None:
        try:
            text = settings.without_hook(text)
            after = settings.with_hook(text, "/new/ccc supervisor-hook", "status")
        except (jsontext.JsonError, settings.WrongShape):
            return
        assert settings.has_hook(settings.read(after))
        assert settings.with_hook(after, "/new/ccc supervisor-hook", "status") == after
        assert not settings.has_hook(settings.read(settings.without_hook(after)))
        before, restored = settings.read(text), settings.read(settings.without_hook(after))
        for each in (before, restored):
            each.pop("hooks", None)
        assert repr(before) == repr(restored)

    tried(tally("settings.json"), 300, 8_000, texts_like(SETTINGS), trial)


def test_the_status_line_in_settings(tally: Row) -> None:
    """Adding and removing the status line restores the settings; only the variables are removed."""

    def trial(text: str) -> None:
        try:
            before = settings.read(text)
            mine = settings.with_status_line(text, settings.status_line("/a/ccc"))
            gone = settings.with_status_line(mine, None)
            names = list(env) if isinstance(env := before.get("env"), dict) else []
            bare = settings.without_env(text, names)
        except (jsontext.JsonError, settings.WrongShape):
            return
        assert settings.is_our_status_line(settings.read(mine)["statusLine"])
        rest = {key: value for key, value in before.items() if key != "statusLine"}
        assert repr(settings.read(gone)) == repr(rest)
        if names:
            assert settings.read(bare)["env"] == {}

    tried(tally("status line in settings"), 100, 2_000, texts_like(SETTINGS), trial)


def test_slash_command_files(tally: Row) -> None:
    """A file is ccc's as written, for any path; any other change makes it the user's."""
    paths = st.text("abc/ .'\"$\\中-", max_size=12).map(lambda text: f"/{text}/ccc")
    spoil = st.tuples(paths, spoiled(st.just("")))

    def trial(case: tuple[str, str]) -> None:
        path, piece = case
        text = slash.text("supervisor", path)
        assert slash.is_ours("supervisor", text)
        assert not slash.is_ours("supervisoroff", text)
        if piece.strip():
            assert not slash.is_ours("supervisor", text + piece)
        assert isinstance(slash.is_ours("supervisor", piece), bool)

    tried(tally("slash command files"), 100, 2_000, spoil, trial)
