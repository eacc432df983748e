"""`make recording`: run the real `ccc demo` in a pseudo-terminal and save its output."""

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
CELL = 12.2  # the width that rich draws per character
TEXT = re.compile(r'(<text[^>]*) x="([^"]*)"([^>]*) textLength="[^"]*"([^>]*)>([^<]*)<')
LINE = re.compile(r'<text class="([^"]*)"([^>]*clip-path="url\(#demo-line-(\d+)\)")')
LINE_HEIGHT = 24.4
ROWS = 26
"""The lines that the picture shows at a time; it scrolls when there are more."""
LINE_SECONDS, HEADING_SECONDS, END_SECONDS = 0.3, 1.3, 6.0
SHORTENED = {4: 2, 6: 2, 7: 3}
"""Chapters that the picture shortens: this many lines, then the last one."""
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


def run_demo(language: str) -> str:
    """Run the demo in a terminal and return its output without spinners."""
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
        pass  # Linux signals the end this way
    _, status = os.waitpid(pid, 0)
    if status != 0:
        sys.exit(f"ccc demo failed:\n{b''.join(parts).decode()}")
    return b"".join(parts).decode().replace("\r\n", "\n")


def shorten(lines: list[Text]) -> list[Text]:
    """Return the lines of the picture: some chapters are shortened, hints are left out."""
    result: list[Text] = []
    for chapter in chapters(lines):
        number = re.match(r"── (\d+)", chapter[0].plain)
        if number and int(number[1]) in SHORTENED:
            *body, blank = chapter
            result += [*body[: SHORTENED[int(number[1])]], Text(f"{' ' * 14}…"), body[-1], blank]
        elif number or not result:
            result += chapter
    return result


def chapters(lines: list[Text]) -> list[list[Text]]:
    """Split the lines into chapters, each with its heading first."""
    result: list[list[Text]] = [[]]
    for line in lines:
        if line.plain.startswith("── "):
            result.append([])
        result[-1].append(line)
    return result


def picture(lines: list[Text]) -> str:
    """Render the lines as an animated SVG."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    console.print(Text("\n").join(lines))
    svg = console.export_svg(title="ccc demo", theme=MONOKAI, code_format=PICTURE, unique_id="demo")
    assert not re.search(r"url\((?!#)|href|@import|https?://(?!www\.w3\.org/2000/svg)", svg)
    return animate(TEXT.sub(fit_cells, svg), lines)


def animate(svg: str, lines: list[Text]) -> str:
    """Let the lines appear one after another in a window of ROWS lines that scrolls, in a loop."""
    times, now = [], 0.0
    for line in lines:
        now += HEADING_SECONDS if line.plain.startswith("── ") else LINE_SECONDS
        times.append(now)
    total = now + END_SECONDS
    steps = [f"{seconds / total * 100:.2f}%" for seconds in times]
    rules = [
        f"@keyframes l{number}{{0%{{opacity:0}}{step},to{{opacity:1}}}}"
        f".l{number}{{animation:l{number} {total:.1f}s step-end infinite}}"
        for number, step in enumerate(steps)
    ]
    scroll = "".join(
        f"{step}{{transform:translateY({(ROWS - 1 - number) * LINE_HEIGHT:.1f}px)}}"
        for number, step in enumerate(steps)
        if number >= ROWS
    )
    rules += [
        f"@keyframes scroll{{0%{{transform:none}}{scroll}}}",
        f".demo-matrix{{animation:scroll {total:.1f}s step-end infinite}}",
        "@media (prefers-reduced-motion:reduce){*{animation:none!important}}",
    ]
    svg = LINE.sub(r'<text class="\1 l\3"\2', svg)
    svg = svg.replace("</style>", "\n".join([*rules, "</style>"]), 1)
    hidden = max(0, len(lines) - ROWS) * LINE_HEIGHT
    # the picture, its frame, and what is visible of the terminal
    for height in re.findall(r'(?:viewBox="0 0 \d+|height=")\s*(\d{3,}\.?\d*)"', svg):
        svg = svg.replace(f'{height}"', f'{float(height) - hidden:.1f}"')
    return svg


def fit_cells(text: re.Match[str]) -> str:
    """Give Chinese characters two cells each; rich counts them as one."""
    before, x, between, after, content = text.groups()
    at, parts = float(x), []
    for _, run in itertools.groupby(html.unescape(content), lambda c: cell_len(c) == 2):
        part = "".join(run)
        length = cell_len(part) * CELL
        escaped = html.escape(part, quote=False).replace("\xa0", "&#160;")
        parts.append(f'{before} x="{at:.1f}"{between} textLength="{length:.1f}"{after}>{escaped}<')
        at += length
    return "/text>".join(parts)


def record(language: str) -> None:
    """Write the picture and the text."""
    prompt = Text.assemble(("$ ", "dim"), ("ccc demo", "bold"))
    lines = [prompt, *Text.from_ansi(run_demo(language)).split("\n", allow_blank=True)]
    (DOCS / f"demo.{language}.svg").write_text(picture(shorten(lines)), "utf-8")
    text = "\n".join(line.plain.rstrip() for line in lines)
    (DOCS / f"demo.{language}.txt").write_text(f"{text.rstrip()}\n", "utf-8")


if __name__ == "__main__":
    for each in ("en", "zh"):
        record(each)
