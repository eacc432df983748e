"""Who judges, and what the judge is given: a fork of the session, or a fresh session elsewhere."""

import json
import os
import sys
from dataclasses import dataclass, replace

from ccc import private, terminal, words
from ccc.claude import arguments, binary, layers, plan, sandbox, tariff
from ccc.claude import judge as judges
from ccc.claude.judge import Judge
from ccc.commands import tampering
from ccc.domain import config as configs
from ccc.domain import environment, jsontext, names, reach, settings, verdict
from ccc.domain.prompt import Brief
from ccc.domain.review import Review
from ccc.errors import CccError
from ccc.storage import configuration, files
from ccc.storage import paths as places
from ccc.storage.installation import Installation, users_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from ccc.domain.config import Config
    from ccc.domain.event import Stop
    from ccc.domain.receipt import Receipt
    from ccc.domain.task import Task
    from ccc.domain.transcript import Conversation
    from ccc.project.place import Place
    from ccc.project.tree import Tree
    from ccc.storage.journal import Journal
    from ccc.storage.paths import Paths
    from ccc.storage.state import State

_LONGEST_DIFF = 120_000
_OF_THE_PROJECT = ("settings.json", "settings.local.json")


@dataclass(frozen=True, slots=True)
class Court:
    """Finds a judge when one is needed; what keeps it from doing so is a failed review."""

    where: "Paths"
    session: str
    known: "State"
    config: "Config"
    event: "Stop"
    conversation: "Conversation"
    project: str
    found: "Place"
    """Where the agent worked."""
    tree: "Tree"
    """The same as a tree."""
    journal: "Journal"
    settings_file: str
    environ: "Mapping[str, str]"
    tell: "Callable[[str], None]" = terminal.tell
    on_message: "Callable[[dict[str, Any]], None]" = lambda message: None

    def review(self, task: "Task", receipts: "Sequence[Receipt]") -> Review:
        """Judge the work; a failure is a review without a verdict."""
        try:
            judge = self._judge()
        except CccError as error:
            return Review(failure=str(error))
        review, model = judge.review(task, receipts), self.config.supervisor.model
        if model and "--model" in review.failure:
            # claude's advice is for who has chosen the model on its command line
            told = words.say("judge.model", model=model, file=self.where.config)
            review = replace(review, failure=f"{review.failure} {told}")
        return review

    def _judge(self) -> Judge:
        limits = self.config.supervisor
        # no provider: ccc did not choose one for this session, which is reviewed where it runs
        provider = limits.provider or self.known.provider
        if provider and provider not in self.config.providers:
            raise CccError("judge.provider_gone", name=provider, file=self.where.config)
        sandboxed = limits.sandbox != "off" and sandbox.runs(self.tree.directory)
        if limits.sandbox == "require" and not sandboxed:
            raise CccError("judge.no_sandbox")
        merged = self._layers(provider)
        fork = self._is_same(provider)
        home, read = self.environ.get("HOME", ""), list(self._read(merged.settings))
        added = [*self.found.others, *self._added(read)]
        place = judges.temporary([self.tree.directory, home, *added])
        # without a place to write to no command would run
        closed = [each for each in added if not judges.is_below(place, each)]
        settings_file = self._settings(provider, merged, sandboxed, closed)
        if fork and not names.is_session_id(self.event.session_id):
            raise CccError("judge.no_session")
        env = environment.for_fork(self.environ)
        if provider:
            env = environment.for_reviewer(self.environ, merged.env)
        schema = json.dumps(verdict.SCHEMA) if not fork or limits.structured_output else ""
        return Judge(
            plan=plan.review(
                self.known.claude or binary.find(self.environ, places.own_program(sys.argv[0])),
                env,
                self.tree.directory,
                settings_file,
                fork_of=self.event.session_id if fork else "",
                shaping=self.known.arguments,
                model=limits.model or (self._model(merged) if fork else ""),
                effort=self.event.effort if fork else "",
                schema=schema,
            ),
            brief=Brief(
                instructions=instructions(self.project, self.where),
                code=os.urandom(4).hex(),
                requests=self.conversation.requests,
                last_message=self.event.last_assistant_message,
                directory=self.tree.directory,
                others=self.found.others,
                diff=None if fork else self._diff(),
            ),
            tree=self.tree,
            added=[each for each in closed if not self._is_claudes(each, home)],
            place=place,
            sandbox_has_gaps=any(map(reach.leaves_sandbox, read)),
            timeout=limits.timeout_seconds,
            max_cost_usd=limits.max_cost_usd,
            price_of=tariff.of_session(self.config, provider, env).of,
            used_before=self.conversation.used if fork else {},
            errors=self.where.review_errors(self.session),
            default_feedback=words.say("review.no_feedback"),
            no_verdict=words.say("review.no_verdict"),
            too_slow=words.say("review.too_slow", seconds=f"{limits.timeout_seconds:g}"),
            on_raw=self.journal.raw,
            on_text=self.tell,
            on_message=self.on_message,
            on_malformed=lambda line: self.journal.log("reviewer line malformed", line=line[:200]),
        )

    def _diff(self) -> str:
        return self.tree.diff(self.known.start_head, _LONGEST_DIFF, self.known.enabled_at)

    def _is_same(self, provider: str) -> bool:
        """Whether the judge shares the agent's prompt cache: same provider, same model."""
        model = self.config.supervisor.model
        return provider == self.known.provider and model in ("", self.conversation.model)

    def _model(self, merged: "layers.Layers") -> str:
        """The model of the agent, where it is not the one that the provider gives anyway."""
        known = merged.env if self.known.provider else self.environ
        usual, model = known.get("ANTHROPIC_MODEL", ""), self.conversation.model
        return "" if model in (usual, usual.partition("[")[0]) else model

    def _layers(self, provider: str) -> "layers.Layers":
        """The provider's settings, with those that the agent or the hook was given on top."""
        merged = layers.Layers({}, {}, frozenset())
        if provider:
            merged = layers.of_provider(self.config, provider, self.environ)
        own = self.known.settings if provider == self.known.provider else ""
        for given in filter(None, (own, self.settings_file)):
            text = given if given.startswith("{") else files.read(given)
            if text is not None:
                merged = layers.folded(merged, configs.parse_layer(text, given), self.environ)
        return merged

    def _settings(
        self, provider: str, merged: "layers.Layers", sandboxed: bool, added: "Sequence[str]"
    ) -> str:
        """The reviewer's settings file: the provider's, or one for what only this session has."""
        beyond = [*self.tree.beyond(), *added]
        # the sandbox would be a program of the project's choice
        contested = tampering.sets_path(self.project, self.tree.directory)
        path = self.environ.get("PATH", "") if contested else ""
        with files.Lock(self.where.locks) as lock:
            work = Installation(lock, self.where)
            env = merged.file_env(users_settings(self.where) if provider else None)
            env |= {"PATH": path} if path else {}
            if provider and not (beyond or path or self.known.settings or self.settings_file):
                path = work.reviewer_settings(provider, merged.settings, env, sandboxed)
                work.finish()
                return path
            path = self.where.session_reviewer_settings(self.session)
            content = settings.for_reviewer(merged.settings, env, sandboxed, beyond)
            lock.write(path, jsontext.dump(content), durable=False, ours=True)
        return path

    def _read(self, merged: "Mapping[str, object]") -> "Iterator[Mapping[str, object]]":
        """The settings that the reviewer's claude goes by besides ours."""
        yield merged
        yield _settings_in(self.where.settings)
        for top in dict.fromkeys((self.project, self.tree.directory)):
            for name in _OF_THE_PROJECT:
                yield _settings_in(os.path.join(top, ".claude", name))

    def _added(self, read: "Iterable[Mapping[str, object]]") -> "list[str]":
        """The directories that the agent was given with --add-dir, or by a settings file."""
        given = list(arguments.values_of("--add-dir", self.known.arguments))
        given += (path for each in read for path in reach.directories(each))
        tops = (os.path.join(self.project, os.path.expanduser(each)) for each in given)
        return [each for each in dict.fromkeys(map(os.path.abspath, tops)) if os.path.exists(each)]

    def _is_claudes(self, directory: str, home: str) -> bool:
        """Whether claude itself writes there, so that a change says nothing."""
        own = self.where.claude_dir
        around = any(judges.is_below(each, directory) for each in (own, home) if each)
        return around or judges.is_below(directory, own)


def _settings_in(path: str) -> "Mapping[str, object]":
    """A settings file of claude's; nothing where claude could not read it either."""
    try:
        return jsontext.object_in(files.read(path) or "") or {}
    except CccError:
        return {}


def instructions(directory: str, where: "Paths") -> str:
    """The reviewer's instructions, without which there is none."""
    if text := configuration.instructions(where, directory):
        return text
    raise CccError("judge.no_prompt", file=where.prompt)


def keep(path: str, text: str) -> None:
    """Write a feedback that is too long to be given whole."""
    file = private.opened(path, os.O_WRONLY | os.O_TRUNC)
    with open(file, "w", encoding="utf-8", errors="replace") as whole:
        whole.write(text)
