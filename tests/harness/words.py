"""The catalogues of what ccc says, whole."""

from ccc import words


def catalogue(language: str) -> dict[str, str]:
    """Every message in a language, room after room."""
    words.use({"CCC_LANG": language})
    rooms = [words.COMMON, *sorted(words.ROOMS)]
    return {key: text for room in rooms for key, text in words.catalogue(room).items()}
