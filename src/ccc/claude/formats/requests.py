"""A session's conversation: what the user asked for, and which of it a stop is about."""

from dataclasses import dataclass, field, replace

from ccc.claude.formats.event import Choices
from ccc.sessions.record import moment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ccc.providers.tokens import Used

LONGEST_ASKED = 2_000
MOST_OF_A_TASK = 20
_SLACK_SECONDS = 5.0
"""The prompt that switches supervision on is a little older than the switch."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """What a review needs to know of a session."""

    requests: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    """The prompt that each request was made with."""
    prompts: "Mapping[str, str]" = field(default_factory=dict)
    """When each prompt of the user's was given, by its id."""
    asked: "Mapping[str, tuple[str, ...]]" = field(default_factory=dict)
    """What each prompt of the user's asked for, by its id, and what was typed meanwhile."""
    model: str = ""
    used: "Mapping[str, Used]" = field(default_factory=dict)
    """What the session had used of each model when claude last ended."""
    last_texts: tuple[str, ...] = ()
    last_switch: str = ""
    """What the user switched supervision to last, in this session's own words: `on` or `off`."""
    switched_at: str = ""
    """When that was."""
    switched_by: str = ""
    """The prompt with which the user did that."""
    cwd: str = ""
    """Where the agent was last."""
    choices: Choices = field(default_factory=Choices)

    def task(self, prompt_id: str, finished: str, since: float) -> "tuple[str, tuple[str, ...]]":
        """The prompt that the task began with, and all that was asked since.

        A prompt that came to no end (Esc, a limit, a question of the agent's) is part of the task:
        what follows goes on with it. It begins where supervision was switched on (`since` then),
        or after the prompt that was `finished`. While nothing was asked since a bare `/supervisor`,
        it is about the request before.
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
            return task[-1], tuple(each[:LONGEST_ASKED] for each in self.requests[-1:])
        began = next(prompt for prompt in task if self.asked[prompt])
        return began, tuple(requests[:1] + requests[1:][-MOST_OF_A_TASK:])

    def requests_since(self, prompt_id: str, since: float) -> tuple[str, ...]:
        """What the user asked for since supervision was switched on; all of it if that is nothing.

        The prompt of this stop counts even if it is older: the agent was at work on it.
        """
        at = {prompt: number for number, prompt in enumerate(self.asked)}
        begin = min(at.get(prompt_id, len(at)), self._switched_on(since))
        pairs = zip(self.requests, self.owners, strict=True)
        return tuple(text for text, owner in pairs if at.get(owner, 0) >= begin) or self.requests

    def after_run(self, own: "Sequence[str]", ended: float, is_finished: bool) -> "Conversation":
        """The conversation without what `ccc run` told the agent, which claude keeps as prompts.

        Of the time up to its end only the run's `own` requests are the user's. A finished run's
        are a task of their own.
        """
        before = [p for p in self.asked if moment(self.prompts.get(p, "")) <= ended]
        if not before:
            return self  # another conversation, as after /clear
        later = {prompt: texts for prompt, texts in self.asked.items() if prompt not in before}
        pairs = list(zip(self.requests, self.owners, strict=True))
        pairs = [(text, before[0]) for text in own] + [p for p in pairs if p[1] in later]
        first = {} if is_finished else {before[0]: tuple(each[:LONGEST_ASKED] for each in own)}
        return replace(
            self,
            requests=tuple(text for text, _ in pairs),
            owners=tuple(owner for _, owner in pairs),
            asked={**first, **later},
        )

    def _switched_on(self, since: float) -> int:
        """The number of the first prompt since supervision was switched on."""
        prompts = list(self.asked)
        early = sum(moment(self.prompts.get(p, "")) < since - _SLACK_SECONDS for p in prompts)
        if self.switched_by not in self.asked:
            return early
        # after `off` it was switched on without a prompt
        return max(prompts.index(self.switched_by) + (self.last_switch == "off"), early)

    def holds(self, message: str) -> bool:
        """Whether the agent's last message has arrived in the transcript."""
        wanted = message.strip()
        return not wanted or any(wanted in text for text in self.last_texts)
