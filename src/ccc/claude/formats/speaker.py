"""Whose an entry of the conversation is: the user's own, or somebody else's."""

from ccc.sessions import glance
from ccc.text import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_FOREIGN = (
    *("isMeta", "isVisibleInTranscriptOnly", "isCompactSummary", "toolUseResult", "wakeupSource"),
    # the client knows these two marks, but no session of the tests has shown one
    *("isVirtual", "forwardedIntent"),
)


def is_humans(entry: "Mapping[str, object]") -> bool:
    """Whether the entry is the user's own: not another agent's, a schedule's, a hook's or a tool's.

    These are the marks of claude 2.1.325; tests/e2e/test_facts_transcript.py has real entries.
    """
    origin = entry.get("origin")
    human = not isinstance(origin, dict) or origin.get("kind") in (None, "human")
    begun = entry.get("turnOrigin") in (None, "human", "sdk")
    return human and begun and not any(entry.get(mark) for mark in _FOREIGN)


def words_of_hook(entry: "Mapping[str, object]") -> str:
    """What a hook says in the user's name when a session starts; nothing for any other entry.

    Measured: the prompt that follows has no mark of its own, and may be a slash command.
    """
    attachment = entry.get("attachment")
    if not isinstance(attachment, dict) or attachment.get("type") != "hook_success":
        return ""
    output = jsontext.object_in(glance.text(attachment.get("stdout"))) or {}
    specific = output.get("hookSpecificOutput")
    said = specific.get("initialUserMessage") if isinstance(specific, dict) else ""
    return glance.text(said)
