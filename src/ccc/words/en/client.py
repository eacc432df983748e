"""Messages about what a claude lacks, in English."""

WORDS = {
    "client.provider_wins": "settings files override the provider's endpoint, key and model",
    "client.slash_command": "`/supervisor` does nothing with -p. Use `ccc run` or "
    "`ccc --supervisor`",
    "client.stop_hook": "Stop hooks don't run or can't send the agent back: ccc can't supervise it",
    "client.fork": "a conversation can't be forked for a review: no stop can be judged",
    "client.read_only": "the reviewer could write to the project: no stop can be judged",
    "client.streamed_input": "`ccc run` can't talk to it. Use an interactive session",
    "client.reviewer_bash": "the reviewer's commands fail in claude's sandbox. Reviews run without "
    "it: a program that the reviewer starts could write to the project. ccc tells you if the "
    "project has changed",
    "client.reviewer_bash_required": "the reviewer's commands fail in claude's sandbox, and "
    "`supervisor.sandbox` is `require`: no stop can be judged",
    "client.lenient_settings": "it rejects a settings file with a hook that it doesn't know, "
    "such as ccc's",
    "client.private_fork": "every review appears in the list of /resume",
    "client.prompt_id": "a stop doesn't say which prompt it belongs to. The rounds count on "
    "from one prompt to the next",
    "client.message_in_stream": "with -p, stream-json doesn't contain how a stop was judged. See "
    "`ccc status`",
    "client.key_hidden": "commands and hooks of the agent can read the provider's key",
    "client.print_cache": "with -p, a review doesn't use the agent's prompt cache and pays for the "
    "whole conversation",
    "client.interactive_cache": "in interactive sessions, a review doesn't use the agent's prompt "
    "cache and pays for the whole conversation",
    "client.lacks": "claude {client}: {what}.",
    "client.update": "Update claude to {version} or later.",
    "client.use_other": "This claude is newer than this ccc. Update ccc, or use claude {version}.",
    "client.changed": "By itself, claude {version} lacks nothing: look for a script or a setting "
    "on this machine that changes it.",
    "client.refusal": "claude {client}: {what}. {advice}",
    "client.test_again": "To test this claude again: ccc doctor --deep",
    "client.paid_again": "This review paid for {tokens} tokens that the agent's prompt already had "
    "in the cache: with claude {client}, reviews don't share it. {advice} Or choose a cheaper "
    "`supervisor.model`.",
    "client.blind": "every command of the reviewer failed in claude's sandbox: {detail}",
    "client.blind_retry": "Every command of the reviewer failed in claude's sandbox, so ccc "
    "reviewed again without it. A program that the reviewer started could have written to the "
    "project; ccc tells you if it has changed.",
    "client.unknown": "this claude hasn't been tested with ccc\n"
    "→ To test it, offline: ccc doctor --deep",
    "client.part": "claude {client} has everything that was tested\n"
    "→ To test the rest: ccc doctor --deep --interactive",
    "client.complete": "claude {client} has everything that ccc needs",
}
