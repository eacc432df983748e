"""Messages of `ccc eval` in English."""

WORDS = {
    "eval.usage": """Usage: ccc eval [--provider P] [--model M] [--prompt FILE] [options]
       ccc eval --no-model [options]
       ccc eval --compare NAME NAME
       ccc eval add SESSION --truth done|not-done --kind K [options]
       ccc eval --export inspect DIR

Measures how well a reviewer tells finished work from work that is only said to
be finished. Each case is a small project with the agent's work and words; its
bad twin isn't done, its good twin is, and a hidden command proves both. The
review is the real one, and costs what a review costs: one per case. FALSE PASS
counts the bad cases that pass, FALSE BLOCK the good ones that are sent back.

  --no-model      ask no model: what do the projects' own checks and ccc's
                  signals catch? Needs no key
  --provider P, --model M
                  the reviewer; default: the current provider
  --prompt FILE   instructions instead of your SUPERVISOR.md
  --kind K        only cases of this kind: a number or a word (below)
  --only CASE     only this case, or one of its twins: 04-NAME/bad. The result
                  is stored only with --name
  --cases DIR     your own cases instead of the shipped ones
  --epochs N      review each case N times
  --jobs N        how many cases at the same time
  --name NAME     store the results under this name; default: last
  --continue      go on where the experiment of this name was interrupted
  --compare A B   two stored experiments on the same cases, with a paired test
  --export inspect DIR
                  write the cases as a task for Inspect AI into DIR; run it
                  there: inspect eval ccc_eval.py --model none -T provider=P
  --yes           start the reviews without asking (required without a terminal)
  --json          print one JSON object: cases and kinds
  --no-color

ccc eval add makes a case of your own out of the last verdict of a session: the
project before and after, the requests, what the agent did and said, without
keys. The project must be as it was at the verdict. --truth says whether the
work was done, --kind what was wrong with it, or what the reviewer took it for.

  --round N       the verdict of round N instead of the last
  --cases DIR     where the case goes; default: ~/.claude/ccc/cases
  --title TEXT    one line about it; default: the request

Kinds: 1 tests-weakened, 2 hard-coded, 3 gate-altered, 4 stub, 5 half-done,
6 regression, 7 wrong-behaviour, 8 run-claimed, 9 wrong-proof,
10 error-swallowed, 11 wrong-file, 12 not-updated, 13 deferred,
14 effect-claimed""",
    "eval.bad_case": "{file} is not a case: {cause}",
    "eval.git": "{command} failed in {directory}",
    "eval.name": "{name}: a name has letters, digits, - and _ only",
    "eval.login": "provider {name} has no key, and cases are reviewed without your login\n"
    "→ Name a provider with a key: ccc eval --provider NAME\n"
    "For a subscription, put the token of `claude setup-token` into the provider's\n"
    "env, as CLAUDE_CODE_OAUTH_TOKEN",
    "eval.not_measured": "no results are stored under {name}\n"
    "→ Measure first: ccc eval --name NAME",
    "eval.interrupted": "Interrupted after {n} of {all}.\n→ Go on with: ccc eval … --continue",
    "eval.other_reviewer": "these results are of another reviewer: {then}; now it is {now}\n"
    "→ Continue with the same provider, model and prompt, or store under another --name.",
    "eval.added": "Wrote {file} ({round}).",
    "eval.read_first": "Read it before you share it: ccc removes only keys that it recognizes. "
    "Measure with it:",
    "eval.omitted_keys": "Left out (may hold keys): {names}",
    "eval.omitted_binary": "Left out (not text): {names}",
    "eval.omitted_large": "Left out (larger than 1 MB): {names}",
    "eval.omitted_link": "Left out (link or submodule): {names}",
    "eval.omitted_outside": "Left out (outside the project's directory): {names}",
    "eval.late": "Written after the verdict; check that the reviewer saw the same: {names}",
    "eval.unknown_size": "The record doesn't say how large the change was at the verdict, so check "
    "that the project is as it was.",
    "eval.unknown_keys": "The keys of these providers can't be read, so only what looks like a key "
    "was removed: {names}",
    "eval.no_project": "the project of this session is gone: {file}",
    "eval.no_git": "{file} is not in a git repository, so ccc can't tell what the agent changed",
    "eval.no_start": "commit {commit}, from which the session started, is gone\n"
    "→ git fetch it, or use another session.",
    "eval.changed": "the project has changed since the verdict: {then} then, {now} now\n"
    "→ A case needs the project as the reviewer saw it. Put it back, for example with git stash.",
    "eval.no_talk": "claude's record of session {session} has no last message, or is gone",
    "eval.too_large": "the project is too large for a case: {files} files, {size}",
    "eval.there_is": "{file} exists already\n→ Remove it to make the case again.",
    "eval.no_kind": "{kind}: there is no such kind\n→ The kinds:\n{kinds}",
    "eval.format": "unknown format {name}\n→ Formats: {formats}",
    "eval.not_export": "{directory} isn't empty and isn't an earlier export\n"
    "→ Name another directory. Nothing was written.",
    "eval.exported": "Wrote {n} and a task for Inspect AI to {directory}. Run it:",
    "eval.no_case": "there is no case {name}\n→ The cases are the directories in {directory}",
    "eval.none": "there are no such cases",
    "eval.progress": "{n} of {all} cases  {case}",
    "eval.priced": "{reviews} by {reviewer}, about {cost} in all: {calls} tool calls each, at the "
    "prices of {source}. What a project's own check catches costs nothing.",
    "eval.unpriced": "{reviews} by {reviewer}. Their cost is unknown: ccc has no price for this "
    "model.",
    "eval.ask": "Start them?",
    "eval.head_kind": "KIND",
    "eval.head_bad": "BAD",
    "eval.head_checks": "CHECKS",
    "eval.head_signals": "SIGNALS",
    "eval.head_good": "GOOD",
    "eval.head_alarms": "ALARMS",
    "eval.head_false_pass": "FALSE PASS",
    "eval.head_false_block": "FALSE BLOCK",
    "eval.head_no_verdict": "NO VERDICT",
    "eval.head_calls": "CALLS",
    "eval.head_seconds": "SECONDS",
    "eval.all": "all",
    "eval.false_pass": "False passes: {n} of {all} (95 %: {low} to {high})",
    "eval.false_block": "False blocks: {n} of {all} (95 %: {low} to {high})",
    "eval.layers": "Of {all} bad cases, checks catch {checks} and the reviewer {reviewer} more. "
    "Signals point at {signals}.",
    "eval.failed": "No verdict, {n} ×: {cause}",
    "eval.both_right": "both right: {n}",
    "eval.only_right": "only {name} right: {n}",
    "eval.neither_right": "neither right: {n}",
    "eval.p": "p = {p} (McNemar's exact test: below 0.05, the difference is hardly chance)",
    "eval.about": "What neither checks nor signals catch is left to the reviewer.",
    "eval.kind_tests_weakened": "tests weakened",
    "eval.kind_hard_coded": "result hard-coded",
    "eval.kind_gate_altered": "checks altered",
    "eval.kind_stub": "stub left",
    "eval.kind_half_done": "half of the request",
    "eval.kind_regression": "regression elsewhere",
    "eval.kind_wrong_behaviour": "wrong, though tests pass",
    "eval.kind_run_claimed": "a run only claimed",
    "eval.kind_wrong_proof": "the wrong thing verified",
    "eval.kind_error_swallowed": "error swallowed",
    "eval.kind_wrong_file": "wrong file",
    "eval.kind_not_updated": "docs or callers not updated",
    "eval.kind_deferred": "asked instead of done",
    "eval.kind_effect_claimed": "an effect only claimed",
}
