"""Set a case up on disk: a git repository after the agent's work, and the conversation."""

import json
import os
import shutil
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime

from msgspec import Struct

from ccc.errors import CccError
from ccc.evaluation.case import FEEDBACK, RUN, SAY, CaseStep, GoldenCase
from ccc.project import git
from ccc.storage import files

_SECONDS = 20.0
_BEGIN = 1_767_225_600.0  # the time of the first entry; a case is the same at every run
_STEP_SECONDS = 20
_USAGE = {"input_tokens": 10, "output_tokens": 10, "cache_read_input_tokens": 0}


def build_tree(case: GoldenCase, directory: str) -> str:
    """Create the project as the agent left it; return the commit from which it started."""
    os.makedirs(directory, exist_ok=True)
    _overlay(case.part("before"), directory)
    for command in (("init", "--quiet", "--initial-branch=main"), ("add", "--all")):
        _git(directory, *command)
    _git(directory, "commit", "--quiet", "--allow-empty", "--message", "start")
    start = _git(directory, "rev-parse", "HEAD").decode().strip()
    _overlay(case.part(case.twin), directory)
    for step in case.steps:
        if step.commit:
            _git(directory, "add", "--all")
            _git(directory, "commit", "--quiet", "--allow-empty", "--message", step.commit)
    return start


def _git(directory: str, *arguments: str) -> bytes:
    who = ("-c", "user.name=case", "-c", "user.email=case@localhost", "-c", "commit.gpgsign=false")
    output = git.ask(directory, *who, *arguments, seconds=_SECONDS)
    if output is None:
        raise CccError("eval.git", command=f"git {arguments[0]}", directory=directory)
    return output


def _overlay(source: str, target: str) -> None:
    """Copy the files, and remove those that `.deleted` lists."""
    if not os.path.isdir(source):
        return
    # not copy2: with the times of the original, git may miss a change that keeps a file's size
    skip = shutil.ignore_patterns(".deleted")
    shutil.copytree(source, target, False, skip, copy_function=shutil.copy, dirs_exist_ok=True)
    for name in (files.read_or_none(os.path.join(source, ".deleted")) or "").splitlines():
        os.unlink(os.path.join(target, name))


def transcript(case: GoldenCase, directory: str, session: str, model: str) -> Iterator[str]:
    """Yield the lines of the conversation in claude's own format."""
    writer = _Writer(directory, session, model)
    for number, prompt in enumerate(case.prompts):
        if number:
            yield writer.agent([{"type": "text", "text": "…"}], "end_turn")
        yield writer.user(prompt, prompt_id=str(uuid.uuid5(uuid.NAMESPACE_OID, prompt)))
    for step in case.steps:
        yield from writer.step(step)
    yield writer.agent([{"type": "text", "text": case.message}], "end_turn")


class _Writer(Struct):
    directory: str
    session: str
    model: str
    last: str | None = None
    prompt: str = ""
    count: int = 0

    def step(self, step: CaseStep) -> Iterator[str]:
        if step.kind == SAY:
            yield self.agent([{"type": "text", "text": step.text}], "tool_use")
            return
        if step.kind == FEEDBACK:
            yield self.user(f"Stop hook feedback:\n{step.text}", is_meta=True)
            return
        call = f"toolu_{self.count:022d}"
        name, arguments, output = self._call(step)
        yield self.agent(
            [{"type": "tool_use", "id": call, "name": name, "input": arguments}], "tool_use"
        )
        result = {"type": "tool_result", "tool_use_id": call, "content": output}
        yield self.user([{**result, "is_error": step.failed}], result=output)

    def _call(self, step: CaseStep) -> tuple[str, dict[str, str], str]:
        if step.kind == RUN:
            output = f"Exit code 1\n{step.output}" if step.failed else step.output
            return "Bash", {"command": step.text}, output
        path = os.path.join(self.directory, step.text)
        if not os.path.exists(path):
            return "Bash", {"command": f"git rm {step.text}"}, f"rm '{step.text}'"
        with open(path, encoding="utf-8") as file:
            content = file.read()
        output = f"The file {path} has been updated successfully."
        return "Write", {"file_path": path, "content": content}, output

    def user(
        self, content: object, prompt_id: str = "", result: object = None, is_meta: bool = False
    ) -> str:
        self.prompt = prompt_id or self.prompt
        extra: dict[str, object] = {} if result is None else {"toolUseResult": result}
        extra |= {"isMeta": True} if is_meta else {}
        message = {"role": "user", "content": content}
        return self._entry("user", {"promptId": self.prompt, "message": message, **extra})

    def agent(self, content: list[dict[str, object]], stop_reason: str) -> str:
        message = {
            "id": f"msg_{self.count:022d}",
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": content,
            "stop_reason": stop_reason,
            "stop_sequence": None,
            "usage": _USAGE,
        }
        return self._entry("assistant", {"message": message, "requestId": f"req_{self.count}"})

    def _entry(self, kind: str, content: dict[str, object]) -> str:
        own = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self.session} {self.count}"))
        time = datetime.fromtimestamp(_BEGIN + self.count * _STEP_SECONDS, UTC)
        entry = {
            "parentUuid": self.last,
            "isSidechain": False,
            "userType": "external",
            "cwd": self.directory,
            "sessionId": self.session,
            "version": "2.1.0",
            "type": kind,
            "uuid": own,
            "timestamp": time.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            **content,
        }
        self.last, self.count = own, self.count + 1
        return json.dumps(entry, ensure_ascii=False) + "\n"
