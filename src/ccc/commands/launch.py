"""`ccc [provider] [claude args…]`: switch to the provider and become claude."""

import os
import sys
from dataclasses import replace

from ccc import failure, terminal, words
from ccc.claude import arguments, binary, layers, plan, process
from ccc.claude.layers import Layers
from ccc.cli import COMMANDS
from ccc.domain import config as configs
from ccc.domain import environment, jsontext, names, settings
from ccc.errors import CccError
from ccc.project import head
from ccc.storage import configuration, files, state
from ccc.storage import paths as places
from ccc.storage.installation import Installation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NoReturn

    from ccc.domain.config import Config
    from ccc.storage.paths import Paths


_LAUNCHER = "CCC_LAUNCHER_PID"


def main(line: list[str]) -> "NoReturn":
    """Launch claude; this process becomes it."""
    supervised = line[:1] == ["--supervisor"]
    environ = dict(os.environ)
    paths = places.find(environ)
    words.use(environ)
    config = configuration.load(paths, COMMANDS)
    if config is None:
        raise CccError("config.missing", hint="config.example", file=paths.config)
    words.use(environ, config.language)

    provider, rest = _provider(line[supervised:], config)
    reading = arguments.read([*config.claude_args, *rest])
    usual = layers.of_provider(config, provider, environ)
    folded = usual if reading.settings is None else _fold(usual, reading.settings, environ)
    ourselves = places.own_program(sys.argv[0])
    claude = binary.find(environ, ourselves)
    if environ.get(_LAUNCHER) == str(os.getpid()):
        # exec keeps the process id: what we became has become us again
        raise CccError("claude.loop", hint="claude.loop_hint", file=claude)
    session, new = _session(environ)
    limit = config.supervisor.max_iterations

    settings_file = _install(paths, config, provider, usual, folded, ourselves, session, supervised)
    if not reading.subcommand:
        _begin(paths, session, provider, claude, reading.shaping, supervised, environ)
    _announce(paths, session, supervised, environ)
    _warn(folded, provider)
    process.become(
        plan.launch(
            claude,
            reading,
            environment.for_claude(environ, folded.env, limit, session)
            | {_LAUNCHER: str(os.getpid())},
            os.getcwd(),
            settings_file,
            session if new else "",
        )
    )


def _provider(line: list[str], config: "Config") -> tuple[str, list[str]]:
    """The provider that the first word names, and claude's arguments."""
    first = line[0] if line else ""
    if not names.is_provider_name(first):
        return config.choose(), line
    if first in config.providers:
        return first, line[1:]
    known = list(config.providers)
    near = names.nearest(first, known)
    hint = "provider.nearest" if near else "provider.known"
    if first in arguments.SUBCOMMANDS:
        hint = "provider.subcommand"
    raise CccError(
        "provider.unknown",
        hint=hint,
        name=first,
        near=near,
        known=", ".join(known),
        current=config.choose(),
    )


def _fold(usual: Layers, given: str, environ: "Mapping[str, str]") -> Layers:
    """The launch's settings with a --settings of the user's, a file or a JSON object."""
    inline = given.strip().startswith("{")
    name = "--settings" if inline else os.path.abspath(given)
    text = given if inline else files.read(name)
    if text is None:
        raise CccError("settings.missing", hint="settings.missing_hint", file=name)
    return layers.folded(usual, configs.parse_layer(text, name), environ)


def _session(environ: "Mapping[str, str]") -> tuple[str, bool]:
    """The supervisor id (the inherited one, if there is one), and whether it is new."""
    inherited = environ.get(environment.SESSION, "")
    if not inherited:
        return names.uuid(os.urandom(16)), True
    if not names.is_session_id(inherited):
        raise CccError("session.name", hint="session.hint", variable=environment.SESSION)
    return inherited, False


def _install(
    paths: "Paths",
    config: "Config",
    provider: str,
    usual: Layers,
    folded: Layers,
    ourselves: str,
    session: str,
    supervised: bool,
) -> str:
    """Bring the user's files up to date; the settings file for this launch."""
    command = settings.hook_command(ourselves)
    sandbox = config.supervisor.sandbox != "off"
    with files.Lock(paths.locks) as lock:
        work = Installation(lock, paths)
        everywhere = work.users_settings()
        work.ensure(ourselves, words.chosen())
        cap = environment.block_cap(everywhere, config.supervisor.max_iterations)
        agent = settings.for_agent(usual.settings, {**usual.file_env(everywhere), **cap}, command)
        work.settings_file(paths.agent_settings(provider), agent)
        work.reviewer_settings(provider, usual.settings, usual.file_env(everywhere), sandbox)
        result = paths.agent_settings(provider)
        if folded is not usual:
            result = paths.session_settings(session)
            own = settings.for_agent(
                folded.settings, {**folded.file_env(everywhere), **cap}, command
            )
            lock.write(result, jsontext.dump(own), durable=False)
        if config.current_provider != provider:
            work.current_provider(provider)
        for key in config.unknown_keys:
            if work.ledger.tell_once(f"unknown key {key}"):
                work.trouble.append(CccError("config.unknown_key", file=paths.config, path=key))
        if supervised and ({**everywhere, **folded.settings}).get("disableAllHooks"):
            work.trouble.append(CccError("warn.hooks_off"))
        work.finish()
    for problem in work.trouble:
        failure.tell(problem)
    return result


def _begin(
    paths: "Paths",
    session: str,
    provider: str,
    claude: str,
    shaping: tuple[str, ...],
    supervised: bool,
    environ: "Mapping[str, str]",
) -> None:
    """Keep in the session's state what a review will need and no environment carries."""
    path = paths.state(session)
    if "CLAUDECODE" in environ and not supervised and os.path.exists(path):
        # a launch from inside a session: the state is the outer session's
        return

    def begin(before: state.State) -> state.State:
        return replace(
            before,
            provider=provider,
            claude=claude,
            arguments=shaping,
            enabled=before.enabled or supervised,
            start_head=before.start_head or head.read(os.getcwd()),
        )

    try:
        state.change(
            paths.state_dir,
            path,
            session,
            begin,
            lambda aside: terminal.tell(words.say("state.corrupt", file=aside)),
        )
    except CccError as error:
        if supervised:
            raise
        failure.tell(error)


def _announce(paths: "Paths", session: str, supervised: bool, environ: "Mapping[str, str]") -> None:
    if supervised:
        terminal.tell(words.say("supervisor.enabled"))
    elif environ.get("CCC_SUPERVISOR") == "1":
        terminal.tell(words.say("supervisor.replaced"))
    else:
        return
    terminal.tell(
        words.say(
            "supervisor.logs",
            state_dir=paths.state_dir,
            hook_log=paths.invocation_log,
            output_log=paths.review_output(session),
        )
    )


def _warn(merged: Layers, provider: str) -> None:
    """What will not work as the person expects, said before claude starts."""
    held = [name for name in environment.CREDENTIALS if merged.env.get(name)]
    if merged.env.get("ANTHROPIC_BASE_URL") and not held:
        terminal.tell(words.say("warn.no_credential", provider=provider))
    if len(held) > 1:
        terminal.tell(words.say("warn.two_credentials", provider=provider, names=", ".join(held)))
