"""The conversation in claude's transcript, with entries as the real client writes them."""

import json
import time
from collections.abc import Mapping
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from transcript_entries import COMMAND, assistant, read, user

from ccc.claude.formats import transcript, usage
from ccc.claude.formats.transcript import Conversation, parse_time

WILD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
KEYS = st.sampled_from(
    [
        "type",
        "message",
        "content",
        "attachment",
        "prompt",
        "origin",
        "kind",
        "promptId",
        "timestamp",
        "model",
        "requestedModel",
        "totalCostUSD",
        "isSidechain",
        "text",
    ]
)
KINDS = st.sampled_from(["user", "assistant", "attachment", "cost-state", "queued_command", "text"])
ENTRIES = st.recursive(
    WILD | KINDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=12,
)


NOTIFICATION = "<task-notification>\n<task-id>b1</task-id>\n</task-notification>"


class TestRequests:
    @pytest.mark.parametrize(
        ("content", "request_"),
        [
            ("please look", "please look"),
            ("  padded\n", "padded"),
            ([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}], "one\ntwo"),
            ([{"type": "image", "source": {}}, {"type": "text", "text": "see this"}], "see this"),
            (COMMAND.format("supervisor", "好，开始执行"), "好，开始执行"),
            (COMMAND.format("supervisor", "a\nb"), "a\nb"),
            (COMMAND.format("review", "the diff"), "/review the diff"),
            (COMMAND.format("init", ""), "/init"),
        ],
    )
    def test_typed(self, content: object, request_: str) -> None:
        """000/捕获用户输入: prompts and arguments of slash commands are the user's requests."""
        found = read(user(content))
        assert found.requests == (request_,)
        assert found.prompts == {"p1": "2026-11-15T08:09:56.748Z"}

    def test_a_bare_switch(self) -> None:
        """`/supervisor` alone requests nothing, but is a prompt by the user."""
        found = read(user(COMMAND.format("supervisor", "")))
        assert found.requests == ()
        assert list(found.prompts) == ["p1"]

    @pytest.mark.parametrize(
        "entry",
        [
            user(
                [{"type": "tool_result", "tool_use_id": "t", "content": "hi"}],
                toolUseResult={"stdout": "hi"},
            ),
            user([{"type": "tool_result", "tool_use_id": "t", "content": "hi"}]),
            user("Stop hook feedback:\nGo on.", isMeta=True),
            user("Stop hook feedback:\nGo on."),
            user([{"type": "text", "text": "on\n\nmake it\n"}], isMeta=True, turnCompanion=True),
            user(NOTIFICATION, origin={"kind": "task-notification"}),
            user(NOTIFICATION),
            user("<local-command-stdout>ok</local-command-stdout>"),
            user("<bash-input>ls</bash-input>"),
            user("<system-reminder>x</system-reminder>"),
            user("[Request interrupted by user]"),
            user("This session is being continued…", isCompactSummary=True),
            user("search the code", isSidechain=True),
            user(""),
            user(None),
            {"type": "user"},
            {"type": "user", "message": "text"},
        ],
    )
    def test_not_typed(self, entry: dict[str, object]) -> None:
        """Tool results, hook feedback, notifications and side chains are not the user's."""
        found = read(entry)
        assert (found.requests, found.prompts) == ((), {})

    def test_typed_while_the_agent_works(self) -> None:
        """A queued prompt is a request; a queued notification is not."""

        def queued(prompt: object) -> dict[str, object]:
            return {
                "type": "attachment",
                "attachment": {"type": "queued_command", "prompt": prompt},
            }

        blocks = [{"type": "text", "text": "and c.txt"}]
        found = read(queued("also b.txt"), queued(blocks), queued(NOTIFICATION), queued(7))
        assert found.requests == ("also b.txt", "and c.txt")

    def test_other_attachments(self) -> None:
        """What claude attaches itself is no request."""
        attachment = {"type": "date", "date": "2026-11-15", "prompt": "x"}
        assert read({"type": "attachment", "attachment": attachment}).requests == ()

    def test_in_order(self) -> None:
        """All requests are returned, oldest first, with the first time of each prompt."""
        later = user("again", timestamp="2026-11-15T09:00:00Z")
        found = read(user("one"), assistant("Done."), later, user("two", "p2"))
        assert found.requests == ("one", "again", "two")
        assert found.prompts == {
            "p1": "2026-11-15T08:09:56.748Z",
            "p2": "2026-11-15T08:09:56.748Z",
        }
        assert found.asked == {"p1": ("one",), "p2": ("two",)}

    def test_a_bare_switch_is_about_what_was_asked_before(self) -> None:
        """`/supervisor` without words adds no request."""
        bare = "<command-name>/supervisor</command-name><command-args></command-args>"
        assert read(user("one"), user(bare, "p2")).asked == {"p1": ("one",), "p2": ()}
        assert read(user(bare)).asked == {"p1": ()}


