"""The stored answers about each claude."""

import os
import stat
import time
from pathlib import Path

from ccc.claude import known_claudes
from ccc.claude.capabilities import Answers
from ccc.storage import session_files
from ccc.storage.paths import Paths


def make(tmp_path: Path) -> tuple[Paths, Path]:
    """Return the paths of a new home, and a claude."""
    program = tmp_path / "claude"
    program.write_text("#!/bin/sh\n")
    paths = Paths({"CLAUDE_CONFIG_DIR": str(tmp_path / "home")})
    os.makedirs(paths.state_dir)
    return paths, program


def test_answers_are_stored_for_the_program_as_it_is(tmp_path: Path) -> None:
    """An updated claude has no answers."""
    paths, program = make(tmp_path)
    assert not known_claudes.load(paths, str(program))
    assert known_claudes.load(paths, str(program)) is None
    known_claudes.save(paths, str(program), Answers("2.1.9", {"fork"}, {"interactive_cache"}))
    assert known_claudes.load(paths, str(program))
    stored = known_claudes.find(paths, str(program))
    assert (stored.version, stored.missing) == ("2.1.9", {"fork"})
    assert stored.unknown == {"interactive_cache"}
    program.write_text("#!/bin/sh\n:\n")
    assert not known_claudes.load(paths, str(program))
    assert known_claudes.find(paths, str(program)) == Answers()


def test_the_file_is_private_and_known_to_clean(tmp_path: Path) -> None:
    """`ccc clean` removes old answers, and `ccc uninstall --purge` all of them."""
    paths, program = make(tmp_path)
    assert known_claudes.claim(paths, str(program))
    known_claudes.save(paths, str(program), Answers("2.1.9"))
    (file,) = session_files.find_files(paths)
    assert stat.S_IMODE(os.stat(file.path).st_mode) == 0o600
    assert session_files.old_logs([file], time.time() + 1) == [file]


def test_a_stored_answer_beats_the_version(tmp_path: Path) -> None:
    """What was tested here counts more than what is known about the version."""
    paths, _ = make(tmp_path)
    program = tmp_path / "versions" / "2.1.283"
    program.parent.mkdir()
    program.touch()
    shipped = known_claudes.find(paths, str(program))
    assert shipped.lacks("interactive_cache")
    known_claudes.save(paths, str(program), Answers("2.1.283"))
    stored = known_claudes.find(paths, str(program))
    assert not stored.lacks("interactive_cache")


def test_one_test_at_a_time(tmp_path: Path) -> None:
    """Only one launch tests a program; if that fails, another one tries a day later."""
    paths, program = make(tmp_path)
    assert known_claudes.claim(paths, str(program))
    assert not known_claudes.claim(paths, str(program))
    (mark,) = session_files.find_files(paths)
    a_day_ago = time.time() - 25 * 3600
    os.utime(mark.path, (a_day_ago, a_day_ago))
    assert known_claudes.claim(paths, str(program))
    assert not known_claudes.claim(paths, str(program))


def test_a_broken_file_or_program_has_no_answers(tmp_path: Path) -> None:
    """Nothing is known then."""
    paths, program = make(tmp_path)
    known_claudes.save(paths, str(program), Answers("2.1.9", {"fork"}))
    (file,) = session_files.find_files(paths)
    Path(file.path).write_text("[")
    assert known_claudes.load(paths, str(program)) is None
    assert known_claudes.load(paths, str(tmp_path / "none")) is None
    assert not known_claudes.load(paths, str(tmp_path / "none"))
