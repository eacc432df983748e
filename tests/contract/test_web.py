"""`ccc web` as a process: who gets in, what is refused, what is shown, and what actions do."""

import base64
import hashlib
import json
import os
import re
import signal
import socket
import sys
import time
from pathlib import Path

import pytest
from board import get, put, standin
from looking import DONE, LANGUAGES, QUIET, SENT_BACK, at_work

from ccc.backlog import locks, settings
from ccc.backlog.database import Database
from ccc.backlog.task import CANCELLED, FAILED, NEEDS_INPUT, RUNNING, WAITING
from ccc.commands import web
from ccc.errors import CccError
from ccc.storage.paths import Paths
from harness import KEY, CccProject
from harness.page import Answer, Browser, PageServer
from harness.processes import wait_until
from harness.records import Records, answered, called, init, receipt, said, story, verdict

EVIL = "<script>alert(1)</script><img src=x onerror=y>\x1b]0;t\x07\"'`\x02"
MARKUP = ("<script>alert", "<img src=x")
HEADERS = {
    *("content-security-policy", "referrer-policy", "x-content-type-options", "x-frame-options"),
    *("cross-origin-opener-policy", "cross-origin-resource-policy", "cache-control"),
}
RUN = {"task": "Port the importer", "cwd": "/home/somebody", "phase": "agent"}


class TestEntry:
    """The link, the token and the cookie."""

    def test_the_link(self, server: PageServer) -> None:
        """It lets one browser in, with a cookie that only this server's pages send."""
        visitor = Browser(server)
        answer = visitor.get(server.link.removeprefix(server.address), Sec_Fetch_Site="none")
        assert (answer.status, answer.headers["location"]) == (303, "/")
        cookie = answer.headers["set-cookie"]
        assert re.match(rf"ccc_web_{server.port}_[0-9a-f]{{8}}=", cookie)
        month = f"Max-Age={30 * 86_400}"
        assert {"HttpOnly", "Path=/", "SameSite=strict", month} <= {*cookie.split("; ")}
        assert visitor.get("/").status == 200

    def test_a_used_link(self, server: PageServer) -> None:
        """A second browser needs the next link, which the terminal tells."""
        used, other = server.link, Browser(server)
        server.browser()
        refused = other.get(used.removeprefix(server.address))
        assert (refused.status, other.cookies) == (401, {})
        assert "was used already" in refused.text
        assert server.link != used
        server.browser()

    @pytest.mark.parametrize("path", ["/", "/board", "/history", f"/session/{DONE}", "/?token=x"])
    def test_without_a_cookie(self, server: PageServer, path: str) -> None:
        """Others see how to get in, and nothing else."""
        (name,) = server.browser().cookies
        for cookies in ({}, {name: "x" * 32}, {name: "é"}):
            answer = Browser(server, cookies).get(path)
            assert answer.status == 401
            assert "terminal" in answer.text
            assert "importer" not in answer.text

    def test_typing_the_token(self, server: PageServer) -> None:
        """The token can also be typed on that page, but not sent by another one."""
        token = server.link.partition("token=")[2]
        visitor, body = Browser(server), f"token={token}".encode()
        assert visitor.send("/enter", body, Origin="http://evil.example").status == 403
        assert visitor.send("/enter", b"token=wrong").status == 401
        assert visitor.send("/enter", body, Sec_Fetch_Site="same-origin").status == 303
        assert visitor.get("/").status == 200

    def test_files_are_public(self, server: PageServer) -> None:
        """Script and icon need no cookie; other files have no address."""
        visitor = Browser(server)
        for name in ("web.js", "icon.svg"):
            assert visitor.get(f"/static/{name}").status == 200
        for name in (
            "x",
            "web.css",
            "../app.py",
            "%2e%2e/app.py",
            "..%2fapp.py",
            "web.js/",
            "//etc",
        ):
            assert visitor.get(f"/static/{name}").status == 404

    def test_a_restart(self, server: PageServer, visitor: Browser) -> None:
        """A new server on the port knows the browser, as long as the key is the same."""
        file = server.project.claude_dir / "ccc" / "web-key"
        key = file.read_text()
        assert file.stat().st_mode & 0o777 == 0o600
        assert server.end() == 0
        with PageServer(server.project, "--port", str(server.port)) as other:
            visitor.server = other
            assert visitor.get("/").status == 200
            assert visitor.post("/language", language="zh", back="/").status == 303
            other.end()
        file.unlink()
        with PageServer(server.project, "--port", str(server.port)) as other:
            visitor.server = other
            assert visitor.get("/").status == 401
            other.browser()
        assert file.read_text() != key

    @pytest.mark.parametrize("content", ["", "[]", "a" * 65, "\x00"])
    def test_a_wild_key(self, stubbed: CccProject, content: str) -> None:
        """What isn't a key lets nobody in, and hinders nobody."""
        file = stubbed.claude_dir / "ccc" / "web-key"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
        with PageServer(stubbed) as server:
            assert Browser(server).get("/").status == 401
            assert server.browser().get("/").status == 200

    def test_two_servers(self, server: PageServer, visitor: Browser) -> None:
        """A browser can use both, and the cookie of one doesn't open the other."""
        with PageServer(server.project) as other:
            second = Browser(other, visitor.cookies)
            second.get(other.link.removeprefix(other.address))
            assert len(visitor.cookies) == 2
            assert visitor.get("/").status == second.get("/").status == 200
            swapped = dict(zip(visitor.cookies, reversed(visitor.cookies.values()), strict=True))
            for each in (server, other):
                assert Browser(each, swapped).get("/").status == 401

    def test_only_the_headers(self, server: PageServer) -> None:
        """HEAD uses nothing up: neither the link nor a message, and it opens no stream."""
        visitor, link = Browser(server), server.link.removeprefix(server.address)
        assert visitor.ask("HEAD", link).status == 401
        visitor = server.browser()
        visitor.post("/session/unknown-1/supervise", word="on")
        for path in ("/", "/board", "/history", "/events?view=now", "/static/web.js"):
            answer = visitor.ask("HEAD", path)
            assert (answer.status, answer.text) == (200, ""), path
        assert visitor.ask("HEAD", "/events?view=x").status == 404
        assert visitor.ask("HEAD", "/queue/pause").status == 405
        assert "unknown-1" in visitor.get("/").text
        assert visitor.get("/").status == 200


