"""`ccc report`: the page, and where it is written."""

import os

from looking import DONE, LANGUAGES

from harness import CccProject, Outcome, check_golden
from harness.records import Records, story


@LANGUAGES
def test_the_page(stubbed: CccProject, three_sessions: Records, language: str) -> None:
    """The complete report, without its style sheet."""
    done = stubbed.run("report", DONE, "-o", "-", env={"CCC_LANG": language}).succeeded()
    check_golden(f"look/report.{language}.html", done.stdout, {r"(?s)<style>.*</style>": ""})
    assert f'<html lang="{"en" if language == "en" else "zh-CN"}">' in done.stdout


def test_where_the_page_is(stubbed: CccProject, three_sessions: Records) -> None:
    """The page is private, in the current or the given directory, and its path is printed."""
    done = stubbed.run("report", DONE).succeeded()
    path = stubbed.directory / f"ccc-report-{DONE[:8]}.html"
    assert done.stdout.splitlines()[0] == str(path)
    assert path.stat().st_mode & 0o777 == 0o600
    other = stubbed.root / "elsewhere.html"
    stubbed.run("report", DONE, "-o", str(other)).succeeded()
    assert other.read_text() == path.read_text()


def test_no_place_for_the_page(stubbed: CccProject, three_sessions: Records) -> None:
    """A missing directory is not created."""
    for place in ("/", str(stubbed.root / "missing" / "x.html")):
        done = stubbed.run("report", DONE, "-o", place)
        assert (done.code, done.stdout) == (1, "")
        assert place in done.stderr
    assert not (stubbed.root / "missing").exists()


def test_the_page_needs_nothing(stubbed: CccProject, three_sessions: Records) -> None:
    """The page loads nothing and runs nothing."""
    page = _page(stubbed.run("report", DONE, "-o", "-"))
    for word in ("<script", "<link", "src=", "url(", "@import", "http://", "https://", "<iframe"):
        assert word not in page
    assert "default-src 'none'" in page


def test_a_page_of_little(stubbed: CccProject, records: Records) -> None:
    """A session without reviews has a page, and so has one with a hundred rounds."""
    records.add(DONE, [], outcome="", request="", decided_at=0)
    assert "No rounds yet." in _page(stubbed.run("report", DONE, "-o", "-"))
    many = [{**story()[2], "iteration": number} for number in range(1, 101)]
    records.add(DONE, many)
    page = _page(stubbed.run("report", DONE, "-o", "-"))
    assert page.count('class="up"') == 300


def _page(done: Outcome) -> str:
    page = done.succeeded().stdout
    assert page.startswith("<!doctype html>\n")
    assert page.endswith("</html>\n")
    return page


def test_a_report_in_an_odd_place(stubbed: CccProject, three_sessions: Records) -> None:
    """Only a regular file is written to, and then nobody else can read it."""
    fifo = stubbed.directory / "fifo"
    os.mkfifo(fifo)
    for place in (str(fifo), "/dev/null", str(stubbed.directory), "/no/such/place.html"):
        outcome = stubbed.run("report", DONE, "-o", place)
        assert outcome.code == 1, place
        assert "Traceback" not in outcome.stderr
    assert os.path.exists("/dev/null")
    page = stubbed.directory / "open.html"
    page.write_text("old")
    page.chmod(0o644)
    stubbed.run("report", DONE, "-o", str(page)).succeeded()
    assert page.stat().st_mode & 0o777 == 0o600
    assert page.read_text().startswith("<!")
