"""What ccc relies on in a claude: each capability, and what ccc does without it.

`ccc doctor --deep` answers this list for a binary. The rest of ccc asks the answers, and never
compares version numbers.
"""

from collections.abc import Iterable

from ccc.text import lenient_json

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
        # a settings file is read even if it names a hook event that claude doesn't know
        Capability("lenient_settings", DEGRADE),
        # the agent's commands and hooks don't get the provider's key
        Capability("key_hidden", DEGRADE),
        # the fork repeats the agent's prompt, so the provider's cache serves it
        Capability("print_cache", COST),
        Capability("interactive_cache", COST, interactive=True),
    )
}


class Answers:
    """What is known about a claude."""

    __slots__ = ("missing", "unknown", "version")

    def __init__(
        self,
        version: str,
        missing: Iterable[str] = (),
        unknown: Iterable[str] = (),
    ) -> None:
        self.version = version
        """Empty if it is unknown."""
        self.missing = frozenset(missing) & CAPABILITIES.keys()
        self.unknown = frozenset(unknown) & CAPABILITIES.keys()
        """The capabilities that were not tested."""

    def lacks(self, name: str) -> bool:
        """Whether a test has shown that the capability is missing."""
        assert name in CAPABILITIES, name
        return name in self.missing


NOTHING_KNOWN = Answers("", unknown=CAPABILITIES)
"""The answers about a claude that was never tested."""


def measured_versions(content: object, is_root: bool) -> list[Answers]:
    """Read `known_versions.json`: what each version lacks, for root also what is in `as_root`."""
    return [
        Answers(
            lenient_json.text(each, "version"),
            lenient_json.texts(each, "missing") + lenient_json.texts(each, "as_root") * is_root,
            lenient_json.texts(each, "unknown"),
        )
        for each in lenient_json.mappings(content, "versions")
    ]


def answers_for(version: str, measured: Iterable[Answers]) -> Answers | None:
    """Return the answers for a version that was measured or lies between two that agree."""
    number = version_number(version)
    known = sorted(measured, key=lambda each: version_number(each.version))
    below = [each for each in known if version_number(each.version) <= number]
    above = [each for each in known if version_number(each.version) >= number]
    if not number or not below or not above:
        return None
    lower, upper = below[-1], above[0]
    if lower.missing != upper.missing:
        return None
    return Answers(version, lower.missing, lower.unknown | upper.unknown)


def complete_since(measured: Iterable[Answers]) -> str:
    """Return the first version since which none lacks anything; "" if the newest one does."""
    first = ""
    for each in sorted(measured, key=lambda each: version_number(each.version)):
        first = "" if each.missing else first or each.version
    return first


def version_number(text: str) -> tuple[int, ...]:
    """Return the version at the start of the text as numbers; empty if there is none."""
    parts = text.split()[0].split(".") if text.strip() else []
    is_version = len(parts) == 3 and all(part.isascii() and part.isdigit() for part in parts)
    return tuple(map(int, parts)) if is_version else ()
