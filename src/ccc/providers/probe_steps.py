"""A provider tried step by step, and how far it got."""

import time
from contextlib import closing
from dataclasses import dataclass, field

from ccc.providers import probing
from ccc.providers.http_probe import Line
from ccc.providers.probing import STEPS, Failed, Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ccc.providers.probing import Target

WAITING, RUNNING, GOOD, BAD, LEFT_OUT = "waiting", "running", "good", "bad", "left out"


_OF_THE_KEY = ("key", "forbidden")


@dataclass(slots=True)
class Trial:
    """What is known of a provider so far; one thread writes it, another shows it."""

    provider: str
    is_judge: bool = False
    model: str = ""
    """The model that is asked for in place of the provider's own."""
    target: "Target | None" = None
    env: "Mapping[str, str]" = field(default_factory=dict, repr=False)
    untried: str = ""
    """Why it is not tried, as a word."""
    finding: Finding | None = None
    told: str = ""
    """A problem with the key in words that are ready, in place of a finding's."""
    states: dict[str, str] = field(default_factory=lambda: dict.fromkeys(STEPS, WAITING))
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def is_good(self) -> bool:
        """Whether every step has succeeded."""
        return all(state == GOOD for state in self.states.values())

    @property
    def is_bad(self) -> bool:
        """Whether a step has failed."""
        return BAD in self.states.values()

    @property
    def has_wrong_key(self) -> bool:
        """Whether another key could help."""
        return bool(self.told) or (self.finding is not None and self.finding.kind in _OF_THE_KEY)

    def step(self, name: str, work: "Callable[[], object]") -> bool:
        """Do a step and time it; say whether to go on."""
        begun = time.monotonic()
        self.states[name] = RUNNING
        try:
            work()
            self.states[name] = GOOD
        except Failed as failed:
            known = probing.secrets_of(self.target) if self.target else []
            detail = probing.shown(failed.finding.detail, known)
            self.finding = Finding(failed.finding.kind, detail)
            self.states[name] = BAD
            if failed.finding.kind in _OF_THE_KEY:
                # it could be had, and is not good
                self.states["key"] = BAD
        except Exception as error:
            # a trace would be printed by the thread, with what must not be seen
            self.finding = Finding("bug", type(error).__name__)
            self.states[name] = BAD
        finally:
            self.seconds[name] = time.monotonic() - begun
        return self.states[name] == GOOD

    def leave_out(self) -> None:
        """What has not been tried will not be."""
        for name, state in self.states.items():
            if state in (WAITING, RUNNING):
                self.states[name] = LEFT_OUT


def run(trial: Trial, timeout: float) -> None:
    """Endpoint, model and a tool call, each within the timeout; ends at the first that fails."""
    target = trial.target
    assert target is not None

    def ask(with_tool: bool) -> None:
        with closing(Line(target, trial.env, timeout)) as line:
            line.connect()
            question = probing.question(target.model, with_tool)
            answer = line.post(question, probing.is_over)
        finding = probing.judge(*answer, with_tool)
        if finding is not None:
            raise Failed(finding.kind, finding.detail)

    def reach() -> None:
        with closing(Line(target, trial.env, timeout)) as line:
            line.connect()

    steps = {"endpoint": reach, "model": lambda: ask(False), "tool": lambda: ask(True)}
    all(trial.step(name, work) for name, work in steps.items())
    trial.leave_out()
