"""`ccc validate` really tries a provider, and distinguishes the failures."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from loopback import self_signed, serving

from harness import KEY, MODEL, CccProject, Outcome, check_golden
from harness.programs import needs
from harness.scripted import (
    Reply,
    Request,
    Rule,
    Scenario,
    ScriptedModel,
    answer,
    anything,
    cut,
    failure,
    model_is,
    rate_limited,
    server_error,
    tool,
    unauthorized,
)


def _good(request: Request) -> Reply:
    return answer(tool("report", word="ok")) if request.tools else answer("ok")


RULES = (
    Rule(model_is("wrong-key"), unauthorized()),
    Rule(model_is("echo"), failure(401, "authentication_error", f"no such key {KEY}")),
    Rule(model_is("unknown"), failure(404, "not_found_error", "model: unknown")),
    Rule(model_is("forbidden"), failure(403, "permission_error", "not in your plan")),
    Rule(model_is("limited"), rate_limited()),
    Rule(model_is("broken"), server_error()),
    Rule(model_is("no-tool"), answer("I would rather talk.")),
    Rule(model_is("cut"), cut(answer("ok"), 2)),
    Rule(model_is("slow"), answer("ok", delay=20)),
    Rule(anything(), _good),
)


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    """A provider that fails depending on the model's name."""
    with ScriptedModel(Scenario(RULES), max_seconds=120) as running:
        yield running


@pytest.fixture
def project(tmp_path: Path, model: ScriptedModel) -> CccProject:
    """A project that uses that provider."""
    return CccProject(tmp_path / "bench", model, stub=True)


def tried(project: CccProject, *arguments: str, **env: str) -> dict[str, Any]:
    """Return what `--json` says about the one provider."""
    outcome = project.run("validate", *arguments, "--json", env=env)
    assert KEY not in outcome.stdout + outcome.stderr
    found: dict[str, Any] = json.loads(outcome.stdout)
    assert outcome.code == (0 if found["ok"] else 1), outcome
    (one,) = found["providers"]
    return dict(one)


def test_a_good_provider(project: CccProject, model: ScriptedModel) -> None:
    """It tries key, endpoint, model and a tool call the way claude does, with exit code 0."""
    project.configure(providers={"kimi": project.provider(ANTHROPIC_MODEL="kimi-k3[1m]")})
    found = tried(project)
    assert found["ok"] is True
    assert [step["state"] for step in found["steps"]] == ["good"] * 4
    assert found["model"] == "kimi-k3"
    plain, with_tool = model.requests
    assert (plain.key, plain.model, plain.streams) == (KEY, "kimi-k3", True)
    assert "context-1m-2025-08-07" in plain.headers["anthropic-beta"]
    assert with_tool.tools == ("report",)
    assert plain.headers["user-agent"].startswith("ccc/")


@pytest.mark.parametrize(
    ("name", "kind", "step"),
    [
        ("wrong-key", "key", "model"),
        ("echo", "key", "model"),
        ("unknown", "model", "model"),
        ("forbidden", "forbidden", "model"),
        ("limited", "rate", "model"),
        ("broken", "server", "model"),
        ("no-tool", "no_tool", "tool"),
        ("cut", "cut", "model"),
        ("slow", "timeout", "model"),
    ],
)
def test_what_the_provider_says(project: CccProject, name: str, kind: str, step: str) -> None:
    """Each failure has a kind, and the steps after it are skipped."""
    project.configure(providers={"kimi": project.provider(ANTHROPIC_MODEL=name)})
    found = tried(project, *(("--timeout", "1.5") if name == "slow" else ()))
    assert (found["kind"], found["ok"]) == (kind, False)
    states = {s["step"]: s["state"] for s in found["steps"]}
    assert states[step] == "bad"
    assert states["key"] == ("bad" if kind in ("key", "forbidden") else "good")
    assert list(states.values())[list(states).index(step) + 1 :] == ["left out"] * (
        3 - list(states).index(step)
    )
    assert found["problem"]
    assert found["remedy"]


@pytest.mark.parametrize(
    "url", ["http://[::1", "http://host:99999", "http://host:x", "http:///v1", "host", "ftp://host"]
)
def test_no_address(project: CccProject, url: str) -> None:
    """An invalid base URL is reported as such."""
    project.configure(providers={"kimi": project.provider(ANTHROPIC_BASE_URL=url)})
    found = tried(project)
    assert found["kind"] == "address"
    assert "--base-url" in found["remedy"]


