"""The complete message catalogues of ccc."""

from ccc import words
from ccc.model.outcome import HOOK, LABEL, SUMMARY, TERMINAL, Outcome


def catalogue(language: str) -> dict[str, str]:
    """Return every message in a language, that of a limit by the name by which it is found."""
    words.use({"CCC_LANG": language})
    rooms = [words.COMMON, *sorted(words.ROOMS)]
    found = {key: text for room in rooms for key, text in words.catalogue(room).items()}
    return {key.removeprefix("limit."): text for key, text in found.items()}


def messages_of(outcome: Outcome) -> set[str]:
    """Return the keys of all messages of an outcome."""
    at_stop = (TERMINAL, HOOK) if outcome.is_decision else ()
    at_end = () if outcome.exit_code is None else (SUMMARY,)
    return set(map(outcome.message, (LABEL, *at_stop, *at_end)))
