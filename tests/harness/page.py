"""`ccc web` as a process, and a browser without scripts."""

import http.client
import json
import re
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

from harness.project import CccProject

_FORM = re.compile(r'<form [^>]*action="([^"]+)".*?>(.*?)</form>', re.DOTALL)
_HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')


@dataclass
class Answer:
    """What the server answered."""

    status: int
    headers: dict[str, str]
    text: str


class PageServer:
    """`ccc web` on a free port, with its output in files."""

    def __init__(self, project: CccProject, *arguments: str, **env: str) -> None:
        self.project = project
        self._errors = project.root / "web-errors"
        options = arguments if "--port" in arguments else (*arguments, "--port", "0")
        with open(self._errors, "ab") as errors:
            self.process = subprocess.Popen(
                [project.ccc, "web", *options],
                cwd=project.directory,
                env={**project.env, "CCC_DEBUG": "1", **env},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        assert self.process.stdout is not None
        self.link = self.process.stdout.readline().strip()
        assert self.link, self.errors
        address = urlsplit(self.link)
        self.host, self.port = address.hostname or "", address.port or 0

    @property
    def errors(self) -> str:
        """Return what it has printed on stderr."""
        return self._errors.read_text()

    @property
    def address(self) -> str:
        """Return the address of the page, without the token."""
        return f"http://{self.host}:{self.port}"

    def next_link(self) -> str:
        """Return the last link that it has told."""
        links: list[str] = re.findall(r"http://\S+token=\S+", self.errors)
        return links[-1]

    def browser(self) -> "Browser":
        """Return a browser that has used the link."""
        visitor = Browser(self)
        visitor.get("/?" + urlsplit(self.link).query)
        assert visitor.cookies
        self.link = self.next_link()
        return visitor

    def end(self, number: int = 15) -> int:
        """End the server and return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(20)
        self.project.shown.append(("ccc web", self.errors))
        return code

    def __enter__(self) -> "PageServer":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()
        assert "Traceback" not in self.errors, self.errors


@dataclass
class Browser:
    """Keeps cookies, and sends what a browser sends."""

    server: PageServer
    cookies: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    sent: dict[str, dict[str, str]] = field(default_factory=dict)
    """The hidden fields of the forms that were sent, by their addresses."""

    def ask(
        self, method: str, path: str, body: bytes | None = None, **headers: str | None
    ) -> Answer:
        """Send a request; a header that is None isn't sent."""
        connection = http.client.HTTPConnection(self.server.host, self.server.port, timeout=20)
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        own = {**self.headers, **({"Cookie": cookie} if cookie else {})}
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {name: value for name, value in {**own, **given}.items() if value is not None}
        try:
            connection.putrequest(method, path, skip_host="Host" in sent)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            for name, value in sent.items():
                connection.putheader(name, value)
            connection.endheaders(body)
            answer = connection.getresponse()
            text = answer.read().decode()
        finally:
            connection.close()
        for name, value in answer.getheaders():
            if name == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.partition(";")[0]
        return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, text)

    def get(self, path: str, **headers: str | None) -> Answer:
        """Ask for a page."""
        return self.ask("GET", path, None, **headers)

    @property
    def form_token(self) -> str:
        """Return the token of the forms on the page."""
        match = re.search(r'name="token" value="([^"]+)"', self.get("/").text)
        assert match is not None
        return match.group(1)

    def form(self, action: str, on: str = "/") -> dict[str, str]:
        """Return the hidden fields of a form as a page shows it now; {} if it doesn't."""
        return self.form_in(self.get(on).text, action)

    def form_in(self, page: str, action: str) -> dict[str, str]:
        """Return the hidden fields of a form in the text of a page."""
        forms = dict(reversed(_FORM.findall(page)))
        return dict(_HIDDEN.findall(forms.get(action, "")))

    def submit(self, path: str, form: Mapping[str, str], **values: str) -> Answer:
        """Send a form with what the user has typed."""
        return self.send(path, urlencode({**form, **values}).encode())

    def post(self, path: str, token: str | None = None, /, **values: str) -> Answer:
        """Send a form as the page shows it, or showed it when it was sent last."""
        if token is not None:
            return self.submit(path, {"token": token}, **values)
        shown = self.form(path, on="/board" if path.startswith("/queue/") else "/")
        self.sent[path] = shown or self.sent.get(path) or {"token": self.form_token}
        return self.submit(path, self.sent[path], **values)

    def send(self, path: str, body: bytes, **headers: str | None) -> Answer:
        """Send the body of a form as the page would."""
        usual = {"Content_Type": "application/x-www-form-urlencoded", "Origin": self.server.address}
        return self.ask("POST", path, body, **{**usual, **headers})

    @contextmanager
    def events(self, view: str) -> "Iterator[Events]":
        """Open a stream of events."""
        connection = http.client.HTTPConnection(self.server.host, self.server.port, timeout=20)
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        connection.request("GET", f"/events?view={view}", headers={"Cookie": cookie})
        answer = connection.getresponse()
        try:
            yield Events(answer)
        finally:
            answer.close()
            connection.close()


@dataclass
class Events:
    """The events of an open page."""

    answer: http.client.HTTPResponse

    def next(self) -> tuple[str, Any]:
        """Wait for the next event and return its name and value."""
        name, until = "", time.monotonic() + 20
        while line := self.answer.readline().decode():
            assert time.monotonic() < until, "nothing happens"
            if line.startswith("event: "):
                name = line.removeprefix("event: ").strip()
            elif line.startswith("data: "):
                return name, json.loads(line.removeprefix("data: "))
        raise AssertionError("the stream has ended")

    def wait_for(self, text: str, seconds: float = 10.0) -> tuple[str, float]:
        """Return what is shown when it contains the text, and how long that took."""
        start = time.monotonic()
        while True:
            name, value = self.next()
            assert time.monotonic() - start < seconds, f"{text} not in {value}"
            if name == "show" and text in value:
                return value, time.monotonic() - start