class TestRefusals:
    """Requests that no page of the server sends."""

    @pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "", "127.0.0.1.x:1"])
    def test_a_foreign_name(self, visitor: Browser, host: str) -> None:
        """A name that only points to this machine is refused, with and without a cookie."""
        for path in ("/", "/static/web.js", "/events?view=now"):
            answer = visitor.get(path, Host=host)
            assert answer.status == 400
            assert "importer" not in answer.text

    @pytest.mark.parametrize(
        "headers",
        [
            {"Origin": "http://evil.example"},
            {"Origin": "null"},
            {"Origin": None},
            {"Sec_Fetch_Site": "cross-site"},
            {"Sec_Fetch_Site": "same-site"},
        ],
    )
    def test_a_foreign_page(self, visitor: Browser, headers: dict[str, str | None]) -> None:
        """Another page can't act, even with the cookie and the form's token."""
        body = f"token={visitor.form_token}&word=off".encode()
        address = f"/session/{DONE}/supervise"
        assert visitor.send(address, body, **headers).status == 403

    def test_a_foreign_page_gets_no_events(self, visitor: Browser) -> None:
        """Nor can it read the stream."""
        assert visitor.get("/events?view=now", Sec_Fetch_Site="cross-site").status == 403
        assert visitor.get("/events?view=now", Origin="http://evil.example").status == 403

    def test_forms(self, server: PageServer, visitor: Browser) -> None:
        """A form needs its browser's token, and no more than it can have."""
        other, address = server.browser(), f"/session/{DONE}/supervise"
        for token in ("", "x", other.form_token):
            assert visitor.post(address, token, word="off").status == 403
        assert visitor.send(address, b"a=" + b"x" * 70_000).status == 413
        assert visitor.send(address, b"a=1&" * 100).status == 400
        assert visitor.send(address, b"\xff").status == 400
        assert visitor.send(address, b"{}", Content_Type="application/json").status == 400
        assert Browser(server).send(address, b"token=x").status == 401

    def test_methods_and_paths(self, visitor: Browser) -> None:
        """Actions aren't pages, pages aren't actions, and there is nothing else."""
        for path in (f"/session/{DONE}/stop", "/language", "/queue/pause", "/enter"):
            assert visitor.get(path).status == 405
        for method in ("POST", "PUT", "DELETE", "PATCH", "TRACE", "X"):
            assert visitor.ask(method, "/").status == 405
        token = visitor.form_token
        for path in (
            "/queue/drop",
            "/queue/99999999999/cancel",
            "/queue/1/drop",
            "/queue/x/cancel",
        ):
            assert visitor.post(path, token).status in (404, 405)
        assert visitor.post(f"/session/{DONE}/drop", token).status == 404
        for path in (
            "/x",
            "//",
            "/..",
            "/session/",
            "/session/..%2f..%2fetc",
            "/session/x",
            "/a%00",
        ):
            assert visitor.get(path).status == 404
        assert visitor.get("/events?view=../x").status == 404

    def test_headers(self, visitor: Browser) -> None:
        """Every answer has the headers; nothing says which server it is."""
        answers = [visitor.get(path) for path in ("/", "/x", "/static/web.js", "/history")]
        answers += [visitor.get("/", Host="evil"), visitor.post("/language", "x")]
        answers.append(visitor.send("/language", b"x" * 70_000))
        for answer in answers:
            assert answer.headers.keys() >= HEADERS
            assert "server" not in answer.headers
            policy = answer.headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy

    def test_a_page_that_asks_for_ours(self, visitor: Browser) -> None:
        """It doesn't take the message that waits for the user."""
        visitor.post("/session/unknown-1/supervise", word="on")
        assert visitor.get("/", Sec_Fetch_Site="same-site").status == 200
        assert "unknown-1" in visitor.get("/").text
        assert "unknown-1" not in visitor.get("/").text

    def test_the_style_sheet(self, visitor: Browser) -> None:
        """The policy allows the style sheet of the page, and no other."""
        for path in ("/", "/board", "/history", "/x"):
            answer = visitor.get(path)
            (style,) = re.findall("<style>(.*?)</style>", answer.text, re.DOTALL)
            digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
            policy = answer.headers["content-security-policy"]
            assert f"style-src 'sha256-{digest}';" in policy
            assert '<link rel="stylesheet"' not in answer.text

    def test_who_opened_the_window(self, server: PageServer) -> None:
        """Other sites can't control a window that shows our page.

        The first page after the link doesn't need the header, because only the user has the link.
        """
        name, visitor = "cross-origin-opener-policy", Browser(server)
        query = server.link.partition("/?")[2]
        assert name not in visitor.get(f"/?{query}", Sec_Fetch_Site="none").headers
        assert visitor.get("/", Sec_Fetch_Site="cross-site").headers[name] == "same-origin"
        assert name not in visitor.get("/", Sec_Fetch_Site="none").headers
        for asked_by in ("none", "same-origin", "same-site", None):
            assert visitor.get("/", Sec_Fetch_Site=asked_by).headers[name] == "same-origin"

    @pytest.mark.parametrize(("language", "text"), [("en", "Open the page"), ("zh", "打开页面")])
    def test_a_link_on_another_page(self, server: PageServer, language: str, text: str) -> None:
        """It opens a small page first: after a redirect the browser wouldn't send the cookie.

        The same happens if the browser doesn't say where the link was.
        """
        visitor = Browser(server, headers={"Accept-Language": language})
        query = server.link.partition("/?")[2]
        answer = visitor.get(f"/?{query}", Sec_Fetch_Site="cross-site")
        assert answer.status == 200
        assert text in answer.text
        assert 'content="0;url=/"' in answer.text
        assert visitor.get("/", Sec_Fetch_Site="same-origin").status == 200

    def test_back_to_a_page(self, visitor: Browser) -> None:
        """An action leads back to a page of its own."""
        token = visitor.form_token
        for back in (
            "//evil.example",
            "http://evil.example",
            "/\\evil",
            "/x",
            "/board\r\nX: y",
            "",
        ):
            answer = visitor.post("/language", token, language="en", back=back)
            assert answer.headers["location"] == "/"
        for back in ("/board", f"/session/{DONE}", "/history?q=a+b&page=2"):
            answer = visitor.post("/language", token, language="en", back=back)
            assert answer.headers["location"] == back


