"""A file with tasks becomes tasks, or one error that names the place and the remedy."""

import io
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccc import words
from ccc.backlog import database, store, task_file
from ccc.backlog.task import QueuedTask
from ccc.backlog.task_file import FileTask
from ccc.errors import CccError
from ccc.storage.paths import Paths
from harness.backlog import store_tasks

DEFAULTS = QueuedTask(repo="/repo", providers=("kimi",), limits={"max_minutes": 30.0}, priority=1)


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    words.use({"CCC_LANG": "en"})
    yield
    words.use(os.environ)


Read = Callable[..., list[FileTask]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Read a text as a file of that name."""

    def read_text(text: str | bytes, name: str = "tasks.yaml") -> list[FileTask]:
        file = tmp_path / name
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return task_file.read(str(file), DEFAULTS)

    return read_text


def texts(found: list[FileTask]) -> list[str]:
    """Return the texts of the tasks."""
    return [each.task.text for each in found]


def from_stdin(monkeypatch: pytest.MonkeyPatch, text: str) -> list[FileTask]:
    """Read a text from stdin."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    return task_file.read("-", DEFAULTS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- fix a\n- fix b\n", ["fix a", "fix b"]),
        ("- fix\n  a\n- 'fix: b'\n", ["fix a", "fix: b"]),
        ("- |\n  two\n  lines\n", ["two\nlines"]),
        ('["fix a", "fix b"]', ["fix a", "fix b"]),
        ("- task: a\n- text: b\n- title: c\n", ["a", "b", "c"]),
        ("tasks:\n- a\n- task: b\n", ["a", "b"]),
        ("task: a\ncheck: make\n", ["a"]),
        ('{"tasks": ["a"]}', ["a"]),
        ("\ufeff- a\n", ["a"]),
        ("- 修复测试\n", ["修复测试"]),
        ('["\\ud83d\\ude00"]', ["😀"]),
        ("# a comment\n- a # another\n", ["a"]),
    ],
)
def test_lists(read: Read, text: str, expected: list[str]) -> None:
    """A list of texts or of mappings, in YAML or in JSON."""
    assert texts(read(text)) == expected


def test_every_key(read: Read, tmp_path: Path) -> None:
    """Each key sets its field; what isn't given comes from the defaults."""
    (found,) = read(
        """
- task: build the shop
  repo: sub/shop
  branch: feature/shop
  base: main
  providers: [kimi, glm, kimi]
  checks: [make lint, make test]
  allow: Bash(npm install *)
  max_cost_usd: 2
  max_iterations: 5
  priority: -3
  after: [4, "5"]
  setup: npm ci
  push: true
  pr: true
"""
    )
    assert found.task == QueuedTask(
        text="build the shop",
        repo=str(tmp_path / "sub" / "shop"),
        branch="feature/shop",
        base="main",
        providers=("kimi", "glm"),
        checks=("make lint", "make test"),
        allow=("Bash(npm install *)",),
        limits={"max_minutes": 30.0, "max_cost_usd": 2.0, "max_iterations": 5},
        setup="npm ci",
        push=True,
        pull_request=True,
        priority=-3,
        after=(4, 5),
    )


def test_defaults(read: Read) -> None:
    """An entry wins over `defaults` of the file, and these over the command line's."""
    text = "defaults: {check: make, priority: 2, provider: glm, max_minutes: 9}\ntasks: [a, b]"
    found = read(text + "\n")
    assert [each.task.priority for each in found] == [2, 2]
    assert found[0].task.checks == ("make",)
    assert found[0].task.providers == ("glm",)
    assert found[0].task.limits == {"max_minutes": 9.0}
    (own,) = read("defaults: {priority: 2}\ntasks: [{task: a, priority: 3}]\n")
    assert own.task.priority == 3
    assert own.task.repo == DEFAULTS.repo


@pytest.mark.parametrize(
    ("given_repo", "expected"),
    [
        ("https://example.com/a.git", "https://example.com/a.git"),
        ("git@example.com:a/b.git", "git@example.com:a/b.git"),
        ("~/shop", "~/shop"),
        ("/abs/../shop", "/shop"),
    ],
)
def test_repositories(read: Read, given_repo: str, expected: str) -> None:
    """A URL stays as it is; a path becomes absolute."""
    assert read(json.dumps([{"task": "a", "repo": given_repo}]))[0].task.repo == (
        os.path.expanduser(expected)
    )


