"""Messages of `ccc queue` in English."""

WORDS = {
    "queue.usage": """Usage: ccc queue [verb] …

A backlog of tasks. Each task gets its own worktree and branch; workers run them
like ccc run, within your limits and one budget. Without a verb: the board on a
terminal, otherwise the list.

  add "task" [options]     add a task
  work [--jobs N]          run tasks until Ctrl-C
  list [options]           list the tasks, and what the waiting ones wait for
  show ID                  everything about a task, and how to go on
  logs ID [-f, --follow]   the output of its runs; -f: until it ends
  answer ID "text"         answer a task that needs your input (or from stdin)
  cancel ID…               cancel tasks, also running ones
  retry ID… [--allow RULE] run failed tasks again, with more permissions, or
                           other limits (--max-…, as for add)
  move ID first|last|N     change its turn, or set its priority
  rm ID… [--yes, --force]  forget tasks and remove worktrees; branches stay;
                           --force: also if other tasks wait for them
  pause, resume [NAME]     start no more tasks, or none on a provider; undo
  budget [N/day|N|off]     cost limit for all tasks, per day or in total
  limit [NAME [options]]   limits of a provider
  keep [N]                 keep worktrees of completed tasks for N days

Options of add:
  --repo PATH|URL          the repository (default: that of this directory)
  --branch B, --base REF   the branch for the result, and where it starts
  --provider NAME          the provider; the next one if its limit is reached
                           (repeatable, or a,b)
  --check CMD, --allow RULE, {options}         as in ccc run
  --setup CMD              a command that prepares the new worktree
  --priority N             higher numbers start first (default 0)
  --after ID               start after this task is completed (repeatable)
  --push, --pr             push the branch; also open a pull request
  --file FILE              read the task from a file
  --from FILE              add all tasks of a file (YAML, JSON, lines; - is
                           stdin)

Options of list:
  --state S                running, needs_input, waiting, completed, failed or
                           cancelled (repeatable)
  --all                    all tasks (default: open ones, and the last 10 ended)
  -n N                     at most N tasks

Options of limit (0: no limit):
  --jobs N                 how many tasks run on the provider at once
  --per-minute N           how many start per minute

Options of work:
  --jobs N                 how many tasks run at once (default 2)
  --once                   stop when no task can start
  --detach                 run in the background
  --unit                   print a systemd unit for this worker

  --json                   print one JSON object; work: one line per event
  --no-color

With CCC_QUEUE_URL=postgresql://… workers on several machines share one queue.""",
    "queue.text": "TEXT",
    "queue.not_id": 'expected the number of a task, got "{text}"',
    "queue.not_place": 'expected first, last or a priority, got "{text}"',
    "queue.not_amount": 'expected dollars such as 20/day or 100, or off, got "{text}"',
    # the database
    "queue.database": "can't use the queue's database {url}: {cause}\n"
    "→ Check that Postgres is running and that CCC_QUEUE_URL is right.",
    "queue.damaged": "the queue's database {url} is damaged: {cause}\n"
    "→ Stop the workers, and move queue.db, queue.db-wal and queue.db-shm to another directory. "
    "ccc then starts an empty queue; finished work is on its branches (git branch --list "
    "'ccc/*'). What can be read of the old one: sqlite3 queue.db .recover",
    "queue.busy": "another program is changing the queue, and doesn't finish ({url})\n"
    "→ Nothing was changed. Try again in a moment.",
    "queue.database_gone": "the queue's database {file} was removed or replaced",
    "queue.schema": "the queue was written by another version of ccc (format {theirs}, this ccc "
    "uses {ours})\n"
    "→ Use the same version of ccc on all machines.",
    "queue.url": "{variable} is not the address of a Postgres database\n"
    "→ For example postgresql://user:password@host:5432/ccc",
    "queue.no_task": "there is no task #{id}\n→ See: ccc queue list --all",
    # repositories
    "queue.no_repo": "{directory} is not in a git repository\n"
    "→ Change to a repository, or name one: --repo PATH or --repo URL",
    "queue.no_commit": "the repository {directory} has no commit yet\n"
    "→ A task works on a branch, which needs a commit to start from: git add . && git commit",
    "queue.branch": "{branch} can't be the name of a branch\n→ See: git check-ref-format --help",
    "queue.no_base": "there is no commit {base} in {repo}\n"
    "→ Name a branch, a tag or a commit: --base main",
    "queue.no_origin": "{directory} has no remote origin to push to\n"
    "→ Add one: git remote add origin URL. Or leave out --push and --pr: the result is a branch "
    "of this repository.",
    "queue.no_forge": "--pr needs gh or glab, and neither is on your PATH\n"
    "→ Install one and log in: gh auth login, or glab auth login. Or use --push instead, and "
    "open the pull request yourself.",
    "queue.no_git": "git was not found\n→ Install git.",
    # states
    "queue.state_waiting": "waiting",
    "queue.state_running": "running",
    "queue.state_needs_input": "needs your input",
    "queue.state_completed": "completed",
    "queue.state_failed": "failed",
    "queue.state_cancelled": "cancelled",
    "queue.cancelling": "being cancelled",
    "queue.failed": "failed: {outcome}",
    "queue.after_limit": "after {limit}",
    "queue.outcome_released": "the worker stopped",
    "queue.outcome_lost": "taken over",
    "queue.outcome_not_prepared": "no worktree",
    "queue.outcome_not_delivered": "not pushed",
    "queue.cannot": "can't {verb} #{id}: {reason}",
    "queue.state_hint": "See: ccc queue show {id}",
    # what keeps a waiting task
    "queue.obstacle_paused": "queue paused",
    "queue.obstacle_budget": "budget used up",
    "queue.obstacle_shortage": "needs {needed}, {left} left",
    "queue.obstacle_provider": "no worker has {detail}",
    "queue.obstacle_orphaned": "interrupted: worker gone",
    "queue.obstacle_after": "after #{detail}",
    "queue.obstacle_blocked": "#{detail} not completed",
    "queue.obstacle_host": "no worker on {detail}",
    "queue.obstacle_limited": "{detail}: usage limit until {until}",
    "queue.obstacle_held": "{detail} is paused",
    "queue.obstacle_busy": "{detail} is busy",
    "queue.obstacle_rate": "{detail}: limit of starts per minute",
    # the list and the board
    "queue.empty": 'The queue is empty. Add a task: ccc queue add "task"',
    "queue.head_id": "#",
    "queue.head_state": "STATE",
    "queue.head_time": "TIME",
    "queue.head_task": "TASK OR BRANCH",
    "queue.head_started": "STARTED",
    "queue.head_worker": "WORKER",
    "queue.asks": "#{id} asks: {question}",
    "queue.cut": "… {n} more",
    "queue.keys": "q quit",
    "queue.no_worker": "no worker",
    "queue.start_worker": "No worker is running. Start one: ccc queue work",
    "queue.is_paused": "The queue is paused. Start tasks again: ccc queue resume",
    # the budget, limits and pauses
    "queue.budget": "Budget: {facts}",
    "queue.used_today": "{used} of {limit} used in 24 hours",
    "queue.used": "{used} of {limit} used in total",
    "queue.reserved": "{reserved} reserved",
    "queue.left": "{left} left",
    "queue.no_budget": "No budget. Used so far: {used}",
    "queue.frees": "More of the budget is free at {time}.",
    "queue.tomorrow": "{time} tomorrow",
    "queue.paused": "Paused: {names}",
    "queue.all_tasks": "the whole queue",
    "queue.until": "{provider} until {until}",
    "queue.not_paused": "Nothing is paused.",
    "queue.no_limits": "No provider has a limit.",
    "queue.limit_jobs": "{n} at once",
    "queue.limit_rate": "{n} per minute",
    "queue.keep": "Worktrees of completed tasks are kept for {days} days.",
    # changes of tasks
    "queue.added": "#{id} added: {branch} · Checks: {checks}",
    "queue.now": "#{id} is now {state}",
    "queue.now_waiting": "#{id} is now waiting (priority {priority})",
    "queue.will_cancel": "#{id} is being cancelled; its worker ends the run",
    "queue.no_answer": "no answer given for #{id}\n"
    '→ Write it after the number: ccc queue answer {id} "…"',
    "queue.confirm": "confirm with --yes to remove {tasks}\n"
    "→ The worktrees are removed, the branches stay.",
    "queue.ask_remove": "Remove {tasks} with worktrees? The branches stay.",
    "queue.awaited": "can't remove #{id}: {tasks} would wait for it forever\n"
    "→ Remove what waits for it, too, or let it start without #{id}: ccc queue rm {id} --force",
    "queue.waits_no_more": "#{id} no longer waits for #{other}",
    "queue.removed": "#{id} removed",
    "queue.worktree_kept": "Its worktree stays, since its uncommitted work couldn't be saved: "
    "{directory}\n{cause}",
    "queue.worktree_stays": "Its worktree was not removed: {directory} (on {host})",
    "queue.answer_added": "The text was added to your earlier answer: #{id} hasn't started since.",
    "queue.not_started": "#{id} hasn't started yet; waiting for it",
    "queue.no_log": "#{id} has no log yet",
    "queue.elsewhere": "#{id} ran on another machine: {host}\n"
    "→ Run this there: ccc queue logs {id}",
    # one task
    "queue.of_detail": "Detail",
    "queue.of_message": "Your answer",
    "queue.of_repo": "Repository",
    "queue.of_branch": "Branch",
    "queue.of_base": "Base",
    "queue.of_providers": "Providers",
    "queue.of_allow": "Allowed",
    "queue.of_limits": "Limits",
    "queue.of_setup": "Setup",
    "queue.of_priority": "Priority",
    "queue.of_after": "After",
    "queue.of_added": "Added",
    "queue.of_worktree": "Worktree",
    "queue.of_change": "Change",
    "queue.of_pull_request": "Pull request",
    "queue.pushed": "{branch} (pushed)",
    "queue.will_push": "{branch} (will be pushed)",
    "queue.will_pr": "{branch} (will be pushed, with a pull request)",
    "queue.go_on": "Next steps:",
    "queue.branch_exists": "there is a branch {branch} already\n"
    "→ Choose another name, or leave --branch out.",
    "queue.url_password": "the URL contains a password, which would be stored and shown\n"
    "→ Leave it out: git uses your credential helper or SSH key.",
    "queue.outcome_not_set_up": "setup failed",
    "queue.outcome_no_request": "no pull request",
}
