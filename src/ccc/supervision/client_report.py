"""What the session's claude lacks, and what ccc tells the user about it."""

from collections.abc import Iterable, Iterator

from ccc import words
from ccc.claude import binary, clients
from ccc.claude.capabilities import Answers, version_number
from ccc.errors import CccError
from ccc.storage import files
from ccc.storage.ledger import Ledger
from ccc.storage.paths import Paths, own_program
from ccc.supervision.session_store import SupervisedSession
from ccc.supervision.verdict import Review

# below it, the review has read the conversation anew
_SHARED = 0.5
_NOTABLE_TOKENS = 1000
_TOLD_AT_STOP = ("private_fork", "prompt_id", "lenient_settings", "key_hidden")


def program_of(session: SupervisedSession) -> str:
    """Return the claude of the session, which also reviews it."""
    return session.state.claude or binary.find(session.environ, own_program()).path


def find(session: SupervisedSession, version: str) -> Answers:
    """Return what is known about the claude of the session."""
    try:
        program = program_of(session)
        known = clients.find(session.where, program)
        # a script that starts another claude doesn't change when that one is updated
        if version_number(version) > version_number(known.version) > ():
            clients.forget(session.where, program)
            return Answers()
    except CccError:
        return Answers()  # the review reports that there is no claude
    return known


def learn(session: SupervisedSession) -> None:
    """Have the claude of the session tested in the background if nothing is known about it."""
    program, ccc = program_of(session), own_program()
    clients.learn(session.where, program, ccc, environ=session.environ, config=session.config)


def notes(session: SupervisedSession, client: Answers) -> list[str]:
    """Return what the user has not been told yet about the session's claude."""
    new = _news(session.where, program_of(session), filter(client.lacks, _TOLD_AT_STOP))
    return [clients.describe(client, name) for name in new] + (
        [clients.advise(client)] if new else []
    )


def notes_on_review(
    session: SupervisedSession, client: Answers, review: Review, cached_tokens: int
) -> Iterator[str]:
    """Yield what a review has shown about the claude, each of it once.

    `cached_tokens` is what the agent's last request read from the cache.
    """
    cache_note = _cache_note(session, client, review, cached_tokens)
    lacks_sandbox = client.lacks("reviewer_bash") and session.limits.sandbox == "auto"
    if lacks_sandbox and _news(session.where, program_of(session), ["reviewer_bash"]):
        # the other note has the same advice
        with_advice = str(clients.lack_error(client, "reviewer_bash"))
        yield clients.describe(client, "reviewer_bash") if cache_note else with_advice
    if cache_note:
        yield cache_note


def _cache_note(session: SupervisedSession, client: Answers, review: Review, cached: int) -> str:
    """Say once how much of the agent's cached prompt a review has paid for again, else return "".

    The agent's own turns must have used the cache: some providers have none.
    """
    if not client.missing & {"print_cache", "interactive_cache"}:
        return ""
    first = review.first_request
    read = first.get("cache_read", 0)
    again = min(cached - read, first.get("input", 0) + first.get("cache_creation", 0))
    if again < _NOTABLE_TOKENS or read > _SHARED * cached:
        return ""
    if not _news(session.where, program_of(session), ["cache"]):
        return ""
    return words.say(
        "client.paid_again",
        tokens=f"{again:,}",
        client=client.version,
        advice=clients.advise(client),
    )


def _news(where: Paths, program: str, names: Iterable[str]) -> list[str]:
    """Return the names that the user has not been told about this claude, and note them."""
    if not (names := list(names)):
        return []
    try:
        with files.Lock(where.locks) as lock:
            ledger = Ledger(where.ledger)
            new = [name for name in names if ledger.tell_once(_mark(program, name))]
            ledger.save(lock)
    except CccError:
        return names  # told twice is better than never
    return new


def _mark(program: str, name: str) -> str:
    return f"client {clients.key(program)} {name}"
