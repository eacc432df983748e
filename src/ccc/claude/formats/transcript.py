"""A session's conversation as claude stores it, and which of its requests a stop is about."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from msgspec import Struct, field
from msgspec.structs import replace

from ccc.claude.formats import transcript_entry, usage
from ccc.claude.formats.activity import Action, Activity, PlanMode
from ccc.claude.formats.event import Choices
from ccc.claude.formats.transcript_entry import Entry
from ccc.claude.formats.usage import Used
from ccc.text import lenient_json
from ccc.text.names import is_argument

_LONGEST_REQUEST = 2_000
_MOST_REQUESTS = 20
_MOST_TEXTS = 21
# far above any real session, so that no file can exhaust the memory
_MOST_CHARACTERS, _LONGEST_FIRST_REQUEST, _MOST_PROMPTS = 8_000_000, 1_000_000, 1_000
# the prompt that switches supervision on is a little older than the switch
_SLACK_SECONDS = 5.0


class Conversation(Struct, frozen=True):
    """What a review needs to know about a session."""

    requests: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()  # the id of the prompt that each request belongs to
    prompts: Mapping[str, str] = field(default_factory=dict)
    """The time of each of the user's prompts, by its id."""
    asked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The requests of each prompt, by its id, with those typed while the agent worked on it."""
    model: str = ""
    used: Mapping[str, Used] = field(default_factory=dict)
    """The session's usage of each model when claude last exited."""
    last_texts: tuple[str, ...] = ()  # what the agent said last, oldest first
    said_at: tuple[float, ...] = ()  # when it said each of those; 0 if the transcript doesn't tell
    last_switch: str = ""  # the user's last switch of supervision in this session: `on` or `off`
    switched_at: str = ""
    switched_by: str = ""  # the id of the prompt with that switch
    cwd: str = ""  # the agent's last working directory
    version: str = ""  # the version of the claude that wrote the last entry
    choices: Choices = field(default_factory=Choices)
    cached_tokens: int = 0
    """The part of the agent's last prompt that is in the cache; 0 if the cache was never used."""
    actions: tuple[Action, ...] = ()  # what the agent did, oldest first
    api_error: str = ""  # the API error after which claude is waiting

    def task(self, prompt_id: str, finished: str, since: float) -> tuple[str, tuple[str, ...]]:
        """Return the prompt that the task started with, and all requests since.

        A prompt that didn't finish (Esc, a limit, a question from the agent) is part of the task,
        because the next prompt continues it. The task starts where supervision was switched on
        (`since`), or after the `finished` prompt. If nothing was requested since a bare
        `/supervisor`, the task is the request before it.
        """
        prompts = list(self.asked)
        if not prompts:
            return prompt_id, ()
        at = {prompt: number for number, prompt in enumerate(prompts)}
        end = at.get(prompt_id, len(prompts) - 1)
        begin = min(end, max(self._switched_on(since), at.get(finished, -1) + 1))
        task = prompts[begin : end + 1]
        texts = [text for prompt in task for text in self.asked[prompt]]
        requests = [t for n, t in enumerate(texts) if t and (not n or t != texts[n - 1])]
        if not requests:
            return task[-1], tuple(text[:_LONGEST_REQUEST] for text in self.requests[-1:])
        first = next(prompt for prompt in task if self.asked[prompt])
        return first, tuple(requests[:1] + requests[1:][-_MOST_REQUESTS:])

    def requests_since(self, prompt_id: str, since: float) -> tuple[str, ...]:
        """Return the requests since supervision was switched on, or all if there are none.

        The prompt of this stop counts even if it is older, because the agent was working on it.
        """
        at = {prompt: number for number, prompt in enumerate(self.asked)}
        begin = min(at.get(prompt_id, len(at)), self._switched_on(since))
        pairs = zip(self.requests, self.owners, strict=True)
        return tuple(text for text, owner in pairs if at.get(owner, 0) >= begin) or self.requests

    def after_run(self, own: Sequence[str], ended: float, is_finished: bool) -> "Conversation":
        """Return the conversation without the messages of `ccc run`, stored by claude as prompts.

        Up to the run's end, only its `own` requests are the user's. Those of a finished run are a
        separate task.
        """
        before = [p for p in self.asked if parse_time(self.prompts.get(p, "")) <= ended]
        if not before:
            return self  # a different conversation, as after /clear
        later = {prompt: texts for prompt, texts in self.asked.items() if prompt not in before}
        pairs = [(text, before[0]) for text in own]
        pairs += [p for p in zip(self.requests, self.owners, strict=True) if p[1] in later]
        first = {} if is_finished else {before[0]: tuple(text[:_LONGEST_REQUEST] for text in own)}
        return replace(
            self,
            requests=tuple(text for text, _ in pairs),
            owners=tuple(owner for _, owner in pairs),
            asked={**first, **later},
        )

    def _switched_on(self, since: float) -> int:
        """Return the index of the first prompt since supervision was switched on."""
        prompts = list(self.asked)
        early = sum(parse_time(self.prompts.get(p, "")) < since - _SLACK_SECONDS for p in prompts)
        if self.switched_by not in self.asked:
            return early
        # if the last switch was `off`, supervision was switched on again without a prompt
        return max(prompts.index(self.switched_by) + (self.last_switch == "off"), early)

    def holds(self, message: str, since: float = 0.0) -> bool:
        """Return whether the transcript has the agent's last message, said after `since`.

        Agents often say the same at several stops, so an older message may have the same words.
        """
        expected = message.strip()
        said = zip(self.last_texts, self.said_at, strict=True)
        return not expected or any(expected in text and not 0 < at <= since for text, at in said)


