"""The messages of ccc in the user's language; loads only the modules that it needs."""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LANGUAGES = ("zh", "en")
COMMON = "common"
_FILES = os.listdir(os.path.join(os.path.dirname(__file__), "en"))
ROOMS = {name[:-3] for name in _FILES if name.endswith(".py")} - {"__init__", COMMON}
"""The names with their own module of messages; most are commands."""
_REMEDY = "\n→ "
_current: dict[str, str] = {}
_choosers: "list[Callable[[], str]]" = []
"""What names the language of each text in a program with several users; at most one."""


def language(environ: "Mapping[str, str]", configured: str = "") -> str:
    """Return `CCC_LANG`, the configured language, or that of the locale (Chinese or English)."""
    asked = environ.get("CCC_LANG", "").casefold()[:2]
    if asked in LANGUAGES:
        return asked
    if configured:
        return configured
    locale = environ.get("LC_ALL") or environ.get("LC_MESSAGES") or environ.get("LANG") or ""
    return "zh" if locale.casefold().startswith("zh") else "en"


def use(environ: "Mapping[str, str]", configured: str = "") -> None:
    """Set the language from the environment and the configuration."""
    _current["language"] = language(environ, configured)


def choose_by(chooser: "Callable[[], str]") -> None:
    """Let a function name the language of each text; where it returns "", the usual one stays."""
    _choosers[:] = [chooser]


def current_language() -> str:
    """Return the current language."""
    for choose in _choosers:
        if own := choose():
            return own
    if not _current:
        use(os.environ)
    return _current["language"]


def catalogue(room: str = COMMON) -> "Mapping[str, str]":
    """Load the messages of a module in the current language."""
    name = f"ccc.words.{current_language()}.{room}"
    __import__(name)
    known: Mapping[str, str] = sys.modules[name].WORDS
    return known


def say(message: str, **params: object) -> str:
    """Format a message; a `reason` among the parameters is the key of a message too."""
    if isinstance(reason := params.get("reason"), str) and (sentence := find(reason)):
        params["reason"] = sentence.partition(_REMEDY)[0].format(**params)
    return text(message).partition(_REMEDY)[0].format(**params)


def remedy(message: str, **params: object) -> str:
    """Format what to do about a problem: the part of its message after the arrow, or ""."""
    return text(message).partition(_REMEDY)[2].format(**params)


def advice(hint: str, **params: object) -> str:
    """Format a hint: an entry of its own, or the remedy in the entry of a problem."""
    return remedy(hint, **params) or say(hint, **params)


def label(message: str) -> str:
    """Return the heading of a column as a label, not in capitals."""
    return say(message).capitalize()


def count(things: str, n: float) -> str:
    """Format a count: `count("files", 1)` is "1 file"; the entry is `count.<things>`."""
    one, _, many = text(f"count.{things}").partition(" | ")
    return (one if n == 1 else many or one).format(n=f"{n:g}" if isinstance(n, float) else n)


def find(message: str) -> str:
    """Return the message or ""; its first word names its module, if there is one.

    All messages about a limit are in one module: `stop.cost` is its `limit.stop.cost`.
    """
    room = message.partition(".")[0]
    known = catalogue(room if room in ROOMS else COMMON).get(message)
    return known or catalogue("limit").get(f"limit.{message}", "")


def text(message: str) -> str:
    """Return the unformatted message."""
    if not (template := find(message)):
        raise KeyError(message)
    return template
