"""Parse texts of ccc.json, and return the errors that users see."""

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
    """Return the configuration in a value."""
    text = value if isinstance(value, str) else json.dumps(value)
    return schema.parse(text, FILE)


def env_text(raw: str) -> str:
    """Return a file with one provider, with `raw` as the text of the variable A."""
    return '{"providers": {"kimi": {"env": {"A": RAW}}}}'.replace("RAW", raw)


def with_env(raw: str) -> Config:
    """Return the configuration in such a file."""
    return parse(env_text(raw))


def refused(text: str) -> CccError | None:
    """Return the error for the text, if there is one."""
    try:
        parse(text)
    except CccError as error:
        return error
    return None


def said(error: CccError, language: str) -> str:
    """Return everything that the user reads of an error."""
    words.use({"CCC_LANG": language})
    return f"{error}\n{error.remedy}"
