"""`ccc validate [NAME… | --all]`: try providers with real requests, in parallel."""

import contextlib
import functools
import os
import sys
import threading
import time
from contextlib import AbstractContextManager

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ccc import words
from ccc.claude.formats import environment
from ccc.config import ccc_json
from ccc.config.schema import Config
from ccc.errors import CccError
from ccc.providers import layers, models, probe, probe_rules, provenance, selection
from ccc.providers.probe import BAD, GOOD, LEFT_OUT, RUNNING, WAITING, Trial
from ccc.providers.probe_rules import Failure
from ccc.system import terminal
from ccc.ui import prompts, rich_output
from ccc.ui.arguments import Parser, within

_TIMEOUT = 30.0
_SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_FRAMES_PER_SECOND = 10


def main(line: list[str]) -> int:
    """Try the providers, show the progress, and print how to fix each failure."""
    parser = build_parser()
    paths, said = parser.begin(line)
    if said.all and said.providers:
        parser.error(words.say("validate.both"))
    config = ccc_json.find(paths)
    if config is None:
        raise selection.no_provider()
    names = said.providers or [ccc_json.choice(config, os.getcwd())]
    for name in names:
        selection.require(name, config)
    names = list(config.providers) if said.all else list(dict.fromkeys(names))
    trials = try_out(config, names, said.timeout)
    is_bad = any(trial.is_bad for trial in trials)
    if said.json:
        values = [_values(config, trial) for trial in trials]
        print(terminal.as_json({"ok": not is_bad, "providers": values}, indent=2))
    else:
        show(config, trials, rich_output.console())
    return 1 if is_bad else 0


def build_parser() -> Parser:
    """Build the parser for `ccc validate`."""
    parser = Parser("validate")
    parser.add_argument("providers", nargs="*")
    seconds = functools.partial(within, least=0.1, most=3600)
    parser.add_argument("--timeout", type=seconds, default=_TIMEOUT)
    parser.add_flags("--all", "--json")
    return parser


def try_out(config: Config, names: list[str], timeout: float = _TIMEOUT) -> list[Trial]:
    """Try the providers in parallel, showing the progress on a terminal."""
    trials = [*(Trial(name) for name in names), *_reviewers(config, names)]
    for trial in trials:
        # one at a time and without drawing, because a key's command may ask for a passphrase
        probe.attempt(trial, functools.partial(_prepare, config, trial))
    running = []
    for trial in trials:
        if trial.target and not trial.is_bad:
            work = functools.partial(probe.run, trial, timeout)
            thread = threading.Thread(target=probe.attempt, args=(trial, work), daemon=True)
            thread.start()
            running.append((trial, thread))
    with _progress(config, trials):
        while running:
            time.sleep(0.02)
            for trial, _ in running:
                if trial.is_late(timeout):
                    trial.fail(Failure("timeout"))
            running = [pair for pair in running if pair[1].is_alive() and not pair[0].is_bad]
    return trials


def _reviewers(config: Config, names: list[str]) -> list[Trial]:
    """Return the reviewers' providers that aren't already tried with the same model."""
    supervisor = config.supervisor
    reviewers = dict.fromkeys(supervisor.provider or name for name in names)
    return [
        Trial(name, is_reviewer=True, model=supervisor.model)
        for name in reviewers
        if supervisor.model or name not in names
    ]


def _prepare(config: Config, trial: Trial) -> None:
    """Fetch the key, and determine what to try."""
    trial.not_tried = probe_rules.obstacle(provenance.values(config, trial.provider))
    if trial.not_tried:
        trial.leave_out()
        return
    source = provenance.key(config, trial.provider)
    if source.kind.endswith("command") and prompts.is_interactive():
        terminal.tell(words.say("validate.fetching", name=trial.provider, program=source.detail))
    trial.start("key")
    try:
        merged = layers.for_provider(config, trial.provider, os.environ)
    except CccError as error:
        trial.key_error = str(error), words.say(error.hint, **error.params)
        raise Failure("secret") from None
    own = {models.MODEL: trial.model} if trial.model else {}
    setting = merged.settings.get("model")
    trial.target = probe_rules.target(
        {**merged.env, **own}, setting if isinstance(setting, str) else ""
    )
    trial.env = environment.for_claude(os.environ, merged.env, 0, "")
    if not any(merged.env.get(name) for name in environment.CREDENTIALS[:2]):
        raise Failure("no_key")
    trial.finish()


