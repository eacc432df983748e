"""`ccc validate [NAME… | --all]`: really try providers, side by side."""

import os
import sys
import threading
import time

from ccc import words
from ccc.claude.formats import environment
from ccc.config import ccc_json
from ccc.errors import CccError
from ccc.providers import layers, models, probing, provenance, selection
from ccc.providers import probe_steps as trials
from ccc.providers.probe_steps import BAD, GOOD, LEFT_OUT, RUNNING, WAITING, Trial
from ccc.system import terminal
from ccc.ui import prompts, rich_output
from ccc.ui.arguments import Parser, within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from ccc.config.schema import Config

_SECONDS = 30.0
_SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_FRAMES = 10


def main(line: list[str]) -> int:
    """Try them, show how it goes, and say what to do about each failure."""
    parser = build_parser()
    paths, said = parser.begin(line)
    if said.all and said.providers:
        parser.error(words.say("validate.both"))
    found = ccc_json.find(paths)
    if found is None:
        raise selection.no_provider()
    names = (
        list(found.providers)
        if said.all
        else said.providers or [ccc_json.choice(found, os.getcwd())]
    )
    for name in names:
        selection.require(name, found)
    tried = try_out(found, list(dict.fromkeys(names)), said.timeout)
    if said.json:
        print(terminal.as_json(_as_json(found, tried), indent=2))
    else:
        show(found, tried, rich_output.console())
    return 1 if any(trial.is_bad for trial in tried) else 0


def build_parser() -> Parser:
    """The options of `ccc validate`."""
    parser = Parser("validate")
    parser.add_argument("providers", nargs="*")
    parser.add_argument("--timeout", type=_seconds, default=_SECONDS)
    parser.add_flags("--all", "--json")
    return parser


def _seconds(text: str) -> float:
    return within(text, 0.1, 3600)


