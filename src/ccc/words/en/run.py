"""What `ccc run` says, in English."""

WORDS = {
    "run.usage": """Usage: ccc run [options] "task" [-- claude arguments…]

The agent works, the supervisor reviews, the agent works on, … until the work is done.
The task may also come from --file or stdin.

  --provider NAME       the provider (else the current one)
  --max-iterations N    at most so many reviews
  --max-minutes N       at most so long, over all continuations
  --max-cost-usd N      at most so much, agent and reviews together
  --check CMD           a command that must succeed before a review (repeatable)
  --continue            go on with the last unfinished run of this directory
  --wait                wait for a usage limit to be reset
  --no-resume           don't open the session on the terminal at the end
  --json                print one JSON object at the end
  --quiet               show the end only
  --file FILE           read the task from a file

Exit codes: 0 completed, 1 bad input or configuration, 20 iteration limit, 21 stuck, 22 budget,
23 needs the user, 24 could not be judged, 25 the agent failed, 130 interrupted""",
    "run.no_task": "there is no task",
    "run.no_file": "there is no file {file}",
    "run.nothing_to_continue": "there is no unfinished run in {directory}",
    "run.ask": "Task: ",
    "run.logs": "[Supervisor Mode] log files:\n"
    "  state directory: {state_dir}\n"
    "  hook log: {hook_log}\n"
    "  agent output: {agent_log}\n"
    "  supervisor output: {output_log}",
    "run.status": "iteration {iteration}/{limit} · {time} · ${cost}",
    "run.waiting": "[ccc] {error}\nTrying again in {time} ({failures})",
    "run.countdown": "next try in {time}",
    "run.limit_ends": "The limit ends at {time}. `ccc run --continue --wait` waits for it.",
    "run.unsaid": "[ccc] the agent did not get to hear: {text}",
    "run.died": "[ccc] claude ended without a result ({error}); resuming the session ({failures})",
    "run.stopping": "[ccc] asking the agent to stop; Ctrl-C once more ends at once",
    "run.completed": "[ccc] completed: {iterations} reviews, {seconds} s, ${cost}, "
    "session {session}",
    "run.iterations": "[ccc] limit of reviews reached ({iterations}): {seconds} s, ${cost}, "
    "session {session}",
    "run.stuck": "[ccc] stuck after {iterations} reviews, session {session}: {detail}",
    "run.minutes": "[ccc] out of time after {seconds} s: {iterations} reviews, ${cost}, "
    "session {session}",
    "run.cost": "[ccc] out of budget at ${cost}: {iterations} reviews, {seconds} s, "
    "session {session}",
    "run.needs_user": "[ccc] only you can go on, session {session}: {detail}",
    "run.plan": "[ccc] plan mode: the plan waits for you, session {session}",
    "run.not_judged": "[ccc] could not be judged: {detail}\nLog: {log}",
    "run.agent_failed": "[ccc] the agent failed: {detail}\nLog: {log}",
    "run.interrupted": "[ccc] interrupted after {iterations} reviews, {seconds} s, ${cost}. "
    "Go on with: ccc run --continue",
}
