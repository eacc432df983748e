"""`ccc [provider] [claude args…]`: switch to the provider and become claude."""

import os
import sys
import time
from dataclasses import dataclass, replace

from ccc import failure, words
from ccc.claude import binary, launch_plan
from ccc.claude.formats import arguments, environment, settings
from ccc.config import ccc_json
from ccc.config.layer import parse_layer
from ccc.errors import CccError
from ccc.project import git
from ccc.providers import layers
from ccc.storage import files, sessions, state
from ccc.storage import paths as places
from ccc.storage.installation import Installation, users_settings
from ccc.supervision import tampering
from ccc.system import spawn, terminal
from ccc.text import jsontext, names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NoReturn

    from ccc.claude.formats.arguments import Reading
    from ccc.config.schema import Config
    from ccc.providers.layers import Layers
    from ccc.storage.paths import Paths

_DIRECTORIES = ("CCC_CONFIG_DIR", "CCC_WORK_DIR", "CLAUDE_CONFIG_DIR")


@dataclass(frozen=True, slots=True)
class Launch:
    """What a launch was found to be, before anything is written."""

    environ: "Mapping[str, str]"
    paths: "Paths"
    config: "Config"
    provider: str
    is_bound: bool
    """Whether the directory decides, not the command line: then the current one stays."""
    supervised: bool
    ourselves: str
    claude: str
    session: str
    is_new: bool
    always: "Reading"
    """`claude_args` of the configuration."""
    reading: "Reading"
    """The arguments of the command line."""
    given: str
    """A --settings of the user's, in a form that may be kept."""
    usual: "Layers"
    folded: "Layers"
    """The same as `usual`, or with a --settings of the user's on top."""

    @property
    def has_session(self) -> bool:
        """Whether claude will have a conversation."""
        return not self.reading.subcommand and not self.reading.only_tells


def main(line: list[str]) -> "NoReturn":
    """Launch claude; this process becomes it."""
    launch = _found_or_offered(line)
    if launch.supervised and launch.reading.prints and launch.has_session:
        from ccc.commands.run import command as run

        sys.exit(run.instead_of(launch))
    env = environment_of(launch)
    settings_file = install(launch, env)
    if launch.has_session:
        _announce(launch, begin(launch))
    warn(launch)
    new = launch.session if launch.is_new else ""
    spawn.become(
        launch_plan.launch(
            launch.claude, launch.always, launch.reading, env, os.getcwd(), settings_file, new
        )
    )


def _found_or_offered(line: list[str]) -> Launch:
    """The launch; bare `ccc` at a terminal without a provider offers to set one up."""
    try:
        return found(line, dict(os.environ))
    except CccError as error:
        if line or error.hint != "config.set_up":
            raise
        from ccc.commands import init
        from ccc.ui import prompts

        if not prompts.possible():
            raise
        if prompts.yes(words.say("config.ask_init"), True):
            sys.exit(init.main([]))
        terminal.tell(words.say("config.set_up"))
        sys.exit(1)


def found(line: list[str], environ: "Mapping[str, str]") -> Launch:
    """Everything that can go wrong without anything having been changed."""
    supervised = line[:1] == ["--supervisor"]
    paths = places.find(environ)
    words.use(environ)
    config = ccc_json.load(paths)
    if config is None:
        raise _nothing_yet(line[supervised:], paths)
    words.use(environ, config.language)
    provider, is_bound, rest = _provider(line[supervised:], config)
    always, reading = arguments.read(config.claude_args), arguments.read(rest)
    usual = layers.for_provider(config, provider, environ)
    given = always.settings if reading.settings is None else reading.settings
    ourselves = places.own_program(sys.argv[0])
    session, is_new = _session(environ, reading.names_session or always.names_session)
    return Launch(
        environ=environ,
        paths=paths,
        config=config,
        provider=provider,
        is_bound=is_bound,
        supervised=supervised,
        ourselves=ourselves,
        claude=_claude(environ, ourselves),
        session=session,
        is_new=is_new,
        always=always,
        reading=reading,
        given=layers.storable(given, os.getcwd()),
        usual=usual,
        folded=usual if given is None else _fold(usual, given, environ),
    )


