"""ccc's status line in settings.json: installed, recorded in the ledger, and removed exactly."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ccc.storage import files, removal
from ccc.storage.installation import Installation
from ccc.storage.paths import Paths

CCC = "/opt/my tools/ccc"
OURS = {"type": "command", "command": "'/opt/my tools/ccc' statusline", "refreshInterval": 2}


class Home:
    """claude's directory, and changes made in it."""

    def __init__(self, root: Path) -> None:
        self.settings = root / "settings.json"
        self._paths = Paths({"CLAUDE_CONFIG_DIR": str(root)})

    def do(self, work: Callable[[Installation], object]) -> object:
        """Make a change under the lock, as a command would."""
        with files.Lock(self._paths.locks) as lock:
            return work(Installation(lock, self._paths))

    def undo(self) -> None:
        """Remove ccc's additions, as `ccc uninstall` does."""
        with files.Lock(self._paths.locks) as lock:
            for step in removal.steps(self._paths, purge=False):
                if step.act:
                    step.act(lock)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty home."""
    return Home(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        '{\n\t"model": "opus",\n\t"statusLine": {"type": "command", "command": "mine"}\n}\n',
        '{"a": [1,2],  "b": {}}',
        '{"statusLine":{"type":"command","command":"mine"},"b":1}\r\n',
        '\ufeff{\n  "b": 1\n}\n',
    ],
)
def test_there_and_back(home: Home, text: str) -> None:
    """Removal restores the original file, byte for byte or at least value for value."""
    home.settings.write_text(text, "utf-8", newline="")
    assert home.do(lambda work: work.status_line(CCC, instead=True)) is True
    assert json.loads(home.settings.read_text("utf-8-sig"))["statusLine"] == OURS
    assert home.do(lambda work: work.status_line(CCC)) is True
    home.undo()
    after = home.settings.read_bytes().decode()
    assert json.loads(after.removeprefix("\ufeff")) == json.loads(text.removeprefix("\ufeff"))
    if "statusLine" not in text:
        assert after == text


def test_another_one_is_left_alone(home: Home) -> None:
    """Another status line stays unless asked, and removal doesn't touch it either."""
    text = '{"statusLine": {"type": "command", "command": "echo ccc statusline; mine"}}'
    home.settings.write_text(text)
    assert home.do(lambda work: work.status_line(CCC)) is False
    home.undo()
    assert home.settings.read_text() == text


def test_it_moves_with_ccc(home: Home) -> None:
    """ccc's status line with an older path is replaced, and not mistaken for the user's."""
    home.settings.write_text(json.dumps({"statusLine": {"command": "/old/ccc statusline"}}))
    assert home.do(lambda work: work.status_line(CCC)) is True
    assert json.loads(home.settings.read_text())["statusLine"] == OURS
    home.undo()
    assert json.loads(home.settings.read_text()) == {}


def test_the_hook_still_knows_the_file(home: Home) -> None:
    """A status line that came first doesn't hide from the ledger what the hook needs."""
    home.do(lambda work: work.status_line(CCC))
    home.do(lambda work: work.ensure(CCC))
    ledger = json.loads((home.settings.parent / "ccc" / "ledger.json").read_text())
    entry = ledger["files"][str(home.settings)]
    assert entry == {"kind": "hook", "created": True, "status_line": {}}
