"""Prepare a launch without writing anything: its provider, session, settings and claude."""

import os
import sys
import uuid
from collections.abc import Mapping
from typing import NoReturn

from msgspec import Struct

from ccc import words
from ccc.claude import binary, capabilities, known_claudes
from ccc.claude.capabilities import Answers
from ccc.claude.formats import arguments, command_line, environment
from ccc.claude.formats.arguments import Reading
from ccc.claude.formats.command_line import Plan
from ccc.config import ccc_json, projects
from ccc.config.layer import parse_layer
from ccc.config.schema import Config
from ccc.errors import CccError
from ccc.providers import layers
from ccc.providers.layers import Layers
from ccc.storage import files
from ccc.storage.paths import Paths, display_path, own_program
from ccc.system import spawn, terminal
from ccc.text import names

_DIRECTORIES = ("CCC_CONFIG_DIR", "CCC_WORK_DIR", "CLAUDE_CONFIG_DIR")


class Launch(Struct, frozen=True):
    """Everything that is known about a launch before anything is written."""

    environ: Mapping[str, str]
    paths: Paths
    config: Config
    provider: str
    is_bound: bool
    """Whether the directory chose the provider, so that `current_provider` doesn't change."""
    supervised: bool
    program: str
    claude: str
    session: str
    is_new: bool
    base_arguments: Reading  # `claude_args` from the configuration
    arguments: Reading  # the arguments from the command line
    kept_settings: str  # the user's `--settings` in a form that is safe to store
    base_layers: Layers
    layers: Layers  # `base_layers`, with the user's `--settings` on top
    client: Answers  # what claude lacks

    @property
    def has_session(self) -> bool:
        """Return whether claude will have a conversation."""
        return not self.arguments.subcommand and not self.arguments.shows_info

    @property
    def prints(self) -> bool:
        """Return whether claude answers a prompt and exits."""
        return self.has_session and (self.arguments.prints or self.base_arguments.prints)


def prepare(line: list[str], environ: Mapping[str, str]) -> Launch:
    """Do everything that can fail, before anything is written."""
    supervised = line[:1] == ["--supervisor"]
    where = Paths(environ)
    words.use(environ)
    config = ccc_json.load(where)
    if config is None:
        raise _no_configuration(line[supervised:], where)
    words.use(environ, config.language)
    config = projects.apply(config, os.getcwd(), environ.get(environment.REPOSITORY, ""))
    provider, is_bound, rest = _choose_provider(line[supervised:], config)
    wrapped = rest.pop(0) if binary.is_given(rest) else ""
    base_arguments, given = arguments.read(config.claude_args), arguments.read(rest)
    base = layers.for_provider(config, provider, environ)
    own = base_arguments.settings if given.settings is None else given.settings
    word = given.background or base_arguments.background
    _refuse_background(word, base.env, provider, supervised)
    program = own_program()
    claude = _find_claude(environ, program, wrapped)
    session, is_new = _session(environ, given.session_id or base_arguments.session_id)
    return Launch(
        environ=environ,
        paths=where,
        config=config,
        provider=provider,
        is_bound=is_bound,
        supervised=supervised,
        program=program,
        claude=claude,
        session=session,
        is_new=is_new,
        base_arguments=base_arguments,
        arguments=given,
        kept_settings=layers.storable_settings(own, os.getcwd()),
        base_layers=base,
        layers=base if own is None else _with_settings(base, own, environ),
        client=known_claudes.find(where, claude),
    )


def _refuse_background(word: str, env: Mapping[str, str], provider: str, on: bool) -> None:
    """Refuse what claude's background service can't do.

    It outlives ccc, keeps the environment of the session that started it, and drops the key.
    """
    if word and environment.has_access(env):
        raise CccError("background.provider", word=word, provider=provider)
    if word and on:
        raise CccError("background.supervisor", word=word)


def _no_configuration(line: list[str], where: Paths) -> CccError:
    # a word that resembles a command is probably a typo
    error = _wrong_word(line[0], None) if line and names.is_provider_name(line[0]) else None
    if error and error.message != "command.neither":
        return error
    return CccError("config.missing", hint="config.set_up", file=where.config)


def _wrong_word(word: str, config: Config | None) -> CccError:
    from ccc.providers import selection  # its suggestions take 4 ms to import

    if config and word in arguments.SUBCOMMANDS:
        return selection.unknown_provider(word, config, "provider.subcommand")
    return selection.unknown_command(word, config)