def try_out(config: "Config", names: list[str], timeout: float = _SECONDS) -> list[Trial]:
    """The providers, tried at the same time, on the terminal with what is under way."""
    tried = [*(Trial(name) for name in names), *_judges(config, names)]
    for trial in tried:
        # one after another, with nothing drawn: a key's command may ask for a passphrase
        _prepare(config, trial)
    with _Progress(config, tried):
        threads = [
            threading.Thread(target=trials.run, args=(trial, timeout), daemon=True)
            for trial in tried
            if trial.target and not trial.is_bad
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():
                thread.join(0.1)
    return tried


def _judges(config: "Config", names: list[str]) -> list[Trial]:
    """Those that review the work of these, where that is not one of them as it is."""
    supervisor = config.supervisor
    judges = dict.fromkeys(supervisor.provider or name for name in names)
    return [
        Trial(name, is_judge=True, model=supervisor.model)
        for name in judges
        if supervisor.model or name not in names
    ]


def _name(trial: Trial) -> str:
    return words.say("validate.judge", name=trial.provider) if trial.is_judge else trial.provider


def _prepare(config: "Config", trial: Trial) -> None:
    """Fetch the key, and find out what there is to try."""
    plain = provenance.values(config, trial.provider)
    trial.untried = probing.untried(plain)
    if trial.untried:
        trial.leave_out()
        return

    def fetch() -> None:
        merged = layers.for_provider(config, trial.provider, os.environ)
        chosen = merged.settings.get("model")
        own = {models.MODEL: trial.model} if trial.model else {}
        model = chosen if isinstance(chosen, str) else ""
        trial.target = probing.target({**merged.env, **own}, model)
        trial.env = environment.for_claude(os.environ, merged.env, 0, "")
        if not any(merged.env.get(name) for name in environment.CREDENTIALS[:2]):
            raise probing.Failed("no_key")

    def fetched() -> None:
        try:
            fetch()
        except CccError as error:
            trial.told = f"{error}\n{words.say(error.hint, **error.params)}"
            raise probing.Failed("secret") from None

    source = provenance.key(config, trial.provider)
    if source.kind.endswith("command") and prompts.possible():
        told = words.say("validate.fetching", name=trial.provider, program=source.detail)
        terminal.tell(told)
    if not trial.step("key", fetched):
        trial.leave_out()


class _Progress:
    """The table while it fills, on stderr where that is a terminal."""

    def __init__(self, config: "Config", tried: list[Trial]) -> None:
        self._config, self._tried = config, tried

    def __enter__(self) -> None:
        from rich.live import Live

        console = rich_output.console(sys.stderr) if sys.stderr else None
        self._live = None
        if console is not None and console.is_terminal:
            self._live = Live(
                console=console,
                get_renderable=lambda: _table(self._config, self._tried),
                refresh_per_second=_FRAMES,
                transient=True,
            )
            self._live.start()

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()


def _table(config: "Config", tried: list[Trial]) -> "Table":
    heads = [words.say("provider.head_name"), words.say("provider.head_model")]
    heads += [words.say(f"validate.step_{step}") for step in probing.STEPS]
    return rich_output.table(heads, [_row(config, trial) for trial in tried])


def _row(config: "Config", trial: Trial) -> tuple[object, ...]:
    model = _model(config, trial)
    return (_name(trial), model, *(_cell(trial, step) for step in probing.STEPS))


def _model(config: "Config", trial: Trial) -> str:
    if trial.untried:
        return provenance.values(config, trial.provider).get(models.MODEL, "–")
    return trial.target.model if trial.target else "–"


def _cell(trial: Trial, step: str) -> "Text":
    spent = " " + words.say("validate.seconds", n=f"{trial.seconds.get(step, 0.0):.1f}")
    now = _SPINNER[int(time.monotonic() * _FRAMES) % len(_SPINNER)]
    return {
        WAITING: rich_output.text("·", "dim"),
        RUNNING: rich_output.text(now, "yellow"),
        GOOD: rich_output.text("✓" + spent, "green"),
        BAD: rich_output.text("✗" + spent, "red"),
        LEFT_OUT: rich_output.text("–", "dim"),
    }[trial.states[step]]


def show(config: "Config", tried: list[Trial], console: "Console", is_saved: bool = True) -> None:
    """Print how each provider did, and what to do about a failure."""
    console.print(_table(config, tried))
    for trial in tried:
        if trial.untried:
            reason = words.say(f"validate.untried_{trial.untried}", name=trial.provider)
            told = words.say("validate.not_tried", name=_name(trial), reason=reason)
            console.print(rich_output.text(f"\n– {told}"))
        elif trial.is_bad:
            problem, remedy = _told(trial)
            said = words.say("validate.problem", name=_name(trial), problem=problem)
            console.print(rich_output.text(f"\n✗ {said}", "red"))
            # what edits a saved one is of no use for a key that was typed just now
            if is_saved or not trial.has_wrong_key:
                rich_output.item(console, rich_output.text(" "), rich_output.text(remedy))


def _told(trial: Trial) -> tuple[str, str]:
    """The problem and its remedy."""
    if trial.told:
        problem, _, remedy = trial.told.partition("\n")
        return problem, remedy
    assert trial.finding is not None
    kind, detail = trial.finding.kind, trial.finding.detail
    params = {
        "name": trial.provider,
        "detail": detail,
        "model": trial.target.model if trial.target else "",
    }
    problem = words.say(f"validate.bad_{kind}", **params).strip()
    if trial.model and kind in ("model", "no_tool"):
        return problem, words.say("validate.model_fix", **params)
    return problem, words.say(f"validate.fix_{kind}", **params)


def _as_json(config: "Config", tried: list[Trial]) -> dict[str, object]:
    return {
        "ok": not any(trial.is_bad for trial in tried),
        "providers": [_one_as_json(config, trial) for trial in tried],
    }


def _one_as_json(config: "Config", trial: Trial) -> dict[str, object]:
    problem, remedy = _told(trial) if trial.is_bad else ("", "")
    env = provenance.values(config, trial.provider)
    return {
        "provider": trial.provider,
        "judge": trial.is_judge,
        "ok": trial.is_good,
        "tried": not trial.untried,
        "not_tried": trial.untried,
        "base_url": provenance.shown_value(models.BASE_URL, env.get(models.BASE_URL, "")),
        "model": _model(config, trial),
        "steps": [
            {"step": step, "state": state, "seconds": round(trial.seconds.get(step, 0.0), 3)}
            for step, state in trial.states.items()
        ],
        "kind": trial.finding.kind if trial.finding else "",
        "problem": problem,
        "remedy": remedy,
    }