def _nothing_yet(line: list[str], paths: "Paths") -> CccError:
    """The error without a configuration; a word that looks like a command is a typo of it."""
    if line and names.is_provider_name(line[0]):
        from ccc.providers import selection

        error = selection.unknown_command(line[0], None)
        if error.message != "command.neither":
            return error
    return CccError("config.missing", hint="config.set_up", file=paths.config)


def _provider(line: list[str], config: "Config") -> tuple[str, bool, list[str]]:
    """The provider that the first word or the directory names, which, and claude's arguments."""
    first = line[0] if line else ""
    if not names.is_provider_name(first):
        bound, _ = ccc_json.binding(config, os.getcwd())
        if bound:
            return bound, True, line
        chosen = config.choose()
        if config.current_provider not in ("", chosen):
            gone = config.current_provider
            terminal.tell(words.say("provider.gone", name=gone, chosen=chosen))
        return chosen, False, line
    if first in config.providers:
        return first, False, line[1:]
    from ccc.providers import selection

    if first in arguments.SUBCOMMANDS:
        raise selection.unknown_provider(first, config, "provider.subcommand")
    raise selection.unknown_command(first, config)


def _fold(usual: "Layers", given: str, environ: "Mapping[str, str]") -> "Layers":
    """The launch's settings with a --settings of the user's, a file or a JSON object."""
    inline = given.strip().startswith("{")
    name = "--settings" if inline else os.path.abspath(given)
    text = given if inline else files.read(name)
    if text is None:
        raise CccError("settings.missing", hint="settings.missing_hint", file=name)
    return layers.with_settings(usual, parse_layer(text, name), environ)


def _session(environ: "Mapping[str, str]", chosen: str) -> tuple[str, bool]:
    """The supervisor id, and whether it was not inherited.

    What a session of ccc's hands down to a ccc below it is its own id, not that one's.
    """
    inherited = environ.get(environment.SESSION, "")
    if not inherited or environment.LAUNCHER in environ:
        return chosen or names.uuid(os.urandom(16)), True
    if not names.is_session_id(inherited):
        raise CccError("session.name", hint="session.hint", variable=environment.SESSION)
    return inherited, False


def _claude(environ: "Mapping[str, str]", ourselves: str) -> str:
    """The claude to become, which must not be a wrapper that leads back to us."""
    claude = binary.find(environ, ourselves)
    launcher = environ.get(environment.LAUNCHER, "")
    # exec keeps the process id: what we became has become us again, or has started us
    again = launcher == str(os.getpid())
    started = launcher == str(os.getppid()) and "CLAUDECODE" not in environ
    if again or started:
        raise CccError("claude.loop", hint="claude.loop_hint", file=claude)
    return claude


def environment_of(launch: Launch) -> dict[str, str]:
    """The child's environment; directories are absolute there, whatever it changes to."""
    limit = launch.config.supervisor.max_iterations
    env = environment.for_claude(launch.environ, launch.folded.env, limit, launch.session)
    for name in _DIRECTORIES:
        if env.get(name):
            env[name] = os.path.abspath(os.path.expanduser(env[name]))
    launched = {environment.LAUNCHER: str(os.getpid()), environment.PROVIDER: launch.provider}
    return binary.without_updates(launch.claude) | env | launched