QUEUED = {"type": "attachment", "attachment": {"type": "queued_command", "prompt": "and quickly"}}


class TestTask:
    """Which requests a stop is about: the task's first one, and later ones."""

    def test_after_esc(self) -> None:
        """The next prompt continues one that was interrupted."""
        found = read(
            user("what is this?", "p0"),
            user(COMMAND.format("supervisor", "make the tests pass"), "p1"),
            user("[Request interrupted by user]", "p1"),
            user("go on", "p2"),
        )
        assert found.task("p2", "", 0.0) == ("p1", ("make the tests pass", "go on"))
        assert found.task("p1", "", 0.0) == ("p1", ("make the tests pass",))
        # a background task has ended, which is no prompt by the user
        assert found.task("b1", "", 0.0) == ("p1", ("make the tests pass", "go on"))

    def test_after_a_completed_one(self) -> None:
        """A prompt after a completed one is another task."""
        found = read(user("one"), user("two", "p2"), user("three", "p3"))
        assert found.task("p3", "p1", 0.0) == ("p2", ("two", "three"))
        assert found.task("p3", "p3", 0.0) == ("p3", ("three",))
        assert found.task("p3", "gone", 0.0) == ("p1", ("one", "two", "three"))

    def test_switched_on_again(self) -> None:
        """Each `/supervisor` starts a task; without words, the next prompt is the task."""
        on = user(COMMAND.format("supervisor", "second"), "p2")
        off = user(COMMAND.format("supervisoroff", ""), "p3")
        bare = user(COMMAND.format("supervisor", ""), "p5")
        found = read(user("first"), on, off, user("third", "p4"), bare, user("go on", "p6"))
        assert found.task("p6", "", 0.0) == ("p6", ("go on",))
        assert found.requests_since("p6", 0.0) == ("go on",)
        assert found.task("p2", "", 0.0) == ("p2", ("second",))

    def test_nothing_asked_yet(self) -> None:
        """A stop after a bare `/supervisor` turn is about the request before it."""
        found = read(user("one"), user(COMMAND.format("supervisor", ""), "p2"))
        assert found.task("p2", "", 0.0) == ("p2", ("one",))
        assert found.requests_since("p2", 0.0) == ("one",)

    def test_after_an_unattended_run(self) -> None:
        """What `ccc run` told the agent is no request; after a finished run, a new task starts."""
        times = ("08:00:00", "08:10:00", "08:20:00")
        texts = ("write it", "our feedback", "and now this")
        found = read(
            *(
                user(text, f"p{n}", timestamp=f"2026-11-15T{time}Z")
                for n, (text, time) in enumerate(zip(texts, times, strict=True))
            )
        )
        ended = parse_time("2026-11-15T08:15:00+00:00")
        after = found.after_run(("write it", "typed"), ended, True)
        assert after.task("p2", "made up", 0.0) == ("p2", ("and now this",))
        assert after.requests_since("p2", 0.0) == ("write it", "typed", "and now this")
        after = found.after_run(("write it",), ended, False)
        assert after.task("p2", "", 0.0) == ("p0", ("write it", "and now this"))
        assert found.after_run(("write it",), 1.0, True) == found

    def test_what_is_typed_meanwhile(self) -> None:
        """A line typed while the agent works belongs to the current prompt."""
        found = read(QUEUED, user("one"), QUEUED, user("two", "p2"))
        assert found.task("p1", "", 0.0) == ("p1", ("one", "and quickly"))
        assert found.task("p2", "", 0.0) == ("p1", ("one", "and quickly", "two"))

    def test_switched_on_without_a_prompt(self) -> None:
        """A bare `/supervisor` may not be in the transcript, so the time decides."""
        times = ("08:00:00", "08:10:00", "08:10:20")
        found = read(
            *(user(f"r{n}", f"p{n}", timestamp=f"2026-11-15T{t}Z") for n, t in enumerate(times))
        )
        on = parse_time("2026-11-15T08:10:02+00:00")
        assert found.task("p2", "", on) == ("p1", ("r1", "r2"))
        assert found.task("p2", "", on + 10) == ("p2", ("r2",))
        # while the agent works on an earlier prompt
        assert found.task("p0", "", on) == ("p0", ("r0",))

    def test_many(self) -> None:
        """The first request and the latest ones are kept."""
        found = read(*(user(f"request {n}", f"p{n}") for n in range(50)))
        first, requests = found.task("p49", "", 0.0)
        assert (first, len(requests)) == ("p0", 21)
        assert (requests[0], requests[1], requests[-1]) == ("request 0", "request 30", "request 49")

    def test_nothing_known(self) -> None:
        """A transcript that can't be read has no requests."""
        assert read().task("p1", "", 0.0) == ("p1", ())


