"""Policy and task: every branch of the decision about a stop."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ccc.claude.formats.event import Background, Choices, StopEvent
from ccc.claude.formats.permission import Call, Denials
from ccc.config.schema import Supervisor
from ccc.model.cost import Cost
from ccc.model.state import Task
from ccc.supervision import policy
from ccc.supervision.policy import Decision, task_at_stop
from ccc.supervision.verdict import Review, Verdict

LIMITS = Supervisor(max_iterations=3, max_minutes=5, max_cost_usd=0.5)
TASK = Task(prompt_id="p", count=1, started=1000.0, cost_usd=0.1)
COST = Cost(0.25, "ccc.json")
WORDS = st.text(st.sampled_from("abÄßẞcSs .!\n\t "), max_size=20)


AGENT, USERS, SHELL = Background("a", "1", True), Background("b", "2"), Background("c", "3")
CHOICES = Choices(in_background=frozenset(["2"]))


class TestBeforeReview:
    @pytest.mark.parametrize(
        "event", [{"permission_mode": "plan"}, {"background_tasks": (SHELL,)}], ids=str
    )
    def test_what_the_agent_chose(self, event: dict[str, object]) -> None:
        """The agent can't avoid a review with plan mode or a background command."""
        choices = Choices(agent_plans=True, in_background=frozenset(["2"]))
        assert policy.before_review(TASK, StopEvent(**event), LIMITS, 1000, choices) is None
        both = StopEvent(background_tasks=(AGENT, USERS, SHELL))
        assert policy.before_review(TASK, both, LIMITS, 1000, choices) is None

    @pytest.mark.parametrize(
        ("task", "event", "now", "why", "detail"),
        [
            ({}, {"permission_mode": "plan"}, 1000, "plan", ""),
            ({}, {"background_tasks": (AGENT, USERS)}, 1000, "background", "a, b"),
            ({"count": 3}, {}, 1000, "iterations", "3"),
            ({"count": 4}, {}, 1000, "iterations", "3"),
            ({}, {}, 1300, "minutes", "5"),
            ({"cost_usd": 0.5}, {}, 1000, "cost", "0.5"),
            ({"cost_usd": 7.0}, {}, 1000, "cost", "0.5"),
            ({"count": 3}, {"is_out_of_budget": True}, 1300, "cost", "0.5"),
        ],
    )
    def test_allowed_without_a_review(
        self,
        task: dict[str, float],
        event: dict[str, object],
        now: float,
        why: str,
        detail: str,
    ) -> None:
        """001/迭代次数达到限制: plan mode, background work and each limit allow the stop."""
        found = policy.before_review(
            replace(TASK, **task), StopEvent(**event), LIMITS, now, CHOICES
        )
        assert found == Decision(True, why, detail=detail)

    def test_a_server_that_the_user_sent_to_the_background(self) -> None:
        """It postpones one stop. If it still runs at the next, nobody waits for it."""
        event = StopEvent(background_tasks=(USERS,))
        assert policy.before_review(TASK, event, LIMITS, 1000, CHOICES) is not None
        task = policy.note_wait(TASK, event)
        assert policy.before_review(task, event, LIMITS, 1000, CHOICES) is None
        # the next prompt of the user doesn't change that
        later = task_at_stop(replace(task, prompt_id="p"), "q", True, 1000)
        assert policy.before_review(later, event, LIMITS, 1000, CHOICES) is None

    def test_a_sub_agent(self) -> None:
        """Its end wakes the agent, so ccc waits as long as it runs."""
        event = StopEvent(background_tasks=(AGENT,))
        task = policy.note_wait(TASK, event)
        assert policy.before_review(task, event, LIMITS, 1000) == Decision(
            True, "background", detail="a"
        )

    def test_a_scheduled_prompt(self) -> None:
        """It postpones a review once; a recurring one, which fires again, doesn't."""
        at = datetime(2026, 12, 30, 20, 19)
        now = at.timestamp()
        task = replace(TASK, started=now)
        event = StopEvent(wakeups=(Background("look at CI", "w", schedule="20 20 * * *"),))
        found = policy.before_review(task, event, LIMITS, now)
        detail = "scheduled for 2026-12-30 20:20: look at CI"
        assert found == Decision(True, "background", detail=detail)
        assert policy.before_review(policy.note_wait(task, event), event, LIMITS, now) is None

    @pytest.mark.parametrize(
        ("schedule", "minutes", "waits"),
        [
            ("24 20 30 12 *", 5, True),
            ("25 20 30 12 *", 5, False),
            ("19 20 31 12 *", 0, True),
            ("20 20 31 12 *", 0, False),
            ("59 23 31 12 *", 0, False),
            ("0 0 30 2 *", 0, False),
            ("@yearly", 0, False),
            ("", 0, True),
        ],
    )
    def test_a_distant_prompt(self, schedule: str, minutes: float, waits: bool) -> None:
        """Nobody waits for one after the task's time limit, or without a limit after a day."""
        now = datetime(2026, 12, 30, 20, 19).timestamp()
        limits = replace(LIMITS, max_minutes=minutes)
        event = StopEvent(wakeups=(Background("look", "w", schedule=schedule),))
        found = policy.before_review(replace(TASK, started=now), event, limits, now)
        assert (found is not None) is waits

    def test_an_agent_that_keeps_waiting(self) -> None:
        """After as many wakeups as rounds, the stop is judged."""
        task, waits = TASK, 0
        for number in range(10):
            event = StopEvent(wakeups=(Background("again", str(number)),))
            if policy.before_review(task, event, LIMITS, 1000) is None:
                break
            task, waits = policy.note_wait(task, event), waits + 1
        assert waits == LIMITS.max_iterations

    @pytest.mark.parametrize(
        ("task", "mode", "now"),
        [
            ({}, "", 1000),
            ({"count": 2}, "acceptEdits", 1000),
            ({}, "default", 1299.9),
            ({"cost_usd": 0.49}, "bypassPermissions", 1000),
        ],
    )
    def test_just_below_the_limits(self, task: dict[str, float], mode: str, now: float) -> None:
        """One review, second or cent below the limit, a review is due."""
        event = StopEvent(permission_mode=mode)
        assert policy.before_review(replace(TASK, **task), event, LIMITS, now) is None

    def test_no_limit_in_minutes_and_dollars(self) -> None:
        """A limit of zero means none, except that reviews are always limited."""
        endless = Supervisor(max_iterations=3)
        task = replace(TASK, cost_usd=1e6)
        assert policy.before_review(task, StopEvent(), endless, 1e9) is None
        stopped = policy.before_review(replace(task, count=3), StopEvent(), endless, 1e9)
        assert stopped is not None
        assert stopped.allowed

    @given(st.integers(1, 100))
    def test_always_ends(self, most: int) -> None:
        """Whatever the reviewer says, no stop is sent back after the limit."""
        task, sent_back = Task(prompt_id="p", started=0.0), 0
        for turn in range(most + 5):
            if (
                policy.before_review(task, StopEvent(), Supervisor(max_iterations=most), 0.0)
                is None
            ):
                task = replace(task, count=task.count + 1)
                decision = policy.after_review(
                    task, Review(Verdict(False, f"do {turn}"), tree=str(turn))
                )
                task = policy.note_decision(
                    task, decision, policy.key(decision.feedback), str(turn), Cost()
                )
                sent_back += not decision.allowed
        assert sent_back == most


