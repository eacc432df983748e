"""What ccc relies on in a claude: each capability, and what ccc does without it.

`ccc doctor --deep` answers this list for a binary. The rest of ccc asks the answers, and never
compares version numbers.
"""

from collections.abc import Iterable, Set
from dataclasses import dataclass

import msgspec

OLDEST = "2.1.223"  # the oldest claude that ccc runs

REFUSE = "refuse"  # ccc doesn't do what needs the capability, and says why
DEGRADE = "degrade"  # ccc does it in another way, and says so
COST = "cost"  # A review costs more, and ccc says how much


@dataclass(frozen=True, slots=True)
class Capability:
    """Something that ccc relies on."""

    name: str
    without: str
    interactive: bool = False  # whether only an interactive session shows it


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


class Answers(msgspec.Struct, frozen=True):
    """What is known about a claude."""

    version: str = ""  # empty if it is unknown
    missing: Set[str] = frozenset()
    unknown: Set[str] = frozenset()  # the capabilities that were not tested
    as_root: Set[str] = frozenset()  # the capabilities that it lacks only if root runs it

    def lacks(self, name: str) -> bool:
        """Return whether a test has shown that the capability is missing."""
        assert name in CAPABILITIES, name
        return name in self.missing


class KnownVersions(msgspec.Struct):
    """The file `known_versions.json`: what `make compat` measured, by version."""

    versions: list[Answers]


def answers_for(version: str, measured: Iterable[Answers]) -> Answers | None:
    """Return the answers for a version that was measured or lies between two that agree."""
    number = version_number(version)
    known = sorted(measured, key=lambda each: version_number(each.version))
    below = [each for each in known if version_number(each.version) <= number]
    above = [each for each in known if version_number(each.version) >= number]
    if not number or not below or not above or below[-1].missing != above[0].missing:
        return None
    return Answers(version, below[-1].missing, below[-1].unknown | above[0].unknown)


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


def is_too_old(version: str) -> bool:
    """Return whether the version is known, and older than ccc supports."""
    return () < version_number(version) < version_number(OLDEST)
