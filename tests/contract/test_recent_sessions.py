"""The sessions that changed last are known without asking the time of every state file."""

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from ccc.storage import session_files, sessions
from ccc.storage.files import Lock
from ccc.storage.paths import Paths


@pytest.fixture
def where(tmp_path: Path) -> Paths:
    """Paths below a new directory with forty sessions."""
    where = Paths({"CCC_WORK_DIR": str(tmp_path), "HOME": str(tmp_path)})
    for number in range(40):
        change(where, f"s{number}")
    return where


def change(where: Paths, session: str) -> None:
    """Change the session's state."""
    sessions.change(where, session, lambda state: replace(state, pid=state.pid + 1))


def newest(where: Paths, most: int = 20) -> list[str]:
    """Return the newest sessions; check that all are counted."""
    listed, total = sessions.newest(where.state_dir, most)
    assert total == len(sessions.list_by_change(where.state_dir))
    return [session for _, session in listed]


def test_order(where: Paths) -> None:
    """The newest are the same as in a list of all, also after a change of an old one."""
    change(where, "s3")
    everything = [session for _, session in sessions.list_by_change(where.state_dir)]
    assert newest(where) == everything[:20]
    assert newest(where, 100) == everything
    assert "s3" in newest(where)


def test_only_what_changed_is_asked(where: Paths) -> None:
    """A state that ccc didn't write isn't among the newest, as its time isn't asked."""
    Path(where.state("foreign")).write_text("{}")
    assert "foreign" not in newest(where)
    assert "foreign" in newest(where, 100)


@pytest.mark.parametrize("content", [None, b"", b"s1\n../s2\n\0\n\xff\n", b"gone\n" * 50])
def test_a_lost_or_damaged_list(where: Paths, content: bytes | None) -> None:
    """Without a usable list of changes, all states are asked."""
    file = Path(where.state_dir, sessions.RECENT)
    file.unlink()
    if content is not None:
        file.write_bytes(content)
    everything = [session for _, session in sessions.list_by_change(where.state_dir)]
    assert newest(where) == everything[:20]


def test_removed_sessions(where: Paths) -> None:
    """A session whose state was removed is skipped; older ones take its place."""
    for number in range(30, 40):
        os.unlink(where.state(f"s{number}"))
    assert set(newest(where)) == {f"s{number}" for number in range(10, 30)}


def test_the_list_stays_short(where: Paths) -> None:
    """The list of changes is cut to its newest sessions when it is long."""
    file = Path(where.state_dir, sessions.RECENT)
    with Lock((where.state_dir,)) as lock:
        for number in range(10_000):
            sessions.note_change(lock, where.state_dir, f"many-{number % 500}")
    assert file.stat().st_size <= 32_768
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_text().splitlines()[-2:] == ["many-498", "many-499"]
    change(where, "s7")
    assert newest(where, 1) == ["s7"]


def test_it_is_one_of_cccs_files(where: Paths) -> None:
    """`ccc uninstall --purge` knows the list."""
    paths = [file.path for file in session_files.find_files(where)]
    assert os.path.join(where.state_dir, sessions.RECENT) in paths
