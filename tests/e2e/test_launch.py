"""`ccc kimi` starts the real claude with the provider's model and key."""

import contextlib
import json
import re
import socket
import threading
from collections.abc import Iterator

import pytest
from facts import HOOK_SAYS
from supervised import hooked

from harness import KEY, MODEL, Bench

pytestmark = pytest.mark.real

FOREIGN = {
    "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
    "ANTHROPIC_AUTH_TOKEN": "foreign-token",
    "ANTHROPIC_API_KEY": "foreign-key",
    "ANTHROPIC_MODEL": "foreign-model",
}


@pytest.mark.journey
def test_print_journey(bench: Bench) -> None:
    """`ccc kimi -p` prints the provider's answer, and nothing else on stdout."""
    project = bench()
    outcome = project.run("kimi", "-p", "hi").succeeded()
    assert outcome.stdout == "Hello from the script.\n", outcome
    (request,) = project.model.requests
    assert (request.key, request.model) == (KEY, MODEL)


@pytest.mark.parametrize("where", ["process", "settings.json", "project settings"])
@pytest.mark.journey
def test_the_providers_values_win(bench: Bench, where: str) -> None:
    """Another provider in the environment or in a settings file has no effect."""
    project = bench()
    env = FOREIGN if where == "process" else {}
    foreign = json.dumps({"env": FOREIGN, "model": "foreign-setting"})
    if where == "settings.json":
        project.write(".claude/settings.json", foreign)
    if where == "project settings":
        (project.directory / ".claude").mkdir()
        (project.directory / ".claude" / "settings.json").write_text(foreign)
    outcome = project.run("kimi", "-p", "hi", env=env).succeeded()
    assert outcome.stdout == "Hello from the script.\n", outcome
    (request,) = project.model.requests
    assert (request.key, request.model) == (KEY, MODEL)
    assert "foreign-key" not in str(request.headers)


@pytest.mark.journey
def test_interactive_journey(bench: Bench, tmux: None) -> None:
    """`ccc kimi` in a terminal is claude's own interface on the provider."""
    project = bench()
    project.write(".claude/settings.json", json.dumps({"env": FOREIGN}))
    with project.interactive("kimi") as terminal:
        terminal.wait_for("❯")
        terminal.enter("hello there")
        screen = terminal.wait_for("Hello from the script")
        assert MODEL in screen
        assert not re.search(HOOK_SAYS, screen)
    assert {r.key for r in project.model.requests} == {KEY}


def test_a_provider_without_a_key_uses_the_login(bench: Bench) -> None:
    """A provider without a key uses the Anthropic login, whatever settings.json contains."""
    project = bench()
    login = {
        "accessToken": "sk-ant-oat01-login",
        "refreshToken": "sk-ant-ort01-login",
        "expiresAt": 4102444800000,
        "scopes": ["user:inference", "user:profile"],
        "subscriptionType": "max",
    }
    project.write(".claude/.credentials.json", json.dumps({"claudeAiOauth": login})).chmod(0o600)
    foreign = {**FOREIGN, "ANTHROPIC_BASE_URL": project.model.url}
    project.write(".claude/settings.json", json.dumps({"env": foreign}))
    project.configure(providers={"official": {}})
    (project.directory / ".claude").mkdir()
    (project.directory / ".claude" / "settings.local.json").write_text(json.dumps({"env": foreign}))
    with refusing_proxy() as proxy:
        env = {"HTTPS_PROXY": proxy.url, "CLAUDE_CODE_MAX_RETRIES": "0"}
        outcome = project.run("official", "-p", "hi", env=env)
    assert "CONNECT api.anthropic.com:443" in proxy.requests, outcome
    assert "Not logged in" not in outcome.stdout
    assert project.model.requests == []


@pytest.mark.parametrize("place", ["my tools", "Drop (Box)", "it's", "a&b", "a$HOME b"])
def test_slash_commands_from_odd_places(bench: Bench, place: str) -> None:
    """/supervisor works wherever ccc is installed."""
    project = bench()
    odd = project.root / place
    odd.mkdir()
    (odd / "ccc").symlink_to(project.ccc)
    hooked(project, "/supervisor do it", program=str(odd / "ccc")).outcome.succeeded()
    (state,) = (project.claude_dir / "ccc").glob("supervisor-*[0-9a-f].json")
    assert json.loads(state.read_text())["enabled"] is True


class Proxy:
    """A proxy that refuses every connection and records the requests."""

    def __init__(self, listener: socket.socket) -> None:
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self.requests: list[str] = []
        self._listener = listener

    def refuse(self) -> None:
        """Answer each request with a 403, until the listener is closed."""
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                with connection:
                    line = connection.recv(4096).decode(errors="replace").splitlines()[0]
                    self.requests.append(line.removesuffix(" HTTP/1.1"))
                    connection.sendall(b"HTTP/1.1 403 No\r\ncontent-length: 0\r\n\r\n")


@contextlib.contextmanager
def refusing_proxy() -> Iterator[Proxy]:
    """Run such a proxy on loopback."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        proxy = Proxy(listener)
        threading.Thread(target=proxy.refuse, daemon=True).start()
        yield proxy
        listener.shutdown(socket.SHUT_RDWR)
