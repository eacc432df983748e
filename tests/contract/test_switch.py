"""Who switched supervision off: `enabled` decides, unless the agent itself did it."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from stops import SECONDS, SESSION, Supervised

from harness.programs import needs

pytestmark = pytest.mark.thorough

ON = "<command-name>/supervisor</command-name>"
TYPED = {
    "slash command": "<command-name>/supervisoroff</command-name>",
    "shell mode": "<bash-input>ccc supervisor-mode off</bash-input>",
}


def transcript(supervised: Supervised, *texts: object, **more: object) -> str:
    """Write a transcript in which the user said this."""
    path = supervised.project.root / "transcript.jsonl"
    entries = [{"type": "user", "message": {"content": text}, **more} for text in texts]
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return str(path)


def below(supervised: Supervised, command: str, pid: int = 0) -> None:
    """Run a command as a descendant of the supervised claude, like a slash command or a tool."""
    claude = subprocess.Popen(
        ["/bin/sh", "-c", f"read _; {command}; true", "claude"],
        cwd=supervised.project.directory,
        env=supervised.project.env,
        stdin=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    supervised.state_file.write_text(json.dumps({**supervised.state, "pid": pid or claude.pid}))
    claude.communicate(b"\n", SECONDS)


def off(supervised: Supervised) -> str:
    """Return the command that switches supervision off."""
    return f"{supervised.project.ccc} supervisor-mode off"


class TestFromBelow:
    @pytest.mark.parametrize("how", TYPED)
    @pytest.mark.journey
    def test_by_the_user(self, supervised: Supervised, how: str) -> None:
        """If the transcript shows that the user typed it, supervision is off without a message."""
        below(supervised, off(supervised))
        path = transcript(supervised, ON, TYPED[how])
        assert supervised.stop(transcript_path=path).silent
        assert supervised.state["enabled"] is False
        assert supervised.state["off_from_below"] == ""
        assert supervised.stop().silent
        assert supervised.notes("pid") == []

    def test_by_the_user_before_a_new_prompt(self, supervised: Supervised) -> None:
        """After /clear, the transcript of the session in which it was typed decides."""
        supervised.project.env["CLAUDE_CODE_SESSION_ID"] = "before-clear"
        below(supervised, off(supervised))
        said = Path(transcript(supervised, ON, TYPED["slash command"]))
        kept = supervised.project.claude_dir / "projects" / "p" / "before-clear.jsonl"
        kept.parent.mkdir(parents=True)
        said.rename(kept)
        assert supervised.stop(transcript_path=transcript(supervised, "hello")).silent
        assert supervised.state["enabled"] is False

    def test_what_the_user_typed_before_it_was_on_again(self, supervised: Supervised) -> None:
        """An older /supervisoroff doesn't count for this one."""
        supervised.set_state(enabled_at=2_000_000_000.0)
        below(supervised, off(supervised))
        path = transcript(supervised, TYPED["slash command"], timestamp="2026-01-01T00:00:00Z")
        assert "but not by you" in supervised.stop(transcript_path=path).message

    def test_a_session_that_plain_claude_resumed(self, supervised: Supervised) -> None:
        """If the state names an earlier claude, the one around the command counts, too."""
        gone = subprocess.Popen(["true"])
        gone.wait()
        script = f"CLAUDE_PID=$$ CLAUDE_CODE_SESSION_ID={SESSION} {off(supervised)}"
        below(supervised, script, pid=gone.pid)
        assert "but not by you" in supervised.stop(transcript_path=transcript(supervised)).message

    def test_through_a_claude_of_its_own(self, supervised: Supervised) -> None:
        """Nobody typed what `claude --resume ID -p /supervisoroff` writes to its transcript."""
        nested = subprocess.Popen(["sleep", "60"])
        below(supervised, f"CLAUDE_PID={nested.pid} {off(supervised)}")
        nested.kill()
        nested.communicate()
        path = transcript(supervised, TYPED["slash command"])
        assert "but not by you" in supervised.stop(transcript_path=path).message

    def test_no_transcript(self, supervised: Supervised) -> None:
        """Without a transcript (--no-session-persistence) the user is believed."""
        below(supervised, off(supervised))
        assert supervised.stop(transcript_path="/nowhere.jsonl").silent

    @pytest.mark.parametrize(
        ("texts", "more"),
        [
            ([], {}),
            ([ON], {}),
            ([TYPED["slash command"], ON], {}),
            (["please run ccc supervisor-mode off"], {}),
            ([TYPED["slash command"]], {"isMeta": True}),
            ([TYPED["shell mode"]], {"toolUseResult": {"stdout": ""}}),
            ([TYPED["slash command"]], {"isSidechain": True}),
            ([TYPED["slash command"]], {"origin": {"kind": "task-notification"}}),
        ],
    )
    def test_by_the_agent(
        self, supervised: Supervised, texts: list[object], more: dict[str, object]
    ) -> None:
        """If the agent switched it off, the stop is reviewed and this is reported once."""
        below(supervised, off(supervised))
        assert supervised.state["enabled"] is False
        stopped = supervised.stop(transcript_path=transcript(supervised, *texts, **more))
        assert "but not by you" in stopped.message
        assert "but not by you" in stopped.outcome.stderr
        assert len(supervised.notes("pid")) == 1
        assert supervised.state["enabled"] is True
        assert "supervisor-mode off is void" in supervised.log
        assert "not by you" not in supervised.stop(prompt_id="p2").message

    @pytest.mark.parametrize("times", [2, 3])
    def test_again_and_again(self, supervised: Supervised, times: int) -> None:
        """Switching off repeatedly doesn't make it the user's choice."""
        below(supervised, "; ".join([off(supervised)] * times))
        assert "but not by you" in supervised.stop(transcript_path=transcript(supervised)).message

    def test_on_and_off(self, supervised: Supervised) -> None:
        """Switching on and off doesn't make it the user's choice either."""
        on = f"{supervised.project.ccc} supervisor-mode on"
        below(supervised, f"{off(supervised)}; {on}; {off(supervised)}")
        assert "but not by you" in supervised.stop(transcript_path=transcript(supervised)).message

    def test_in_a_terminal_that_the_agent_made(self, supervised: Supervised) -> None:
        """A terminal that the agent creates with `script` changes nothing."""
        needs("script")
        below(supervised, f"script -qec '{off(supervised)}' /dev/null")
        assert "but not by you" in supervised.stop(transcript_path=transcript(supervised)).message

    def test_what_was_off(self, supervised: Supervised) -> None:
        """A session that was not supervised needs no confirmation by the user."""
        supervised.set_state(enabled=False)
        below(supervised, off(supervised))
        assert supervised.stop().silent

    def test_during_the_review(self, supervised: Supervised) -> None:
        """The agent's background process can't suppress the finding."""
        supervised.claude("result(NO)")
        supervised.configure(checks=["touch reviewing; while [ ! -e off ]; do sleep 0.1; done"])
        hook = supervised.start()
        wait = "while [ ! -e reviewing ]; do sleep 0.1; done"
        below(supervised, f"{wait}; {off(supervised)}; touch off")
        printed, _ = hook.communicate(timeout=SECONDS)
        assert json.loads(printed)["decision"] == "block"

    def test_switched_off_elsewhere_afterwards(self, supervised: Supervised) -> None:
        """The user's command in another terminal is final."""
        below(supervised, off(supervised))
        supervised.project.run("supervisor-mode", "off").succeeded()
        assert supervised.stop().silent


