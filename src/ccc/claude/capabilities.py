"""What ccc relies on in a claude: each capability, and what ccc does without it.

`ccc doctor --deep` answers this list for a binary. The rest of ccc asks the answers, and never
compares version numbers.
"""

REFUSE = "refuse"
"""ccc doesn't do what needs the capability, and says why."""
DEGRADE = "degrade"
"""ccc does it in another way, and says so."""
COST = "cost"
"""A review costs more, and ccc says how much."""


class Capability:
    """Something that ccc relies on."""

    __slots__ = ("interactive", "name", "without")

    def __init__(self, name: str, without: str, interactive: bool = False) -> None:
        self.name = name
        self.without = without
        self.interactive = interactive
        """Whether only an interactive session shows it."""


CAPABILITIES = {
    each.name: each
    for each in (
        # the process decides about endpoint, key and model, not `env` in settings.json
        Capability("provider_wins", REFUSE),
        # `/supervisor` runs its command before the turn
        Capability("slash_command", REFUSE),
        # a Stop hook runs, and can send the agent back to work
        Capability("stop_hook", REFUSE),
        # a review can be forked from the conversation
        Capability("fork", REFUSE),
        # the reviewer can't write to the project
        Capability("read_only", REFUSE),
        # `ccc run` can hold a conversation in stream-json
        Capability("streamed_input", REFUSE),
        # the reviewer's commands run in claude's sandbox
        Capability("reviewer_bash", DEGRADE),
        # the fork doesn't appear in the user's list of conversations
        Capability("private_fork", DEGRADE),
        # the Stop event names the user's prompt
        Capability("prompt_id", DEGRADE),
        # a hook's message to the user is in the output of `claude -p`
        Capability("message_in_stream", DEGRADE),
        # the agent's commands and hooks don't get the provider's key
        Capability("key_hidden", DEGRADE),
        # the fork repeats the agent's prompt, so the provider's cache serves it
        Capability("print_cache", COST),
        Capability("interactive_cache", COST, interactive=True),
    )
}


class Answers:
    """What is known about a claude."""

    __slots__ = ("missing", "version")

    def __init__(self, version: str, missing: "frozenset[str]" = frozenset()) -> None:
        self.version = version
        self.missing = missing

    def lacks(self, name: str) -> bool:
        """Whether a test has shown that the capability is missing."""
        assert name in CAPABILITIES, name
        return name in self.missing
