"""What ccc says, in the person's language; only that catalogue is loaded."""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LANGUAGES = ("zh", "en")
_chosen: dict[str, str] = {}


def language(environ: "Mapping[str, str]", configured: str = "") -> str:
    """`CCC_LANG`, else the configured one, else English where the locale says so, else Chinese."""
    asked = environ.get("CCC_LANG", "").casefold()[:2]
    if asked in LANGUAGES:
        return asked
    if configured:
        return configured
    locale = environ.get("LC_ALL") or environ.get("LC_MESSAGES") or environ.get("LANG") or ""
    return "en" if locale.casefold().startswith("en") else "zh"


def use(environ: "Mapping[str, str]", configured: str = "") -> None:
    """Speak the language that the environment and the configuration ask for."""
    _chosen["language"] = language(environ, configured)


def chosen() -> str:
    """The language that is spoken."""
    if not _chosen:
        use(os.environ)
    return _chosen["language"]


def catalogue() -> "Mapping[str, str]":
    """The messages in that language."""
    if chosen() == "en":
        from ccc.words.en import WORDS
    else:
        from ccc.words.zh import WORDS
    return WORDS


def say(message: str, **params: object) -> str:
    """A message of the catalogue; a `reason` among the parameters is one as well."""
    known = catalogue()
    if isinstance(reason := params.get("reason"), str) and reason in known:
        params["reason"] = known[reason].format(**params)
    return known[message].format(**params)
