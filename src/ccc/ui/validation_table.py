"""Show how providers are validated: a table that fills, the failures and their remedies."""

import contextlib
import sys
from contextlib import AbstractContextManager

from rich.console import Console
from rich.live import Live
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from ccc import words
from ccc.config.schema import Config
from ccc.providers import models, probe, probe_rules, variables
from ccc.providers.probe import BAD, GOOD, LEFT_OUT, RUNNING, WAITING, Validation
from ccc.system import terminal
from ccc.ui import prompts, rich_output

TIMEOUT = 30.0
_SPINNER = Spinner("dots", style="yellow")
_FRAMES_PER_SECOND = 10


def try_out(config: Config, names: list[str], timeout: float = TIMEOUT) -> list[Validation]:
    """Try the providers in parallel, showing the progress on a terminal."""
    validations = probe.plan(config, names)
    for each in validations:
        # one at a time and without drawing, because a key's command may ask for a passphrase
        source = variables.key(config, each.provider)
        if source.kind.endswith("command") and not each.not_tried and prompts.is_interactive():
            program = source.detail
            terminal.tell(words.say("validate.fetching", name=each.provider, program=program))
        probe.prepare(config, each)
    with _progress(config, validations):
        probe.run_all(validations, timeout)
    return validations


def _progress(config: Config, validations: list[Validation]) -> AbstractContextManager[object]:
    """Show the table while it fills, on stderr if that is a terminal."""
    console = rich_output.console(sys.stderr) if sys.stderr else None
    if console is None or not console.is_terminal:
        return contextlib.nullcontext()
    return Live(
        console=console,
        get_renderable=lambda: _table(config, validations),
        refresh_per_second=_FRAMES_PER_SECOND,
        transient=True,
    )


def _name(each: Validation) -> str:
    name = each.provider
    return words.say("validate.reviewer", name=name) if each.is_reviewer else name


def _table(config: Config, validations: list[Validation]) -> Table:
    heads = [words.say("provider.head_name"), words.say("provider.head_model")]
    heads += [words.say(f"validate.step_{step}") for step in probe_rules.STEPS]
    rows = [
        (_name(each), _model(config, each), *(_cell(each, step) for step in probe_rules.STEPS))
        for each in validations
    ]
    return rich_output.table(heads, rows)


def _model(config: Config, each: Validation) -> str:
    if each.not_tried:
        return variables.values(config, each.provider).get(models.MODEL, "–")
    return each.target.model if each.target else "–"


def _cell(each: Validation, step: str) -> Text | Spinner:
    spent = " " + words.say("time.seconds", n=f"{each.seconds.get(step, 0.0):.1f}")
    cells: dict[str, Text | Spinner] = {
        WAITING: rich_output.text("·", "dim"),
        RUNNING: _SPINNER,
        GOOD: rich_output.text("✓" + spent, "green"),
        BAD: rich_output.text("✗" + spent, "red"),
        LEFT_OUT: rich_output.text("–", "dim"),
    }
    return cells[each.states[step]]


def show(config: Config, tried: list[Validation], console: Console, is_saved: bool = True) -> None:
    """Print the result for each provider, and how to fix a failure."""
    console.print(_table(config, tried))
    for each in tried:
        if each.not_tried:
            reason = words.say(f"validate.untried_{each.not_tried}", name=each.provider)
            text = words.say("validate.not_tried", name=_name(each), reason=reason)
            console.print(rich_output.text(f"\n– {text}"))
        elif each.failure:
            problem, remedy = _explain(each)
            text = words.say("usage.about", what=_name(each), value=problem)
            console.print(rich_output.text(f"\n✗ {text}", "red"))
            # a command that edits a saved provider doesn't help with an unsaved key
            if is_saved or not each.has_wrong_key:
                rich_output.item(console, remedy)


def _explain(each: Validation) -> tuple[str, str]:
    if each.failure is None or each.failure.kind == "secret":
        return each.key_error
    kind, model = each.failure.kind, each.target.model if each.target else ""
    params = {"name": each.provider, "detail": each.failure.detail, "model": model}
    problem = words.say(f"validate.bad_{kind}", **params).strip()
    if each.model and kind in ("model", "no_tool"):
        return problem, words.say("validate.model_fix", **params)
    return problem, words.remedy(f"validate.bad_{kind}", **params)


def values(config: Config, each: Validation) -> dict[str, object]:
    """Return the result as JSON values."""
    problem, remedy = _explain(each)
    env = variables.values(config, each.provider)
    return {
        "provider": each.provider,
        "reviewer": each.is_reviewer,
        "judge": each.is_reviewer,  # the name before 0.2
        "ok": set(each.states.values()) == {GOOD},
        "tried": not each.not_tried,
        "not_tried": each.not_tried,
        "base_url": variables.display_value(models.BASE_URL, env.get(models.BASE_URL, "")),
        "model": _model(config, each),
        "steps": [
            {"step": step, "state": state, "seconds": round(each.seconds.get(step, 0.0), 3)}
            for step, state in each.states.items()
        ],
        "kind": each.failure.kind if each.failure else "",
        "problem": problem,
        "remedy": remedy,
    }