def _progress(config: Config, trials: list[Trial]) -> AbstractContextManager[object]:
    """Show the table while it fills, on stderr if that is a terminal."""
    from rich.live import Live

    console = rich_output.console(sys.stderr) if sys.stderr else None
    if console is None or not console.is_terminal:
        return contextlib.nullcontext()
    return Live(
        console=console,
        get_renderable=lambda: _table(config, trials),
        refresh_per_second=_FRAMES_PER_SECOND,
        transient=True,
    )


def _name(trial: Trial) -> str:
    if trial.is_reviewer:
        return words.say("validate.reviewer", name=trial.provider)
    return trial.provider


def _table(config: Config, trials: list[Trial]) -> Table:
    heads = [words.say("provider.head_name"), words.say("provider.head_model")]
    heads += [words.say(f"validate.step_{step}") for step in probe_rules.STEPS]
    rows = [
        (_name(trial), _model(config, trial), *(_cell(trial, step) for step in probe_rules.STEPS))
        for trial in trials
    ]
    return rich_output.table(heads, rows)


def _model(config: Config, trial: Trial) -> str:
    if trial.not_tried:
        return provenance.values(config, trial.provider).get(models.MODEL, "–")
    return trial.target.model if trial.target else "–"


def _cell(trial: Trial, step: str) -> Text:
    spent = " " + words.say("validate.seconds", n=f"{trial.seconds.get(step, 0.0):.1f}")
    frame = _SPINNER[int(time.monotonic() * _FRAMES_PER_SECOND) % len(_SPINNER)]
    return {
        WAITING: rich_output.text("·", "dim"),
        RUNNING: rich_output.text(frame, "yellow"),
        GOOD: rich_output.text("✓" + spent, "green"),
        BAD: rich_output.text("✗" + spent, "red"),
        LEFT_OUT: rich_output.text("–", "dim"),
    }[trial.states[step]]


def show(config: Config, trials: list[Trial], console: Console, is_saved: bool = True) -> None:
    """Print the result for each provider, and how to fix a failure."""
    console.print(_table(config, trials))
    for trial in trials:
        if trial.not_tried:
            reason = words.say(f"validate.untried_{trial.not_tried}", name=trial.provider)
            text = words.say("validate.not_tried", name=_name(trial), reason=reason)
            console.print(rich_output.text(f"\n– {text}"))
        elif trial.is_bad:
            problem, remedy = _explain(trial)
            text = words.say("validate.problem", name=_name(trial), problem=problem)
            console.print(rich_output.text(f"\n✗ {text}", "red"))
            # a command that edits a saved provider doesn't help with an unsaved key
            if is_saved or not trial.has_wrong_key:
                rich_output.item(console, rich_output.text(" "), rich_output.text(remedy))


def _explain(trial: Trial) -> tuple[str, str]:
    """Return the problem and its remedy."""
    if trial.failure is None or trial.failure.kind == "secret":
        return trial.key_error
    kind, model = trial.failure.kind, trial.target.model if trial.target else ""
    params = {"name": trial.provider, "detail": trial.failure.detail, "model": model}
    problem = words.say(f"validate.bad_{kind}", **params).strip()
    if trial.model and kind in ("model", "no_tool"):
        return problem, words.say("validate.model_fix", **params)
    return problem, words.say(f"validate.fix_{kind}", **params)


def _values(config: Config, trial: Trial) -> dict[str, object]:
    problem, remedy = _explain(trial)
    env = provenance.values(config, trial.provider)
    return {
        "provider": trial.provider,
        "reviewer": trial.is_reviewer,
        "judge": trial.is_reviewer,  # the name before 0.2
        "ok": trial.is_good,
        "tried": not trial.not_tried,
        "not_tried": trial.not_tried,
        "base_url": provenance.display_value(models.BASE_URL, env.get(models.BASE_URL, "")),
        "model": _model(config, trial),
        "steps": [
            {"step": step, "state": state, "seconds": round(trial.seconds.get(step, 0.0), 3)}
            for step, state in trial.states.items()
        ],
        "kind": trial.failure.kind if trial.failure else "",
        "problem": problem,
        "remedy": remedy,
    }
