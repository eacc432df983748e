"""Messages of the self-test in English."""

WORDS = {
    "selftest.begin": "Testing {file} with a scripted model",
    "selftest.working": "{done} of {all} answered",
    "selftest.provider_wins": "the provider's endpoint, key and model override settings.json",
    "selftest.slash_command": "/supervisor runs its command before the turn",
    "selftest.stop_hook": "a Stop hook can send the agent back to work",
    "selftest.fork": "a review can be forked from the conversation",
    "selftest.read_only": "the reviewer can't write to the project",
    "selftest.streamed_input": "ccc run can talk to the agent and interrupt it",
    "selftest.reviewer_bash": "the reviewer's commands run in claude's sandbox",
    "selftest.private_fork": "a review doesn't appear in /resume",
    "selftest.prompt_id": "a stop names the prompt that it belongs to",
    "selftest.message_in_stream": "claude -p prints the messages of hooks",
    "selftest.lenient_settings": "a settings file counts although it names an unknown hook event",
    "selftest.key_hidden": "commands and hooks don't get the provider's key",
    "selftest.print_cache": "a review of claude -p uses the agent's prompt cache",
    "selftest.interactive_cache": "a review on a terminal uses the agent's prompt cache",
    "selftest.not_tested": "{what}: not tested",
    "selftest.not_tested_interactive": "To test it: ccc doctor --deep --interactive",
    "selftest.not_tested_sandbox": "claude's sandbox can't run here.",
    "selftest.well": "claude {version} has everything that ccc needs ({seconds} s).",
    "selftest.lacks": "claude {version} lacks {missing} of {all} ({seconds} s). {advice}",
    "selftest.part": "claude {version} passed the tests; {known} of {all} were run ({seconds} s).",
    "selftest.fails": "claude {version} did not reach the scripted model: {output}\n"
    "→ Run claude by itself, and see: ccc doctor",
    "selftest.busy": "another test is running\n→ Try again in a minute.",
}
