"""What a review costs at the prices that claude counts with: a fork keeps the prompt cache."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from facts import scripted_project
from supervised import ASKED, DONE, REVIEWING, WORKING, YES, Run, bash, no, requests, supervise

from ccc.scripted import (
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
from harness import CccProject

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
class Reviewed:
    """A long session after its review, and what the agent's last request was like."""

    run: Run
    tokens: int
    share: float

    @property
    def costs(self) -> list[float]:
        """What each review cost, in dollars."""
        return [verdict["cost_usd"] for verdict in self.run.record.verdicts]


def priced(project: CccProject) -> dict[str, object]:
    """The scripted model at the prices that claude has for a model that it doesn't know."""
    prices = {"input": 4, "output": 20, "cache_read": 0.2, "cache_write": 5}
    return {"kimi": {**project.provider(), "prices": prices}}


def reviewed(project: CccProject) -> Reviewed:
    """Work until 50,000 tokens are on the table, then stop."""
    run = supervise(project, "read all of it")
    run.outcome.succeeded()
    assert project.model is not None
    review = requests(project, ASKED)[0]
    last = [r for r in requests(project, WORKING) if r.number < review.number][-1]
    (usage,) = (e.usage for e in project.model.exchanges if e.request.number == last.number)
    assert usage is not None
    return Reviewed(run, usage.prompt, shared_prefix(last, review))


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reviewed]:
    """Reviewed as ccc does it."""
    with scripted_project(tmp_path_factory.mktemp("ours"), *RULES) as project:
        project.configure(providers=priced(project))
        yield reviewed(project)


@pytest.fixture(scope="module")
def with_schema(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reviewed]:
    """Reviewed with --json-schema."""
    with scripted_project(tmp_path_factory.mktemp("schema"), *RULES) as project:
        project.configure(providers=priced(project), supervisor={"structured_output": True})
        yield reviewed(project)


def test_a_review_costs_under_a_tenth(ours: Reviewed, with_schema: Reviewed) -> None:
    """A session of 50,000 tokens: the fork costs under a tenth of what --json-schema costs."""
    assert ours.tokens > 50_000
    assert with_schema.tokens > 50_000
    (structured,) = with_schema.costs
    assert 0 < ours.costs[0] < structured / 10


def test_the_whole_prompt_is_read_from_the_cache(ours: Reviewed) -> None:
    """Only the review request itself is new to the provider."""
    assert ours.share == 1.0
    tokens = ours.run.record.verdicts[0]["tokens"]
    assert tokens["cache_read"] >= ours.tokens
    new = tokens["input"] + tokens["cache_creation"]
    assert new < 3_300
    assert new < 0.05 * (new + tokens["cache_read"])


def test_a_schema_gives_the_cache_away(with_schema: Reviewed) -> None:
    """The tool that --json-schema adds is why it is not how a fork is asked."""
    assert with_schema.share < 0.1
    assert with_schema.run.record.verdicts[0]["completed"] is True


def test_the_cost_of_the_session_is_not_the_reviews(ours: Reviewed) -> None:
    """Claude counts a fork's cost on top of the session's; each review is charged its own."""
    first, second = ours.costs
    assert second == pytest.approx(first, rel=0.05)
    assert ours.run.record.state["cost_usd"] == pytest.approx(first + second)
    (session,) = (line["total_cost_usd"] for line in ours.run.lines if line["type"] == "result")
    assert first + second < session / 20
