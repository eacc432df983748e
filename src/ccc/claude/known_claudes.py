"""What is known about each claude, and what the user is told about it.

It is the answers of a test on this machine, else those about its version.
"""

import contextlib
import os
import time
from collections.abc import Iterable, Iterator, Mapping

import msgspec

import ccc
from ccc import words
from ccc.claude import binary
from ccc.claude.capabilities import Answers, answers_for, complete_since, version_number
from ccc.claude.formats import environment
from ccc.config.schema import Config, Supervisor
from ccc.errors import CccError
from ccc.providers import layers
from ccc.storage import files
from ccc.storage.ledger import Ledger
from ccc.storage.paths import Paths
from ccc.system import spawn
from ccc.text import jsontext, names

KNOWN_VERSIONS = os.path.join(os.path.dirname(__file__), "known_versions.json")
SELFTEST = "CCC_SELFTEST"
"""The variable that turns off the test beside a launch (`off`), or is set by a test (`running`)."""
_TEST = ("doctor", "--deep", "--interactive", "--quiet", "--claude")
_RETRY_SECONDS = 24 * 3600
_TOLD_AT_STOP = ("private_fork", "prompt_id", "lenient_settings", "key_hidden")
# below it, the review has read the conversation anew
_SHARED = 0.5
_NOTABLE_TOKENS = 1000


def find(paths: Paths, program: str) -> Answers:
    """Return what is known about a claude without running it; no version if that is nothing."""
    if os.environ.get(SELFTEST) == "running":
        return Answers()  # a test needs to see what claude does by itself
    return load(paths, program) or of_version(binary.version_of(program))


def find_current(paths: Paths, program: str, version: str) -> Answers:
    """Return what is known about a claude that runs in this version now."""
    known = find(paths, program)
    # a script that starts another claude doesn't change when that one is updated
    if version_number(version) > version_number(known.version) > ():
        forget(paths, program)
        return Answers()
    return known


def of_version(version: str) -> Answers:
    """Return what ccc knows about a version of claude; no version if that is nothing."""
    return answers_for(version, _measured()) if version else Answers()


def describe(client: Answers, name: str) -> str:
    """Say what a claude lacks, and what ccc does about it."""
    return words.say("client.lacks", client=client.version, what=words.say(f"client.{name}"))


def advise(client: Answers) -> str:
    """Say which claude lacks nothing."""
    measured, number = _measured(), version_number(client.version)
    complete = complete_since(measured)
    if number > max(version_number(each.version) for each in measured):
        return words.say("client.use_other", version=complete)
    if number >= version_number(complete):
        return words.say("client.changed", version=client.version)
    return words.say("client.update", version=complete)


def lack_error(client: Answers, name: str) -> CccError:
    """Return the error that says what a claude lacks, and the remedy."""
    what, advice = words.say(f"client.{name}"), advise(client)
    hint = "client.test_again"
    return CccError("client.refusal", hint=hint, client=client.version, what=what, advice=advice)


def refuse_weak(client: Answers, env: Mapping[str, str]) -> None:
    """Refuse a claude that would send the provider's key to an endpoint in a settings file."""
    if environment.has_access(env):
        refuse_without(client, "provider_wins")


def refuse_without(client: Answers, *needed: str) -> None:
    """Refuse a claude that lacks any of these capabilities."""
    for name in filter(client.lacks, needed):
        raise lack_error(client, name)


def refuse_reviewer(client: Answers, limits: Supervisor, is_fork: bool) -> None:
    """Refuse a claude that can't review."""
    refuse_without(client, "read_only", *(["fork"] if is_fork else []))
    if client.lacks("reviewer_bash") and limits.sandbox == "require":
        raise lack_error(client, "reviewer_bash_required")


def notes(paths: Paths, program: str, client: Answers) -> list[str]:
    """Return what the user has not been told yet about a session's claude."""
    new = _news(paths, program, filter(client.lacks, _TOLD_AT_STOP))
    return [*(describe(client, name) for name in new), *([advise(client)] if new else [])]


def notes_on_review(
    paths: Paths,
    program: str,
    client: Answers,
    *,
    uses_sandbox: bool,
    first_request: Mapping[str, int],
    cached_tokens: int,
) -> Iterator[str]:
    """Yield what a review has shown about the claude, each of it once.

    `cached_tokens` is what the agent's last request read from the cache.
    """
    paid_again = _tokens_paid_again(client, first_request, cached_tokens)
    cache_note = ""
    if paid_again and _news(paths, program, ["cache"]):
        cache_note = words.say(
            "client.paid_again",
            tokens=f"{paid_again:,}",
            client=client.version,
            advice=advise(client),
        )
    lacks_sandbox = client.lacks("reviewer_bash") and uses_sandbox
    if lacks_sandbox and _news(paths, program, ["reviewer_bash"]):
        # the other note has the same advice
        with_advice = str(lack_error(client, "reviewer_bash"))
        yield describe(client, "reviewer_bash") if cache_note else with_advice
    if cache_note:
        yield cache_note


