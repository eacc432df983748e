"""Requests that report the end of a task: generic JSON, ntfy, or what Slack takes."""

import base64
import contextlib
import http.client
import json
import os
import signal
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from ccc.supervision.outcome import OUTCOMES

_LOOPBACK = ("localhost", "127.", "::1")


@dataclass(frozen=True, slots=True)
class Report:
    """What a request says."""

    outcome: str
    session: str
    message: str
    project: str
    task: str
    """The number of the queue's task, or empty."""

    @classmethod
    def from_variables(cls, environ: Mapping[str, str]) -> "Report":
        """Read the variables of a notification."""
        names = ("outcome", "session", "message", "project", "task")
        return cls(**{name: environ.get(f"CCC_{name.upper()}", "") for name in names})

    @property
    def title(self) -> str:
        """The outcome and what it is about, on one line."""
        about = [os.path.basename(self.project), f"#{self.task}" if self.task else ""]
        shown = " ".join(filter(None, about))
        text = f"ccc: {self.outcome}" + (f" ({shown})" if shown else "")
        return "".join(c if c.isprintable() else " " for c in text)


def request(kind: str, url: str, report: Report) -> urllib.request.Request:
    """Return the request of that kind."""
    headers = {"User-Agent": "ccc"}
    if kind == "ntfy":
        known = OUTCOMES.get(report.outcome)
        is_good = known is not None and known.exit_code == 0
        headers |= {
            "Title": _header(report.title),
            "Tags": "white_check_mark" if is_good else "warning",
            "Priority": "default" if is_good else "high",
        }
        body = report.message or report.title
    else:
        headers["Content-Type"] = "application/json; charset=utf-8"
        slack = {"text": _slack_text(f"{report.title}\n{report.message}")}
        body = json.dumps(slack if kind == "slack" else asdict(report))
    return urllib.request.Request(url, body.encode("utf-8", "replace"), headers, method="POST")


def _header(text: str) -> str:
    """Return the text as a header can have it (RFC 2047, which ntfy decodes)."""
    if text.isascii():
        return text
    encoded = base64.b64encode(text.encode("utf-8", "replace")).decode()
    return f"=?UTF-8?B?{encoded}?="


def _slack_text(text: str) -> str:
    """Escape what would be a link or would call people: an agent may have written the text."""
    for char, escaped in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("@", "@\u200b")):
        text = text.replace(char, escaped)
    return text.strip()


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Treats a redirect as a failure: it would drop the body, and may lead to another host."""

    def redirect_request(self, *_: object) -> None:
        return None


def post(wanted: urllib.request.Request, seconds: float) -> str:
    """Send the request within that time; return the cause if it fails, without the URL."""
    is_local = host(wanted.full_url).startswith(_LOOPBACK)
    proxies = [urllib.request.ProxyHandler({})] if is_local else []
    opener = urllib.request.build_opener(_NoRedirect, *proxies)
    try:
        with _at_most(seconds), opener.open(wanted, timeout=seconds):
            return ""
    except urllib.error.HTTPError as error:
        return f"HTTP {error.code}"
    except TimeoutError:
        return f"> {seconds:g} s"
    except urllib.error.URLError as error:
        if isinstance(error.reason, TimeoutError):
            return f"> {seconds:g} s"
        return getattr(error.reason, "strerror", None) or type(error.reason).__name__
    except (OSError, http.client.HTTPException, ValueError) as error:
        return getattr(error, "strerror", None) or type(error).__name__


def host(url: str) -> str:
    """Return the host of the URL."""
    return urllib.parse.urlsplit(url).hostname or ""


@contextlib.contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Raise TimeoutError when the time is over: a socket's timeout starts anew with each byte."""

    def expire(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, expire)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
