"""The cost of a review at claude's prices: a fork keeps the prompt cache."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from facts import scripted_project
from supervised import ASKED, DONE, REVIEWING, WORKING, YES, Run, bash, no, requests, supervise

from harness import CccProject
from harness.scripted import (
    CODE,
    Rule,
    answer,
    either,
    every,
    has_tool,
    said_last,
    shared_prefix,
    tool,
    tool_result,
)

pytestmark = pytest.mark.real

LONG = "Reading on, and thinking about what I read. " * 5_000
RULES = (
    Rule(
        every(REVIEWING, has_tool("StructuredOutput"), tool_result()),
        answer("The verdict is given."),
    ),
    Rule(
        every(ASKED, has_tool("StructuredOutput")),
        answer(tool("StructuredOutput", code=CODE, completed=True, feedback="")),
    ),
    Rule(ASKED, [answer(no("show it")), answer(YES)]),
    Rule(every(WORKING, either(tool_result(), said_last("show it"))), answer(DONE)),
    Rule(WORKING, answer(LONG, bash("echo looked"))),
)


@dataclass(frozen=True)
class ReviewedSession:
    """A long session after its reviews, and the size of the agent's last request."""

    run: Run
    tokens: int
    share: float

    @property
    def costs(self) -> list[float]:
        """Return the cost of each review in dollars."""
        return [verdict["cost_usd"] for verdict in self.run.record.verdicts]


def providers_with_prices(project: CccProject) -> dict[str, object]:
    """Return the scripted provider with claude's prices for an unknown model."""
    prices = {"input": 4, "output": 20, "cache_read": 0.2, "cache_write": 5}
    return {"kimi": {**project.provider(), "prices": prices}}


def run_session(project: CccProject) -> ReviewedSession:
    """Run a session with more than 50,000 tokens and its reviews."""
    run = supervise(project, "read all of it")
    run.outcome.succeeded()
    assert project.model is not None
    review = requests(project, ASKED)[0]
    last = [r for r in requests(project, WORKING) if r.number < review.number][-1]
    (usage,) = (e.usage for e in project.model.exchanges if e.request.number == last.number)
    assert usage is not None
    return ReviewedSession(run, usage.prompt, shared_prefix(last, review))


@pytest.fixture(scope="module")
def with_fork(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReviewedSession]:
    """A session with ccc's default review."""
    with scripted_project(tmp_path_factory.mktemp("ours"), *RULES) as project:
        project.configure(providers=providers_with_prices(project))
        yield run_session(project)


@pytest.fixture(scope="module")
def with_schema(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReviewedSession]:
    """A session reviewed with --json-schema."""
    with scripted_project(tmp_path_factory.mktemp("schema"), *RULES) as project:
        project.configure(
            providers=providers_with_prices(project), supervisor={"structured_output": True}
        )
        yield run_session(project)


def test_a_review_costs_under_a_tenth(
    with_fork: ReviewedSession, with_schema: ReviewedSession
) -> None:
    """After 50,000 tokens, a fork costs under a tenth of a review with --json-schema."""
    assert with_fork.tokens > 50_000
    assert with_schema.tokens > 50_000
    (structured,) = with_schema.costs
    assert 0 < with_fork.costs[0] < structured / 10


def test_the_whole_prompt_is_read_from_the_cache(with_fork: ReviewedSession) -> None:
    """Only the review request itself is new to the provider."""
    assert with_fork.share == 1.0
    tokens = with_fork.run.record.verdicts[0]["tokens"]
    assert tokens["cache_read"] >= with_fork.tokens
    new = tokens["input"] + tokens["cache_creation"]
    assert new < 3_300
    assert new < 0.05 * (new + tokens["cache_read"])


def test_a_schema_gives_the_cache_away(with_schema: ReviewedSession) -> None:
    """The tool that --json-schema adds breaks the cache, so forks don't use it."""
    assert with_schema.share < 0.1
    assert with_schema.run.record.verdicts[0]["completed"] is True


def test_the_cost_of_the_session_is_not_the_reviews(with_fork: ReviewedSession) -> None:
    """Claude adds a fork's cost to the session's; ccc charges each review its own cost."""
    first, second = with_fork.costs
    assert second == pytest.approx(first, rel=0.05)
    assert with_fork.run.record.state["cost_usd"] == pytest.approx(first + second)
    (session,) = (
        line["total_cost_usd"] for line in with_fork.run.lines if line["type"] == "result"
    )
    assert first + second < session / 20
