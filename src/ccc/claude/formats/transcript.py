"""The conversation as claude keeps it: the user's own requests, the model, the use so far."""

import re

from ccc.claude.formats import speaker
from ccc.claude.formats.event import Choices
from ccc.claude.formats.plan_mode import PlanMode
from ccc.claude.formats.requests import LONGEST_ASKED, MOST_OF_A_TASK, Conversation
from ccc.config.values import passable
from ccc.providers import tokens
from ccc.sessions import glance
from ccc.text import jsontext, shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypeVar

    from ccc.providers.tokens import Used

    T = TypeVar("T")

_NOT_TYPED = (
    "<task-notification>",
    "<local-command",
    "<bash-",
    "<system-reminder>",
    "[Request interrupted",
    "Stop hook feedback:",
    "Caveat: The messages below were generated",
)
# Far more than any session has, so that no file takes all memory.
_MOST_REQUESTED = 8_000_000
_LONGEST_REQUEST = 1_000_000
_LONGEST_COMMAND = 10_000
_MOST_PROMPTS = 1_000
_HOUSEKEEPING = ("/clear", "/compact", "/exit", "/resume", "/model", "/effort")
_SWITCHES = {"/supervisor": "on", "/supervisoroff": "off"}
# what the user types into claude's own shell mode
_BASH_SWITCH = re.compile(
    r"""(?:\w+=\S*\s+)*["']?(?:\S*/)?ccc["']?\s+supervisor-mode(?:\s+["']?(\w+))?"""
)


