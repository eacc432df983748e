"""Validate providers: which of them, with which key and model, and how far each has come."""

import functools
import os
import threading
import time

from ccc import words
from ccc.claude.formats import environment
from ccc.errors import CccError
from ccc.providers import layers, models, probe, probe_rules, variables
from ccc.providers.probe_rules import STEPS, Failure
from ccc.text.values import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ccc.config.schema import Config
    from ccc.providers.probe_rules import Target

WAITING, RUNNING, GOOD, BAD, LEFT_OUT = "waiting", "running", "good", "bad", "left out"
_KEY_FAILURES = ("key", "forbidden")


@dataclass(slots=True)
class Validation:
    """The progress of testing a provider. One thread writes it, another displays it."""

    provider: str
    is_reviewer: bool = False
    model: str = ""
    """The model to request instead of the provider's own."""
    target: "Target | None" = None
    env: "Mapping[str, str]" = field(default_factory=dict, repr=False)
    not_tried: str = ""
    """A word for why the provider isn't tested."""
    failure: Failure | None = None
    key_error: tuple[str, str] = ("", "")
    """Why the key can't be fetched and how to fix that, in the user's language."""
    states: dict[str, str] = field(default_factory=lambda: dict.fromkeys(STEPS, WAITING))
    seconds: dict[str, float] = field(default_factory=dict)
    _step: str = ""
    _start: float = 0.0

    @property
    def is_good(self) -> bool:
        """Whether every step has succeeded."""
        return all(state == GOOD for state in self.states.values())

    @property
    def is_bad(self) -> bool:
        """Whether a step has failed."""
        return self.failure is not None

    @property
    def has_wrong_key(self) -> bool:
        """Whether a different key could help."""
        kind = self.failure.kind if self.failure else ""
        return kind in ("secret", *_KEY_FAILURES)

    def start(self, step: str) -> None:
        """Mark the previous step as successful and start this one."""
        if self.failure is None and self.states[step] == WAITING:
            self._end(GOOD)
            self._step, self._start = step, time.monotonic()
            self.states[step] = RUNNING

    def finish(self) -> None:
        """Mark the current step as successful."""
        if self.failure is None:
            self._end(GOOD)
            self._step = ""

    def fail(self, failure: Failure) -> None:
        """Mark the current step as failed and skip the remaining ones."""
        if self.failure is None:
            secrets = probe_rules.secrets_of(self.target) if self.target else []
            self.failure = Failure(failure.kind, probe_rules.safe_excerpt(failure.detail, secrets))
            self._end(BAD)
            if failure.kind in _KEY_FAILURES:
                self.states["key"] = BAD
            self.leave_out()

    def leave_out(self) -> None:
        """Skip the remaining steps."""
        self.states |= {name: LEFT_OUT for name, state in self.states.items() if state == WAITING}

    def is_late(self, timeout: float) -> bool:
        """Whether the current step has taken too long."""
        return bool(self._step) and time.monotonic() - self._start > timeout

    def _end(self, state: str) -> None:
        if self._step:
            self.states[self._step] = state
            self.seconds[self._step] = time.monotonic() - self._start


def _attempt(validation: Validation, work: "Callable[[], object]") -> None:
    """Do the work, and record an exception as a failure without a traceback that may hold a key."""
    try:
        work()
    except Failure as failure:
        validation.fail(failure)
    except Exception as error:
        validation.fail(Failure("bug", type(error).__name__))


def plan(config: "Config", names: list[str]) -> list[Validation]:
    """Return the providers to try, and their reviewers unless tried with the same model."""
    supervisor = config.supervisor
    reviewers = dict.fromkeys(supervisor.provider or name for name in names)
    validations = [Validation(name) for name in names]
    validations += [
        Validation(name, is_reviewer=True, model=supervisor.model)
        for name in reviewers
        if supervisor.model or name not in names
    ]
    for each in validations:
        each.not_tried = probe_rules.obstacle(variables.values(config, each.provider))
        if each.not_tried:
            each.leave_out()
    return validations


def prepare(config: "Config", validation: Validation) -> None:
    """Fetch the key, and determine what to request."""
    if not validation.not_tried:
        _attempt(validation, functools.partial(_prepare, config, validation))


def _prepare(config: "Config", validation: Validation) -> None:
    validation.start("key")
    try:
        merged = layers.for_provider(config, validation.provider, os.environ)
    except CccError as error:
        validation.key_error = str(error), words.say(error.hint, **error.params)
        raise Failure("secret") from None
    own = {models.MODEL: validation.model} if validation.model else {}
    setting = merged.settings.get("model")
    validation.target = probe_rules.target(
        {**merged.env, **own}, setting if isinstance(setting, str) else ""
    )
    validation.env = environment.for_claude(os.environ, merged.env, 0, "")
    if not any(merged.env.get(name) for name in environment.CREDENTIALS[:2]):
        raise Failure("no_key")
    validation.finish()


def run(validations: list[Validation], timeout: float) -> None:
    """Try the prepared providers in parallel, until each has ended or is late."""
    running = []
    for each in validations:
        if each.target and not each.is_bad:
            work = functools.partial(probe.run, each, timeout)
            thread = threading.Thread(target=_attempt, args=(each, work), daemon=True)
            thread.start()
            running.append((each, thread))
    while running:
        time.sleep(0.02)
        for each, _ in running:
            if each.is_late(timeout):
                each.fail(Failure("timeout"))
        running = [pair for pair in running if pair[1].is_alive() and not pair[0].is_bad]
