"""The frame of every page: head, navigation, language, and the place of the live part."""

import html

from ccc import __version__, words
from ccc.text.values import dataclass
from ccc.ui.page.markup import LANGUAGES, escaped, say

VIEWS = ("now", "board", "history")
NAMES = {"en": "English", "zh": "中文"}


@dataclass(frozen=True, slots=True)
class Frame:
    """What a page needs besides its content."""

    view: str
    language: str
    form_token: str
    path: str = "/"
    """The address of the page, to come back to after a change of language."""
    live: str = ""
    """What the page shows as it happens; empty if nothing."""
    has_board: bool = True


def page(frame: Frame, title: str, body: str) -> str:
    """Return a whole page."""
    links = "".join(_link(view, frame) for view in VIEWS if view != "board" or frame.has_board)
    live = f' data-live="{html.escape(frame.live)}"' if frame.live else ""
    return f"""<!doctype html>
<html lang="{LANGUAGES[frame.language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escaped(title)} · ccc</title>
<link rel="icon" href="/static/icon.svg">
<link rel="stylesheet" href="/static/report.css">
<link rel="stylesheet" href="/static/web.css">
<script src="/static/web.js" defer></script>
</head>
<body>
<a class="skip" href="#content">{say("web.skip")}</a>
<header class="bar"><strong>ccc</strong>
<nav aria-label="{say("web.pages")}">{links}</nav>
<span id="connection" role="status" data-lost="{say("web.lost")}"></span>
{_languages(frame)}</header>
<main id="content" tabindex="-1"{live}>
{body}
</main>
<p id="news" class="hidden" aria-live="polite"></p>
<footer class="foot">ccc {__version__} · <kbd>1</kbd> <kbd>2</kbd> <kbd>3</kbd> {say("web.keys")}
</footer>
</body>
</html>
"""


def _link(view: str, frame: Frame) -> str:
    here = ' aria-current="page"' if view == frame.view else ""
    address = "/" if view == "now" else f"/{view}"
    return f'<a href="{address}"{here}>{say(f"web.{view}")}</a>'


def _languages(frame: Frame) -> str:
    """Return the button that shows the page in the other language."""
    (other,) = (each for each in words.LANGUAGES if each != frame.language)
    hidden = f'<input type="hidden" name="back" value="{html.escape(frame.path)}">'
    button = f'<button name="language" value="{other}" lang="{LANGUAGES[other]}">'
    return form("/language", frame.form_token, f"{hidden}{button}{NAMES[other]}</button>")


def form(address: str, token: str, content: str, ask: str = "") -> str:
    """Return a form that acts; with `ask`, the user has to confirm it."""
    confirm = f' data-ask="{html.escape(ask)}"' if ask else ""
    hidden = f'<input type="hidden" name="token" value="{html.escape(token)}">'
    return f'<form method="post" action="{html.escape(address)}"{confirm}>{hidden}{content}</form>'


def button(address: str, token: str, label: str, ask: str = "", **values: str) -> str:
    """Return a form with one button and fixed values."""
    hidden = "".join(
        f'<input type="hidden" name="{name}" value="{html.escape(value)}">'
        for name, value in values.items()
    )
    return form(address, token, f"{hidden}<button>{escaped(label)}</button>", ask)
