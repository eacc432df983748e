"""What ccc says, in the person's language; only the rooms that are needed are loaded."""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LANGUAGES = ("zh", "en")
COMMON = "common"
ROOMS = frozenset(
    (
        "clean completion count demo doctor help history init install look permit prompt provider "
        "report run show status statusline uninstall validate watch"
    ).split()
)
"""Whose messages stand in a module of their own: most are commands."""
_chosen: dict[str, str] = {}


def language(environ: "Mapping[str, str]", configured: str = "") -> str:
    """`CCC_LANG`, else the configured one, else Chinese where the locale says so, else English."""
    asked = environ.get("CCC_LANG", "").casefold()[:2]
    if asked in LANGUAGES:
        return asked
    if configured:
        return configured
    locale = environ.get("LC_ALL") or environ.get("LC_MESSAGES") or environ.get("LANG") or ""
    return "zh" if locale.casefold().startswith("zh") else "en"


def use(environ: "Mapping[str, str]", configured: str = "") -> None:
    """Speak the language that the environment and the configuration ask for."""
    _chosen["language"] = language(environ, configured)


def chosen() -> str:
    """The language that is spoken."""
    if not _chosen:
        use(os.environ)
    return _chosen["language"]


def catalogue(room: str = COMMON) -> "Mapping[str, str]":
    """The messages of a room in that language."""
    name = f"ccc.words.{chosen()}.{room}"
    __import__(name)
    known: Mapping[str, str] = sys.modules[name].WORDS
    return known


def say(message: str, **params: object) -> str:
    """A message of the catalogue; a `reason` among the parameters is one as well."""
    if isinstance(reason := params.get("reason"), str) and (found := _find(reason)):
        params["reason"] = found.format(**params)
    return text(message).format(**params)


def count(things: str, n: float) -> str:
    """So many things: `count("files", 1)` is "1 file"; the entry is `count.<things>`."""
    one, _, many = text(f"count.{things}").partition(" | ")
    return (one if n == 1 else many or one).format(n=f"{n:g}" if isinstance(n, float) else n)


def _find(message: str) -> str:
    """The message, or nothing; its first word is its room, where there is such a room."""
    room = message.partition(".")[0]
    return catalogue(room if room in ROOMS else COMMON).get(message, "")


def text(message: str) -> str:
    """A message as it stands in the catalogue."""
    if not (found := _find(message)):
        raise KeyError(message)
    return found
