"""Texts of ccc.json, parsed, and the errors that users see."""

import json

from ccc import words
from ccc.config import schema
from ccc.config.schema import Config
from ccc.errors import CccError
from harness import catalogue

FILE = "/somewhere/ccc.json"
EN, ZH = catalogue("en"), catalogue("zh")
RESERVED = ("help", "run")


def parse(value: object) -> Config:
    """The configuration in a value."""
    text = value if isinstance(value, str) else json.dumps(value)
    return schema.parse(text, FILE, RESERVED)


def env_text(raw: str) -> str:
    """A file with one provider, and `raw` as the text of the variable A."""
    return '{"providers": {"kimi": {"env": {"A": RAW}}}}'.replace("RAW", raw)


def with_env(raw: str) -> Config:
    """The configuration in such a file."""
    return parse(env_text(raw))


def refused(text: str) -> CccError | None:
    """The error that the text is answered with, if it is."""
    try:
        parse(text)
    except CccError as error:
        return error
    return None


def said(error: CccError, language: str) -> str:
    """All that the person reads of an error."""
    words.use({"CCC_LANG": language})
    return f"{error}\n{words.say(error.hint, **error.params)}"