def install(launch: Launch, child: "Mapping[str, str]", path: str = "") -> str:
    """Bring the user's files up to date; the settings file for a launch with this environment.

    A `path` is the PATH that claude keeps, whatever the project's settings say.
    """
    paths, config, provider = launch.paths, launch.config, launch.provider
    with files.Lock(paths.locks) as lock:
        work = Installation(lock, paths)
        users = users_settings(paths)
        work.ensure(launch.ourselves, words.chosen(), words.say("hook.status"))
        result = paths.agent_settings(provider)
        work.settings_file(result, _for_agent(launch, launch.usual, users, {}))
        sandbox = config.supervisor.sandbox != "off"
        env = launch.usual.file_env(users)
        work.reviewer_settings(provider, launch.usual.settings, env, sandbox)
        found = tampering.files_of(os.getcwd())
        guarded = tampering.kept(found, child, users) | ({"PATH": path} if path else {})
        if guarded or launch.folded is not launch.usual:
            result = paths.session_settings(launch.session, os.getpid())
            own = _for_agent(launch, launch.folded, users, guarded)
            lock.write(result, jsontext.dump(own), durable=False, ours=True)
        if config.current_provider != provider and not launch.is_bound:
            work.current_provider(provider)
        for key in config.unknown_keys:
            if work.ledger.tell_once(f"unknown key {key}"):
                work.trouble.append(CccError("config.unknown_key", file=paths.config, path=key))
        if launch.supervised and {**users, **launch.folded.settings}.get("disableAllHooks"):
            work.trouble.append(CccError("warn.hooks_off"))
        work.trouble += tampering.trouble(found)
        work.trouble += tampering.rivals(found, paths.settings, work.ledger.tell_once)
        work.finish()
    for problem in work.trouble:
        failure.tell(problem)
    return result


def _for_agent(
    launch: Launch, merged: "Layers", users: "Mapping[str, object]", guarded: "Mapping[str, str]"
) -> dict[str, object]:
    cap = environment.block_cap(users, launch.config.supervisor.max_iterations)
    env = {**merged.file_env(users), **cap, **guarded}
    # over the project's settings, which could switch supervision off; the user's own wish counts
    off = {**users, **merged.settings}.get("disableAllHooks") is True
    given = merged.settings if off else {**merged.settings, "disableAllHooks": False}
    command = settings.hook_command(launch.ourselves)
    status = words.say("hook.status")
    return settings.for_agent(given, env, command, status, launch.paths.state_dir)


def begin(launch: Launch) -> bool:
    """Keep in the state what a review needs and no environment carries; whether it was on."""
    was_on = False

    def begun(before: state.State) -> state.State:
        nonlocal was_on
        before = sessions.led(launch.paths, before)
        was_on = before.enabled
        if launch.supervised:
            before = before.switched_on(time.time())
        return replace(
            before,
            provider=launch.provider,
            claude=launch.claude,
            pid=os.getpid(),
            arguments=(*launch.always.shaping, *launch.reading.shaping),
            settings=launch.given,
            cwd=os.getcwd(),
            path=launch.folded.env.get("PATH") or launch.environ.get("PATH", ""),
            limit=launch.config.supervisor.max_iterations,
            start_head=before.start_head or git.read_head(os.getcwd()),
            rules=tampering.rules(launch.paths, launch.config, os.getcwd()),
        )

    try:
        state.change(
            launch.paths,
            launch.session,
            begun,
            lambda aside: terminal.tell(words.say("state.corrupt", file=aside)),
        )
    except CccError as error:
        if launch.supervised:
            raise
        failure.tell(error)
    return was_on


def _announce(launch: Launch, was_on: bool) -> None:
    """Say that supervision is on, and where it can be followed."""
    if launch.supervised:
        terminal.tell(words.say("supervisor.enabled"))
    elif was_on:
        terminal.tell(words.say("supervisor.resumed"))
        return
    elif launch.environ.get("CCC_SUPERVISOR") == "1":
        terminal.tell(words.say("supervisor.replaced"))
    else:
        return
    terminal.tell(
        words.say(
            "supervisor.logs",
            state_dir=log_path(launch.paths.state_dir),
            hook_log=log_path(launch.paths.invocation_log),
            output_log=log_path(launch.paths.review_output(launch.session)),
        )
    )


def log_path(path: str) -> str:
    """The path as a person reads it; a program that reads stderr gets it whole."""
    return places.shown(path) if sys.stderr is not None and sys.stderr.isatty() else path


def warn(launch: Launch) -> None:
    """What will not work as the person expects, said before claude starts."""
    env, provider = launch.folded.env, launch.provider
    held = [name for name in environment.CREDENTIALS if env.get(name)]
    if env.get("ANTHROPIC_BASE_URL") and not held:
        terminal.tell(words.say("warn.no_credential", provider=provider))
    if len(held) > 1:
        terminal.tell(words.say("warn.two_credentials", provider=provider, names=", ".join(held)))