@pytest.mark.parametrize(
    ("issues", "expected"),
    [
        (
            [{"number": 42, "title": "Login fails", "body": "Steps:\n1. log in"}],
            ["Login fails\n\nSteps:\n1. log in\n\nIssue #42"],
        ),
        ([{"number": 1, "title": "a", "body": ""}], ["a\n\nIssue #1"]),
        (
            [{"id": 9, "iid": 7, "title": "b", "description": None, "web_url": "https://e.x/7"}],
            ["b\n\nIssue #7: https://e.x/7"],
        ),
        ([{"number": 1, "title": "a: b", "body": "task: x", "labels": []}] * 2, None),
    ],
)
def test_issues(
    monkeypatch: pytest.MonkeyPatch, issues: list[object], expected: list[str] | None
) -> None:
    """What gh and glab print is a list of tasks, whatever other fields it has."""
    found = texts(from_stdin(monkeypatch, json.dumps(issues)))
    assert found == (expected or ["a: b\n\ntask: x\n\nIssue #1"] * 2)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fix a\n\nfix b\n", ["fix a", "fix b"]),
        ("fix a", ["fix a"]),
        ("- fix: the login\n- b\n", ["fix: the login", "b"]),
        ("- [ ] open\n- [x] done\n- [X] done\n* [ ] star\n", ["open", "star"]),
        ("# Backlog\n\n- [ ] a\n  - [ ] b\n---\n", ["a", "b"]),
        ("- *important* a\n- &b c\n", ["*important* a", "&b c"]),
        ("42\n", ["42"]),
        ("#42 is broken\n- #43 too\n", ["#42 is broken", "#43 too"]),
        ("- it's\n- \"half\n", ["it's", '"half']),
        ("- {a\n- b]\n", ["{a", "b]"]),
        ("-5 degrees\n-\n", ["-5 degrees"]),
    ],
)
def test_plain_lines(
    monkeypatch: pytest.MonkeyPatch, read: Read, text: str, expected: list[str]
) -> None:
    """What is neither a list nor has keys is one task per line, without bullets and headings."""
    assert texts(from_stdin(monkeypatch, text)) == expected
    assert texts(read(text, "todo.md")) == expected


