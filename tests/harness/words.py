"""The complete message catalogues of ccc."""

from ccc import words


def catalogue(language: str) -> dict[str, str]:
    """Return every message in a language."""
    words.use({"CCC_LANG": language})
    rooms = [words.COMMON, *sorted(words.ROOMS)]
    return {key: text for room in rooms for key, text in words.catalogue(room).items()}