class TestAfterReview:
    def test_completed(self) -> None:
        """001/Supervisor 返回完成: the stop is allowed."""
        found = policy.after_review(TASK, Review(Verdict(True, "well done"), tree="t"))
        assert found == Decision(True, "completed", "well done")

    def test_completed_counts_before_needs_user(self) -> None:
        """Completed work needs no input from the user."""
        assert (
            policy.after_review(TASK, Review(Verdict(True, "", True), tree="t")).outcome
            == "completed"
        )

    def test_no_verdict(self) -> None:
        """A failed review is not a finding: the stop is allowed, with the cause."""
        found = policy.after_review(TASK, Review(failure="timeout"))
        assert found == Decision(True, "not_judged", detail="timeout")

    def test_not_completed(self) -> None:
        """001/Supervisor 返回未完成: the feedback goes to the agent."""
        found = policy.after_review(TASK, Review(Verdict(False, "需要补充..."), tree="t"))
        assert found == Decision(False, "not_completed", "需要补充...")

    def test_needs_user(self) -> None:
        """A question that needs the user's input is not sent to the agent."""
        found = policy.after_review(TASK, Review(Verdict(False, "which key?", True), tree="t"))
        assert found == Decision(True, "needs_user", "which key?")


class TestStuck:
    @pytest.mark.parametrize(
        ("key", "tree", "stuck"),
        [
            (policy.key("Add A Test"), "same", True),
            (policy.key("Add A Test"), "other", False),
            (policy.key("another"), "same", False),
            ("", "same", False),
        ],
    )
    def test_same_feedback_and_unchanged_tree(self, key: str, tree: str, stuck: bool) -> None:
        """Both must be the same; white space and case of the feedback don't count."""
        task = replace(TASK, feedback_key=policy.key(" add a\n\ttest"), tree="same")
        found = policy.send_back(task, "Add A Test", key, tree)
        why = "stuck" if stuck else "not_completed"
        assert found == Decision(stuck, why, "Add A Test")

    def test_first_feedback_is_never_stuck(self) -> None:
        """A new task has no feedback to compare with, not even an empty one."""
        assert policy.send_back(Task(), "", "", "").allowed is False

    def test_not_twice_running(self) -> None:
        """A, B, A on an unchanged tree is not stuck, because B was in between."""
        task = TASK
        for feedback in ("A", "B", "A"):
            decision = policy.after_review(task, Review(Verdict(False, feedback), tree="tree"))
            assert not decision.allowed
            task = policy.note_decision(task, decision, policy.key(feedback), "tree", Cost())
        assert (
            policy.after_review(task, Review(Verdict(False, "a "), tree="tree")).outcome == "stuck"
        )

    @given(WORDS, WORDS)
    def test_key(self, one: str, other: str) -> None:
        """Two feedbacks are the same if they differ only in white space and case."""
        bare = ["".join(text.split()).casefold() for text in (one, other)]
        assert (policy.key(one) == policy.key(other)) is (bare[0] == bare[1])
        assert policy.key(f" {one}\n") == policy.key(one)


