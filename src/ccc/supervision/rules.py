"""What a project's settings for claude change about supervision, and the rules it runs by."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from ccc import words
from ccc.claude import host, settings_files
from ccc.claude.formats import environment, settings
from ccc.config import ccc_json
from ccc.config.schema import Config
from ccc.errors import CccError
from ccc.model.state import State
from ccc.storage import files, installation
from ccc.storage.paths import Paths
from ccc.text.names import checksum

SettingsFiles = Sequence[tuple[str, Mapping[str, object]]]  # each file with its content


_FILES = ("settings.local.json", "settings.json")


def restore_path(where: Paths, state: State) -> None:
    """Restore the user's PATH, which a project's settings may have changed.

    On Linux the hook already has the launch's PATH; elsewhere it is in the state. The user's own
    settings take precedence, as in claude.
    """
    is_launched = state.path and host.is_same(host.pid_in(os.environ), state.pid)
    if not host.reveals_start(os.environ) and is_launched:
        os.environ["PATH"] = state.path
    for source in reversed(settings_files.of_claude(where, os.getcwd())):
        if source.kind in ("user", "managed") and (path := source.env.get("PATH")):
            os.environ["PATH"] = path


def sets_path(*directories: str) -> bool:
    """Whether a project's settings set PATH."""
    return any("PATH" in env for each in directories for _, env in _envs(project_settings(each)))


def settings_paths(project: str) -> list[str]:
    """Return the paths of a project's settings files."""
    return [os.path.join(project, ".claude", name) for name in _FILES]


def project_settings(project: str) -> SettingsFiles:
    """Read a project's settings files; skips a broken one, as claude does."""
    contents = []
    for path in settings_paths(project):
        try:
            contents.append((path, settings.read(files.read(path) or "")))
        except (CccError, ValueError):
            continue
    return contents


def guarded_env(
    project: SettingsFiles, child: "Mapping[str, str]", users: "Mapping[str, object]"
) -> dict[str, str]:
    """Return the correct values of the supervision variables that the project sets.

    Measured: `env` in a project's settings reaches the hook, and `env` in --settings overrides it.
    """
    names = {name for _, env in _envs(project) for name in env}
    own = users.get("env")
    given = {**child, **({k: str(v) for k, v in own.items()} if isinstance(own, dict) else {})}
    given[environment.BLOCK_CAP] = child.get(environment.BLOCK_CAP, "")
    return {name: given.get(name, "") for name in environment.GUARDED if name in names}


def env_warnings(project: SettingsFiles) -> Iterator[CccError]:
    """Yield warnings about `env` in a project's settings."""
    for file, env in _envs(project):
        guarded = [name for name in environment.GUARDED if name in env]
        if guarded:
            yield CccError("warn.project_env", file=file, names=", ".join(guarded))
        if loading := sorted(name for name in env if name.startswith(environment.LOADING)):
            yield CccError("warn.project_programs", file=file, names=", ".join(loading))


def stop_hook_warnings(
    project: SettingsFiles, users_file: str, is_new: Callable[[str], bool]
) -> Iterator[CccError]:
    """Yield warnings about new Stop hooks in the project, which may overrule ccc's.

    Measured: a hook that answers `{"continue": false}` ends the turn, whatever others answer.
    """
    for file, content in project:
        # in the home directory, this is the user's own file
        is_users = os.path.realpath(file) == os.path.realpath(users_file)
        hooks = [] if is_users else list(settings.other_stop_hooks(content))
        # a checksum, because the hooks' commands may contain secrets
        if hooks and is_new(f"stop hooks {file} {checksum(repr(hooks))}"):
            yield CccError("warn.project_stops", file=file)


def checksum_of(paths: Paths, config: Config, project: str) -> str:
    """Return a checksum of the rules of supervision: checks, limits, instructions."""
    try:
        text = ccc_json.instructions(paths, project)
    except CccError as error:
        text = str(error)
    if text in map(installation.default_prompt, words.LANGUAGES):
        text = ""  # ccc's default depends on the language of the last launch
    return checksum(repr((replace(config.supervisor, notify=""), text)))


def _envs(files: SettingsFiles) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield each settings file that has an `env`, with that `env`."""
    for path, content in files:
        env = content.get("env")
        if isinstance(env, dict):
            yield path, env