def looks(visitor: Browser) -> dict[str, Answer]:
    """Return every page, and the parts that are sent as they change."""
    pages = {path: visitor.get(path) for path in ("/", "/board", "/history", f"/session/{DONE}")}
    for view in ("now", "board", f"session/{DONE}"):
        with visitor.events(view) as events:
            pages[view] = Answer(200, {}, events.next()[1])
    return pages


class TestShown:
    """What the pages show."""

    def test_foreign_text(self, stubbed: CccProject, records: Records, queue: Database) -> None:
        """Markup of a model, a check or a repository is text on every page."""
        put(queue, text=EVIL, state=NEEDS_INPUT, detail=EVIL, branch=EVIL, providers=(EVIL,))
        put(queue, text=EVIL, state=FAILED, outcome=EVIL, repo=EVIL, session=f'"{EVIL}')
        put(queue, state="completed", branch=EVIL, provider=EVIL, runs=1, cost_source=EVIL)
        signal = {"name": EVIL, "severity": EVIL, "summary": EVIL, "output": EVIL, "file": EVIL}
        checks = [receipt(EVIL, 1, 1.0, EVIL), {**signal, "passed": True}]
        more = {"provider": EVIL, "model": EVIL, "cwd": f"/{EVIL}", "request": EVIL}
        lines = [verdict(1, 10, EVIL, EVIL, receipts=checks, failure=EVIL, tokens={"input": 1})]
        lines[0] |= {"output": [0, 1 << 20], "agent_model": EVIL, "request": EVIL}
        asks = {"outcome": "needs_user", "feedback": [EVIL], "requests": [EVIL]}
        records.add(SENT_BACK, lines, **more, **asks)
        stop = at_work("checking", EVIL, receipts=checks)
        ran = called("Bash", command=EVIL), answered(EVIL), called(EVIL, "u", file_path=EVIL)
        records.append(DONE, "output.jsonl", init(), *ran, said(EVIL))
        records.append(DONE, "agent.jsonl", init(), said(EVIL), called(EVIL, command=EVIL))
        records.add(DONE, lines, **{**more, **stop, "outcome": EVIL})
        with PageServer(stubbed) as server:
            visitor = server.browser()
            visitor.headers["Accept-Language"] = "en"
            pages = looks(visitor) | {"search": visitor.get("/history?q=%3Cscript%3Ealert(1)")}
            assert visitor.get("/history?q=%22%3E%3Cimg%20src=x").status == 200
        for name, page in pages.items():
            assert page.status == 200, name
            assert not [part for part in MARKUP if part in page.text], name
            assert "\x1b" not in page.text
            assert "\x02" not in page.text
        for name in ("/", "/board", "/history", "now", "board", f"session/{DONE}"):
            assert "&lt;script&gt;alert(1)" in pages[name].text, name

    @pytest.mark.key_in("home/.claude/ccc/*")
    def test_no_key(self, stubbed: CccProject, records: Records, queue: Database) -> None:
        """No page has a key of the configuration, whatever is on record, nor half of one."""
        assert KEY in stubbed.read(".claude/ccc.json")
        later = "later-0123456789abcdef"
        hide = f"{KEY} {later}"
        coloured = f"{KEY[:7]}\x1b[31m{KEY[7:]}"
        planted = f"{hide} {coloured} {'x' * 260}{hide}"  # a title ends within the last one
        asks = {"text": planted, "detail": planted, "branch": hide, "outcome": hide, "repo": hide}
        put(queue, state=NEEDS_INPUT, **asks)
        put(queue, state=FAILED, providers=(hide,), **asks)
        put(queue, state="completed", provider=hide, runs=1, cost_source=hide, **asks)
        checks = [receipt(hide, 1, 1.0, planted)]
        lines = [verdict(1, 10, "not_completed", planted, receipts=checks, failure=planted)]
        lines[0]["output"] = [0, 1 << 20]
        more = {"provider": hide, "model": hide, "cwd": f"/{hide}", "request": planted}
        asks = {"outcome": "needs_user", "feedback": [planted], "requests": [planted]}
        records.add(SENT_BACK, lines, **more, **asks)
        records.add(DONE, lines, **more, **at_work("checking", hide, receipts=checks))
        review = (init(), called("Bash", command=hide), answered(f"{planted}\n" * 300), said(hide))
        for session in (DONE, SENT_BACK):
            records.append(session, "output.jsonl", *review)
            records.append(session, "agent.jsonl", init(), said(planted))
        with PageServer(stubbed) as server:
            visitor = server.browser()
            before = looks(visitor) | {"other": visitor.get(f"/session/{SENT_BACK}")}
            assert any(later in page.text for page in before.values())
            config = stubbed.json(".claude/ccc.json")
            config["providers"]["later"] = {"env": {"ANTHROPIC_AUTH_TOKEN": later}}
            (stubbed.claude_dir / "ccc.json").write_text(json.dumps(config))
            after = looks(visitor) | {"other": visitor.get(f"/session/{SENT_BACK}")}
        for name, page in (
            before | {f"{name} later": page for name, page in after.items()}
        ).items():
            assert page.status == 200
            assert "••••••••" in page.text, name
            assert KEY[:12] not in page.text, name
            assert KEY[-12:] not in page.text, name
        assert not [name for name, page in after.items() if later[:12] in page.text]

    @LANGUAGES
    def test_languages(self, server: PageServer, visitor: Browser, language: str) -> None:
        """The browser's language, until the user chooses one; also for refusals."""
        tag, other = ("zh-CN,zh;q=0.9", "en") if language == "zh" else ("en-GB", "zh")
        visitor.headers["Accept-Language"] = tag
        now = {"en": ">Now</h1>", "zh": ">现在</h1>"}
        assert now[language] in visitor.get("/").text
        missing = {"en": "Not found", "zh": "找不到"}
        assert missing[language] in visitor.get("/x").text
        assert visitor.post("/language", language=other, back="/").status == 303
        assert now[other] in visitor.get("/").text
        assert missing[other] in visitor.get("/x").text
        visitor.post("/language", language="fr", back="/")
        assert now[other] in visitor.get("/").text

    def test_another_language_than_the_terminal(self, stubbed: CccProject) -> None:
        """A browser that wants neither language gets the terminal's."""
        with PageServer(stubbed, CCC_LANG="zh") as server:
            visitor = server.browser()
            assert "现在" in visitor.get("/", Accept_Language="fr, de;q=0.9").text
            wait_until(lambda: "供另一个浏览器使用的链接" in server.errors)

    def test_history(self, stubbed: CccProject, records: Records) -> None:
        """Past sessions can be searched, and have pages."""
        for number in range(60):
            request = f"Task number {number} {'odd' if number % 2 else 'even'}"
            records.add(f"s{number}", [], time.time() - number, request=request)
        with PageServer(stubbed) as server:
            visitor = server.browser()
            first = visitor.get("/history").text
            assert "Task number 0 " in first
            assert "Task number 59 " not in first
            assert "Task number 59 " in visitor.get("/history?page=2").text
            found = visitor.get("/history?q=odd+NUMBER+59").text
            assert found.count("/session/") == 1
            assert "No session matches" in visitor.get("/history?q=nothing-like-it").text
            for page in ("0", "-1", "x", "99999999", "%C2%B2"):
                assert visitor.get(f"/history?page={page}").status == 200

    def test_what_waits(self, stubbed: CccProject, records: Records, queue: Database) -> None:
        """Questions come first, with the way to answer."""
        asks = {"outcome": "needs_user", "feedback": ["What was sent back."], "cwd": "/a b"}
        lines = [*story()[:2], verdict(3, 300, "needs_user", "Which of the two?")]
        records.add(DONE, lines, run={**RUN, "outcome": "needs_user"}, **asks)
        records.add(SENT_BACK, lines, **asks)
        records.add(QUIET, [])
        task = put(queue, state=NEEDS_INPUT, detail="Old or new?", session="other")
        with PageServer(stubbed) as server:
            text = server.browser().get("/").text
        assert text.index("Waiting for you") < text.index("Old or new?") < text.index("Rounds")
        assert text.count("Which of the two?") == 2
        assert "What was sent back." not in text
        assert "cd &#x27;/a b&#x27; &amp;&amp; ccc run --continue" in text
        assert f"ccc kimi --resume {SENT_BACK}" in text
        assert f'action="/queue/{task.id}/answer"' in text


