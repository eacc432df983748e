"""The questions of the self-test, and how an observation answers them."""

import json
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from ccc import words
from ccc.scripted import Request, shared_prefix
from ccc.scripted.scratch import KEY, MODEL
from ccc.selftest import script
from ccc.text import lenient_json

# below it, the reviewer reads a part of the conversation or all of it anew
_SHARED = 0.9
_PATH = "/v1/messages"
_MARK = "[SUPERVISOR]"


class Observation(Struct, frozen=True):
    """What is known about a session of the self-test, so far or at its end."""

    requests: Sequence[Request] = ()
    is_over: bool = False  # whether the session has ended; only then are the other fields filled in
    output: Sequence[str] = ()  # the lines that claude printed on stdout
    outcome: str = ""  # the outcome of the last stop, in ccc's state
    prompt_id: str = ""  # the id of the last prompt, in ccc's state
    hook_environment: str | None = None
    """The variables of one of the user's hooks, or None if it didn't run."""
    files: Sequence[str] = ()  # the files in the project
    conversations: int = 0  # the conversations that the user can resume
    is_sandboxed: bool = False  # whether the reviewer ran in claude's sandbox

    @property
    def agents(self) -> list[Request]:
        """Return the requests of the agent."""
        return [each for each in self.requests if script.is_agents(each)]

    @property
    def reviews(self) -> list[Request]:
        """Return the requests of the reviewer."""
        return [each for each in self.requests if script.is_review(each)]


Answer = bool | None  # whether the claude can do it, or None if that is unknown (yet)


def _provider_wins(seen: Observation) -> Answer:
    if not seen.agents:
        return None
    return all((each.path, each.key, each.model) == (_PATH, KEY, MODEL) for each in seen.agents)


def _slash_command(seen: Observation) -> Answer:
    return words.say("mode.on") in seen.agents[0].turn[0] if seen.agents else None


def _stop_hook(seen: Observation) -> Answer:
    if any(map(script.is_sent_back, seen.requests)):
        return True
    return False if seen.is_over and seen.agents else None


def _fork(seen: Observation) -> Answer:
    if not seen.is_over or not _stop_hook(seen):
        return None
    return seen.outcome == "completed" and any(map(_has_conversation, seen.reviews))


def _has_conversation(review: Request) -> bool:
    answers = [each.get("content") for each in review.messages if each.get("role") == "assistant"]
    return script.AGENT_SAID in json.dumps(answers)


def _read_only(seen: Observation) -> Answer:
    if {script.BY_BASH, script.BY_WRITE} & set(seen.files):
        return False
    # a reviewer whose commands all fail shows nothing
    return True if seen.outcome == "completed" and _bash_works(seen) else None


def _reviewer_bash(seen: Observation) -> Answer:
    works = _bash_works(seen) if seen.is_over else None
    return None if works and not seen.is_sandboxed else works


def _bash_works(seen: Observation) -> Answer:
    results = [each.last_tool_result or "" for each in seen.reviews if each.turn[1] == 1]
    return script.REVIEWER_SAW in results[0] if results else None


def _private_fork(seen: Observation) -> Answer:
    return seen.conversations == 1 if _fork(seen) else None


def _print_cache(seen: Observation) -> Answer:
    # a review without the conversation is no fork, which is another question
    return _interactive_cache(seen) if any(map(_has_conversation, seen.reviews[:1])) else None


def _interactive_cache(seen: Observation) -> Answer:
    if not seen.reviews or not seen.agents:
        return None
    return shared_prefix(seen.agents[-1], seen.reviews[0]) >= _SHARED


def _prompt_id(seen: Observation) -> Answer:
    return bool(seen.prompt_id) if seen.outcome else None


def _message_in_stream(seen: Observation) -> Answer:
    if not seen.outcome:
        return None
    lines = [lenient_json.parse_object(line) or {} for line in seen.output if _MARK in line]
    return any(line.get("type") == "system" for line in lines)


def _lenient_settings(seen: Observation) -> Answer:
    """Return whether claude read ccc's settings file, which overrides a header of the user's."""
    headers = [each.headers.get(script.DECOY_HEADER, "") for each in seen.agents]
    return not any(script.DECOY in each for each in headers) if headers else None


def _key_hidden(seen: Observation) -> Answer:
    shells = [each.last_tool_result for each in seen.agents]
    shown = [text for text in (*shells, seen.hook_environment) if text is not None]
    if any(KEY in text for text in shown):
        return False
    return True if seen.is_over and shown else None


def _streamed_input(seen: Observation) -> Answer:
    """Return whether claude took two messages, and answered both control requests."""
    if not seen.is_over:
        return None
    lines = [lenient_json.parse_object(line) or {} for line in seen.output]
    answers = [lenient_json.text(line, "response", "subtype") for line in lines]
    has_result = any(line.get("type") == "result" for line in lines)
    is_sent_back = any(map(script.is_sent_back, seen.requests))
    return has_result and is_sent_back and answers.count("success") >= 2


Questions = Mapping[str, Callable[[Observation], Answer]]


def _by_name(*questions: Callable[[Observation], Answer]) -> Questions:
    return {each.__name__.removeprefix("_"): each for each in questions}


PRINT = _by_name(
    *(_provider_wins, _slash_command, _stop_hook, _fork, _read_only, _reviewer_bash),
    *(_private_fork, _prompt_id, _message_in_stream, _lenient_settings, _key_hidden, _print_cache),
)
"""What a supervised `claude -p` answers."""
UNSANDBOXED = _by_name(_read_only)
"""What the same answers without the reviewer's sandbox, if its commands fail in the sandbox."""
STREAMED = _by_name(_streamed_input)  # what `ccc run` answers
INTERACTIVE = _by_name(_interactive_cache)  # what a session on a terminal answers
