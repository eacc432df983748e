"""Set up a review: a fork of the session or a fresh one, its settings and its request."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ccc.claude import binary, sandbox
from ccc.claude.capabilities import Answers
from ccc.claude.formats import arguments, environment, generated_settings
from ccc.claude.formats.command_line import Claude, Plan
from ccc.claude.formats.usage import Used
from ccc.config import ccc_json
from ccc.config.layer import parse_layer
from ccc.errors import CccError
from ccc.project.place import Place
from ccc.project.tree import Tree
from ccc.providers import layers, prices
from ccc.providers.layers import Layers
from ccc.providers.prices import Prices
from ccc.storage import files
from ccc.storage.installation import Installation, users_settings
from ccc.storage.paths import Paths
from ccc.supervision import client_report, tampering, verdict, workspace
from ccc.supervision.review_request import Brief
from ccc.text import jsontext, lenient_json, names

if TYPE_CHECKING:
    from ccc.supervision.judge_stop import Case


_MAX_DIFF = 120_000


@dataclass(frozen=True, slots=True)
class Setup:
    """What a review needs, except the workspace, which is created for each review."""

    plan: Plan
    brief: Brief
    place: str
    """Where the workspace is created."""
    added: Sequence[str]
    """Directories outside the tree that the agent may write to, and that are compared."""
    sandbox_has_gaps: bool
    """Whether the user's settings let some commands run outside claude's sandbox."""
    price: Callable[[str], Prices | None]
    used_before: Mapping[str, Used]
    """The session's usage before the fork, which claude includes in the fork's usage."""


def prepare(
    case: "Case",
    workplace: Place,
    tree: Tree,
    client: Answers | None,
    is_sandboxed: bool,
) -> Setup:
    """Set up a review of the work in the tree; raise CccError if that is impossible."""
    # if ccc didn't choose a provider for this session, the review runs on the session's own
    provider = case.limits.provider or case.state.provider
    is_fork = _is_fork(case, provider)
    if problem := client_report.obstacle(client, case.limits, is_fork):
        raise problem
    merged = _layers(case, provider)
    if client and client.lacks("provider_wins") and environment.has_access(merged.env):
        # the key would go to an endpoint in a settings file
        raise client_report.lack_error(client, "provider_wins", client_report.AGAIN)
    read = list(_settings_read(case, tree, merged.settings))
    added = [*workplace.others, *_added_directories(case, read)]
    home = case.environ.get("HOME", "")
    place = workspace.find_place([tree.directory, home, *added])
    # no command would run without a writable directory
    added = [each for each in added if not workspace.is_below(place, each)]
    env = _environment(case, provider, merged)
    settings_file = _settings_file(
        case,
        provider,
        merged,
        guarded=_path(case, tree),
        is_sandboxed=is_sandboxed,
        beyond=[*tree.beyond(), *added],
    )
    fork_model = _fork_model(case, merged) if is_fork else None
    return Setup(
        plan=_plan(case, tree, env, settings_file, fork_model=fork_model),
        brief=_brief(case, workplace, tree, is_fork),
        place=place,
        added=[each for each in added if not _is_claudes(each, case.where.claude_dir, home)],
        sandbox_has_gaps=any(map(generated_settings.leaves_sandbox, read)),
        price=prices.tariff(case.config, provider, env).price,
        used_before=case.conversation.used if is_fork else {},
    )


def _brief(case: "Case", workplace: Place, tree: Tree, is_fork: bool) -> Brief:
    """Return what the request says, except the evidence."""
    return Brief(
        instructions=instructions(case.project, case.where),
        code=os.urandom(4).hex(),
        requests=case.conversation.requests,
        last_message=case.event.last_assistant_message,
        directory=tree.directory,
        others=workplace.others,
        diff=None if is_fork else _diff(case, tree),
    )


def _is_fork(case: "Case", provider: str) -> bool:
    """Whether the reviewer is a fork: with the same provider and model, it shares the cache."""
    if provider and provider not in case.config.providers:
        raise CccError("review.provider_gone", name=provider, file=case.where.config)
    same_model = case.limits.model in ("", case.conversation.model)
    is_fork = provider == case.state.provider and same_model
    if is_fork and not names.is_session_id(case.event.session_id):
        raise CccError("review.no_session")
    return is_fork


def _environment(case: "Case", provider: str, merged: Layers) -> dict[str, str]:
    env = environment.for_fork(case.environ)
    if provider:
        env = environment.for_reviewer(case.environ, merged.env)
    if case.config.share_key_with_hooks and (script := binary.share_key_script()):
        # without the key, but with the agent's prefix, in case the prompt depends on it
        env.setdefault(environment.PREFIX, script)
    return env


def uses_sandbox(case: "Case", tree: Tree, client: Answers | None) -> bool:
    """Whether the reviewer runs in claude's sandbox; raise CccError if it must and can't."""
    setting = case.limits.sandbox
    if setting == "off":
        return False
    is_possible = sandbox.runs(tree.directory)
    if setting == "require":
        if not is_possible:
            raise CccError("review.no_sandbox")
        return True
    has_failed = case.state.sandbox_fails or (client is not None and client.lacks("reviewer_bash"))
    return is_possible and not has_failed


def _plan(
    case: "Case",
    tree: Tree,
    env: Mapping[str, str],
    settings_file: str,
    fork_model: str | None,
) -> Plan:
    """Plan the reviewer's process; `fork_model` is None for a fresh session."""
    is_fork = fork_model is not None
    needs_schema = not is_fork or case.limits.structured_output
    claude = Claude(
        program=client_report.program_of(case),
        env=env,
        cwd=tree.directory,
        settings_file=settings_file,
    )
    return claude.review(
        fork_of=case.event.session_id if is_fork else "",
        shaping=case.state.arguments,
        model=case.limits.model or fork_model or "",
        effort=case.event.effort if is_fork else "",
        schema=json.dumps(verdict.SCHEMA) if needs_schema else "",
    )


