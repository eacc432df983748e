"""The user's choices in a transcript entry: switches, plan mode, hooks."""

import json

import pytest
from transcript_entries import read, user


class TestSwitches:
    @pytest.mark.parametrize(
        ("typed", "switch"),
        [
            ("<command-name>/supervisor</command-name>", "on"),
            ("<command-name> /supervisoroff </command-name>", "off"),
            (
                "<command-message>x</command-message><command-name>/supervisor</command-name>",
                "on",
            ),
            ("<command-name>/compact</command-name>", ""),
            ("<bash-input>ccc supervisor-mode</bash-input>", "on"),
            ("<bash-input>ccc supervisor-mode on</bash-input>", "on"),
            ("<bash-input>/opt/ccc supervisor-mode off</bash-input>", "off"),
            ("<bash-input>cd x && A=1 ccc supervisor-mode off; ls</bash-input>", "off"),
            ("<bash-input>ls</bash-input>", ""),
            ("<bash-input>grep 'ccc supervisor-mode off' docs</bash-input>", ""),
            ("<bash-input>git commit -m 'a; ccc supervisor-mode off'</bash-input>", ""),
            ('<bash-input>echo "a\nccc supervisor-mode off"</bash-input>', ""),
            ("<bash-input># ls; ccc supervisor-mode off</bash-input>", ""),
            ("<bash-input>ls # ; ccc supervisor-mode off</bash-input>", ""),
            ("please run ccc supervisor-mode off", ""),
            ("say <command-name>/supervisoroff</command-name>", ""),
            ("<bash-stdout>supervisor-mode off</bash-stdout>", ""),
        ],
    )
    def test_by_the_user(self, typed: str, switch: str) -> None:
        """A slash command or a shell-mode line switches; text about them doesn't."""
        assert read(user(typed)).last_switch == switch

    def test_the_last_one_counts(self) -> None:
        """Later entries that switch nothing leave it unchanged."""
        on, off = user("<command-name>/supervisor</command-name>"), user(OFF)
        assert read(on, off).last_switch == "off"
        assert read(off, on).last_switch == "on"
        assert read(off, user("go on")).last_switch == "off"
        assert read(off, user("<command-name>/clear</command-name>")).last_switch == "off"

    @pytest.mark.parametrize(
        "more",
        [
            {"isMeta": True},
            {"toolUseResult": {"stdout": ""}},
            {"isCompactSummary": True},
            {"isVisibleInTranscriptOnly": True},
            {"isVirtual": True},
            {"forwardedIntent": {"lineage": "x"}},
            {"origin": {"kind": "task-notification"}},
            {"wakeupSource": "schedule_wakeup"},
            {"turnOrigin": "scheduled"},
        ],
    )
    def test_not_by_the_user(self, more: dict[str, object]) -> None:
        """Entries by the agent, a tool or claude itself neither switch nor request anything."""
        assert read(user(OFF, **more)).last_switch == ""
        assert read(user("do it", **more)).requests == ()

    @pytest.mark.parametrize("origin", [None, {}, {"kind": None}, {"kind": "human"}, "x"])
    def test_whose_it_is(self, origin: object) -> None:
        """An entry is the user's if its origin is human or missing."""
        assert read(user(OFF, origin=origin)).last_switch == "off"
        assert read(user("do it", origin=origin)).requests == ("do it",)


OFF = "<command-name>/supervisoroff</command-name>"


def calls(tool: str, call: str = "t1") -> dict[str, object]:
    """Return an entry in which the agent calls a tool."""
    use = {"type": "tool_use", "id": call, "name": tool, "input": {}}
    return {"type": "assistant", "message": {"content": [use]}}


def mode(name: str) -> dict[str, object]:
    """Return an entry with the permission mode."""
    return {"type": "permission-mode", "permissionMode": name}


ENTER = calls("EnterPlanMode")


DONE = user([{"type": "tool_result", "tool_use_id": "t1", "content": "Entered"}])


SLASH = user("<command-name>/foo</command-name>")


LEFT = {"type": "attachment", "attachment": {"type": "plan_mode_exit"}}


