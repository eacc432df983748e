"""The report in a real browser: both colour schemes, both widths, nothing loaded, no errors."""

import json
import os
import re
import subprocess
from html import escape, unescape
from pathlib import Path
from typing import Any

import pytest

from harness import CccProject
from harness.programs import needs
from harness.records import FEEDBACK, TASK, Records, receipt, story, verdict

SESSION = "1a2b3c4d-0000-4000-8000-000000000001"
EVIL = "<script>document.title='evil'</script><img src=x onerror=\"document.title='evil'\">"
WIDTHS = (400, 1280)
COST = {"en": "$0.0772 reviews", "zh": "审查 $0.0772"}

# A page with a script that inspects the report in frames; the report itself has no script.
_LOOKER = """<!doctype html><meta charset="utf-8"><body>
{frames}
<pre id="found"></pre>
<script>
addEventListener("load", () => {{
  const found = [...document.querySelectorAll("iframe")].map((frame) => {{
    const page = frame.contentDocument, root = page.documentElement;
    const style = (what) => frame.contentWindow.getComputedStyle(page.querySelector(what));
    return {{
      width: root.clientWidth,
      needed: root.scrollWidth,
      dark: frame.contentWindow.matchMedia("(prefers-color-scheme: dark)").matches,
      paper: style("body").backgroundColor,
      ink: style("body").color,
      title: page.title,
      heading: page.querySelector("h1").textContent,
      rounds: page.querySelectorAll("article.round").length,
      bars: page.querySelectorAll("rect.up").length,
      cut: [...page.querySelectorAll(".chart text")].filter((text) => text.getBBox().x < 0).length,
      letters: [...page.querySelectorAll(".chart text")].map((text) => 11 * text.getScreenCTM().a),
      checks: page.querySelectorAll("details.check").length,
      open: page.querySelectorAll("details[open]").length,
      reasons: page.querySelectorAll("details.why:not([open]) > ol > li").length,
      strangers: page.querySelectorAll("script, img, link, iframe, object").length,
      loaded: frame.contentWindow.performance.getEntriesByType("resource").length,
      text: page.body.innerText,
    }};
  }});
  document.getElementById("found").textContent = JSON.stringify(found);
}});
</script>"""


@pytest.fixture
def project(stubbed: CccProject) -> CccProject:
    """Return the project of a user with a browser."""
    needs("chromium")
    stubbed.env["TZ"] = "UTC"
    return stubbed