class TestAgent:
    def test_model(self) -> None:
        """The model is the last one used, except for claude's own synthetic messages."""
        entries = [assistant("a", "m1"), assistant("b", "m2"), assistant("c", "<synthetic>")]
        assert read(*entries).model == "m2"
        assert read(assistant("a", "m1", requestedModel="m1[1m]")).model == "m1[1m]"

    def test_cost(self) -> None:
        """The cost is the last one in claude's accounting."""
        entries = [{"type": "cost-state", "totalCostUSD": cost} for cost in (0.01, 0.0888788)]
        assert usage.estimate(read(*entries).used) == 0.0888788

    @pytest.mark.parametrize("cost", ["1", None, True, -1, 10**400, [1]])
    def test_wild_cost(self, cost: object) -> None:
        """An invalid cost counts as zero."""
        found = read({"type": "cost-state", "totalCostUSD": cost})
        assert usage.estimate(found.used) == 0

    def test_holds(self) -> None:
        """The transcript is complete once it contains the agent's last message."""
        found = read(assistant("First."), assistant("All of it\nis done. "))
        assert found.holds("All of it\nis done.")
        assert found.holds(" First.\n")
        assert found.holds("")
        assert not found.holds("Not yet.")
        assert not Conversation().holds("Not yet.")

    def test_the_same_words_at_an_earlier_stop(self) -> None:
        """Only a message since the last stop is the one that the transcript must contain."""
        before = assistant("Done.", timestamp="2026-11-15T09:00:00Z")
        last_stop = parse_time("2026-11-15T09:00:01Z")
        assert not read(before).holds("Done.", last_stop)
        assert read(before, assistant("Done.", timestamp="2026-11-15T09:00:02Z")).holds(
            "Done.", last_stop
        )
        assert read(assistant("Done.", timestamp=None)).holds("Done.", last_stop)

    def test_side_chains_do_not_count(self) -> None:
        """A subagent's text is not the agent's last message."""
        found = read(assistant("From below.", "small", isSidechain=True))
        assert not found.holds("From below.")
        assert found.model == ""


class TestWild:
    @pytest.mark.parametrize(
        "line", ["", "{", "null", "[]", '"text"', "\x00", "NaN", '{"type": NaN}', "[" * 100_000]
    )
    def test_no_object(self, line: str) -> None:
        """A line that is no object is skipped, and the next one is read."""
        assert read(line, user("hi")).requests == ("hi",)

    @given(st.lists(st.text(max_size=50) | ENTRIES.map(json.dumps), max_size=5))
    def test_never_raises(self, lines: list[str]) -> None:
        """No line is an error."""
        found = transcript.read(lines)
        assert all(isinstance(request, str) for request in found.requests)
        assert all(isinstance(text, str) for text in found.last_texts)
        assert isinstance(found.model, str)

    def test_bounded_time(self) -> None:
        """Unclosed tags are read in linear time."""
        begun = time.process_time()
        for tag in (
            "<command-name>",
            "<command-args>",
            "<command-name>x</command-name><command-args>",
        ):
            read(user("<command-x>" + tag * 30_000))
        assert time.process_time() - begun < 5


def test_an_image_is_a_request() -> None:
    """An image has a placeholder; anything that is neither image nor text is dropped."""
    assert read(user([{"type": "image", "source": {}}])).requests == ("(an image)",)
    assert read(user([{"type": "document", "source": {}}])).requests == ()
    assert read(user([{"type": "image"}, {"type": "text", "text": "this"}])).requests == ("this",)


def test_blocks_of_another_kind_are_no_text() -> None:
    """Only a text block with a text is read."""
    blocks = [{"type": "thinking", "text": "hm"}, {"type": "text"}, {"type": "text", "text": "do"}]
    assert read(user(blocks)).requests == ("do",)


def test_a_command_without_arguments() -> None:
    """Only its name is read, even if claude leaves the arguments' tag out."""
    assert read(user("<command-name>/review</command-name>")).requests == ("/review",)


@pytest.mark.parametrize(
    ("cost", "counted"),
    [
        (0, 0.0),
        (1, 1.0),
        (999_999_999_999.0, 999_999_999_999.0),
        (1e12, 0.0),
        (-1, 0.0),
        (True, 0.0),
    ],
)
def test_costs_that_can_be(cost: object, counted: float) -> None:
    """An implausible cost is not believed."""
    found = read({"type": "cost-state", "totalCostUSD": cost})
    assert usage.estimate(found.used) == counted


def test_nothing_at_all() -> None:
    """No lines give an empty conversation."""
    assert read() == Conversation()


