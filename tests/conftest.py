"""Fixtures for every test: no real home, no leaked key, projects to work in."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest

from ccc import words
from harness import KEY, Bench, CccProject, claude_binary, claude_version
from harness import project as projects
from harness.canary import WHERE_THE_USER_PUT_IT, Sampler, hidden, in_files
from harness.programs import needs
from harness.scripted import Rule, Scenario, ScriptedModel, agent_turn, answer
from harness.soak import Tally, table

for _number in (signal.SIGINT, signal.SIGHUP):
    # a background job ignores these signals, and so would every process that the tests start
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, signal.SIG_DFL)

# the duration of an example means nothing on a noisy machine
hypothesis.settings.register_profile("ccc", deadline=None)
# for `make mutants`, which runs the tests thousands of times in one process
hypothesis.settings.register_profile(
    "few",
    deadline=None,
    max_examples=20,
    derandomize=True,
    database=None,
    suppress_health_check=list(hypothesis.HealthCheck),
)
if "MUTANT_UNDER_TEST" in os.environ:
    # mutmut 3.8 uses the name from before pytest 9.2
    pytest.Item._nodeid = property(lambda item: item.nodeid)
hypothesis.settings.load_profile("ccc")


def pytest_report_header() -> list[str]:
    """Print the version of claude in the header."""
    return [f"claude: {claude_version()}"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many trials each fault survived."""
    tallies = [
        Tally(*value)
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", "") == "teardown"
        for name, value in report.user_properties
        if name == "tally"
    ]
    if tallies:
        terminalreporter.section("trials")
        for line in table(tallies):
            terminalreporter.write_line(line)


@pytest.fixture
def tally(request: pytest.FixtureRequest) -> Iterator[Callable[[str], Tally]]:
    """Return a function that adds a row to the table at the end of the run."""
    rows: list[Tally] = []

    def make(name: str) -> Tally:
        rows.append(Tally(name))
        return rows[-1]

    yield make
    for row in rows:
        # user properties travel from the worker process to the terminal summary
        request.node.user_properties.append(("tally", (row.name, row.tried, row.lost)))


@pytest.fixture(autouse=True, scope="session")
def _no_real_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Put HOME below a plain file, so that nothing in it can be read or created."""
    wall = tmp_path_factory.mktemp("home") / "not-a-directory"
    wall.write_text("tests have no home\n")
    before = dict(os.environ)
    for name in list(os.environ):
        if name.startswith(("ANTHROPIC_", "CLAUDE", "CCC_", "LC_")) and name not in _TEST_VARIABLES:
            del os.environ[name]
    os.environ["HOME"] = str(wall / "home")
    os.environ["LANG"] = "en_US.UTF-8"
    yield
    os.environ.clear()
    os.environ.update(before)


_TEST_VARIABLES = (
    "CCC_TESTS_MUST_NOT_SKIP",
    "CCC_TESTS_CLAUDE",
    "CCC_GOLDEN",
    "CCC_SOAK",
    "CCC_PICTURES",
)


@pytest.fixture(scope="session")
def _sampler() -> Iterator[Sampler]:
    """Sample command lines during the whole run."""
    sampler = Sampler(KEY)
    yield sampler
    sampler.end()


@pytest.fixture(autouse=True)
def _english() -> None:
    """Let no test inherit the language of the one before it."""
    words.use({"CCC_LANG": "en"})


@pytest.fixture(autouse=True)
def _the_key_stays_where_it_is(request: pytest.FixtureRequest, _sampler: Sampler) -> Iterator[None]:
    """Fail if the user's key leaks into another file, a command line or an output.

    `@pytest.mark.key_in(pattern, …)` allows more files; "shown" allows outputs.
    """
    yield
    allowed = {word for mark in request.node.iter_markers("key_in") for word in mark.args}
    leaks: list[str] = []
    for project in projects.current:
        leaks += in_files(project.root, KEY, {*WHERE_THE_USER_PUT_IT, *allowed})
        leaks += [f"command line: {line}" for line in _sampler.hits(project.root)]
        outputs = [*project.shown, *((t.title, t.last) for t in project.terminals)]
        for name, text in outputs if "shown" not in allowed else ():
            leaks += [f"output of {name}: {text}"] if hidden(text.encode(), KEY) else []
    projects.current.clear()
    assert not leaks, "\n".join(["the key leaked:", *leaks])


@pytest.fixture
def claude() -> Path:
    """Return the path of the real claude."""
    return claude_binary()


@pytest.fixture
def stubbed(tmp_path: Path) -> CccProject:
    """Return a project whose claude only records its launches."""
    return CccProject(tmp_path, stub=True)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """Return a function that creates a project with the real claude and a scripted model."""
    models: list[ScriptedModel] = []

    def make(*rules: Rule) -> CccProject:
        script = rules or (Rule(agent_turn(), answer("Hello from the script."), name="agent"),)
        model = ScriptedModel(Scenario(script), max_seconds=300).start()
        models.append(model)
        return CccProject(tmp_path / f"bench-{len(models)}", model)

    yield make
    for model in models:
        model.stop()


@pytest.fixture
def tmux() -> None:
    """Skip the test if tmux is not installed."""
    needs("tmux")