WRONG = [
    ("", "tasks.empty", ""),
    ("# only a comment\n", "tasks.empty", ""),
    ("[]", "tasks.empty", ""),
    ("tasks: []\n", "tasks.empty", ""),
    ("defaults: {priority: 1}\n", "tasks.empty", ""),
    ("fix a\n", "tasks.not_tasks", "line 1"),
    ("tasks: a\n", "tasks.not_tasks", "line 1, tasks"),
    ("- a\n- 42\n", "tasks.not_task", "line 2, task 2"),
    ("- a\n- 2026-01-01\n", "tasks.not_task", "line 2, task 2"),
    ("- a\n- [b]\n", "tasks.not_task", "line 2, task 2"),
    ("defaults: a\ntasks: [b]\n", "tasks.not_mapping", "line 1, defaults"),
    ("defaults: {task: a}\ntasks: [b]\n", "tasks.unknown", "line 1, task"),
    ("- task: a\n  chek: b\n", "tasks.unknown_near", "line 2, task 1, chek"),
    ("- Fix: the login\n", "tasks.unknown", "line 1, task 1, Fix"),
    ("- a\n- repo: b\n", "tasks.no_text", "line 2, task 2, task"),
    ("- ''\n", "tasks.no_text", "line 1, task 1, task"),
    ("- task: a\n  text: b\n", "tasks.both", "line 2, task 1, text"),
    ("- task: a\n  task: b\n", "tasks.twice", "line 2, task"),
    ('[{"task": "a", "task": "b"}]', "tasks.twice", ", task"),
    ("- task: 3\n", "tasks.not_text", "line 1, task 1, task"),
    ('["a\\u0000b"]', "tasks.not_text", "task 1, task"),
    ('["\\ud800"]', "tasks.not_text", "task 1, task"),
    ("- task: a\n  check: [1]\n", "tasks.not_texts", "line 2, task 1, check"),
    ("- task: a\n  check: ''\n", "tasks.not_texts", "line 2, task 1, check"),
    ("- task: a\n  base: --x\n", "tasks.not_name", "line 2, task 1, base"),
    ("- task: a\n  branch: a b\n", "tasks.not_name", "line 2, task 1, branch"),
    ("- task: a\n  repo: -oProxyCommand=x@h:p\n", "tasks.not_repo", "line 2, task 1, repo"),
    ("- task: a\n  provider: a b\n", "tasks.not_provider", "line 2, task 1, provider"),
    ("- task: a\n  allow: a b\n", "tasks.not_rule", "line 2, task 1, allow"),
    ("- task: a\n  max_minutes: 1h\n", "config.not_number", "line 2, task 1, max_minutes"),
    ("- task: a\n  max_cost_usd: -1\n", "config.not_number", "line 2, task 1, max_cost_usd"),
    ("- task: a\n  max_cost_usd: .nan\n", "config.not_number", "line 2, task 1, max_cost_usd"),
    ("- task: a\n  max_iterations: 1.5\n", "config.not_whole", "line 2, task 1, max_iterations"),
    ("- task: a\n  priority: true\n", "config.not_whole", "line 2, task 1, priority"),
    ("- task: a\n  priority: 9999999\n", "config.not_whole", "line 2, task 1, priority"),
    ("- task: a\n  push: 'yes'\n", "config.not_truth", "line 2, task 1, push"),
    ("- task: a\n  after: b\n- {task: b, id: b}\n", "tasks.no_such_task", "line 2, task 1, after"),
    ("- task: a\n  after: 0\n", "tasks.no_such_task", "line 2, task 1, after"),
    ("- task: a\n  after: 99999999999999999999\n", "tasks.not_id", "line 2, task 1, after"),
    ("- task: a\n  id: [b]\n", "tasks.not_id", "line 2, task 1, id"),
    ("- {task: a, id: x}\n- {task: b, id: x}\n", "tasks.id_twice", "line 2, task 2, id"),
    ('[{"number": "x", "title": "a"}]', "tasks.not_number", "task 1, number"),
    ('[{"number": 1, "title": 2}]', "tasks.not_text", "task 1, title"),
    ("- &a b\n- *a\n", "tasks.alias", "line 1"),
    ("- a\n- *b\n", "tasks.alias", "line 2"),
    ("- {task: a\n", "tasks.syntax", "line 2"),
    ("- task: !!python/object:os.system x\n", "tasks.syntax", "line 1"),
    ("- !x a\n", "tasks.syntax", "line 1"),
    ("- task: 2026-13-45\n", "tasks.syntax", "line 1"),
    ("- a\n---\n- b\n", "tasks.syntax", "line 2"),
    ("- ? [a]\n  : b\n", "tasks.not_key", "line 1"),
    ("- a\x07\n", "tasks.syntax", ""),
    ("- " * 50 + "a", "tasks.deep", "line 1"),
    ("[" * 100_000, "tasks.deep", ""),
    ("{a: " * 100_000, "tasks.deep", ""),
    (b"- a\n- \xff\n", "tasks.not_utf8", "line 2"),
    ("- a\n" * 10_001, "tasks.many", ""),
    ("- " * 11 + "a\n" + ("- " * 11 + "a\n") * 20_000, "tasks.many", ""),
    ("#" * 4_000_001, "tasks.large", ""),
]


@pytest.mark.parametrize(
    ("text", "reason", "where"), WRONG, ids=[str(n) for n in range(len(WRONG))]
)
@pytest.mark.parametrize("language", words.LANGUAGES)
def test_wrong_files(read: Read, text: str | bytes, reason: str, where: str, language: str) -> None:
    """An error names the file, the place, what is wrong and what to do."""
    words.use({"CCC_LANG": language})
    with pytest.raises(CccError) as caught:
        read(text)
    error = caught.value
    assert error.params["reason"] == reason
    assert "tasks.yaml" in str(error)
    assert error.remedy
    if language == "en":
        assert str(error.params["where"]).endswith(where)
    else:
        assert "line" not in str(error.params["where"])


