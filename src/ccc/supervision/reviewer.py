"""Who reviews, and what the reviewer gets: a fork of the session, or a fresh one elsewhere."""

import json
import os
import sys
from dataclasses import dataclass, replace

from ccc import words
from ccc.claude import binary, launch_plan, sandbox
from ccc.claude.formats import arguments, environment, session_settings
from ccc.config import ccc_json
from ccc.config.layer import parse_layer
from ccc.errors import CccError
from ccc.providers import layers, prices
from ccc.storage import files
from ccc.storage.installation import Installation, users_settings
from ccc.storage.paths import own_program
from ccc.supervision import review_session, tampering, verdict
from ccc.supervision.review_request import Brief
from ccc.supervision.review_session import ReviewSession
from ccc.supervision.verdict import Review
from ccc.system import private_files
from ccc.text import jsontext, names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ccc.project.place import Place
    from ccc.project.tree import Tree
    from ccc.storage.paths import Paths
    from ccc.supervision.evidence import Evidence
    from ccc.supervision.judge_stop import Audience, Case
    from ccc.supervision.task import Task

_LONGEST_DIFF = 120_000
_OF_THE_PROJECT = ("settings.json", "settings.local.json")


@dataclass(frozen=True, slots=True)
class Reviewer:
    """Finds a reviewer when one is needed; what keeps it from doing so is a failed review."""

    case: "Case"
    place: "Place"
    """Where the agent worked."""
    tree: "Tree"
    """The same as a tree."""
    audience: "Audience"

    def review(self, task: "Task", evidence: "Sequence[Evidence]") -> Review:
        """Judge the work; a failure is a review without a verdict."""
        try:
            session = self._session()
        except CccError as error:
            return Review(failure=str(error))
        review, model = session.review(task, evidence), self.case.limits.model
        if model and "--model" in review.failure:
            # claude's advice is for who has chosen the model on its command line
            told = words.say("review.model", model=model, file=self.case.where.config)
            review = replace(review, failure=f"{review.failure} {told}")
        return review

    def _session(self) -> ReviewSession:
        limits = self.case.limits
        # no provider: ccc did not choose one for this session, which is reviewed where it runs
        provider = limits.provider or self.case.state.provider
        if provider and provider not in self.case.config.providers:
            raise CccError("review.provider_gone", name=provider, file=self.case.where.config)
        sandboxed = limits.sandbox != "off" and sandbox.runs(self.tree.directory)
        if limits.sandbox == "require" and not sandboxed:
            raise CccError("review.no_sandbox")
        merged = self._layers(provider)
        fork = self._is_same(provider)
        home, read = self.case.environ.get("HOME", ""), list(self._read(merged.settings))
        added = [*self.place.others, *self._added(read)]
        place = review_session.temporary([self.tree.directory, home, *added])
        # without a place to write to no command would run
        closed = [each for each in added if not review_session.is_below(place, each)]
        settings_file = self._settings(provider, merged, sandboxed, closed)
        if fork and not names.is_session_id(self.case.event.session_id):
            raise CccError("review.no_session")
        env = environment.for_fork(self.case.environ)
        if provider:
            env = environment.for_reviewer(self.case.environ, merged.env)
        schema = json.dumps(verdict.SCHEMA) if not fork or limits.structured_output else ""
        return ReviewSession(
            plan=launch_plan.review(
                self._claude(),
                env,
                self.tree.directory,
                settings_file,
                fork_of=self.case.event.session_id if fork else "",
                shaping=self.case.state.arguments,
                model=limits.model or (self._model(merged) if fork else ""),
                effort=self.case.event.effort if fork else "",
                schema=schema,
            ),
            brief=Brief(
                instructions=instructions(self.case.project, self.case.where),
                code=os.urandom(4).hex(),
                requests=self.case.conversation.requests,
                last_message=self.case.event.last_assistant_message,
                directory=self.tree.directory,
                others=self.place.others,
                diff=None if fork else self._diff(),
            ),
            tree=self.tree,
            added=[each for each in closed if not self._is_claudes(each, home)],
            place=place,
            sandbox_has_gaps=any(map(session_settings.leaves_sandbox, read)),
            timeout=limits.timeout_seconds,
            max_cost_usd=limits.max_cost_usd,
            price_of=prices.tariff(self.case.config, provider, env).price,
            used_before=self.case.conversation.used if fork else {},
            errors=self.case.where.review_errors(self.case.session),
            default_feedback=words.say("review.no_feedback"),
            no_verdict=words.say("review.no_verdict"),
            too_slow=words.say("review.too_slow", seconds=f"{limits.timeout_seconds:g}"),
            on_raw=self.case.journal.raw,
            on_text=self.audience.says,
            on_message=self.audience.on_message,
            on_malformed=self._malformed,
        )

    def _claude(self) -> str:
        """The program that the agent runs."""
        own = own_program(sys.argv[0])
        return self.case.state.claude or binary.find(self.case.environ, own)

    def _malformed(self, line: str) -> None:
        self.case.journal.log("reviewer line malformed", line=line[:200])

    def _diff(self) -> str:
        return self.tree.diff(self.case.state.start_head, _LONGEST_DIFF, self.case.state.enabled_at)

    def _is_same(self, provider: str) -> bool:
        """Whether the reviewer shares the agent's prompt cache: same provider, same model."""
        model = self.case.limits.model
        return provider == self.case.state.provider and model in ("", self.case.conversation.model)

    def _model(self, merged: "layers.Layers") -> str:
        """The model of the agent, where it is not the one that the provider gives anyway."""
        known = merged.env if self.case.state.provider else self.case.environ
        usual, model = known.get("ANTHROPIC_MODEL", ""), self.case.conversation.model
        return "" if model in (usual, usual.partition("[")[0]) else model

    def _layers(self, provider: str) -> "layers.Layers":
        """The provider's settings, with those that the agent or the hook was given on top."""
        merged = layers.Layers({}, {}, frozenset())
        if provider:
            merged = layers.for_provider(self.case.config, provider, self.case.environ)
        own = self.case.state.settings if provider == self.case.state.provider else ""
        for given in filter(None, (own, self.case.settings_file)):
            text = given if given.startswith("{") else files.read(given)
            if text is not None:
                top = parse_layer(text, given)
                merged = layers.with_settings(merged, top, self.case.environ)
        return merged

    def _settings(
        self, provider: str, merged: "layers.Layers", sandboxed: bool, added: "Sequence[str]"
    ) -> str:
        """The reviewer's settings file: the provider's, or one for what only this session has."""
        beyond = [*self.tree.beyond(), *added]
        # the sandbox would be a program of the project's choice
        contested = tampering.sets_path(self.case.project, self.tree.directory)
        path = self.case.environ.get("PATH", "") if contested else ""
        with files.Lock(self.case.where.locks) as lock:
            work = Installation(lock, self.case.where)
            env = merged.file_env(users_settings(self.case.where) if provider else None)
            env |= {"PATH": path} if path else {}
            given = self.case.state.settings or self.case.settings_file
            if provider and not (beyond or path or given):
                path = work.reviewer_settings(provider, merged.settings, env, sandboxed)
                work.finish()
                return path
            path = self.case.where.session_reviewer_settings(self.case.session)
            content = session_settings.for_reviewer(merged.settings, env, sandboxed, beyond)
            lock.write(path, jsontext.dump(content), durable=False, ours=True)
        return path

    def _read(self, merged: "Mapping[str, object]") -> "Iterator[Mapping[str, object]]":
        """The settings that the reviewer's claude reads besides ccc's."""
        yield merged
        yield _settings_in(self.case.where.settings)
        for top in dict.fromkeys((self.case.project, self.tree.directory)):
            for name in _OF_THE_PROJECT:
                yield _settings_in(os.path.join(top, ".claude", name))

    def _added(self, read: "Iterable[Mapping[str, object]]") -> "list[str]":
        """The directories that the agent was given with --add-dir, or by a settings file."""
        given = list(arguments.values_of("--add-dir", self.case.state.arguments))
        given += (path for each in read for path in session_settings.writable_places(each))
        tops = (os.path.join(self.case.project, os.path.expanduser(each)) for each in given)
        return [each for each in dict.fromkeys(map(os.path.abspath, tops)) if os.path.exists(each)]

    def _is_claudes(self, directory: str, home: str) -> bool:
        """Whether claude itself writes there, so that a change says nothing."""
        own = self.case.where.claude_dir
        around = any(review_session.is_below(each, directory) for each in (own, home) if each)
        return around or review_session.is_below(directory, own)


def _settings_in(path: str) -> "Mapping[str, object]":
    """A settings file of claude's; nothing where claude could not read it either."""
    try:
        return jsontext.object_in(files.read(path) or "") or {}
    except CccError:
        return {}


def instructions(directory: str, where: "Paths") -> str:
    """The reviewer's instructions, without which there is none."""
    if text := ccc_json.instructions(where, directory):
        return text
    raise CccError("review.no_prompt", file=where.prompt)


def keep_feedback(path: str, text: str) -> None:
    """Write a feedback that is too long to be given whole."""
    file = private_files.open_file(path, os.O_WRONLY | os.O_TRUNC)
    with open(file, "w", encoding="utf-8", errors="replace") as whole:
        whole.write(text)