def browse(project: CccProject, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the browser without a window."""
    done = subprocess.run(
        [
            *("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
            *("--disable-extensions", "--no-first-run", "--allow-file-access-from-files"),
            *("--enable-logging=stderr", f"--user-data-dir={project.root / 'browser'}"),
            *arguments,
        ],
        env=project.env,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert "CONSOLE" not in done.stderr, done.stderr
    return done


def inspect_page(project: CccProject, *arguments: str) -> list[dict[str, Any]]:
    """Return what the browser measures on the page, at each width."""
    frames = "".join(
        f'<iframe src="report.html" style="border:0;width:{width}px;height:900px"></iframe>'
        for width in WIDTHS
    )
    looker = project.root / "looker.html"
    looker.write_text(_LOOKER.format(frames=frames), "utf-8")
    done = browse(project, *arguments, "--window-size=1400,1000", "--dump-dom", looker.as_uri())
    match = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.DOTALL)
    assert match is not None, done.stdout[:2_000]
    values: list[dict[str, Any]] = json.loads(unescape(match.group(1)))
    return values


def write(project: CccProject, language: str = "en", **more: Any) -> Path:
    """Write the report of a session."""
    Records(project.claude_dir / "ccc").add(SESSION, **more)
    path = project.root / "report.html"
    project.run("report", "-o", str(path), env={"CCC_LANG": language}).succeeded()
    return path


@pytest.mark.parametrize("language", ["en", "zh"])
def test_in_light_and_dark(project: CccProject, language: str) -> None:
    """The page is complete in both schemes, fits the window and loads nothing."""
    write(project, language)
    light, dark = inspect_page(project), inspect_page(project, "--force-dark-mode")
    for pages, is_dark in ((light, False), (dark, True)):
        assert [page["width"] for page in pages] == list(WIDTHS)
        for page in pages:
            assert page["needed"] <= page["width"]
            assert page["dark"] is is_dark
            assert (page["heading"], page["rounds"], page["bars"]) == (TASK, 5, 4 + 4 + 5)
            assert (page["checks"], page["open"]) == (10, 1)
            # the reviewers' actions are in closed sections
            assert page["reasons"] == 3 + 4 + 5 + 5
            assert "I ran the tests and the importer" in page["text"]
            assert (page["strangers"], page["loaded"]) == (0, 0)
            assert FEEDBACK.splitlines()[0] in page["text"]
            assert {"97%", COST[language]} <= set(page["text"].splitlines())
    assert light[0]["paper"] != dark[0]["paper"]
    assert brightness(light[0]["paper"]) > brightness(light[0]["ink"]) + 150
    assert brightness(dark[0]["ink"]) > brightness(dark[0]["paper"]) + 150


def brightness(colour: str) -> float:
    """Return the brightness of a colour, from 0 to 255."""
    red, green, blue = map(float, re.findall(r"[\d.]+", colour)[:3])
    return 0.3 * red + 0.6 * green + 0.1 * blue


def test_others_texts(project: CccProject) -> None:
    """Text from a model or a check stays text, whatever its content and length."""
    wide = "x" * 3_000
    lines = [
        verdict(
            *(1, 10, "not_completed", f"{EVIL} {wide}"),
            receipts=[receipt(f"{EVIL} {wide}", 1, 1.0, f"{EVIL}\n{wide}")],
            tokens={"input": 1},
            cost_usd=12_345.678,
            diff={"files": 99_999, "added": 8_888_888, "removed": 7_777_777},
        )
    ]
    texts = {"provider": EVIL, "model": wide, "cwd": f"/{wide}", "outcome": EVIL}
    path = write(project, verdicts=lines, request=f"{EVIL} {wide}", **texts)
    assert escape(EVIL) in path.read_text()
    for page in inspect_page(project):
        assert page["strangers"] == 0
        assert page["title"].startswith("<script>")
        assert page["needed"] <= page["width"]
        assert EVIL in page["text"].replace("\n", "")


def test_a_page_of_many_rounds(project: CccProject) -> None:
    """A page with a hundred rounds of two tasks fits too."""
    prompts = [("p1", n) for n in range(1, 61)] + [("p2", n) for n in range(1, 41)]
    lines = [{**story()[2], "prompt_id": prompt, "iteration": n} for prompt, n in prompts]
    write(project, verdicts=lines)
    for page in inspect_page(project):
        assert (page["rounds"], page["bars"]) == (100, 300)
        assert page["needed"] <= page["width"]


@pytest.mark.parametrize("usd", [0.0000123, 0.0071, 0.014, 12_345.678])
@pytest.mark.parametrize("has_diff", [True, False])
def test_charts(project: CccProject, usd: float, has_diff: bool) -> None:
    """No label is cut off, and its letters are about as large as others, also of a single chart."""
    more = {"diff": {"files": 9, "added": 88_888, "removed": 7_777}} if has_diff else {}
    lines = [verdict(1, 10, "completed", cost_usd=usd, seconds=9.0, **more)]
    write(project, verdicts=lines, cost_usd=usd)
    for page in inspect_page(project):
        assert page["bars"] == 1 + has_diff
        assert page["cut"] == 0
        assert 9 < min(page["letters"]) <= max(page["letters"]) < 14


def test_a_picture(project: CccProject) -> None:
    """The browser renders a non-empty picture of the page."""
    page = write(project)
    picture = project.root / "report.png"
    browse(project, "--window-size=1280,2150", f"--screenshot={picture}", page.as_uri())
    data = picture.read_bytes()
    assert data.startswith(b"\x89PNG")
    assert len(data) > 50_000
    if directory := os.environ.get("CCC_PICTURES"):
        (Path(directory) / picture.name).write_bytes(data)