class TestEvents:
    """The stream of an open page."""

    def test_a_change_arrives(self, visitor: Browser, three_sessions: Records) -> None:
        """A change of a session is on the page within two seconds."""
        with visitor.events("now") as events:
            events.wait_for("importer")
            three_sessions.change(DONE, count=6, **at_work("checking", "make slow-check"))
            _, took = events.wait_for("make slow-check")
            assert took < 2
            three_sessions.append(DONE, "output.jsonl", init(), said("I look at the parser."))
            _, took = events.wait_for("I look at the parser.")
            assert took < 2

    def test_a_session(self, visitor: Browser, three_sessions: Records) -> None:
        """A session's page changes with its records, also when they are removed."""
        with visitor.events(f"session/{SENT_BACK}") as events:
            events.wait_for("README.md")
            line = {**story()[3], "feedback": "Now the last thing."}
            three_sessions.append(SENT_BACK, "verdicts.jsonl", line)
            events.wait_for("Now the last thing.")
            for path in three_sessions.directory.glob(f"supervisor-{SENT_BACK}*"):
                path.unlink()
            events.wait_for("were removed")
            three_sessions.add(SENT_BACK, story()[:1])
            events.wait_for("make test")
        assert visitor.get("/").status == 200

    def test_rotated_files(self, visitor: Browser, three_sessions: Records) -> None:
        """Files that are replaced, truncated or spoilt while they are shown do no harm."""
        three_sessions.change(DONE, **at_work())
        with visitor.events("now") as events:
            events.wait_for("importer")
            for name in ("output.jsonl", "verdicts.jsonl"):
                file = three_sessions.file(DONE, name)
                file.rename(file.with_suffix(".1"))
                file.write_text("{spoilt\n\xff")
            three_sessions.append(DONE, "output.jsonl", "\n", init(), said("After the rotation."))
            events.wait_for("After the rotation.")
            state = three_sessions.directory / f"supervisor-{SENT_BACK}.json"
            state.write_text("{spoilt")
            three_sessions.append(DONE, "output.jsonl", said("Still here."))
            events.wait_for("Still here.")

    def test_many_pages(self, server: PageServer, visitor: Browser) -> None:
        """Twenty pages get the same; after the last is closed, nothing is looked at."""
        streams = [visitor.events("now") for _ in range(20)]
        opened = [each.__enter__() for each in streams]
        for events in opened:
            events.wait_for("importer")
        time.sleep(1.5)
        assert context_switches(server.process.pid, 2.5) > 1
        for each in streams:
            each.__exit__(None, None, None)
        time.sleep(1.5)
        assert context_switches(server.process.pid, 2.5) == 0

    def test_a_record_that_is_no_file(self, visitor: Browser, three_sessions: Records) -> None:
        """A pipe or a device in place of a record doesn't keep the pages waiting."""
        directory = three_sessions.directory
        names = ("verdicts.jsonl", "output.jsonl", "agent.jsonl")
        records = [three_sessions.file(SENT_BACK, name) for name in names]
        for pipe in (directory / "supervisor-pipe.json", *records):
            pipe.unlink(missing_ok=True)
            os.mkfifo(pipe)
        device = directory / "supervisor-device.json"
        device.symlink_to("/dev/zero")
        start = time.monotonic()
        for path in ("/", "/history", f"/session/{SENT_BACK}"):
            assert visitor.get(path).status == 200
        for session in ("pipe", "device"):
            assert visitor.get(f"/session/{session}").status == 404
        with visitor.events("now") as events:
            events.wait_for("importer")
        assert time.monotonic() - start < 5
        device.unlink()  # an endless file, also for whoever looks after the test

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_the_end(self, server: PageServer, visitor: Browser, number: int) -> None:
        """The server ends at once and quietly, with open pages."""
        with visitor.events("now") as events:
            events.next()
            start = time.monotonic()
            assert server.end(number) == 0
            assert time.monotonic() - start < 2
        assert server.errors.count("\n") == 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_end_before_the_beginning(stubbed: CccProject, number: int) -> None:
    """It also ends quietly while it is still loading."""
    with PageServer(stubbed) as server:
        assert server.end(number) == 0


