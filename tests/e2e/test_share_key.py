"""`share_key_with_hooks`: hooks and shells that need the provider's key, with the real client."""

import json
import sys

import pytest
from facts import STREAM, Hook
from supervised import (
    ASKED,
    DONE,
    FREELY,
    REVIEWING,
    WORKING,
    YES,
    bash,
    repository,
    requests,
    results,
    supervise,
)

from harness import Bench, CccProject, claude_binary
from harness.scripted import Rule, answer, every, said, shared_prefix, tool_result

pytestmark = pytest.mark.real

SHOW = 'echo "key: ${ANTHROPIC_AUTH_TOKEN:+there}"'
QUESTION = "a question of the hook"
ASK = f"""
import subprocess
done = subprocess.run(
    [{str(claude_binary())!r}, "-p", "{QUESTION}", "--settings", '{{"disableAllHooks": true}}'],
    capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
with open(sys.argv[0] + ".answer", "w") as file:
    file.write(done.stdout + done.stderr)
"""
"""A hook that asks a model with the user's own claude, as some plugins do."""


def run(bench: Bench, **config: object) -> tuple[CccProject, str]:
    """Run a supervised session with such a hook; return what the hook got for an answer."""
    project = bench(
        Rule(every(REVIEWING, tool_result()), answer(YES)),
        Rule(REVIEWING, answer(bash(SHOW))),
        Rule(said(QUESTION), answer("The hook's answer.")),
        Rule(every(WORKING, tool_result()), answer(DONE)),
        Rule(WORKING, answer(bash(SHOW))),
    )
    repository(project)
    hook = Hook(project, ASK)
    settings = {"kimi": {**project.provider(), **hook.settings()}}
    project.configure(providers=settings, **config)
    supervise(project, "do it", *FREELY).outcome.succeeded()
    return project, (project.root / "hook.py.answer").read_text()


_SERVER = """
import json, os, sys
with open(sys.argv[1], "a") as file:
    print(sys.argv[2:], "ANTHROPIC_AUTH_TOKEN" in os.environ, file=file)
for line in sys.stdin:
    message = json.loads(line)
    result = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "s"}}
    result["serverInfo"]["version"] = "1"
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


@pytest.mark.parametrize("is_shared", [False, True])
def test_mcp_servers(bench: Bench, is_shared: bool) -> None:
    """A stdio server starts with its arguments unchanged, and with the key on request."""
    project = bench()
    project.configure(share_key_with_hooks=is_shared)
    server, record = project.root / "a server.py", project.root / "started.txt"
    server.write_text(_SERVER)
    arguments = [str(server), str(record), "a  b", "it's", "$HOME"]
    entry = {"s": {"command": sys.executable, "args": arguments}}
    options = ("--mcp-config", json.dumps({"mcpServers": entry}), *STREAM)
    run = project.run("kimi", *options, "hi").succeeded()
    (init,) = [line for line in map(json.loads, run.stdout.splitlines()) if "mcp_servers" in line]
    assert [each["status"] for each in init["mcp_servers"]] == ["connected"]
    assert record.read_text() == f"{arguments[2:]} {is_shared}\n"


def test_an_unattended_run(bench: Bench) -> None:
    """The agent of `ccc run` has the key in its shell, and its reviewer doesn't."""
    project = bench(
        Rule(every(REVIEWING, tool_result()), answer(YES)),
        Rule(REVIEWING, answer(bash(SHOW))),
        Rule(every(WORKING, tool_result()), answer(DONE)),
        Rule(WORKING, answer(bash(SHOW))),
    )
    project.configure(share_key_with_hooks=True, run={"permissions": "all"})
    project.run("run", "do it").succeeded()
    (shown,) = {r.last_tool_result for r in requests(project, WORKING) if r.last_tool_result}
    assert shown == "key: there"
    assert [each.strip() for each in results(project)] == ["key:"]


def test_hidden_by_default(bench: Bench) -> None:
    """Neither the hook's claude nor the agent's shell has the key."""
    project, got = run(bench)
    assert "Not logged in" in got
    (shown,) = {r.last_tool_result for r in requests(project, WORKING) if r.last_tool_result}
    assert shown.strip() == "key:"


@pytest.mark.key_in("hook.jsonl")
def test_shared_on_request(bench: Bench) -> None:
    """Both have it; the reviewer's shell doesn't, and shares the agent's prompt as ever."""
    project, got = run(bench, share_key_with_hooks=True)
    assert got.strip().startswith("The hook's answer.")
    (shown,) = {r.last_tool_result for r in requests(project, WORKING) if r.last_tool_result}
    assert shown == "key: there"
    assert [each.strip() for each in results(project)] == ["key:"]
    *_, last = requests(project, every(WORKING, lambda request: not said(QUESTION)(request)))
    (review,) = requests(project, ASKED)[:1]
    assert shared_prefix(last, review) == 1.0
