"""`ccc web` as a process, and a browser without scripts."""

import http.client
import json
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

from harness.project import CccProject


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

    def form(self, action: str, on: str = "/") -> tuple[str, dict[str, str]]:
        """Return the address and the hidden fields of a form, as a page shows it now."""
        forms = re.findall(r'<form [^>]*action="([^"]+)".*?>(.*?)</form>', self.get(on).text, re.S)
        (content,) = {content for address, content in forms if address == action}
        hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', content)
        return action, dict(hidden)

    def submit(self, form: tuple[str, dict[str, str]], **values: str) -> Answer:
        """Send a form that a page showed, with what the user has typed."""
        action, fields = form
        return self.send(action, urlencode({**fields, **values}).encode())

    def post(self, path: str, token: str | None = None, /, **values: str) -> Answer:
        """Send a form of the page."""
        fields = {"token": self.form_token if token is None else token, **values}
        return self.send(path, urlencode(fields).encode())

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