def read(lines: Iterable[str]) -> Conversation:
    """Read the conversation from the lines, skipping any that isn't a JSON object."""
    reader = _Reader()
    for line in lines:
        # a cheap test first: junk files may have millions of lines
        if '"type"' in line and (entry := lenient_json.parse_object(line)):
            reader.read(entry)
    return reader.conversation()


class _Reader(Struct):
    requests: list[tuple[str, str]] = field(default_factory=list)
    """Each request with the id of its prompt."""
    size: int = 0
    prompts: dict[str, str] = field(default_factory=dict)
    asked: dict[str, tuple[str, ...]] = field(default_factory=dict)
    texts: list[tuple[str, float]] = field(default_factory=list)
    values: dict[str, str] = field(default_factory=dict)
    """The last value of each single-valued field of the conversation."""
    used: Mapping[str, Used] = field(default_factory=dict)
    plan_mode: PlanMode = field(default_factory=PlanMode)
    activity: Activity = field(default_factory=Activity)
    in_background: set[str] = field(default_factory=set)
    hook_prompts: list[str] = field(default_factory=list)
    cached_tokens: int = 0
    uses_cache: bool = False

    def read(self, entry: Entry) -> None:
        kind = entry.get("type")
        if kind == "cost-state":
            self.used = usage.by_model(entry.get("modelUsage"), entry.get("totalCostUSD"))
        if entry.get("isSidechain"):
            return
        if (cwd := lenient_json.text(entry, "cwd")) and is_argument(cwd):
            self.values["cwd"] = cwd
        if version := lenient_json.text(entry, "version"):
            self.values["version"] = version
        if kind == "user":
            self._read_user(entry)
            return
        self._read_mode(entry, is_prompt=False)
        if kind == "attachment":
            if prompt := transcript_entry.hook_prompt(entry):
                self.hook_prompts.append(_normalized(prompt))
            if queued := transcript_entry.queued_request(entry):
                self._add_request(queued)
                if self.asked:
                    # a queued request belongs to the prompt that the agent was working on
                    last = next(reversed(self.asked))
                    before = self.asked[last][:_MOST_REQUESTS]
                    self.asked[last] = (*before, queued[:_LONGEST_REQUEST])
        elif kind == "assistant":
            self._read_assistant(entry)
        if kind == "assistant" or entry.get("subtype") == "api_error":
            self.values["api_error"] = lenient_json.text(entry, "error", "formatted")

    def _read_user(self, entry: Entry) -> None:
        if self.hook_prompts:
            text = _normalized(transcript_entry.typed_text(entry))
            if text in self.hook_prompts:
                self.hook_prompts.remove(text)
                return
        prompt, timestamp = entry.get("promptId"), str(entry.get("timestamp") or "")
        if switch := transcript_entry.switch(entry):
            by = str(prompt or "")
            self.values |= {"last_switch": switch, "switched_at": timestamp, "switched_by": by}
        if task := transcript_entry.background_id(entry):
            self.in_background.add(task)
        request = transcript_entry.request(entry)
        self._read_mode(entry, is_prompt=request is not None)
        if request is not None and isinstance(prompt, str):
            self.prompts.setdefault(prompt, timestamp)
            self.asked.setdefault(prompt, (request[:_LONGEST_REQUEST],) if request else ())
            if len(self.prompts) > 2 * _MOST_PROMPTS:
                self.prompts = dict(list(self.prompts.items())[-_MOST_PROMPTS:])
                self.asked = dict(list(self.asked.items())[-_MOST_PROMPTS:])
        if request:
            self._add_request(request)

    def _read_mode(self, entry: Entry, is_prompt: bool) -> None:
        self.plan_mode.read(entry, is_prompt)
        for block in transcript_entry.blocks(entry):
            self.plan_mode.read_block(block)
            self.activity.read(block)

    def _read_assistant(self, entry: Entry) -> None:
        if model := transcript_entry.model(entry):
            self.values["model"] = model
        tokens = usage.message_tokens(lenient_json.mapping(entry, "message", "usage"))
        if any(tokens.values()):
            self.cached_tokens = tokens["cache_read"] + tokens["cache_creation"]
            self.uses_cache = self.uses_cache or tokens["cache_read"] > 0
        said_at = parse_time(str(entry.get("timestamp") or ""))
        self.texts = [*self.texts[1 - _MOST_TEXTS :], (transcript_entry.text(entry), said_at)]
        if sum(len(text) for text, _ in self.texts) > _MOST_CHARACTERS:
            self.texts = self.texts[-1:]

    def _add_request(self, request: str) -> None:
        self.requests.append((request, next(reversed(self.asked), "")))
        self.size += len(request)
        if self.size > _MOST_CHARACTERS:
            first, owner = self.requests[0]
            half = max(1, len(self.requests) // 2)
            self.requests = [(first[:_LONGEST_FIRST_REQUEST], owner), *self.requests[half:]]
            self.size = sum(len(text) for text, _ in self.requests)

    def conversation(self) -> Conversation:
        return Conversation(
            requests=tuple(text for text, _ in self.requests),
            owners=tuple(owner for _, owner in self.requests),
            prompts=self.prompts,
            asked=self.asked,
            used=self.used,
            last_texts=tuple(text for text, _ in self.texts),
            said_at=tuple(at for _, at in self.texts),
            choices=Choices(self.plan_mode.by_agent, frozenset(self.in_background)),
            cached_tokens=self.cached_tokens if self.uses_cache else 0,
            actions=tuple(self.activity.actions.values()),
            **self.values,
        )


def _normalized(text: str) -> str:
    return " ".join(text.split())


def parse_time(text: str) -> float:
    """Parse an ISO 8601 time into seconds since the epoch; 0 if it isn't one."""
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0
