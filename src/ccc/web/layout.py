"""The frame of every page: head, navigation, language, the files and headers of an answer."""

import base64
import hashlib
import re
from pathlib import Path

from ccc import __version__, words
from ccc.ui import formatting
from ccc.ui.page import markup
from ccc.ui.page.markup import LANGUAGES, escaped, head, say

_OWN = Path(__file__).parent / "static"
TYPES = {"web.js": "text/javascript", "icon.svg": "image/svg+xml"}
"""What a browser asks for: a fixed table, so that no address can name another file."""
FILES = {name: (_OWN / name).read_bytes() for name in TYPES}
STYLE = markup.STYLE + (_OWN / "web.css").read_text("utf-8")
"""The style sheet: that of the report, and what only these pages have.

It is part of every page: a browser that had to ask for it would show nothing until then.
"""
_STYLE_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; script-src 'self'; "
    "connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
FIRST_HEADERS = {
    "Content-Security-Policy": _POLICY,
    # not no-referrer, with which a browser hides the origin of a form
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""The headers of the first page after the link, which only the user has.

`Cross-Origin-Opener-Policy` would make the browser start another process, which is slow.
"""
HEADERS = {**FIRST_HEADERS, "Cross-Origin-Opener-Policy": "same-origin"}
"""The headers of all other answers; other sites can't control a window that shows our page."""
NOW, BOARD, SESSION = "now", "board", "session/"
"""What a page can show as it happens; the last one with the id of a session."""
HISTORY = "history"
_VIEWS = (NOW, BOARD, HISTORY)
_NAMES = {"en": "English", "zh": "中文"}
_TOKEN, _BACK = "\x02", "\x03"
"""The places of a form's token and of the page that it leads back to: parts are rendered once for
all browsers. Foreign text can't contain them, because `escaped` removes control characters."""
_END = "</body>\n</html>\n"
_CLOCK = re.compile(r'(<time data-since="(\d+)">)<')


def around(
    title: str, view: str = "", *, path: str = "", has_board: bool = True, message: str = ""
) -> tuple[str, str]:
    """Return what comes before the content of a page and what comes after it.

    `view` is what it shows as it happens, or `history`; `path` its address, to come back to after a
    change of language; `message` what the last action had to say.
    """
    views = [each for each in _VIEWS if each != BOARD or has_board]
    links = "".join(_link(each, view, n) for n, each in enumerate(views, 1))
    live = f' data-live="{escaped(view)}"' if view not in ("", HISTORY) else ""
    told = f'<p class="told" role="alert">{escaped(message)}</p>' if message else ""
    # a session's own part has its heading
    heading = "" if view.startswith(SESSION) else f'<h1 tabindex="-1">{escaped(title)}</h1>'
    lost, restarted, close = say("web.lost"), say("web.restarted"), say("web.close")
    keys = " ".join(f"<kbd>{n}</kbd>" for n, _ in enumerate(views, 1))
    before = f"""{_head(title)}
<a class="skip" href="#content">{say("web.skip")}</a>
<header class="bar"><strong>ccc</strong>
<nav aria-label="{say("web.pages")}">{links}</nav>
<span id="connection" role="status" data-lost="{lost}" data-restarted="{restarted}"
data-close="{close}"></span>
{_other_language() if path else ""}</header>
<main id="content" tabindex="-1">{told}{heading}<div id="live"{live}>"""
    after = f"""</div></main>
<p id="news" class="hidden" aria-live="polite"></p>
<footer class="foot">ccc {__version__} <span class="keys">· {keys} {say("web.keys")}</span></footer>
{_END}"""
    return before, after


def paragraphs(text: str) -> str:
    """Return a paragraph for each line of a text."""
    return "".join(f"<p>{escaped(part)}</p>" for part in text.split("\n") if part)


def refusal(title: str, text: str, asks: bool = False) -> str:
    """Return a small page for those who aren't let in: why, and if wanted a field for the token."""
    field = f"""<form class="search" method="post" action="/enter">
<label for="token">{say("web.token")}</label>
<input id="token" name="token" type="password" autocomplete="off" required>
<button>{say("web.enter_button")}</button></form>"""
    return f"""{_head(title)}
<header class="bar"><strong>ccc</strong></header>
<main id="content" class="small"><h1>{escaped(title)}</h1>{paragraphs(text)}
{field if asks else ""}</main>
{_END}"""


def redirect() -> str:
    """Return a page that leads to the first one by itself."""
    start = head('<meta http-equiv="refresh" content="0;url=/">\n<title>ccc</title>')
    return f"""{start}<p><a href="/">{say("web.go_in")}</a></p>
{_END}"""


def _head(title: str) -> str:
    return head(f"""<title>{escaped(title)} · ccc</title>
<link rel="icon" href="/static/icon.svg">
<style>{STYLE}</style>
<script src="/static/web.js" defer></script>""")


def with_forms(text: str, form_token: str, path: str) -> str:
    """Return a page or a part of one with the token of a browser's forms, and the page's path."""
    return text.replace(_TOKEN, form_token).replace(_BACK, escaped(path))


def with_clocks(text: str, now: float) -> str:
    """Return a page with its running clocks as they are now, which only scripts let run.

    The stream has none: it would differ every second.
    """
    return _CLOCK.sub(lambda found: f"{found[1]}{formatting.clock(now - int(found[2]))}<", text)


def path_of(view: str) -> str:
    """Return the path of a view's page."""
    return "/" if view == NOW else f"/{view}"


def _link(view: str, shown: str, key: int) -> str:
    here = ' aria-current="page"' if view == shown else ""
    return f'<a href="{path_of(view)}" data-shortcut="{key}"{here}>{say(f"web.{view}")}</a>'


def _other_language() -> str:
    (other,) = (each for each in words.LANGUAGES if each != words.current_language())
    button = f'<button name="language" value="{other}" lang="{LANGUAGES[other]}">'
    return form("/language", f"{button}{_NAMES[other]}</button>")


def form(address: str, content: str, confirm: str = "", **values: str) -> str:
    """Return a form that acts, with fixed values, and leads back to the page that it is on."""
    given = {name: escaped(value) for name, value in values.items()}
    hidden = "".join(
        f'<input type="hidden" name="{name}" value="{value}">'
        for name, value in {"token": _TOKEN, "back": _BACK, **given}.items()
    )
    return f'<form method="post" action="{escaped(address)}"{confirm}>{hidden}{content}</form>'


def button(address: str, label: str, ask: str = "", about: str = "", **values: str) -> str:
    """Return a form with one button and fixed values; with `ask`, the user has to confirm it.

    `about` names its object for listeners.
    """
    name = f' aria-label="{escaped(label)} {escaped(about)}"' if about else ""
    confirm = (
        f' data-ask="{escaped(ask)}" data-do="{escaped(label)}" data-back="{say("web.go_back")}"'
    )
    content = f"<button{name}>{escaped(label)}</button>"
    return form(address, content, confirm if ask else "", **values)