def _fork_model(case: "Case", merged: Layers) -> str:
    """Return the agent's model, or "" if the provider sets it anyway."""
    env = merged.env if case.state.provider else case.environ
    usual, model = env.get("ANTHROPIC_MODEL", ""), case.conversation.model
    return "" if model in (usual, usual.partition("[")[0]) else model


def _diff(case: "Case", tree: Tree) -> str:
    return tree.diff(case.state.start_head, _MAX_DIFF, case.state.enabled_at)


def _layers(case: "Case", provider: str) -> Layers:
    """Return the provider's settings, overridden by those given to the agent or the hook."""
    merged = layers.Layers({}, {}, frozenset())
    if provider:
        merged = layers.for_provider(case.config, provider, case.environ)
    own = case.state.settings if provider == case.state.provider else ""
    for given in filter(None, (own, case.settings_file)):
        text = given if given.startswith("{") else files.read(given)
        if text is not None:
            merged = layers.with_settings(merged, parse_layer(text, given), case.environ)
    return merged


def _path(case: "Case", tree: Tree) -> dict[str, str]:
    """Return the PATH if the project could set it, and so replace the sandbox's executable."""
    contested = tampering.sets_path(case.project, tree.directory)
    path = case.environ.get("PATH", "") if contested else ""
    return {"PATH": path} if path else {}


def _settings_file(
    case: "Case",
    provider: str,
    merged: Layers,
    guarded: Mapping[str, str],
    is_sandboxed: bool,
    beyond: Sequence[str],
) -> str:
    """Write and return the reviewer's settings file, for the provider or only for this session."""
    with files.Lock(case.where.locks) as lock:
        env = {**merged.file_env(users_settings(case.where) if provider else None), **guarded}
        if provider and not (beyond or guarded or case.state.settings or case.settings_file):
            work = Installation(lock, case.where)
            file = work.reviewer_settings(provider, merged.settings, env, is_sandboxed)
            work.finish()
            return file
        file = case.where.session_reviewer_settings(case.session)
        content = generated_settings.for_reviewer(merged.settings, env, is_sandboxed, beyond)
        lock.write(file, jsontext.dump(content), durable=False, ours=True)
    return file


def _settings_read(
    case: "Case", tree: Tree, merged: Mapping[str, object]
) -> Iterator[Mapping[str, object]]:
    """Yield the settings that the reviewer's claude reads, other than ccc's."""
    yield merged
    directories = dict.fromkeys((case.project, tree.directory))
    project_files = [path for each in directories for path in tampering.settings_paths(each)]
    for path in (case.where.settings, *project_files):
        try:
            yield lenient_json.parse_object(files.read(path) or "") or {}
        except CccError:
            continue  # claude can't read it either


def _added_directories(case: "Case", read: Iterable[Mapping[str, object]]) -> list[str]:
    """Return the agent's additional directories, from --add-dir and settings files."""
    given = list(arguments.values_of("--add-dir", case.state.arguments))
    given += (path for each in read for path in generated_settings.writable_places(each))
    paths = (os.path.join(case.project, os.path.expanduser(each)) for each in given)
    return [each for each in dict.fromkeys(map(os.path.abspath, paths)) if os.path.exists(each)]


def _is_claudes(directory: str, claude_dir: str, home: str) -> bool:
    """Whether claude itself writes there, which makes changes meaningless."""
    around = any(workspace.is_below(each, directory) for each in (claude_dir, home) if each)
    return around or workspace.is_below(directory, claude_dir)


def instructions(directory: str, where: Paths) -> str:
    """Return the reviewer's instructions; raise CccError if there are none."""
    if text := ccc_json.instructions(where, directory):
        return text
    raise CccError("review.no_prompt", file=where.prompt)