def test_the_nearest_key(read: Read) -> None:
    """A misspelled key is named with the one that was meant."""
    with pytest.raises(CccError) as caught:
        read("- task: a\n  max_cost: 3\n")
    assert "max_cost_usd" in caught.value.remedy


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """A missing file and a directory are errors that name them."""
    for path in (tmp_path / "no.yaml", tmp_path):
        with pytest.raises(CccError) as caught:
            task_file.read(str(path), DEFAULTS)
        assert path.name in str(caught.value)


@pytest.mark.parametrize("is_json", [True, False])
def test_a_full_file_takes_little_time(read: Read, is_json: bool) -> None:
    """The largest list is read within seconds."""
    entries = [{"task": "x" * 300, "check": "make"} for _ in range(10_000)]
    lines = (f"- task: {each['task']}\n  check: make\n" for each in entries)
    before = time.monotonic()
    assert len(read(json.dumps(entries) if is_json else "".join(lines))) == 10_000
    assert time.monotonic() - before < 30


def test_a_long_value_is_cut_in_a_message(read: Read) -> None:
    """A message stays readable, whatever is in the file."""
    for entry in ({"x" * 100_000: 1}, {"task": "a", "allow": "x y" * 100_000}):
        with pytest.raises(CccError) as caught:
            read(json.dumps([entry]))
        assert len(str(caught.value)) < 500


def test_a_bomb_of_aliases(read: Read) -> None:
    """A few lines that stand for billions of values are refused before anything is built."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    with pytest.raises(CccError) as caught:
        read("\n".join(lines))
    assert caught.value.params["reason"] == "tasks.alias"


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
NAMES = st.sampled_from([*sorted(task_file.NAMES), "number", "iid", "body"]) | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner), max_leaves=20
)
YAML_TEXT = st.text(alphabet="-:[]{}&*!|>'\"#, \n\tabtask0x", max_size=80)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=st.text() | YAML_TEXT | VALUES.map(json.dumps), name=st.sampled_from(["t.yaml", "t"]))
def test_any_text(read: Read, text: str, name: str) -> None:
    """Any text is a list of tasks that can be stored, or an error that can be said."""
    found, error = attempt(read, text, name)
    if error:
        assert str(error)
        assert error.remedy
        return
    assert found
    for task in (each.task for each in found):
        assert task.text.strip()
        assert "\0" not in task.text
        stored = [task.text, task.checks, dict(task.limits), task.after, task.priority]
        json.dumps(stored, allow_nan=False)


def attempt(read: Read, text: str, name: str) -> tuple[list[FileTask], CccError | None]:
    """Return the tasks of the text, or the error."""
    try:
        return read(text.encode("utf-8", "replace"), name), None
    except CccError as error:
        return [], error


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    wanted=st.lists(st.text(min_size=1).filter(lambda t: t.strip() and "\0" not in t), min_size=1)
)
def test_a_json_list_is_kept(read: Read, wanted: list[str]) -> None:
    """Each text of a JSON list is a task, word for word."""
    wanted = [each for each in wanted if not any("\ud800" <= c <= "\udfff" for c in each)] or ["a"]
    assert texts(read(json.dumps(wanted))) == [each.strip() for each in wanted]


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[database.Database]:
    """An empty queue."""
    opened = database.connect(Paths({"HOME": str(tmp_path)}, str(tmp_path / "state")), {})
    yield opened
    opened.close()


def test_after(read: Read, queue: database.Database) -> None:
    """A task can wait for an earlier one of its file, by a name, and for a stored one."""
    (first,) = store_tasks(queue, [QueuedTask(text="before")])
    found = read(
        f"""
- {{id: schema, task: a}}
- {{id: 7, task: b, after: schema}}
- {{task: c, after: [7, schema, {first.id}]}}
"""
    )
    assert [each.after_names for each in found] == [(), ("schema",), ("7", "schema")]
    a, b, c = task_file.store_all(queue, found)
    assert (a.after, b.after, c.after) == ((), (a.id,), (first.id, b.id, a.id))
    with queue.read() as connection:
        assert store.find(connection, c.id).after == c.after


def test_all_or_none(read: Read, queue: database.Database) -> None:
    """If one task waits for a task that doesn't exist, none is stored."""
    found = read("- a\n- task: b\n  after: 99\n")
    with pytest.raises(CccError):
        task_file.store_all(queue, found)
    with queue.read() as connection:
        assert connection.execute(sa.text("SELECT count(*) FROM ccc_tasks")).scalar() == 0