def test_another_agents_lines_are_passed_over() -> None:
    """A subagent's lines are skipped, and the conversation continues after them."""
    aside = user("look around", isSidechain=True)
    assert read(aside, user("do it", "p2", timestamp=None)).requests == ("do it",)
    assert read(user("do it", "p2", timestamp=None)).prompts == {"p2": ""}


def test_as_many_last_texts_as_can_be_needed() -> None:
    """The last message and the twenty before it are kept."""
    said = read(*(assistant(f"text {n}") for n in range(30))).last_texts
    assert said == tuple(f"text {n}" for n in range(9, 30))


def small(*entries: Mapping[str, object]) -> Conversation:
    """Parse the entries with small bounds."""
    bounds = {"_MOST_CHARACTERS": 40, "_LONGEST_FIRST_REQUEST": 8, "_MOST_PROMPTS": 3}
    with patch.multiple(transcript, **bounds):
        return read(*entries)


class TestBounds:
    """No file uses unbounded memory; the first request and the latest are kept."""

    def test_requests(self) -> None:
        """Above the size, the first is shortened and older ones are dropped; below, none are."""
        asked = [f"request {n:02}" for n in range(5)]
        assert small(*map(user, asked[:4])).requests == tuple(asked[:4])
        assert small(*map(user, asked)).requests == ("request ", *asked[2:])

    def test_again_and_again(self) -> None:
        """Only kept requests count towards the limit."""
        entries = [user("request 00"), assistant("fine"), user("request 01")]
        entries += [user(f"request {n:02}") for n in range(2, 6)]
        kept = ("request ", "request 03", "request 04", "request 05")
        assert small(*entries).requests == kept
        many = small(*(user(f"request {n:03}") for n in range(200))).requests
        assert many[0] == "request "
        assert many[-1] == "request 199"
        assert 10 < sum(map(len, many)) <= 50

    def test_one_alone(self) -> None:
        """A single long one is shortened, but kept."""
        assert small(user("x" * 41)).requests[0] == "x" * 8

    def test_texts(self) -> None:
        """The last of the agent's texts is kept whole."""
        assert small(assistant("a" * 20), assistant("b" * 20)).last_texts == ("a" * 20, "b" * 20)
        assert small(assistant("a" * 21), assistant("b" * 20)).last_texts == ("b" * 20,)
        said = (assistant("a" * 5), assistant("b" * 5), assistant("c" * 50))
        assert small(*said).last_texts == ("c" * 50,)

    def test_prompts(self) -> None:
        """Up to twice the final number are held."""
        entries = [user("do it", f"p{n}") for n in range(7)]
        assert list(small(*entries[:6]).prompts) == [f"p{n}" for n in range(6)]
        assert list(small(*entries).prompts) == ["p4", "p5", "p6"]
        assert list(small(*entries).asked) == ["p4", "p5", "p6"]


def test_the_first_tag_counts() -> None:
    """What follows the first tag, and an unclosed tag, is the user's text."""
    name = "<command-name>/review</command-name>"
    twice = f"{name}<command-args>a</command-args><command-args>b</command-args>"
    assert read(user(twice)).requests == ("/review a",)
    assert read(user("<command-name>/review")).requests == ("<command-name>/review",)


@pytest.mark.parametrize("line", ['["type"]', '"type"', '{"type": "assistant", "message": []}'])
def test_other_shapes(line: str) -> None:
    """A JSON line that is no entry is ignored."""
    found = read(line)
    assert (found.requests, found.model) == ((), "")


def test_where_the_agent_is() -> None:
    """It is the directory of the last entry in the main conversation."""
    places = ["/p", "/p/.claude/worktrees/feat", ""]
    lines = [json.dumps({"type": "assistant", "cwd": each}) for each in places]
    aside = json.dumps({"type": "assistant", "isSidechain": True, "cwd": "/elsewhere"})
    assert read(*lines, aside).cwd == "/p/.claude/worktrees/feat"


def test_what_the_cache_holds_of_the_last_prompt() -> None:
    """It counts if the agent has used the cache at all; some providers have none."""

    def turn(read: int, written: int) -> dict[str, object]:
        entry: dict[str, object] = assistant("hi")
        tokens = {"cache_read_input_tokens": read, "cache_creation_input_tokens": written}
        entry["message"] = {"role": "assistant", "content": [], "usage": tokens}
        return entry

    assert read(turn(0, 0), turn(0, 0)).cached_tokens == 0
    assert read(turn(0, 900)).cached_tokens == 0
    assert read(turn(0, 900), turn(900, 50), assistant("no usage")).cached_tokens == 950
    assert read(turn(900, 50), turn(0, 300)).cached_tokens == 300