def _tokens_paid_again(client: Answers, first: Mapping[str, int], cached: int) -> int:
    """Return how much of the agent's cached prompt a review has paid for again, if it is notable.

    The agent's own turns must have used the cache: some providers have none.
    """
    if not client.missing & {"print_cache", "interactive_cache"}:
        return 0
    read = first.get("cache_read", 0)
    again = min(cached - read, first.get("input", 0) + first.get("cache_creation", 0))
    return 0 if again < _NOTABLE_TOKENS or read > _SHARED * cached else again


def _news(paths: Paths, program: str, names: Iterable[str]) -> list[str]:
    """Return the names that the user has not been told about this claude, and note them."""
    if not (names := list(names)):
        return []
    try:
        with files.Lock(paths.locks) as lock:
            ledger = Ledger(paths.ledger)
            new = [name for name in names if ledger.tell_once(f"client {key(program)} {name}")]
            ledger.save(lock)
    except CccError:
        return names  # told twice is better than never
    return new


def _measured() -> list[Answers]:
    with open(KNOWN_VERSIONS, "rb") as file:
        known = msgspec.json.decode(file.read(), type=dict[str, list[Answers]])["versions"]
    if os.geteuid() != 0:
        return known
    return [Answers(each.version, each.missing | each.as_root, each.unknown) for each in known]


def learn(paths: Paths, program: str, ccc: str, environ: Mapping[str, str], config: Config) -> None:
    """If nothing is known about a claude, store what is known about its version, or test it.

    The test runs in the background, without the user's keys.
    """
    if environ.get(SELFTEST) in ("off", "running") or load(paths, program):
        return
    try:
        known = of_version(binary.version_of(program))
        if known.version:
            save(paths, program, known)
        elif os.path.isdir(paths.state_dir) and claim(paths, program):
            env = environment.for_notification(environ, layers.key_variables(config))
            spawn.start_detached([ccc, *_TEST, program], env)
    except CccError:
        pass  # the directory isn't writable, which other parts report


def key(program: str) -> str:
    """Return a name for the program as it is now; "" if it doesn't exist.

    Root and other users get different answers, as does a new version of ccc, which asks more.
    """
    try:
        program = os.path.realpath(program)
        status = os.stat(program)
    except (OSError, ValueError):
        return ""
    is_root = os.geteuid() == 0
    facts = (program, status.st_size, status.st_mtime_ns, is_root, ccc.__version__)
    return names.checksum(repr(facts))


def load(paths: Paths, program: str) -> Answers | None:
    """Return the stored answers about the program."""
    try:
        text = files.read_or_none(_file(paths, key(program))) or ""
        return msgspec.json.decode(text, type=Answers)
    except msgspec.DecodeError:
        return None


def save(paths: Paths, program: str, answers: Answers) -> None:
    """Store the answers about the program."""
    if name := key(program):
        content = {"program": program, **msgspec.to_builtins(answers, order="sorted")}
        with files.Lock((paths.state_dir,)) as lock:
            lock.write(_file(paths, name), jsontext.dump(content), durable=False, ours=True)
        files.remove(_mark(paths, name))


def forget(paths: Paths, program: str) -> None:
    """Remove the stored answers about the program."""
    if name := key(program):
        files.remove(_file(paths, name))


def claim(paths: Paths, program: str) -> bool:
    """Return whether this process is the one that starts the test of the program.

    If a test ends without an answer, the next one starts a day later.
    """
    if not (name := key(program)):
        return False
    mark = _mark(paths, name)
    with contextlib.suppress(OSError):  # another launch has, or the directory isn't writable
        if os.path.exists(mark) and time.time() - os.stat(mark).st_mtime > _RETRY_SECONDS:
            os.unlink(mark)
        os.close(os.open(mark, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        return True
    return False


def _file(paths: Paths, name: str) -> str:
    return os.path.join(paths.state_dir, f"client-{name}.json")


def _mark(paths: Paths, name: str) -> str:
    """Return the path of the file that exists while nobody else has to test the program."""
    return os.path.join(paths.state_dir, f"client-{name}.started")
