"""Lines of a given width, for texts in which Chinese and English stand side by side."""

from rich.cells import cell_len

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rich.text import Text

_NEVER_FIRST = "，。；：！？、）》”’…,.;:!?)"
_NEVER_LAST = "（《“‘("


def wrapped(text: "Text", width: int) -> "list[Text]":
    """The text in lines: broken at spaces, and between Chinese characters."""
    lines: list[Text] = []
    for line in text.split("\n", allow_blank=True):
        lines.extend(line.divide(breaks(line.plain, width)))
    for line in lines:
        line.rstrip()
    return lines


def breaks(line: str, width: int) -> list[int]:
    """Where a line is to be broken."""
    found: list[int] = []
    start = last = 0
    for at in range(1, len(line)):
        if _may_break(line[at - 1], line[at]):
            last = at
        if cell_len(line[start : at + 1].rstrip()) > width:
            # a word that is longer than a line is cut
            start = last if last > start else at
            found.append(start)
    return found


def _may_break(before: str, after: str) -> bool:
    if after == " " or after in _NEVER_FIRST or before in _NEVER_LAST:
        return False
    return before == " " or _is_wide(before) or _is_wide(after)


def _is_wide(character: str) -> bool:
    return cell_len(character) == 2
