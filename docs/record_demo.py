"""`make recording`: run the real `ccc demo` in a pseudo-terminal, and keep what it showed."""

import fcntl
import html
import io
import itertools
import os
import pty
import re
import struct
import sys
import termios
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

DOCS = Path(__file__).parent
CCC = Path(sys.executable).parent / "ccc"
WIDTH, HEIGHT = 84, 40
CELL = 12.2  # what rich draws for a character
TEXT = re.compile(r'(<text[^>]*) x="([^"]*)"([^>]*) textLength="[^"]*"([^>]*)>([^<]*)<')
SHORTENED = {4: 2, 6: 2, 7: 3}
"""Chapters of which the picture shows so many lines, and the last."""
# Rich's own format without its web fonts: a picture in a README must not load anything.
PICTURE = """\
<svg xmlns="http://www.w3.org/2000/svg" class="rich-terminal" viewBox="0 0 {width} {height}">
<style>
.{unique_id}-matrix {{
  font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px;
  line-height: {line_height}px;
}}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def shown(language: str) -> str:
    """What the demo shows on a terminal, without the spinners."""
    pid, screen = pty.fork()
    if pid == 0:
        env = {
            "PATH": f"{CCC.parent}:{os.environ['PATH']}",
            "HOME": "/nonexistent",
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "TTY_INTERACTIVE": "0",
            "CCC_LANG": language,
        }
        os.execve(CCC, ["ccc", "demo", "--fast"], env)
    fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
    parts = []
    try:
        while part := os.read(screen, 65536):
            parts.append(part)
    except OSError:
        pass  # the end, on Linux
    _, status = os.waitpid(pid, 0)
    if status != 0:
        sys.exit(f"ccc demo failed:\n{b''.join(parts).decode()}")
    return b"".join(parts).decode().replace("\r\n", "\n")


def shortened(lines: list[Text]) -> list[Text]:
    """The lines for the picture: of some chapters only how they begin and end, and no hints."""
    kept: list[Text] = []
    for chapter in chapters(lines):
        number = re.match(r"── (\d+)", chapter[0].plain)
        if number and int(number[1]) in SHORTENED:
            *body, blank = chapter
            kept += [*body[: SHORTENED[int(number[1])]], Text(f"{' ' * 14}…"), body[-1], blank]
        elif number or not kept:
            kept += chapter
    return kept


def chapters(lines: list[Text]) -> list[list[Text]]:
    """The lines of each chapter, its heading first."""
    found: list[list[Text]] = [[]]
    for line in lines:
        if line.plain.startswith("── "):
            found.append([])
        found[-1].append(line)
    return found


def picture(lines: list[Text]) -> str:
    """The lines as SVG."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    console.print(Text("\n").join(lines))
    drawn = console.export_svg(
        title="ccc demo", theme=MONOKAI, code_format=PICTURE, unique_id="demo"
    )
    assert not re.search(r"url\((?!#)|href|@import|https?://(?!www\.w3\.org/2000/svg)", drawn)
    return TEXT.sub(placed, drawn)


def placed(text: re.Match[str]) -> str:
    """The text with Chinese characters two cells wide each; rich takes them for one."""
    before, x, between, behind, content = text.groups()
    at, parts = float(x), []
    for _, run in itertools.groupby(html.unescape(content), lambda c: cell_len(c) == 2):
        said = "".join(run)
        length = cell_len(said) * CELL
        shown = html.escape(said, quote=False).replace("\xa0", "&#160;")
        parts.append(f'{before} x="{at:.1f}"{between} textLength="{length:.1f}"{behind}>{shown}<')
        at += length
    return "/text>".join(parts)


def record(language: str) -> None:
    """Write the picture and the text."""
    typed = Text.assemble(("$ ", "dim"), ("ccc demo", "bold"))
    seen = [typed, *Text.from_ansi(shown(language)).split("\n", allow_blank=True)]
    (DOCS / f"demo.{language}.svg").write_text(picture(shortened(seen)), "utf-8")
    text = "\n".join(line.plain.rstrip() for line in seen)
    (DOCS / f"demo.{language}.txt").write_text(f"{text.rstrip()}\n", "utf-8")


if __name__ == "__main__":
    for each in ("en", "zh"):
        record(each)