def context_switches(pid: int, seconds: float) -> int:
    """Return how often the process's worker thread has run, which looks at the sessions."""

    def count() -> int:
        total = 0
        for task in Path(f"/proc/{pid}/task").iterdir():
            if task.name != str(pid):
                status = (task / "status").read_text()
                total += int(status.partition("voluntary_ctxt_switches:")[2].split()[0])
        return total

    before = count()
    time.sleep(seconds)
    return count() - before


class TestActions:
    """What a person can do."""

    def test_supervision(
        self, stubbed: CccProject, visitor: Browser, three_sessions: Records
    ) -> None:
        """It is switched as `ccc supervisor-mode` does, and the journal says so."""
        three_sessions.change(SENT_BACK, **at_work())

        def enabled() -> object:
            return stubbed.json(f".claude/ccc/supervisor-{SENT_BACK}.json")["enabled"]

        address, back = f"/session/{SENT_BACK}/supervise", f"/session/{SENT_BACK}"
        answer = visitor.post(address, word="off", back=back)
        assert (answer.status, answer.headers["location"], enabled()) == (303, back, False)
        assert "Turn supervision on" in visitor.get("/").text
        visitor.post(address, word="on")
        assert enabled() is True
        log = stubbed.read(".claude/ccc/hook-invocation.log")
        assert [line.split()[2] for line in log.splitlines()] == ["off", "on"]

    def test_no_such_session(self, visitor: Browser, three_sessions: Records) -> None:
        """An unknown session isn't created; the next page says what is wrong, once."""
        before = {path.name for path in three_sessions.directory.iterdir()}
        token = visitor.form_token
        assert visitor.post("/session/unknown-1/supervise", token, word="on").status == 303
        assert visitor.post("/session/..%2fx/supervise", token, word="on").status == 404
        assert {path.name for path in three_sessions.directory.iterdir()} == before
        assert "no session begins with unknown-1" in visitor.get("/history").text
        assert "unknown-1" not in visitor.get("/history").text

    def test_stopping_a_run(self, visitor: Browser, three_sessions: Records) -> None:
        """It is interrupted as by Ctrl-C, after a question."""
        with standin("ccc", "run") as process:
            three_sessions.change(DONE, pid=process.pid, run=RUN, outcome="", stop={})
            wait_until(lambda: "Stop the run" in visitor.get("/").text)
            address = f"/session/{DONE}/stop"
            asked = visitor.post(address)
            assert asked.status == 200
            assert "Stop this run?" in asked.text
            assert process.poll() is None
            assert visitor.post(address, sure="yes").status == 303
            assert process.wait(10) == 7
        visitor.post(address, sure="yes")
        assert "any more" in visitor.get("/").text

    @pytest.mark.parametrize(
        "words",
        [("sleep",), ("ccc", "status"), ("/home/me/ccc/prune.py",), ("vim", "ccc/running.md")],
    )
    def test_only_a_run_is_stopped(
        self, visitor: Browser, three_sessions: Records, words: tuple[str, ...]
    ) -> None:
        """Another process that got the number isn't touched, nor a run that has ended."""
        with standin(*words) as process:
            three_sessions.change(DONE, pid=process.pid, run=RUN, outcome="", stop={})
            visitor.post(f"/session/{DONE}/stop", sure="yes")
            assert "any more" in visitor.get("/").text
            assert process.poll() is None
        with standin("ccc", "run") as process:
            ended = {**RUN, "outcome": "completed"}
            three_sessions.change(DONE, pid=process.pid, run=ended)
            visitor.post(f"/session/{DONE}/stop", sure="yes")
            time.sleep(0.3)
            assert process.poll() is None

    def test_the_queue(self, stubbed: CccProject, queue: Database) -> None:
        """Tasks are answered, cancelled, retried and moved; the queue is paused and resumed."""
        asks = put(queue, state=NEEDS_INPUT, detail="Old or new?")
        waits, last, failed = put(queue), put(queue), put(queue, state=FAILED)
        where = Paths(stubbed.env | {"CLAUDE_CONFIG_DIR": str(stubbed.claude_dir)})
        worker = locks.WorkerLock(queue, where, 1)
        runs = put(queue, state=RUNNING, worker=worker.name, started_at=time.time())
        orphan = put(queue, state=RUNNING, worker="gone", started_at=time.time())
        with PageServer(stubbed) as server:
            visitor = server.browser()
            assert visitor.post(f"/queue/{asks.id}/answer", text=" The new\r\none. ").status == 303
            assert (get(queue, asks).state, get(queue, asks).message) == (WAITING, "The new\none.")
            visitor.post(f"/queue/{last.id}/move", to="first")
            assert get(queue, last).priority > get(queue, waits).priority
            address = f"/queue/{waits.id}/cancel"
            question = visitor.post(address)
            assert question.status == 200
            assert get(queue, waits).state == WAITING
            visitor.submit(address, visitor.form_in(question.text, address))
            assert get(queue, waits).state == CANCELLED
            visitor.post(f"/queue/{runs.id}/cancel", sure="yes")
            assert get(queue, runs).is_cancelled
            visitor.post(f"/queue/{orphan.id}/cancel", sure="yes")
            assert get(queue, orphan).state == CANCELLED
            visitor.post(f"/queue/{failed.id}/retry")
            assert get(queue, failed).state == WAITING
            for verb, is_paused in (("pause", True), ("resume", False)):
                visitor.post(f"/queue/{verb}")
                with queue.read() as connection:
                    assert settings.load(connection).is_paused is is_paused

    def test_what_the_queue_refuses(self, stubbed: CccProject, queue: Database) -> None:
        """The page says why something can't be done."""
        task = put(queue, state="completed")
        with PageServer(stubbed) as server:
            visitor = server.browser()
            for verb in ("cancel", "retry", "move"):
                given = {"sure": "yes", "back": "/board", "seen": task.stage}
                visitor.post(f"/queue/{task.id}/{verb}", **given)
                assert f"#{task.id}: completed" in visitor.get("/board").text
            visitor.post(f"/queue/{task.id}/answer", text="  ")
            assert "no answer" in visitor.get("/board").text
            visitor.post("/queue/77/cancel", sure="yes")
            assert "#77" in visitor.get("/board").text

    def test_a_new_task_arrives(self, stubbed: CccProject, queue: Database) -> None:
        """A task that another command adds is on the board within two seconds."""
        with PageServer(stubbed) as server, server.browser().events("board") as events:
            events.next()
            put(queue, text="A later task")
            _, took = events.wait_for("A later task")
            assert took < 2

    def test_without_a_queue(self, visitor: Browser, stubbed: CccProject) -> None:
        """Without a queue there is no board, and none is created."""
        assert 'href="/board"' not in visitor.get("/").text
        assert "ccc queue add" in visitor.get("/board").text
        visitor.post("/queue/pause")
        visitor.post("/queue/1/retry")
        assert "there is no queue" in visitor.get("/").text
        assert not (stubbed.claude_dir / "ccc" / "queue.db").exists()

    def test_a_broken_queue(self, visitor: Browser, stubbed: CccProject) -> None:
        """A database that can't be read is a message on the board, and nowhere else."""
        (stubbed.claude_dir / "ccc" / "queue.db").write_bytes(b"not a database" * 100)
        assert visitor.get("/").status == 200
        assert "database" in visitor.get("/board").text