class TestNoted:
    def test_sent_back(self) -> None:
        """The feedback is remembered in order, with its key, the tree and the cost."""
        task = replace(TASK, feedback=("first",))
        found = policy.note_decision(task, Decision(False, "x", "second"), "second", "tree", COST)
        assert found.feedback == ("first", "second")
        assert (found.feedback_key, found.tree) == ("second", "tree")
        assert found.cost_usd == pytest.approx(0.35)
        # a cost from before ccc knew prices is claude's estimate
        assert found.cost_source == "claude's estimate, ccc.json"
        assert found.count == TASK.count

    def test_allowed(self) -> None:
        """An allowed stop leaves the feedback unchanged, but adds its cost."""
        found = policy.note_decision(
            TASK, Decision(True, "x", "well done"), "welldone", "tree", COST
        )
        assert found.feedback == ()
        assert found.cost_usd == pytest.approx(0.35)


class TestTask:
    def test_first_prompt(self) -> None:
        """The first stop of a session starts a task."""
        assert task_at_stop(Task(), "p", True, 7.0) == Task(prompt_id="p", started=7.0)

    def test_same_prompt(self) -> None:
        """001/更新迭代次数: a continuation of the same prompt continues the count."""
        assert task_at_stop(TASK, "p", True, 9.0) == TASK

    def test_new_prompt_of_the_user(self) -> None:
        """The user's next prompt starts a new count, cost and feedback."""
        task = replace(TASK, feedback=("x",), feedback_key="x", tree="t")
        assert task_at_stop(task, "q", True, 9.0) == Task(prompt_id="q", started=9.0)

    def test_prompt_of_a_background_task(self) -> None:
        """A task notification has a new prompt id, but is no prompt by the user."""
        assert task_at_stop(TASK, "notification", False, 9.0) == TASK

    def test_notification_before_any_task(self) -> None:
        """If no task has started, a notification starts one."""
        assert task_at_stop(Task(), "n", False, 9.0).prompt_id == "n"

    @pytest.mark.parametrize("is_new", [True, False])
    def test_a_count_written_by_hand(self, is_new: bool) -> None:
        """001/更新迭代次数: a count without a prompt or a start continues."""
        assert task_at_stop(Task(count=3), "", is_new, 9.0) == Task(count=3, started=9.0)

    @pytest.mark.parametrize("is_new", [True, False])
    def test_a_count_without_a_prompt(self, is_new: bool) -> None:
        """A count stored without a prompt continues, and takes the prompt's id."""
        task = task_at_stop(Task(count=3), "p", is_new, 9.0)
        assert task == Task(prompt_id="p", count=3, started=9.0)


NPM = Call("Bash", "npm install left-pad")
SAID = "1 tool call was denied"
GOES_ON = Decision(False, "not_completed", "missing")
STUCK = Decision(True, "stuck", "missing")


class TestDenials:
    @pytest.mark.parametrize(
        ("decision", "now", "before", "ends"),
        [
            # one denial may be worked around
            (GOES_ON, (NPM,), (), False),
            (GOES_ON, (), (NPM,), False),
            (GOES_ON, (Call("Bash", "ls"),), (NPM,), False),
            # the same need again, whatever its last word
            (GOES_ON, (NPM,), (NPM,), True),
            (GOES_ON, (Call("Bash", "npm install other"),), (NPM,), True),
            (GOES_ON, (Call("Bash", "sh -c 2"),), (Call("Bash", "sh -c 1"),), True),
            # stuck, with a denial in the turns that caused it
            (STUCK, (NPM,), (), True),
            (STUCK, (), (NPM,), True),
            (STUCK, (), (), False),
            # nothing else is affected
            (Decision(True, "completed"), (NPM,), (NPM,), False),
            (Decision(True, "iterations"), (NPM,), (NPM,), False),
            (Decision(True, "not_judged"), (NPM,), (NPM,), False),
        ],
    )
    def test_when_a_denial_ends_the_run(
        self, decision: Decision, now: tuple[Call, ...], before: tuple[Call, ...], ends: bool
    ) -> None:
        """The same denied call again, or a run stuck because of it, needs the user's input."""
        found = policy.apply_denials(decision, Denials(now, before, SAID))
        assert found == (Decision(True, "needs_user", SAID) if ends else decision)
