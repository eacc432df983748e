"""Set up a review: a fork of the session or a fresh one, its settings and its request."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from ccc.claude import binary, known_claudes, sandbox, settings_files
from ccc.claude.capabilities import Answers
from ccc.claude.formats import arguments, command_line, environment, generated_settings
from ccc.claude.formats.command_line import Plan
from ccc.claude.formats.event import StopEvent
from ccc.claude.formats.transcript import Conversation
from ccc.claude.formats.usage import Used
from ccc.config import ccc_json
from ccc.config.layer import parse_layer
from ccc.errors import CccError
from ccc.project import walk
from ccc.project.change import Workplace
from ccc.project.tree import Tree
from ccc.providers import layers, prices
from ccc.providers.layers import Layers
from ccc.providers.prices import Prices
from ccc.storage import files
from ccc.storage.installation import Installation, users_settings
from ccc.storage.paths import Paths
from ccc.supervision import verdict, workspace
from ccc.supervision.review_request import Brief
from ccc.supervision.session_store import SupervisedSession
from ccc.text import jsontext, names

_MAX_DIFF = 120_000


class Setup(Struct, frozen=True):
    """What a review needs, except the workspace, which is created for each review."""

    plan: Plan
    brief: Brief
    place: str  # where the workspace is created
    added: Sequence[str]
    """Directories outside the tree that the agent may write to, and that are compared."""
    sandbox_has_gaps: bool
    """Whether the user's settings let some commands run outside claude's sandbox."""
    price: Callable[[str], Prices | None]
    used_before: Mapping[str, Used]
    """The session's usage before the fork, which claude includes in the fork's usage."""


class Preparation(Struct, frozen=True):
    """Sets up reviews of the work in a tree."""

    session: SupervisedSession
    event: StopEvent
    conversation: Conversation
    place: Workplace
    tree: Tree
    client: Answers  # what is known about the session's claude

    def uses_sandbox(self) -> bool:
        """Return whether the reviewer runs in claude's sandbox; raise if it must and can't."""
        setting, client = self.session.limits.sandbox, self.client
        if setting == "off":
            return False
        is_possible = sandbox.runs(self.tree.directory)
        if setting == "require" and not is_possible:
            raise CccError("review.no_sandbox")
        has_failed = self.session.state.sandbox_fails or client.lacks("reviewer_bash")
        return setting == "require" or (is_possible and not has_failed)

    def set_up(self, is_sandboxed: bool) -> Setup:
        """Set up a review of the work in the tree; raise CccError if that is impossible."""
        session, tree, client = self.session, self.tree, self.client
        # if ccc didn't choose a provider for this session, the review runs on the session's own
        provider = session.limits.provider or session.state.provider
        is_fork = self._is_fork(provider)
        known_claudes.refuse_reviewer(client, session.limits, is_fork)
        merged = self._layers(provider)
        known_claudes.refuse_weak(client, merged.env)
        read = [merged.settings, *self._settings_read()]
        added = [*self.place.others, *self._added_directories(read)]
        home = session.environ.get("HOME", "")
        place = workspace.find_place([tree.directory, home, *added])
        # no command would run without a writable directory
        added = [each for each in added if not walk.is_below(place, each)]
        env = self._environment(provider, merged)
        beyond = [*tree.outside(), *added]
        file = self._settings_file(provider, merged, is_sandboxed, beyond)
        claude_dir = session.where.claude_dir
        return Setup(
            plan=self._plan(env, file, self._fork_model(merged) if is_fork else None),
            brief=self._brief(is_fork),
            place=place,
            added=[each for each in added if not _is_claudes(each, claude_dir, home)],
            sandbox_has_gaps=any(map(generated_settings.leaves_sandbox, read)),
            price=prices.tariff(session.config, provider, env).price,
            used_before=self.conversation.used if is_fork else {},
        )

    def _brief(self, is_fork: bool) -> Brief:
        """Return what the request says, except the evidence."""
        state, tree = self.session.state, self.tree
        return Brief(
            instructions=instructions(self.session.project, self.session.where),
            code=os.urandom(4).hex(),
            requests=self.conversation.requests,
            last_message=self.event.last_assistant_message,
            directory=tree.directory,
            others=self.place.others,
            diff=None if is_fork else tree.diff(state.start_head, _MAX_DIFF, state.enabled_at),
        )

    def _is_fork(self, provider: str) -> bool:
        """Return whether the reviewer is a fork: with the same provider and model, it shares the
        cache.
        """
        session = self.session
        if provider and provider not in session.config.providers:
            raise CccError("review.provider_gone", name=provider, file=session.where.config)
        same_model = session.limits.model in ("", self.conversation.model)
        is_fork = provider == session.state.provider and same_model
        if is_fork and not names.is_session_id(self.event.session_id):
            raise CccError("review.no_session")
        return is_fork

    def _environment(self, provider: str, merged: Layers) -> dict[str, str]:
        environ = self.session.environ
        env = environment.for_fork(environ)
        if provider:
            env = environment.for_reviewer(environ, merged.env)
        if self.session.config.share_key_with_hooks and (script := binary.share_key_script()):
            # without the key, but with the agent's prefix, in case the prompt depends on it
            env.setdefault(environment.PREFIX, script)
        return env

    def _plan(self, env: Mapping[str, str], settings_file: str, fork_model: str | None) -> Plan:
        """Plan the reviewer's process; `fork_model` is None for a fresh session."""
        is_fork, limits = fork_model is not None, self.session.limits
        needs_schema = not is_fork or limits.structured_output
        line = command_line.review(
            settings_file,
            fork_of=self.event.session_id if is_fork else "",
            shaping=self.session.state.arguments,
            model=limits.model or fork_model or "",
            effort=self.event.effort if is_fork else "",
            schema=json.dumps(verdict.SCHEMA) if needs_schema else "",
        )
        return Plan((self.session.program, *line), env, self.tree.directory)

    def _fork_model(self, merged: Layers) -> str:
        """Return the agent's model, or "" if the provider sets it anyway."""
        env = merged.env if self.session.state.provider else self.session.environ
        usual, model = env.get("ANTHROPIC_MODEL", ""), self.conversation.model
        return "" if model in (usual, usual.partition("[")[0]) else model

    def _layers(self, provider: str) -> Layers:
        """Return the provider's settings, overridden by those given to the agent or the hook."""
        session, merged = self.session, layers.Layers({}, {}, frozenset())
        if provider:
            merged = layers.for_provider(session.config, provider, session.environ)
        own = session.state.settings if provider == session.state.provider else ""
        for given in filter(None, (own, session.settings_file)):
            text = given if given.startswith("{") else files.read(given)
            if text is not None:
                merged = layers.with_settings(merged, parse_layer(text, given), session.environ)
        return merged

    def _settings_file(
        self, provider: str, merged: Layers, is_sandboxed: bool, beyond: Sequence[str]
    ) -> str:
        """Write the reviewer's settings file, for the provider or only for this session."""
        session, where = self.session, self.session.where
        # the project could set PATH, and so replace the sandbox's executable
        path, directories = session.environ.get("PATH", ""), (session.project, self.tree.directory)
        project = [f for each in directories for f in settings_files.project_settings(where, each)]
        guarded = {"PATH": path} if path and any("PATH" in each.env for each in project) else {}
        with files.Lock(where.locks) as lock:
            env = {**merged.file_env(users_settings(where) if provider else None), **guarded}
            is_own = beyond or guarded or session.state.settings or session.settings_file
            if provider and not is_own:
                work = Installation(lock, where)
                file = work.reviewer_settings(provider, merged.settings, env, is_sandboxed)
                work.finish()
                return file
            file = where.session_reviewer_settings(session.store.session)
            content = generated_settings.for_reviewer(merged.settings, env, is_sandboxed, beyond)
            lock.write(file, jsontext.dump(content), durable=False, ours=True)
        return file

    def _settings_read(self) -> Iterator[Mapping[str, object]]:
        """Yield the settings that the reviewer's claude reads, other than ccc's."""
        for directory in dict.fromkeys((self.session.project, self.tree.directory)):
            for each in settings_files.of_claude(self.session.where, directory):
                yield each.settings

    def _added_directories(self, read: Iterable[Mapping[str, object]]) -> list[str]:
        """Return the agent's additional directories, from --add-dir and settings files."""
        given = list(arguments.values_of("--add-dir", self.session.state.arguments))
        given += (path for each in read for path in generated_settings.writable_places(each))
        paths = (os.path.join(self.session.project, os.path.expanduser(each)) for each in given)
        return [each for each in dict.fromkeys(map(os.path.abspath, paths)) if os.path.exists(each)]


def _is_claudes(directory: str, claude_dir: str, home: str) -> bool:
    """Whether claude itself writes there, which makes changes meaningless."""
    around = any(walk.is_below(each, directory) for each in (claude_dir, home) if each)
    return around or walk.is_below(directory, claude_dir)


def instructions(directory: str, where: Paths) -> str:
    """Return the reviewer's instructions; raise CccError if there are none."""
    if text := ccc_json.instructions(where, directory):
        return text
    raise CccError("review.no_prompt", file=where.prompt)