class TestPlanMode:
    """Who chose plan mode: the agent with a tool, or the user."""

    @pytest.mark.parametrize(
        "entries",
        [
            [user("do it"), ENTER, DONE],
            [user("do it", permissionMode="auto"), ENTER, DONE],
            [SLASH, ENTER, DONE, user("more", "p2", permissionMode="plan")],
            [SLASH, ENTER, DONE, user("<command-name>/foo</command-name>", "p2")],
            # these entries are not in the same order as the others
            [SLASH, mode("plan"), ENTER, DONE],
            [SLASH, ENTER, mode("auto"), DONE],
            [user("do it", permissionMode="plan"), mode("auto"), ENTER, DONE],
            [user("plan", permissionMode="plan"), SLASH, LEFT, ENTER, DONE],
            [user("do it", permissionMode="plan"), calls("ExitPlanMode", "t0"), ENTER, DONE],
        ],
    )
    def test_by_the_agent(self, entries: list[dict[str, object]]) -> None:
        """The agent called the tool, and the mode has not changed since."""
        assert read(*entries).choices.agent_plans

    @pytest.mark.parametrize(
        "entries",
        [
            [user("do it", permissionMode="plan")],
            [user("do it", permissionMode="plan"), ENTER, DONE],
            [mode("plan"), SLASH, ENTER, DONE],
            [SLASH, ENTER, DONE, mode("auto"), user("more", "p2", permissionMode="plan")],
            [SLASH, ENTER, DONE, SLASH, LEFT, user("more", "p2", permissionMode="plan")],
            [SLASH, ENTER, DONE, user("more", "p2", permissionMode="acceptEdits")],
            [SLASH, calls("Bash"), DONE],
        ],
    )
    def test_not_by_the_agent(self, entries: list[dict[str, object]]) -> None:
        """The user was already in it, or has left it since."""
        assert not read(*entries).choices.agent_plans


def test_what_the_user_sent_into_the_background() -> None:
    """The marker is in the result of the command."""
    result = {"backgroundTaskId": "b1", "backgroundedByUser": True}
    by_user = {"type": "user", "toolUseResult": result}
    by_agent = {"type": "user", "toolUseResult": {"backgroundTaskId": "b2"}}
    found = read(by_user, by_agent)
    assert found.choices.in_background == {"b1"}


@pytest.mark.parametrize(
    "marks",
    [
        {"origin": {"kind": "peer", "from": "a1"}, "isMeta": True},
        {"origin": {"kind": "task-notification"}},
        {"isMeta": True},
        {"commandMode": "task-notification"},
        {"forwardedIntent": {"lineage": "x"}},
    ],
)
def test_queued_by_somebody_else(marks: dict[str, object]) -> None:
    """What another agent or a notification queues is not the user's."""

    def queued(**more: object) -> str:
        attachment = {"type": "queued_command", "prompt": "also this", **more}
        return json.dumps({"type": "attachment", "attachment": attachment})

    assert read(queued(commandMode="prompt", origin={"kind": "human"})).requests == ("also this",)
    assert read(queued(**{"commandMode": "prompt", **marks})).requests == ()


class TestHook:
    """A hook may start a session with a prompt, which claude does not mark."""

    @staticmethod
    def says(words: object, kind: str = "hook_success") -> dict[str, object]:
        output = {"hookSpecificOutput": {"initialUserMessage": words}}
        attachment = {"type": kind, "stdout": json.dumps(output)}
        return {"type": "attachment", "attachment": attachment}

    def test_its_prompt(self) -> None:
        """The hook's prompt is not the user's; the same words later are."""
        found = read(self.says("hello\nyou"), user("hello you", "p1"), user("do it", "p2"))
        assert (found.requests, list(found.prompts)) == (("do it",), ["p2"])
        found = read(self.says("hello"), user("hello", "p1"), user("hello", "p2"))
        assert (found.requests, list(found.prompts)) == (("hello",), ["p2"])

    @pytest.mark.parametrize("arguments", ["", "now then"])
    def test_its_command(self, arguments: str) -> None:
        """The hook's command switches nothing."""
        typed = (
            "<command-message>supervisoroff</command-message>\n"
            f"<command-name>/supervisoroff</command-name>\n<command-args>{arguments}</command-args>"
        )
        assert read(user(typed)).last_switch == "off"
        assert read(self.says(f"/supervisoroff {arguments}"), user(typed)).last_switch == ""

    @pytest.mark.parametrize(
        "entry",
        [
            {"type": "attachment", "attachment": {"type": "hook_success", "stdout": "hello"}},
            {"type": "attachment", "attachment": {"type": "hook_success", "stdout": "{}"}},
            {"type": "attachment", "attachment": {"type": "hook_success"}},
            {"type": "attachment", "attachment": "hello"},
        ],
    )
    def test_no_prompt(self, entry: dict[str, object]) -> None:
        """Other hook output doesn't say who typed."""
        assert read(entry, user("hello")).requests == ("hello",)
        for said in (self.says(7), self.says("hello", "hook_error")):
            assert read(said, user("hello")).requests == ("hello",)