def _choose_provider(line: list[str], config: Config) -> tuple[str, bool, list[str]]:
    """Return the provider, whether the directory chose it, and claude's arguments."""
    first = line[0] if line else ""
    if first in config.providers:
        return first, False, line[1:]
    if names.is_provider_name(first):
        raise _wrong_word(first, config)
    bound, _ = projects.binding(config)
    if bound:
        return bound, True, line
    chosen, current = config.choose(), config.current_provider
    if current not in ("", chosen):
        terminal.tell(words.say("provider.gone", name=current, chosen=chosen))
    return chosen, False, line


def _with_settings(base: Layers, given: str, environ: Mapping[str, str]) -> Layers:
    """Return the layers with the user's --settings, a file or a JSON object, on top."""
    inline = given.strip().startswith("{")
    name = "--settings" if inline else os.path.abspath(given)
    text = given if inline else files.read(name)
    if text is None:
        raise CccError("settings.missing", file=name)
    return layers.with_settings(base, parse_layer(text, name), environ)


def _session(environ: Mapping[str, str], chosen: str) -> tuple[str, bool]:
    """Return the supervisor id, and whether it is new rather than inherited."""
    inherited = environ.get(environment.SESSION, "")
    # inside a session started by ccc, the inherited id belongs to that session
    if not inherited or environment.LAUNCHER in environ:
        return chosen or str(uuid.uuid4()), True
    if not names.is_session_id(inherited):
        raise CccError("session.name", variable=environment.SESSION)
    return inherited, False


def _find_claude(environ: Mapping[str, str], program: str, wrapped: str) -> str:
    """Find the claude to run, which must not be a wrapper that starts ccc again."""
    if wrapped:
        claude = wrapped
    else:
        found = binary.find(environ, program)
        claude = found.path
        if found.too_old[0]:
            file, version = found.too_old
            params = {"file": file, "version": version, "oldest": capabilities.OLDEST}
            used = binary.version_of(claude) or claude
            terminal.tell(words.say("claude.passed_over", used=used, **params))
    launcher = environ.get(environment.LAUNCHER, "")
    # exec keeps the pid: a wrapper has either exec'ed ccc again or started it
    again = launcher == str(os.getpid())
    started = launcher == str(os.getppid()) and "CLAUDECODE" not in environ
    if again or started:
        raise CccError("claude.loop", file=claude)
    return claude


def child_environment(launch: Launch) -> dict[str, str]:
    """Claude's environment, with absolute directories because claude may change its own."""
    limit = launch.config.supervisor.max_iterations
    env = environment.for_claude(launch.environ, launch.layers.env, limit, launch.session)
    for name in _DIRECTORIES:
        if env.get(name):
            env[name] = os.path.abspath(os.path.expanduser(env[name]))
    return _with_shared_keys(launch, env) | {environment.PROVIDER: launch.provider}


def agent_environment(launch: Launch) -> dict[str, str]:
    """The environment of an unattended agent."""
    limit = launch.config.supervisor.max_iterations
    env = environment.for_agent(launch.environ, launch.layers.env, limit)
    return _with_shared_keys(launch, env)


def _with_shared_keys(launch: Launch, env: dict[str, str]) -> dict[str, str]:
    if launch.config.share_key_with_hooks:
        env = environment.share_keys(env, binary.share_key_script())
    own = {environment.LAUNCHER: str(os.getpid())}
    return binary.without_updates(launch.claude) | env | own


def learn_about_claude(launch: Launch) -> None:
    """Have claude tested in the background if nothing is known about it."""
    program, ccc, environ = launch.claude, launch.program, launch.environ
    known_claudes.learn(launch.paths, program, ccc, environ=environ, config=launch.config)


def become_claude(launch: Launch, env: Mapping[str, str], settings_file: str) -> NoReturn:
    """Replace this process with claude."""
    new = launch.session if launch.is_new else ""
    line = command_line.launch(settings_file, launch.base_arguments, launch.arguments, new)
    spawn.become(Plan((launch.claude, *line), env, os.getcwd()))


def log_files(launch: Launch) -> dict[str, str]:
    """Return the paths of a session's logs, shortened only on a terminal."""
    where, session = launch.paths, launch.session
    show = display_path if sys.stderr is not None and sys.stderr.isatty() else str
    return {
        "state_dir": show(where.state_dir),
        "hook_log": show(where.invocation_log),
        "output_log": show(where.review_output(session)),
        "agent_log": show(where.agent_output(session)),
    }


def warn(launch: Launch) -> None:
    """Warn about credentials that keep claude from working as expected."""
    env, provider = launch.layers.env, launch.provider
    credentials = [name for name in environment.CREDENTIALS if env.get(name)]
    if env.get("ANTHROPIC_BASE_URL") and not credentials:
        terminal.tell(words.say("warn.no_credential", provider=provider))
    if len(credentials) > 1:
        terminal.tell(
            words.say("warn.two_credentials", provider=provider, names=", ".join(credentials))
        )