class TestFromElsewhere:
    def test_a_process_id_that_another_got(self, supervised: Supervised) -> None:
        """A descendant of a process that is no claude doesn't belong to the session."""
        supervised.set_state(pid=os.getpid())
        supervised.project.run("supervisor-mode", "off").succeeded()
        assert supervised.state["off_from_below"] == ""
        assert supervised.stop().silent

    def test_by_hand_in_the_shell_of_a_claude(self, supervised: Supervised) -> None:
        """A session other than the one around the shell is switched as named."""
        around = {"CLAUDE_PID": str(os.getpid()), "CLAUDE_CODE_SESSION_ID": "around"}
        run = supervised.project.run
        for word in ("on", "off"):
            run("supervisor-mode", word, env=around).succeeded()
            seen = supervised.stop(env=around, prompt_id=word)
            assert seen.silent is (word == "off")
        assert supervised.state["pid"] == 0

    def test_during_the_review(self, supervised: Supervised) -> None:
        """If supervision is switched off during the review, its finding blocks nothing."""
        supervised.claude(
            f"os.environ['CCC_SUPERVISOR_ID'] = {SESSION!r}; "
            f"subprocess.run([{supervised.project.ccc!r}, 'supervisor-mode', 'off']); result(NO)"
        )
        stopped = supervised.stop()
        assert not stopped.blocked
        assert "turned off in the meantime" in stopped.message

    @pytest.mark.parametrize("change", [{"count": 0}, {"pid": 1}, {"provider": ""}, {"note": "x"}])
    def test_other_fields(self, supervised: Supervised, change: dict[str, object]) -> None:
        """A state that was edited by hand is believed without an accusation."""
        supervised.stop()
        supervised.state_file.write_text(json.dumps({**supervised.state, **change}))
        assert "\n" not in supervised.stop(prompt_id="p2").message

    @pytest.mark.journey
    def test_a_pipe_in_its_place(self, supervised: Supervised) -> None:
        """A pipe in place of the transcript doesn't block the stop."""
        supervised.state_file.unlink()
        os.mkfifo(supervised.state_file)
        assert "could not be judged" in supervised.stop().message
