"""What a project's settings for claude change about supervision, and the rules it runs by."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from ccc import words
from ccc.claude import host, settings_files
from ccc.claude.formats import environment, settings
from ccc.claude.settings_files import SettingsFile
from ccc.config import ccc_json
from ccc.config.schema import Config
from ccc.errors import CccError
from ccc.model.state import State
from ccc.storage import installation
from ccc.storage.paths import Paths
from ccc.text.names import checksum


def restore_path(where: Paths, state: State) -> None:
    """Restore the user's PATH, which a project's settings may have changed.

    On Linux the hook already has the launch's PATH; elsewhere it is in the state. The user's own
    settings take precedence, as in claude.
    """
    pid = host.pid_in(os.environ)
    if not host.environ_of(pid) and state.path and host.is_same(pid, state.pid):
        os.environ["PATH"] = state.path
    for source in reversed(settings_files.of_claude(where, os.getcwd())):
        if source.kind in ("user", "managed") and (path := source.env.get("PATH")):
            os.environ["PATH"] = path


def project_settings(where: Paths, project: str) -> list[SettingsFile]:
    """Read a project's settings files."""
    found = settings_files.of_claude(where, project)
    return [each for each in found if each.kind in ("local", "project")]


def guarded_env(
    project: Sequence[SettingsFile], child: Mapping[str, str], users: Mapping[str, object]
) -> dict[str, str]:
    """Return the correct values of the supervision variables that the project sets.

    Measured: `env` in a project's settings reaches the hook, and `env` in --settings overrides it.
    """
    names = {name for each in project for name in each.env}
    own = users.get("env")
    given = {**child, **({k: str(v) for k, v in own.items()} if isinstance(own, dict) else {})}
    given[environment.BLOCK_CAP] = child.get(environment.BLOCK_CAP, "")
    return {name: given.get(name, "") for name in environment.GUARDED if name in names}


def env_warnings(project: Sequence[SettingsFile]) -> Iterator[CccError]:
    """Yield warnings about `env` in a project's settings."""
    for each in project:
        if guarded := [name for name in environment.GUARDED if name in each.env]:
            yield CccError("warn.project_env", file=each.file, names=", ".join(guarded))
        if loading := sorted(name for name in each.env if name.startswith(environment.LOADING)):
            yield CccError("warn.project_programs", file=each.file, names=", ".join(loading))


def stop_hook_warnings(
    project: Sequence[SettingsFile], is_new: Callable[[str], bool]
) -> Iterator[CccError]:
    """Yield warnings about new Stop hooks in the project, which may overrule ccc's.

    Measured: a hook that answers `{"continue": false}` ends the turn, whatever others answer.
    """
    for each in project:
        hooks = list(settings.other_stop_hooks(each.settings))
        # a checksum, because the hooks' commands may contain secrets
        if hooks and is_new(f"stop hooks {each.file} {checksum(repr(hooks))}"):
            yield CccError("warn.project_stops", file=each.file)


def checksum_of(paths: Paths, config: Config, project: str) -> str:
    """Return a checksum of the rules of supervision: checks, limits, instructions."""
    try:
        text = ccc_json.instructions(paths, project)
    except CccError as error:
        text = str(error)
    if text in map(installation.default_prompt, words.LANGUAGES):
        text = ""  # ccc's default depends on the language of the last launch
    return checksum(repr((replace(config.supervisor, notify=""), text)))
