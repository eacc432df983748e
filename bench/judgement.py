"""Measure what signals add to a stop, and what `ccc eval` adds to its reviews."""

import json
import shutil
import statistics
import time
from pathlib import Path

from bench.scene import CCC, PYTHON, Scene, agree, claude, provider
from bench.table import Case, Row, Section, against
from ccc.evaluation import case as cases
from ccc.scripted import ScriptedModel

_BUDGET_SECONDS = 0.15
_CHANGED_LINES, _LINES_PER_FILE = 5_000, 100
_TRANSCRIPT_BYTES = 20_000_000

# Imports what a stop has imported anyway, then reads the transcript without and with what the
# signals need of it, and finds them. Each run is a process, since the rules are imported in it.
_SIGNALS = """
import json, sys, time
from ccc.claude import transcript_files
from ccc.claude.formats.activity import Activity
from ccc.project.tree import Tree
file, project, start = sys.argv[1:]
tree = Tree(project)
tree.head()
read = Activity.read
Activity.read = lambda self, block: None
begin = time.perf_counter()
transcript_files.read(file)
plain = time.perf_counter() - begin
Activity.read = read
begin = time.perf_counter()
conversation = transcript_files.read(file)
whole = time.perf_counter() - begin
begin = time.perf_counter()
from ccc.project import change
from ccc.signals.claims import Work
work = Work(message="I committed it, and all tests pass.", requests=("- do it\\n- and test it",),
            actions=conversation.actions, passed=())
found = change.find_signals(tree, start, work, conversation.last_texts)
assert conversation.actions, "no actions"
assert found, "no signals"
print(json.dumps([plain, whole, time.perf_counter() - begin]))
"""


def signals(directory: Path, quick: bool) -> list[Row]:
    """Measure how long a stop takes to find the signals of a large change."""
    scene = Scene(directory)
    start = _change(scene)
    file = directory / "transcript.jsonl"
    _transcript(file)
    arguments = (str(file), str(scene.project), start)
    taken = []
    for _ in range(3 if quick else 9):
        plain, whole, find = json.loads(scene.run((PYTHON, "-c", _SIGNALS, *arguments)))
        taken.append(max(0.0, whole - plain) + find)
    seconds = statistics.median(taken)
    return [against(SIGNALS.cases[0], seconds * 1000, _BUDGET_SECONDS * 1000)]


