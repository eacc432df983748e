"""What ccc relies on in a claude: each capability, and what ccc does without it.

`ccc doctor --deep` answers this list for a binary. The rest of ccc asks the answers, and never
compares version numbers.
"""

from collections.abc import Iterable, Set

import msgspec

OLDEST = "2.1.223"  # the oldest claude that ccc runs

REFUSE = "refuse"  # ccc doesn't do what needs the capability, and says why
DEGRADE = "degrade"  # ccc does it in another way, and says so
COST = "cost"  # A review costs more, and ccc says how much


CAPABILITIES = {
    "provider_wins": REFUSE,  # the process decides about endpoint, key and model, not a file's env
    "slash_command": REFUSE,  # `/supervisor` runs its command before the turn
    "stop_hook": REFUSE,  # a Stop hook runs, and can send the agent back to work
    "fork": REFUSE,  # a review can be forked from the conversation
    "read_only": REFUSE,  # the reviewer can't write to the project
    "streamed_input": REFUSE,  # `ccc run` can hold a conversation in stream-json
    "reviewer_bash": DEGRADE,  # the reviewer's commands run in claude's sandbox
    "private_fork": DEGRADE,  # the fork doesn't appear in the user's list of conversations
    "prompt_id": DEGRADE,  # the Stop event names the user's prompt
    "message_in_stream": DEGRADE,  # a hook's message to the user is in the output of `claude -p`
    "lenient_settings": DEGRADE,  # a settings file with an unknown hook event is read
    "key_hidden": DEGRADE,  # the agent's commands and hooks don't get the provider's key
    "print_cache": COST,  # the fork repeats the agent's prompt, so the provider's cache serves it
    "interactive_cache": COST,  # the same in a session on a terminal
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


def answers_for(version: str, measured: Iterable[Answers]) -> Answers:
    """Return the answers for a version that was measured or lies between two that agree."""
    number = version_number(version)
    known = sorted(measured, key=lambda each: version_number(each.version))
    below = [each for each in known if version_number(each.version) <= number]
    above = [each for each in known if version_number(each.version) >= number]
    if not number or not below or not above or below[-1].missing != above[0].missing:
        return Answers()
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