class TestCommand:
    """The command line."""

    def test_the_port(self, stubbed: CccProject) -> None:
        """A port that is taken is an error; without a port, the next free one is used."""
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            done = stubbed.run("web", "--port", str(port))
        assert (done.code, done.stdout) == (1, "")
        assert f"port {port}" in done.stderr
        assert "--port N" in done.stderr

    @pytest.mark.parametrize("port", ["x", "-1", "65536"])
    def test_not_a_port(self, stubbed: CccProject, port: str) -> None:
        """Only a port is a port."""
        done = stubbed.run("web", f"--port={port}")
        assert done.code == 1
        assert "from 0 to 65535" in done.stderr

    def test_elsewhere(self, stubbed: CccProject) -> None:
        """Another address needs a private file with a good token."""
        file = stubbed.root / "token"
        host = ("web", "--host", "0.0.0.0")
        assert "needs --token-file" in stubbed.run(*host).stderr
        assert "cannot read" in stubbed.run(*host, "--token-file", str(file)).stderr
        file.write_text("short\n")
        file.chmod(0o644)
        assert "chmod 600" in stubbed.run(*host, "--token-file", str(file)).stderr
        file.chmod(0o600)
        assert "at least 16" in stubbed.run(*host, "--token-file", str(file)).stderr

    def test_a_token_of_somebody_else(
        self, stubbed: CccProject, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A file that another user can change has no token."""
        file = stubbed.root / "token"
        file.write_text("a-good-token-0123456789")
        file.chmod(0o600)
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        with pytest.raises(CccError) as raised:
            web.main(["--token-file", str(file)])
        assert raised.value.message == "web.token_foreign"

    def test_a_token_of_a_file(self, stubbed: CccProject) -> None:
        """It can be used again, and isn't printed; the terminal says what the address means."""
        file, token = stubbed.root / "token", "a-good-token-0123456789"
        file.write_text(f"{token}\n")
        file.chmod(0o600)
        with PageServer(stubbed, "--host", "0.0.0.0", "--token-file", str(file)) as server:
            assert token not in server.link
            wait_until(lambda: "no TLS" in server.errors)
            server.host = "127.0.0.1"
            for _ in range(2):
                visitor = Browser(server)
                assert visitor.get(f"/?token={token}").status == 200
                assert visitor.get("/").status == 200
            assert visitor.get("/", Host=f"192.0.2.1:{server.port}").status == 200
            assert visitor.get("/", Host="evil.example").status == 400
            assert token not in server.errors

    def test_opening(self, stubbed: CccProject) -> None:
        """--open starts the user's browser with a private page that leads to the link."""
        seen = stubbed.root / "seen"
        opener = stubbed.bin / "opener"
        opener.write_text(f'#!/bin/sh\necho "$1" > {seen}\ncat "${{1#file://}}" >> {seen}\n')
        opener.chmod(0o755)
        with PageServer(stubbed, "--open", BROWSER=str(opener)) as server:
            wait_until(seen.exists)
            wait_until(lambda: server.link in seen.read_text())
            # others can read the arguments of a process
            address = seen.read_text().splitlines()[0]
            assert address.startswith("file:///")
            assert "token" not in address
            assert os.stat(address.removeprefix("file://")).st_mode & 0o077 == 0

    def test_nothing_else_imports_it(self, stubbed: CccProject) -> None:
        """Other commands start without the server's packages."""
        code = (
            "import sys, json; from ccc import cli; sys.argv = ['ccc', 'history']; cli.main();"
            "print(json.dumps([n for n in sys.modules if n.split('.')[0] in "
            "('starlette', 'uvicorn') or n.startswith('ccc.web')]))"
        )
        done = stubbed.run("-c", code, program=sys.executable)
        assert json.loads(done.stdout.splitlines()[-1]) == []
        assert os.path.isdir(stubbed.claude_dir)

    def test_a_start_without_a_queue(self, stubbed: CccProject) -> None:
        """It doesn't load SQLAlchemy, which may not be installed and takes longer than the rest."""
        code = "import sys, ccc.commands.web; print('sqlalchemy' in sys.modules)"
        assert stubbed.run("-c", code, program=sys.executable).stdout == "False\n"
