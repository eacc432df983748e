"""The requests that test a provider the way claude uses it, and the meaning of the answers."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ccc.claude.formats import environment
from ccc.providers import models
from ccc.text import lenient_json
from ccc.text.redaction import redact

STEPS = ("key", "endpoint", "model", "tool")
_OFFICIAL = "https://api.anthropic.com"
_LONG_BETA = "context-1m-2025-08-07"
_TOOL = {
    "name": "report",
    "description": "Report a word.",
    "input_schema": {
        "type": "object",
        "properties": {"word": {"type": "string"}},
        "required": ["word"],
    },
}
_BY_STATUS = {401: "key", 402: "balance", 403: "forbidden", 405: "path", 407: "proxy", 429: "rate"}
_SHOWN = 160
_KNOWN_HEADERS = ("anthropic-version", "content-type", "anthropic-beta")
_ABOUT_MODEL = re.compile(r"model|模型", re.IGNORECASE)
_ABOUT_TOOLS = re.compile(r"tool|function|工具", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Target:
    """The URL, headers and model that claude would use for a provider's requests."""

    url: str
    model: str
    headers: Mapping[str, str] = field(repr=False)


@dataclass(unsafe_hash=True)
class ProbeFailure(Exception):
    """Why a step failed. `kind` names a message and its fix."""

    kind: str
    detail: str = ""


def obstacle(env: Mapping[str, str]) -> str:
    """Return why ccc can't test the provider; empty if it can."""
    if environment.uses_cloud(env):
        return "cloud"
    if any(env.get(name) for name in environment.CREDENTIALS[:2]):
        return ""
    if env.get("CLAUDE_CODE_OAUTH_TOKEN") or not env.get(models.BASE_URL):
        return "login"
    return ""


def target(env: Mapping[str, str], setting: str) -> Target:
    """Build the target from a provider's environment. `setting` is `model` in its settings."""
    model = models.requested_model(env, setting)
    betas = [_LONG_BETA] if model.endswith(models.LONG_CONTEXT) else []
    betas += [b.strip() for b in env.get("ANTHROPIC_BETAS", "").split(",") if b.strip()]
    headers = {"anthropic-version": "2023-06-01", "content-type": "application/json"}
    if betas:
        headers["anthropic-beta"] = ",".join(betas)
    if token := env.get("ANTHROPIC_AUTH_TOKEN"):
        headers["authorization"] = f"Bearer {token}"
    if key := env.get("ANTHROPIC_API_KEY"):
        headers["x-api-key"] = key
    for line in env.get("ANTHROPIC_CUSTOM_HEADERS", "").splitlines():
        name, mark, value = line.partition(":")
        if mark and name.strip():
            headers[name.strip().casefold()] = value.strip()
    base = (env.get(models.BASE_URL) or _OFFICIAL).rstrip("/")
    return Target(f"{base}/v1/messages?beta=true", model.removesuffix(models.LONG_CONTEXT), headers)


def question(model: str, with_tool: bool) -> bytes:
    """Return the body of a request that costs almost nothing."""
    asked = "Call the tool `report` with the word ok." if with_tool else "Reply with the word ok."
    # a model that always thinks needs tokens for that before it calls a tool
    body: dict[str, object] = {
        "model": model,
        "max_tokens": 1024 if with_tool else 32,
        "messages": [{"role": "user", "content": asked}],
        "stream": True,
    }
    if with_tool:
        body["tools"] = [_TOOL]
    return json.dumps(body).encode()


def find_failure(status: int, kind: str, body: bytes, with_tool: bool) -> ProbeFailure | None:
    """Return what is wrong with an answer; None if it is good."""
    text = body.decode("utf-8", "replace")
    if status != 200:
        return _refusal(status, kind, text, with_tool)
    events = list(_events(kind, text))
    problem = next((e for e in events if "error" in e), None)
    if problem is not None:
        return ProbeFailure("error", _message(problem))
    types = [str(event.get("type")) for event in events]
    if "message" not in types and "message_start" not in types:
        return ProbeFailure("form", _excerpt(text))
    if "message_start" in types and "message_stop" not in types:
        return ProbeFailure("cut")
    uses = (block for block in _blocks(events) if lenient_json.text(block, "type") == "tool_use")
    if with_tool and not any(lenient_json.text(block, "name") for block in uses):
        return ProbeFailure("no_tool")
    return None


def is_over(body: bytes) -> bool:
    """Return whether the stream is complete."""
    return b'"message_stop"' in body


def _refusal(status: int, kind: str, text: str, with_tool: bool) -> ProbeFailure:
    message = next((_message(event) for event in _events(kind, text)), "")
    detail = f"{status} {message or _excerpt(text)}".strip()
    about_model = bool(_ABOUT_MODEL.search(message))
    if with_tool and status in (400, 404, 422) and _ABOUT_TOOLS.search(message):
        return ProbeFailure("no_tool", detail)
    if status in _BY_STATUS:
        return ProbeFailure(_BY_STATUS[status], detail)
    if status == 404:
        return ProbeFailure("model" if about_model else "path", detail)
    if status >= 500:
        return ProbeFailure("server", detail)
    if status in (400, 422):
        return ProbeFailure("model" if about_model else "request", detail)
    return ProbeFailure("redirect" if 300 <= status < 400 else "form", detail)


def _events(kind: str, text: str) -> Iterator[dict[str, object]]:
    """Yield the objects in an answer, which is either a stream or one object."""
    pieces = [text]
    if "event-stream" in kind or text.lstrip().startswith(("event:", "data:")):
        pieces = [line[5:] for line in text.splitlines() if line.startswith("data:")]
    for piece in pieces:
        if (value := lenient_json.parse_object(piece)) is not None:
            yield value


def _blocks(events: list[dict[str, object]]) -> Iterator[object]:
    for event in events:
        content = event.get("content")
        yield from content if isinstance(content, list) else ()
        yield event.get("content_block")


def _message(event: Mapping[str, object]) -> str:
    """Return the message of an error, in Anthropic's format or another."""
    error = event.get("error")
    inner = error if isinstance(error, dict) else event
    message = inner.get("message") or inner.get("msg") or (error if isinstance(error, str) else "")
    return _excerpt(str(message or inner.get("type") or ""))


def _excerpt(text: str, most: int = 10_000) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def safe_excerpt(text: str, secrets: Iterable[str]) -> str:
    """Redact the text and then shorten it: a cut could leave half of a secret."""
    return _excerpt(redact(text, secrets), _SHOWN)


def secrets_of(target: Target) -> list[str]:
    """Return the parts of a target that must never be shown."""
    values = [value for name, value in target.headers.items() if name not in _KNOWN_HEADERS]
    return [*values, *(value.partition(" ")[2] for value in values)]