def read(lines: "Iterable[str]") -> Conversation:
    """The conversation in the lines; a line that is no JSON object is passed over."""
    requests: list[str] = []
    owners: list[str] = []
    prompts: dict[str, str] = {}
    asked: dict[str, tuple[str, ...]] = {}
    model = ""
    used: Mapping[str, Used] = {}
    texts: list[str] = []
    switch = at = by = cwd = ""
    plan_mode, put_off, dictated = PlanMode(), set[str](), list[str]()
    size = 0
    for line in lines:
        entry, count = _entry(line), len(requests)
        kind = entry.get("type")
        if kind == "cost-state":
            used = tokens.of_models(entry.get("modelUsage"), entry.get("totalCostUSD"))
        if entry.get("isSidechain"):
            continue
        cwd = text if passable(text := glance.text(entry.get("cwd"))) and text else cwd
        if kind == "attachment" and (words := speaker.words_of_hook(entry)):
            dictated.append(_spaced(words))
        if kind == "user" and dictated and (words := _spaced(_typed(entry))) in dictated:
            dictated.remove(words)
            continue
        if kind == "user" and (typed := _switch(entry)):
            switch, at = typed, str(entry.get("timestamp") or "")
            by = str(entry.get("promptId") or "")
        if kind == "user" and (sent := _sent_to_background(entry)):
            put_off.add(sent)
        request = _request(entry) if kind == "user" else None
        plan_mode.read(entry, is_prompt=request is not None)
        if request is not None:
            if isinstance(prompt := entry.get("promptId"), str):
                prompts.setdefault(prompt, str(entry.get("timestamp") or ""))
                asked.setdefault(prompt, (request[:LONGEST_ASKED],) if request else ())
                prompts, asked = _latest(prompts), _latest(asked)
            if request:
                requests.append(request)
        elif kind == "attachment" and (queued := _queued(entry)):
            requests.append(queued)
            _add(asked, queued)
        if len(requests) > count:
            size += len(requests[-1])
            owners.append(next(reversed(asked), ""))
        if size > _MOST_REQUESTED:
            half = max(1, len(requests) // 2)
            requests = [requests[0][:_LONGEST_REQUEST], *requests[half:]]
            owners = [owners[0], *owners[half:]]
            size = sum(map(len, requests))
        if kind == "assistant":
            model = _model(entry) or model
            texts = [*texts[-20:], _text(_content(entry))]
            if sum(map(len, texts)) > _MOST_REQUESTED:
                texts = texts[-1:]
    return Conversation(
        tuple(requests),
        tuple(owners),
        prompts,
        asked,
        model,
        used,
        tuple(texts),
        switch,
        at,
        by,
        cwd,
        Choices(plan_mode.by_agent, frozenset(put_off)),
    )


def _add(asked: dict[str, tuple[str, ...]], queued: str) -> None:
    """What was typed while the agent was at work belongs to the prompt that it worked on."""
    if asked:
        last = next(reversed(asked))
        asked[last] = (*asked[last][:MOST_OF_A_TASK], queued[:LONGEST_ASKED])


def _latest(prompts: "dict[str, T]") -> "dict[str, T]":
    """The prompts, or where there are too many to be true the last of them."""
    if len(prompts) <= 2 * _MOST_PROMPTS:
        return prompts
    return dict(list(prompts.items())[-_MOST_PROMPTS:])


def _entry(line: str) -> "dict[str, object]":
    if '"type"' not in line:
        return {}  # files of junk may have millions of lines
    try:
        value = jsontext.parse(line)
    except jsontext.JsonError:
        return {}
    return value if isinstance(value, dict) else {}


def _switch(entry: "Mapping[str, object]") -> str:
    """What the user switches supervision to with this entry, or nothing."""
    text = _text(_content(entry)).strip() if speaker.is_humans(entry) else ""
    if text.startswith("<command-"):
        return _SWITCHES.get(_tagged(text, "command-name"), "")
    if text.startswith("<bash-input>"):
        return _shell_switch(_tagged(text, "bash-input"))
    return ""


def _shell_switch(line: str) -> str:
    """The same of a command line: what it only quotes is no command."""
    switch = ""
    for command in shell.parts(line[:_LONGEST_COMMAND]):
        found = _BASH_SWITCH.match(command)
        word = (found[1] or "on") if found else ""
        switch = word if word in ("on", "off") else switch
        if re.search(r"(?:^|\s)#", command):
            break  # a comment
    return switch


def _request(entry: "Mapping[str, object]") -> str | None:
    """What the user typed, or the arguments of a slash command; None for anything else."""
    if not speaker.is_humans(entry):
        return None
    content = _content(entry)
    text = _text(content).strip()
    if not text and isinstance(content, list) and any(map(_is_image, content)):
        return "(an image)"
    if not text or text.startswith(_NOT_TYPED):
        return None
    if text.startswith("<command-") and (name := _tagged(text, "command-name")):
        arguments = _tagged(text, "command-args")
        if name in _HOUSEKEEPING:
            return None
        return arguments if name in _SWITCHES else f"{name} {arguments}".strip()
    return text


def _typed(entry: "Mapping[str, object]") -> str:
    """The text of an entry as it would be typed."""
    text = _text(_content(entry)).strip()
    if not text.startswith("<command-"):
        return text
    return f"{_tagged(text, 'command-name')} {_tagged(text, 'command-args')}"


def _spaced(text: str) -> str:
    """The words of a text, whatever stands between them."""
    return " ".join(text.split())


def _tagged(text: str, tag: str) -> str:
    """What stands in the first such tag; patterns would take quadratic time for wild texts."""
    inside, closed, _ = text.partition(f"<{tag}>")[2].partition(f"</{tag}>")
    return inside.strip() if closed else ""


def _is_image(block: object) -> bool:
    return isinstance(block, dict) and block.get("type") == "image"


def _queued(entry: "Mapping[str, object]") -> str:
    """What the user typed while the agent was at work."""
    attachment = entry.get("attachment")
    if not isinstance(attachment, dict) or attachment.get("type") != "queued_command":
        return ""
    if attachment.get("commandMode") not in (None, "prompt") or not speaker.is_humans(attachment):
        return ""
    prompt = attachment.get("prompt")
    text = _text(prompt).strip() if isinstance(prompt, str | list) else ""
    return "" if text.startswith(_NOT_TYPED) else text


def _sent_to_background(entry: "Mapping[str, object]") -> str:
    """The command that the user sent into the background while it ran, by its id."""
    result = entry.get("toolUseResult")
    if not isinstance(result, dict) or result.get("backgroundedByUser") is not True:
        return ""
    return glance.text(result.get("backgroundTaskId"))


def _content(entry: "Mapping[str, object]") -> object:
    message = entry.get("message")
    return message.get("content") if isinstance(message, dict) else None


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(
        block["text"]
        for block in blocks
        if isinstance(block, dict)
        and block.get("type") == "text"
        and isinstance(block.get("text"), str)
    )


def _model(entry: "Mapping[str, object]") -> str:
    """The model that was asked for; `<synthetic>` messages are claude's own."""
    message = entry.get("message")
    answered = message.get("model") if isinstance(message, dict) else ""
    model = entry.get("requestedModel") or answered
    return model if isinstance(model, str) and not model.startswith("<") else ""
