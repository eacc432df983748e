"""Messages of `ccc demo` in English, and the words of its agent and reviewer."""

WORDS = {
    "demo.usage": """Usage: ccc demo [options]

Watch a supervised agent at work, within a minute: no account, no key, no
network. It is the real Claude Code in a throw-away home and repository; only
the model is a script on this machine.

  --interactive   the same story in Claude Code's own interface
  --fast          without pauses for reading
  --keep          keep the throw-away home (project, logs), and say where it is
  --no-color      without colours

Exit codes: 0 the demo took its expected path, 1 it did not, 130 interrupted""",
    "demo.intro": "The real Claude Code ({version}) in a throw-away home and repository: its "
    "tools, the files, the tests and ccc are real. Only the model is a script, on "
    "this machine. No account, no key, no cost; nothing of yours is touched.",
    "demo.preparing": "preparing a throw-away home …",
    "demo.no_git": "(git is not installed: the project is no repository here.)",
    "demo.claude_fails": "{file} does not run in a throw-away home",
    "demo.no_terminal": "--interactive needs a terminal\n→ Without one: ccc demo",
    "demo.different": "the demo took an unexpected path: {what}\n"
    "→ Claude Code {version} may behave differently from the version that this ccc was tested "
    "with. To look at what happened: ccc demo --keep",
    "demo.other_course": "expected {expected}, got {got}",
    "demo.surprise_exit": "ccc run ended with exit code {code}: {output}",
    "demo.surprise_claude": "claude ended with {code}",
    "demo.surprise_blind": "none of the reviewer's commands worked: {output}",
    "demo.surprise_readme": "README.md still says {text}",
    "demo.surprise_silent": "nothing happened for {seconds} s",
    "demo.nothing_left": "(nothing is left of it)",
    "demo.not_removed": "{directory} could not be removed",
    "demo.kept": "Kept: {directory} (remove it when you have seen enough)",
    # the chapters
    "demo.title_task": "The task",
    "demo.about_task": "A small project: slug.py, its tests, a README. What you would type:",
    "demo.title_works": "The agent works, and says that it is done",
    "demo.title_check": "Is it done? ccc runs the check",
    "demo.about_check": "Claude Code alone would stop here. ccc takes nobody's word for it.",
    "demo.title_sent_back": "The agent has to go on",
    "demo.title_review": "The check passes. Now the reviewer looks",
    "demo.about_review": "A fork of the same conversation, same model, read-only. It does not "
    "believe what was said; it looks for itself.",
    "demo.title_goes_on": "The agent goes on with the feedback",
    "demo.title_again": "Check and reviewer, once more",
    "demo.about_again": "Every stop is judged, until the work is done or a limit is reached.",
    "demo.title_summary": "What it came to",
    "demo.title_next": "What to do next",
    "demo.waiting_agent": "the agent is at work …",
    "demo.waiting_review": "the stop is being judged …",
    # the summary
    "demo.sum_stops_are": "{all}: {by_check} sent back by the check, {by_reviewer} by the "
    "reviewer, {allowed} allowed",
    "demo.sum_reviews_are": "{count}, {seconds} s together, in claude's sandbox",
    "demo.sum_reviews_off": "{count}, {seconds} s together, without a sandbox (commands fail in "
    "this claude's)",
    "demo.sum_reviews_bare": "{count}, {seconds} s together, without a sandbox (that needs "
    "bubblewrap and socat)",
    "demo.sum_cost_is": "$0: a script. By claude's count: agent ${agent}, reviews ${reviews}",
    "demo.sum_cached": "cached",
    "demo.sum_cached_apart": "{share} of the reviews' prompt tokens, but with this claude a fork "
    "doesn't share the agent's cache",
    "demo.sum_cached_is": "{share} of the reviews' prompt tokens: a fork shares the agent's cache",
    "demo.sum_logs": "logs",
    "demo.sum_logs_gone": "removed with the throw-away home; ccc demo --keep keeps them",
    "demo.next": """  ccc init                           set up a provider and its key
  ccc NAME                           Claude Code on that provider
  /supervisor <task>                 in that session: no stop before it is done
  ccc run --check "make test" "…"    the same without you, with an exit code""",
    "demo.next_interactive": "  ccc demo --interactive             this story in Claude Code's own "
    "interface",
    "demo.other_way": "  ccc demo                           this story with every step explained",
    # in claude's own interface
    "demo.interactive": "Claude Code opens now, in a throw-away home, with supervision on. The "
    "task is already given. Watch what happens when the agent says that it is done: what ccc "
    "sends back stands there below `Stop hook reported a problem`, which is Claude Code's word for "
    "any feedback of a hook. /exit, or Ctrl-C twice, brings you back here.",
    "demo.begin": "Press Enter to begin … ",
    "demo.session_gone": "(That session, and the log files it named, were in the throw-away home.)",
    "demo.left_early": "You left before the end of the story.",
    # what the script says
    "demo.task": 'Let slugify() turn "Crème brûlée!" into "creme-brulee", make the tests pass, '
    "and bring the README up to date.",
    "demo.agent_looks": "I'll look at the function first.",
    "demo.agent_done": "Done: accents become plain letters now.",
    "demo.agent_fixes": "A dash is left at the end. I'll strip it, and run the tests this time.",
    "demo.agent_done_again": "All tests pass. Done.",
    "demo.agent_goes_on": "Right, the README was part of the task.",
    "demo.agent_done_at_last": "The README now says what the code does. Done.",
    "demo.supervisor_looks": "The user asked for three things. The code is tested; I'll look at "
    "the README, and try the example myself.",
    "demo.supervisor_looks_again": "Has the README been corrected? I'll look again, and try again.",
    "demo.supervisor_no": "The README contradicts the code.",
    "demo.supervisor_yes": "The README and the code agree, and the tests pass.",
    "demo.feedback": "README.md still shows cr-me-br-l-e- and says that accents are lost. The "
    "code gives creme-brulee. Correct both places.",
    "demo.only_a_script": "I am only a script, and the story ends here. /exit brings you back; "
    "`ccc init` sets up a real model.",
    "demo.readme_about": "Titles for web addresses.",
    "demo.readme_before": "Accents are lost.",
    "demo.readme_after": "Accents become plain letters.",
}