def _change(scene: Scene) -> str:
    """Make a repository with a change of many lines; return the commit before it."""
    git = ("git", "-c", "user.name=bench", "-c", "user.email=bench@localhost")
    for number in range(_CHANGED_LINES // _LINES_PER_FILE):
        name = f"test_{number}.py" if number % 5 == 0 else f"module_{number}.py"
        _write_module(scene.project / name, "old")
    scene.run((*git, "init", "--quiet"))
    scene.run((*git, "add", "--all"))
    scene.run((*git, "commit", "--quiet", "--message", "start"))
    for file in scene.project.glob("*.py"):
        _write_module(file, "new")
    return scene.run((*git, "rev-parse", "HEAD")).strip()


def _write_module(file: Path, word: str) -> None:
    lines = [f"def {file.stem}_{n}():\n    assert {word}({n}) == {n}\n" for n in range(50)]
    file.write_text("".join(lines))


def _transcript(file: Path) -> None:
    """Write a long conversation: commands, edits and what they printed."""
    size = number = 0
    with open(file, "w") as lines:
        while size < _TRANSCRIPT_BYTES:
            call = f"toolu_{number:022d}"
            name, value = ("Bash", "make test") if number % 2 else ("Edit", "/project/a.py")
            given = {"command" if name == "Bash" else "file_path": value}
            use = {"type": "tool_use", "id": call, "name": name, "input": given}
            result = {"type": "tool_result", "tool_use_id": call, "content": "output " * 500}
            for role, block in (("assistant", use), ("user", result)):
                message = {"role": role, "content": [block]}
                size += lines.write(json.dumps({"type": role, "message": message}) + "\n")
            number += 1


SIGNALS = Section(
    "signals",
    "Signals at a stop",
    "What the signals add to a stop: the part of reading the transcript that only they need, the "
    "import of the rules, the diff, and the rules. The reference is the time that they may take. "
    "ccc finds them while the reviewer's claude starts, so nobody waits for them.",
    ("ms", "against"),
    (
        Case(
            "5,000 changed lines, 20 MB of transcript",
            "A change of every second line in 50 Python files, and 6,000 tool calls.",
            1.0,
        ),
    ),
    signals,
)


def experiments(directory: Path, quick: bool) -> list[Row]:
    """Compare cases of `ccc eval` with as many plain reviews at a stop."""
    chosen = _reviewed_cases(1 if quick else 4)
    with ScriptedModel(agree) as model:
        scene = Scene(directory, model.url, claude())
        scene.environ["PATH"] = f"{scene.no_npm}:{scene.environ['PATH']}"
        scene.configure(provider(model.url), checks=list(chosen[0].checks))
        shutil.copytree(chosen[1].part("before"), scene.project, dirs_exist_ok=True)
        shutil.copytree(chosen[1].part("good"), scene.project, dirs_exist_ok=True)
        scene.run(("git", "init", "--quiet"))
        one, four, plain = [], [], []
        for _ in range(1 if quick else 3):
            plain.append(_plain_reviews(scene, chosen))
            one.append(_experiment(scene, chosen, 1))
            four.append(_experiment(scene, chosen, 4))
    alone, together, reviews = map(statistics.median, (one, four, plain))
    first, second = EXPERIMENTS.cases
    milliseconds = 1000 / len(chosen)
    return [
        against(first, alone * milliseconds, reviews * milliseconds),
        against(second, together * milliseconds, alone * milliseconds),
    ]


def _reviewed_cases(pairs: int) -> list[cases.GoldenCase]:
    """Return pairs of cases in Python whose checks pass, so that each is reviewed."""
    found = [c for c in cases.load_all(cases.SHIPPED) if c.language == "python" and c.checks]
    return [c for c in found if not c.failed_check and c.kind in (2, 4, 6, 7)][: 2 * pairs]


def _experiment(scene: Scene, chosen: list[cases.GoldenCase], jobs: int) -> float:
    """Return the seconds that `ccc eval` takes for the cases."""
    kinds = scene.root / "cases"
    if not kinds.is_dir():
        kinds.mkdir()
        for directory in {Path(each.directory) for each in chosen}:
            (kinds / directory.name).symlink_to(directory)
    line = (CCC, "eval", "--cases", str(kinds), "--jobs", str(jobs), "--json", "--yes")
    start = time.perf_counter()
    found = json.loads(scene.run(line))
    seconds = time.perf_counter() - start
    assert [each["completed"] for each in found["cases"]] == [True] * len(chosen), found
    return seconds


def _plain_reviews(scene: Scene, chosen: list[cases.GoldenCase]) -> float:
    """Return the seconds of as many stops in a session, each with a check and a review."""
    event, env = scene.supervised_stop()
    start = time.perf_counter()
    for number in range(len(chosen)):
        stop = json.dumps({**event, "prompt_id": f"p{number}"})
        scene.run((CCC, "supervisor-hook"), stop, **env)
    seconds = time.perf_counter() - start
    verdicts = scene.records / f"supervisor-{event['session_id']}-verdicts.jsonl"
    told = [json.loads(line)["completed"] for line in verdicts.read_text().splitlines()]
    assert told == [True] * len(chosen), told
    return seconds


EXPERIMENTS = Section(
    "eval",
    "ccc eval",
    "Cases of `ccc eval` with the real claude and a scripted reviewer that answers immediately.",
    ("ms/case", "against"),
    (
        Case(
            "a case, one after the other",
            "Compared with a stop in a session that has a check: the hook, the check and the "
            "review. A case also needs a repository of its own.",
            1.3,
        ),
        Case(
            "a case with --jobs 4",
            "Compared with the row above.",
            1.0,
        ),
    ),
    experiments,
)