def test_no_proxy_that_is_one(project: CccProject) -> None:
    """An invalid proxy is no internal error."""
    provider = project.provider(ANTHROPIC_BASE_URL="http://far.example")
    project.configure(providers={"kimi": provider})
    assert tried(project, HTTP_PROXY="http://[::1")["kind"] == "proxy"
    assert "not an HTTP proxy" in tried(project, HTTP_PROXY="socks5://127.0.0.1:1")["problem"]


@pytest.mark.parametrize(
    ("supervisor", "names", "rows"),
    [
        ({}, (), [("kimi", MODEL)]),
        ({"provider": "kimi"}, (), [("kimi", MODEL)]),
        ({"provider": "glm"}, (), [("kimi", MODEL), ("glm (reviewer)", "glm-5")]),
        ({"provider": "glm"}, ("glm",), [("glm", "glm-5")]),
        ({"provider": "glm"}, ("--all",), [("kimi", MODEL), ("glm", "glm-5")]),
        ({"model": "unknown"}, (), [("kimi", MODEL), ("kimi (reviewer)", "unknown")]),
        (
            {"provider": "glm", "model": "unknown"},
            ("kimi", "glm"),
            [("kimi", MODEL), ("glm", "glm-5"), ("glm (reviewer)", "unknown")],
        ),
    ],
)
def test_the_judge_is_tried_too(
    project: CccProject,
    supervisor: dict[str, str],
    names: tuple[str, ...],
    rows: list[tuple[str, str]],
) -> None:
    """If another provider or model reviews, it has to answer as well."""
    glm = project.provider(ANTHROPIC_MODEL="glm-5")
    providers = {"kimi": project.provider(), "glm": glm}
    project.configure(providers=providers, current_provider="kimi", supervisor=supervisor)
    outcome = project.run("validate", *names)
    told = [line.split("  ") for line in outcome.stdout.splitlines()[2:] if "0.0 s" in line]
    assert [tuple(p.strip() for p in line if p.strip())[:2] for line in told] == rows
    is_bad = supervisor.get("model") == "unknown"
    assert outcome.code == (1 if is_bad else 0)
    assert ("is supervisor.model in ccc.json" in outcome.stdout) == is_bad


HTML = b"<!doctype html><title>Welcome</title>"


@pytest.mark.parametrize(
    ("status", "headers", "body", "kind"),
    [
        (404, {"content-type": "text/html"}, b"<h1>Not Found</h1>", "path"),
        (200, {"content-type": "text/html"}, HTML, "form"),
        (200, {"content-type": "application/json"}, b'{"object": "chat.completion"}', "form"),
        (308, {"location": "https://elsewhere.example/"}, b"", "redirect"),
        (402, {"content-type": "application/json"}, b'{"error": "no balance"}', "balance"),
    ],
)
def test_other_servers(
    stubbed: CccProject, status: int, headers: dict[str, str], body: bytes, kind: str
) -> None:
    """A web page, another API and a missing path are recognized."""
    with serving(status, body, headers) as server:
        provider = stubbed.provider(ANTHROPIC_BASE_URL=f"{server.url}/v1")
        stubbed.configure(providers={"kimi": provider})
        found = tried(stubbed)
    assert found["kind"] == kind
    assert [path for path, _ in server.asked] == ["/v1/v1/messages?beta=true"]
    if kind == "path":
        assert "/v1" in found["remedy"]


def test_a_closed_port(stubbed: CccProject) -> None:
    """Nothing listens on the port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    stubbed.configure(providers={"kimi": stubbed.provider(ANTHROPIC_BASE_URL=url)})
    assert tried(stubbed)["kind"] == "refused"


def test_a_name_that_is_none(stubbed: CccProject) -> None:
    """The name can't be resolved."""
    url = "http://no-such-host.invalid"
    stubbed.configure(providers={"kimi": stubbed.provider(ANTHROPIC_BASE_URL=url)})
    found = tried(stubbed, NO_PROXY="no-such-host.invalid")
    assert found["kind"] == "resolve"


