"""Messages of the queue's workers in English."""

WORDS = {
    "worker.git": "{command} failed in {directory}: {cause}",
    "worker.setup": "the setup command failed: {command}\n{cause}",
    "worker.no_forge": "a pull request needs gh or glab on the worker's PATH. Install one and log "
    "in, then: ccc queue retry {id} (finished work isn't repeated)",
    "worker.push": "{branch} couldn't be pushed: {cause}\n"
    "The work is committed on this branch. Fix the cause, then: ccc queue retry {id} (it only "
    "pushes, the agent doesn't run again)",
    "worker.no_push_url": "{branch} wasn't pushed: #{id} was added by an older ccc, which "
    "didn't note where to push to. The work is committed on this branch: push it yourself.",
    "worker.forge": "no pull request for {branch}: {cause}\n"
    "The branch is pushed. Fix the cause, then: ccc queue retry {id} (the agent doesn't run again)",
    "worker.unexpected": "the worker failed unexpectedly; see its log",
    "worker.answered": "The user was asked about this, and answered:\n{answer}",
    "worker.begun": "Someone has begun this task in this directory: look at the branch's commits, "
    "and at what isn't committed, before you go on.",
    "worker.worker_started": "Worker {host}, at most {jobs} at a time. Ctrl-C stops it; the "
    "next worker continues running tasks.",
    "worker.keys": "q stop the worker; the next one continues running tasks",
    "worker.started": "#{id} started on {provider}: {title} · Checks: {checks}",
    "worker.continues": "#{id} continues on {provider}: {title}",
    "worker.taken_over": "#{id} taken over from {worker}, which is dead",
    "worker.completed": "#{id} completed ({cost})",
    "worker.needs_input": '#{id} needs your input: {detail}\n  ccc queue answer {id} "…"',
    "worker.failed": "#{id} failed: {outcome}{detail}",
    "worker.cancelled": "#{id} cancelled",
    "worker.waiting": "#{id} stopped, and waits for the next worker",
    "worker.limited": "#{id} waits: {provider} has reached its usage limit, until {until}",
    "worker.database_lost": "{cause}. Trying again.",
    "worker.database_gone": "{cause}. What happens now can't be stored: the worker stops.",
    "worker.database_back": "The database is back.",
    "worker.worker_stopping": "Stopping: running tasks save their state.",
    "worker.ended_nothing_left": "No task can start now: the worker ends.",
    "worker.ended_stopped": "The worker has stopped.",
    "worker.ended_database_lost": "The worker has stopped: it has lost the queue's database.",
    "worker.events_lost": "The events can't be written ({cause}): the worker stops.",
    "worker.ended_failed": "The worker failed unexpectedly and has stopped.",
    "worker.detached": "Worker started in the background (pid {pid}). Log: {file}\n"
    "Stop it: kill {pid}",
    "worker.not_detached": "the worker didn't start; its log: {file}",
    "worker.no_worktree": "the worktree is gone: {directory}",
    "worker.budget_short": "The next task needs {needed_usd} of the budget, {left_usd} left: "
    "nothing starts. Change it: ccc queue budget",
    "worker.no_repository": "there is no repository for {directory} any more",
    "worker.git_changed": "#{id}: git's settings of the repository have changed while the task "
    "ran: {detail}. They may name programs, which git runs, also when you merge. Look at them "
    "first: git config --list --local --show-origin",
    "worker.no_settings": "git can't read its settings in {directory}: git config --list --local",
    "worker.busy": "#{id} waits: the run of a dead worker in the same worktree has not ended yet",
}
