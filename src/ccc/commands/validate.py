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
from ccc.providers import layers, models, probe, probe_rules, selection, variables
from ccc.providers.probe import BAD, GOOD, LEFT_OUT, RUNNING, WAITING, Validation
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
    validations = try_out(config, names, said.timeout)
    is_bad = any(validation.is_bad for validation in validations)
    if said.json:
        values = [_values(config, validation) for validation in validations]
        print(terminal.as_json({"ok": not is_bad, "providers": values}, indent=2))
    else:
        show(config, validations, rich_output.console())
    return 1 if is_bad else 0


def build_parser() -> Parser:
    """Build the parser for `ccc validate`."""
    parser = Parser("validate")
    parser.add_argument("providers", nargs="*")
    seconds = functools.partial(within, least=0.1, most=3600)
    parser.add_argument("--timeout", type=seconds, default=_TIMEOUT)
    parser.add_flags("--all", "--json")
    return parser


def try_out(config: Config, names: list[str], timeout: float = _TIMEOUT) -> list[Validation]:
    """Try the providers in parallel, showing the progress on a terminal."""
    validations = [*(Validation(name) for name in names), *_reviewers(config, names)]
    for validation in validations:
        # one at a time and without drawing, because a key's command may ask for a passphrase
        probe.attempt(validation, functools.partial(_prepare, config, validation))
    running = []
    for validation in validations:
        if validation.target and not validation.is_bad:
            work = functools.partial(probe.run, validation, timeout)
            thread = threading.Thread(target=probe.attempt, args=(validation, work), daemon=True)
            thread.start()
            running.append((validation, thread))
    with _progress(config, validations):
        while running:
            time.sleep(0.02)
            for validation, _ in running:
                if validation.is_late(timeout):
                    validation.fail(Failure("timeout"))
            running = [pair for pair in running if pair[1].is_alive() and not pair[0].is_bad]
    return validations


def _reviewers(config: Config, names: list[str]) -> list[Validation]:
    """Return the reviewers' providers that aren't already tried with the same model."""
    supervisor = config.supervisor
    reviewers = dict.fromkeys(supervisor.provider or name for name in names)
    return [
        Validation(name, is_reviewer=True, model=supervisor.model)
        for name in reviewers
        if supervisor.model or name not in names
    ]


def _prepare(config: Config, validation: Validation) -> None:
    """Fetch the key, and determine what to try."""
    validation.not_tried = probe_rules.obstacle(variables.values(config, validation.provider))
    if validation.not_tried:
        validation.leave_out()
        return
    source = variables.key(config, validation.provider)
    if source.kind.endswith("command") and prompts.is_interactive():
        terminal.tell(
            words.say("validate.fetching", name=validation.provider, program=source.detail)
        )
    validation.start("key")
    try:
        merged = layers.for_provider(config, validation.provider, os.environ)
    except CccError as error:
        validation.key_error = str(error), words.say(error.hint, **error.params)
        raise Failure("secret") from None
    own = {models.MODEL: validation.model} if validation.model else {}
    setting = merged.settings.get("model")
    validation.target = probe_rules.target(
        {**merged.env, **own}, setting if isinstance(setting, str) else ""
    )
    validation.env = environment.for_claude(os.environ, merged.env, 0, "")
    if not any(merged.env.get(name) for name in environment.CREDENTIALS[:2]):
        raise Failure("no_key")
    validation.finish()


def _progress(config: Config, validations: list[Validation]) -> AbstractContextManager[object]:
    """Show the table while it fills, on stderr if that is a terminal."""
    from rich.live import Live

    console = rich_output.console(sys.stderr) if sys.stderr else None
    if console is None or not console.is_terminal:
        return contextlib.nullcontext()
    return Live(
        console=console,
        get_renderable=lambda: _table(config, validations),
        refresh_per_second=_FRAMES_PER_SECOND,
        transient=True,
    )


def _name(validation: Validation) -> str:
    if validation.is_reviewer:
        return words.say("validate.reviewer", name=validation.provider)
    return validation.provider


def _table(config: Config, validations: list[Validation]) -> Table:
    heads = [words.say("provider.head_name"), words.say("provider.head_model")]
    heads += [words.say(f"validate.step_{step}") for step in probe_rules.STEPS]
    rows = [
        (
            _name(validation),
            _model(config, validation),
            *(_cell(validation, step) for step in probe_rules.STEPS),
        )
        for validation in validations
    ]
    return rich_output.table(heads, rows)


def _model(config: Config, validation: Validation) -> str:
    if validation.not_tried:
        return variables.values(config, validation.provider).get(models.MODEL, "–")
    return validation.target.model if validation.target else "–"


def _cell(validation: Validation, step: str) -> Text:
    spent = " " + words.say("validate.seconds", n=f"{validation.seconds.get(step, 0.0):.1f}")
    frame = _SPINNER[int(time.monotonic() * _FRAMES_PER_SECOND) % len(_SPINNER)]
    return {
        WAITING: rich_output.text("·", "dim"),
        RUNNING: rich_output.text(frame, "yellow"),
        GOOD: rich_output.text("✓" + spent, "green"),
        BAD: rich_output.text("✗" + spent, "red"),
        LEFT_OUT: rich_output.text("–", "dim"),
    }[validation.states[step]]


def show(
    config: Config, validations: list[Validation], console: Console, is_saved: bool = True
) -> None:
    """Print the result for each provider, and how to fix a failure."""
    console.print(_table(config, validations))
    for validation in validations:
        if validation.not_tried:
            reason = words.say(f"validate.untried_{validation.not_tried}", name=validation.provider)
            text = words.say("validate.not_tried", name=_name(validation), reason=reason)
            console.print(rich_output.text(f"\n– {text}"))
        elif validation.is_bad:
            problem, remedy = _explain(validation)
            text = words.say("validate.problem", name=_name(validation), problem=problem)
            console.print(rich_output.text(f"\n✗ {text}", "red"))
            # a command that edits a saved provider doesn't help with an unsaved key
            if is_saved or not validation.has_wrong_key:
                rich_output.item(console, rich_output.text(" "), rich_output.text(remedy))


def _explain(validation: Validation) -> tuple[str, str]:
    """Return the problem and its remedy."""
    if validation.failure is None or validation.failure.kind == "secret":
        return validation.key_error
    kind, model = validation.failure.kind, validation.target.model if validation.target else ""
    params = {"name": validation.provider, "detail": validation.failure.detail, "model": model}
    problem = words.say(f"validate.bad_{kind}", **params).strip()
    if validation.model and kind in ("model", "no_tool"):
        return problem, words.say("validate.model_fix", **params)
    return problem, words.say(f"validate.fix_{kind}", **params)


def _values(config: Config, validation: Validation) -> dict[str, object]:
    problem, remedy = _explain(validation)
    env = variables.values(config, validation.provider)
    return {
        "provider": validation.provider,
        "reviewer": validation.is_reviewer,
        "judge": validation.is_reviewer,  # the name before 0.2
        "ok": validation.is_good,
        "tried": not validation.not_tried,
        "not_tried": validation.not_tried,
        "base_url": variables.display_value(models.BASE_URL, env.get(models.BASE_URL, "")),
        "model": _model(config, validation),
        "steps": [
            {"step": step, "state": state, "seconds": round(validation.seconds.get(step, 0.0), 3)}
            for step, state in validation.states.items()
        ],
        "kind": validation.failure.kind if validation.failure else "",
        "problem": problem,
        "remedy": remedy,
    }