def test_a_server_that_never_answers(stubbed: CccProject) -> None:
    """The server accepts the connection and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        stubbed.configure(providers={"kimi": stubbed.provider(ANTHROPIC_BASE_URL=url)})
        assert tried(stubbed, "--timeout", "0.5")["kind"] == "timeout"


@pytest.mark.parametrize(
    ("begins", "drop"),
    [
        (b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n", b": \n"),
        (b"HTTP/1.1 200 OK\r\nx: ", b"x"),
    ],
    ids=["body", "headers"],
)
def test_a_server_that_drips(stubbed: CccProject, begins: bytes, drop: bytes) -> None:
    """An occasional byte doesn't keep a try alive past its timeout."""
    over = threading.Event()

    def drip(listener: socket.socket) -> None:
        while not over.is_set():
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                connection.sendall(begins)
                while not over.wait(0.1):
                    try:
                        connection.sendall(drop)
                    except OSError:
                        break

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=drip, args=(listener,), daemon=True).start()
        # the first connection is only opened and closed
        threading.Thread(target=drip, args=(listener,), daemon=True).start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        stubbed.configure(providers={"kimi": stubbed.provider(ANTHROPIC_BASE_URL=url)})
        begun = time.monotonic()
        found = tried(stubbed, "--timeout", "1")
        took = time.monotonic() - begun
        over.set()
    assert found["kind"] == "timeout"
    assert took < 10


def test_a_certificate_that_nobody_signed(stubbed: CccProject, tmp_path: Path) -> None:
    """It is rejected, and trusted with claude's variable for additional certificates."""
    needs("openssl")
    pem = self_signed(tmp_path)
    body = b'{"type": "message", "content": [{"type": "tool_use", "name": "report"}]}'
    with serving(200, body, {"content-type": "application/json"}, pem) as server:
        stubbed.configure(providers={"kimi": stubbed.provider(ANTHROPIC_BASE_URL=server.url)})
        found = tried(stubbed)
        assert (found["kind"], server.asked) == ("tls", [])
        assert "self" in found["problem"]
        assert tried(stubbed, NODE_EXTRA_CA_CERTS=f"{pem}.crt")["ok"] is True
        assert server.asked[0][1]["authorization"] == f"Bearer {KEY}"


def test_a_server_without_tls(project: CccProject, model: ScriptedModel) -> None:
    """The address has https://, but the server speaks http."""
    url = model.url.replace("http://", "https://")
    project.configure(providers={"kimi": project.provider(ANTHROPIC_BASE_URL=url)})
    assert tried(project)["kind"] == "tls"


def test_through_a_proxy(stubbed: CccProject) -> None:
    """The environment's proxy is used; the provider's own variables win over it."""
    body = b'{"type": "message", "content": [{"type": "tool_use", "name": "report"}]}'
    with serving(200, body, {"content-type": "application/json"}) as proxy:
        host = proxy.url.removeprefix("http://")
        provider = stubbed.provider(
            ANTHROPIC_BASE_URL="http://far.invalid/a", HTTP_PROXY=f"http://me:pw@{host}"
        )
        stubbed.configure(providers={"kimi": provider})
        assert tried(stubbed)["ok"] is True
        path, headers = proxy.asked[0]
    assert path == "http://far.invalid/a/v1/messages?beta=true"
    assert headers["proxy-authorization"].startswith("Basic ")


def test_a_proxy_that_refuses(stubbed: CccProject) -> None:
    """A refused tunnel is blamed on the proxy, not on the provider."""
    with serving(403) as proxy:
        provider = stubbed.provider(ANTHROPIC_BASE_URL="https://far.invalid", HTTPS_PROXY=proxy.url)
        stubbed.configure(providers={"kimi": provider})
        found = tried(stubbed)
    assert found["kind"] == "proxy"
    assert proxy.asked[0][0] == "far.invalid:443"


@pytest.mark.parametrize(
    ("env", "kind"),
    [
        ({"ANTHROPIC_AUTH_TOKEN": ""}, "no_key"),
        ({"ANTHROPIC_AUTH_TOKEN": {"command": ["false"]}}, "secret"),
        ({"ANTHROPIC_AUTH_TOKEN": {"env": "NOT_SET"}}, "secret"),
        ({"ANTHROPIC_AUTH_TOKEN": "two\nlines"}, "form"),
    ],
)
def test_keys_that_can_not_be_had(project: CccProject, env: dict[str, object], kind: str) -> None:
    """The key's command fails, its variable is not set, or there is none."""
    project.configure(providers={"kimi": project.provider(**env)})
    assert tried(project)["kind"] == kind


def test_both_credentials_and_headers(project: CccProject, model: ScriptedModel) -> None:
    """The provider's API key and its own headers are sent."""
    project.configure(
        providers={
            "kimi": project.provider(
                ANTHROPIC_AUTH_TOKEN="",
                ANTHROPIC_API_KEY={"command": ["echo", "key-from-pass"]},
                ANTHROPIC_CUSTOM_HEADERS="X-Team: blue",
            )
        }
    )
    assert tried(project)["ok"] is True
    headers = model.requests[0].headers
    assert headers["x-api-key"] == "key-from-pass"
    assert headers["x-team"] == "blue"
    assert "authorization" not in headers


REPLACED = {r"\d+\.\d (s|秒)": r"0.0 \1", r"127\.0\.0\.1:\d+": "127.0.0.1:PORT"}


def everything(project: CccProject) -> None:
    """Configure providers of all kinds."""
    project.configure(
        providers={
            "good": project.provider(),
            "echo": project.provider(ANTHROPIC_MODEL="echo"),
            "gone": project.provider(ANTHROPIC_BASE_URL="http://127.0.0.1:9"),
            "no-tool": project.provider(ANTHROPIC_MODEL="no-tool"),
            "official": {},
            "bedrock": {"env": {"CLAUDE_CODE_USE_BEDROCK": "1", "AWS_REGION": "eu-west-1"}},
        }
    )


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_it_prints(project: CccProject, language: str) -> None:
    """A table, then each failure with its fix and each skipped step with its reason."""
    everything(project)
    outcome = project.run("validate", "--all", env={"CCC_LANG": language})
    assert outcome.code == 1
    assert KEY not in outcome.stdout + outcome.stderr
    assert outcome.stderr == ""
    check_golden(f"validate.{language}.txt", outcome.stdout, REPLACED)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_usage(stubbed: CccProject, language: str) -> None:
    """The output of `--help`."""
    outcome = stubbed.run("validate", "--help", env={"CCC_LANG": language}).succeeded()
    check_golden(f"validate-help.{language}.txt", outcome.stdout)


def test_not_tried_is_no_failure(project: CccProject) -> None:
    """A login is skipped, with exit code 0."""
    project.configure(providers={"official": {}})
    found = tried(project)
    assert (found["tried"], found["not_tried"]) == (False, "login")


def refused(outcome: Outcome) -> str:
    """Return the text of an error."""
    assert outcome.code == 1, outcome
    return outcome.stderr


def test_bad_input(stubbed: CccProject) -> None:
    """A wrong name, a wrong number, and a name with --all are errors."""
    assert "Did you mean kimi?" in refused(stubbed.run("validate", "kimmi"))
    for wrong in ("0", "-1", "nan", "1e9", "soon"):
        told = refused(stubbed.run("validate", "--timeout", wrong))
        assert "--timeout: expected a number from 0.1 to 3600" in told
    assert "--all" in refused(stubbed.run("validate", "kimi", "--all"))
    (stubbed.claude_dir / "ccc.json").unlink()
    assert "ccc init" in refused(stubbed.run("validate"))


@pytest.mark.tmux
def test_in_a_terminal(project: CccProject, tmux: None) -> None:
    """While it runs, the table shows the progress; at the end it is printed once."""
    project.configure(
        providers={
            "good": project.provider(),
            "slow": project.provider(ANTHROPIC_MODEL="slow"),
        }
    )
    with project.interactive("validate", "--all", "--timeout", "5") as terminal:
        during = terminal.wait_for(r"good +\S+ .*✓.*✓.*✓.*✓")
        assert "✗" not in during
        terminal.wait_for(r"\[exit 1\]")
        shown = terminal.screen(history=True)
    assert "no answer in time" in shown
    assert shown.count("good ") == 1, shown
    assert KEY not in shown
    assert MODEL in shown


@pytest.mark.tmux
def test_ctrl_c(project: CccProject, tmux: None) -> None:
    """Ctrl-C ends it at any time."""
    project.configure(providers={"slow": project.provider(ANTHROPIC_MODEL="slow")})
    with project.interactive("validate") as terminal:
        terminal.wait_for("slow")
        terminal.press("C-c")
        shown = terminal.wait_for(r"\[exit 130\]", timeout=20)
    assert "Traceback" not in shown


def test_the_time_of_a_key(project: CccProject) -> None:
    """A key's time is that of fetching it, without the wait for the keys of other providers."""
    slow = {"command": ["sh", "-c", "sleep 1.5; echo key"]}
    project.configure(
        providers={"kimi": project.provider(), "slow": project.provider(ANTHROPIC_AUTH_TOKEN=slow)}
    )
    outcome = project.run("validate", "--all", "--json", timeout=60)
    seconds = {
        each["provider"]: {step["step"]: step["seconds"] for step in each["steps"]}["key"]
        for each in json.loads(outcome.stdout)["providers"]
    }
    assert seconds["kimi"] < 1.0 < seconds["slow"]
