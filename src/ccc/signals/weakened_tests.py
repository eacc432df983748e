"""Signals about tests: deleted, skipped, with fewer assertions or other expectations."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set

from ccc.model.evidence import HIGH, LOW, Signal
from ccc.signals import files, patch
from ccc.signals.patch import FileChange, Line, contains
from ccc.signals.signal import signal, signal_at

_TEST_NAME = re.compile(
    r"^\s*(?:async\s+)?def\s+(test\w*)|^\s*func\s+(Test\w+|Fuzz\w+)|^\s*fn\s+(test\w*)"
    r"|^\s*(?:it|test|describe)(?:\.\w+)?\(\s*[\"'`](.+?)[\"'`]|^\s*@test\s+[\"'](.+?)[\"']"
    r"|^\s*(?:public\s+)?void\s+(\w*[tT]est\w*)\s*\(|^\s*(test_\w+)\s*\(\)\s*\{"
)
_ASSERTION = re.compile(
    r"\bassert\w*\b|\bself\.assert\w+|\bexpect\s*\(|\.should\b|\bshould\s+(?:eq|be|==|match|include|raise)|\bt\.(?:Error|Fatal)\w*\("
    r"|[!=]=\s*[\w.]{0,40}\b(?:want|expected)|\brequire\.\w+\("
    r"|pytest\.raises|^\s*(?:if |! )?\[\[?\s.*\]\]?\s*(?:\|\||&&|;|$)|^\s*(?:diff|cmp|grep)\s"
)
_SKIP = re.compile(
    r"pytest\.mark\.(?:skip|skipif|xfail)|pytest\.(?:skip|xfail)\(|unittest\.(?:skip|expectedFail)"
    r"|@skip\b|\b(?:it|test|describe)\.(?:skip(?:If)?|todo|only|failing)\b|\bx(?:it|describe|test)\("
    r"|pytest\.importorskip|\.skipTest\(|\b__test__\s*=\s*False"
    r"|\bt\.Skip\w*\(|#\[ignore|@(?:Disabled|Ignore)\b|^\s*skip\s+[\"']|--deselect|-k\s+.?not "
)
_WEAK = re.compile(
    r"\.(?:not\.)?toBe(?:Defined|Truthy|Falsy|Undefined|Null|InstanceOf)\(|\bassertIsNotNone\("
    r"|^\s*assert\s.*\bis not None\s*$|^\s*assert\s+[\w.]+(?:\([^()]*\))?\s*$|\bassert\.NotNil\("
)
_EXACT = re.compile(
    r"==|\.to(?:Be|Equal|StrictEqual|MatchObject)\(|\bassertEqual\(|\bassert\.Equal\("
)
"""A comparison with a value; a weak assertion only says that there is one."""
_PLATFORM = re.compile(
    r"sys\.platform|os\.name|version_info|OSTYPE|GOOS|process\.platform|which\("
    r"|not (?:installed|available|supported)",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    r"assert\s+(?:True|1)\s*(?:#|$)|assertTrue\(\s*True\s*\)|expect\(\s*true\s*\)\.toBe\(\s*true"
    r"|assert\.(?:ok|True)\(\s*(?:t,\s*)?true\s*\)|assert\s.*\bor True\b"
)
_TOLERANCE = re.compile(
    r"\b(?:approx|isclose|allclose|InDelta|InEpsilon|(?:to)?(?:be)?CloseTo|assert\w*AlmostEqual)\b"
    r"|\b(?:rel|abs|atol|rtol|delta|tol(?:erance)?|eps(?:ilon)?|places|within|timeout|retries|threshold)\s*[=:(]",
    re.IGNORECASE,
)
_LITERAL = re.compile(
    r"\"[^\"]*\"|'[^']*'|`[^`]*`|\b\d[\d_.]*(?:e-?\d+)?\b|\b(?:True|False|None)\b"
    r"|\b(?:true|false|null|nil)\b"
)

_REMOVAL = re.compile(
    r"\b(?:remove|delete|drop|get rid|retire)\w*\b|删除|去掉|移除|\brevert\w*", re.IGNORECASE
)
_REMARK = re.compile(r"\s*(?:#|//|\*|\"\"\")")
_SAME_START = 0.6
_MOST_NAMES, _MOST_FILES = 300, 100
_TEST_WORDS = ("def test", "func test", "func fuzz", "fn test", "it", "test", "describe")
"""Each line that begins a test contains one of them."""


def find(changes: Sequence[FileChange], requests: str) -> Iterator[Signal]:
    """Yield what happened to tests; what the user's requests name is left out."""
    tests = [change for change in changes if files.is_test(change.path)]
    before, after = patch.removed_texts(tests), Counter(_texts(tests))
    yield from _deleted(tests, requests)
    for change in tests:
        yield from _skipped(change, requests, before)
        yield from _emptied(change)
        yield from _fewer_assertions(change, after)
        yield from _weaker_assertions(change)
        yield from _expectations(change, requests)
    yield from _snapshots(changes, requests)


def _weaker_assertions(change: FileChange) -> Iterator[Signal]:
    """Yield comparisons that became assertions about nothing in particular."""
    lines = [
        new
        for hunk in change.hunks
        for old, new in patch.pairs(hunk)
        if _EXACT.search(old.text) and _WEAK.search(new.text) and not _EXACT.search(new.text)
    ]
    if lines:
        text = "an assertion was replaced by a weaker one"
        yield signal_at("assertions_removed", HIGH, text, change, lines=lines)


def _deleted(tests: Sequence[FileChange], requests: str) -> Iterator[Signal]:
    """Yield deleted tests that appear nowhere else, not even under a similar name."""
    new = [name for each in tests for name in _names(each.added)][:_MOST_NAMES]
    # as many new tests as before: rather replaced than lost
    severity = LOW if len(new) >= sum(len(_names(each.removed)) for each in tests) else HIGH
    gone = [change for change in tests if contains(change.removed, _TEST_WORDS)]
    for change in gone[:_MOST_FILES]:
        names = [name for name in _lost(change, new) if not _is_asked_for(name, requests)]
        if not names or (change.is_deleted and files.name(change.path) in requests):
            continue
        first = next(line for line in change.removed if _name(line.text) in names)
        how = "the whole file is deleted" if change.is_deleted else "removed"
        count = f"{len(names)} test{'s' if len(names) > 1 else ''}"
        text = f"{count} {how}: {', '.join(names[:5])}{', …' if len(names) > 5 else ''}"
        line = 0 if change.is_deleted else first.number
        yield signal("tests_deleted", severity, text, change.path, line=line)


def _lost(change: FileChange, new: Sequence[str]) -> list[str]:
    """Return the names of tests that are gone; a similar new name means a renamed test."""
    removed, known = _names(change.removed), {*new}
    unmatched = [name for name in known if name not in {*removed}]
    lost = []
    for name in removed:
        if name in known:
            continue
        if similar := [each for each in unmatched if _resemble(name, each)]:
            unmatched.remove(similar[0])
        else:
            lost.append(name)
    return lost


def _resemble(one: str, other: str) -> bool:
    shared = int(_SAME_START * max(len(one), len(other))) + 1
    return one[:shared] == other[:shared]


def _is_asked_for(name: str, requests: str) -> bool:
    """Whether the user wants the test, or what it tests, removed."""
    parts = [part for part in re.split(r"_|(?=[A-Z])|\s", name) if len(part) > 2]
    subjects = [part.casefold() for part in parts if part.casefold() not in ("test", "tests")]
    wishes = [
        text.casefold() for text in re.split(r"[\n.;。；]", requests) if _REMOVAL.search(text)
    ]
    return any(subject in wish for wish in wishes for subject in (name.casefold(), *subjects))


def _names(lines: Sequence[Line]) -> list[str]:
    return [name for line in lines if (name := _name(line.text))][:_MOST_NAMES]


def _name(text: str) -> str:
    match = _TEST_NAME.match(text)
    return next(filter(None, match.groups()), "") if match else ""


def _texts(changes: Sequence[FileChange]) -> Iterator[str]:
    return (line.text.strip() for change in changes for line in change.added)


def _skipped(change: FileChange, requests: str, before: Set[str]) -> Iterator[Signal]:
    earlier = sum(bool(_SKIP.search(line.text)) for line in change.removed)
    lines = [line for line in change.added if _SKIP.search(line.text)]
    if len(lines) <= earlier or re.search(r"\bskip|xfail|跳过", requests, re.IGNORECASE):
        return
    if lines := [line for line in lines if line.text.strip() not in before]:
        severity = LOW if all(_PLATFORM.search(line.text) for line in lines) else HIGH
        text = "tests are skipped or expected to fail"
        yield signal_at("tests_skipped", severity, text, change, lines=lines)


def _emptied(change: FileChange) -> Iterator[Signal]:
    if lines := [line for line in change.added if _EMPTY.search(line.text)]:
        yield signal_at("tests_emptied", HIGH, "an assertion that can't fail", change, lines=lines)


def _fewer_assertions(change: FileChange, after: Mapping[str, int]) -> Iterator[Signal]:
    """Yield a loss of assertions in tests that still exist; `after` has all added lines."""
    if change.is_deleted or change.is_new:
        return
    lost, gained = (
        [line for line in lines if _ASSERTION.search(line.text) and not _REMARK.match(line.text)]
        for lines in (change.removed, change.added)
    )
    own = Counter(line.text.strip() for line in gained)
    moved = sum(1 for line in lost if after.get(text := line.text.strip(), 0) > own[text])
    number = len(lost) - moved - len(gained)
    if number > 0 and not _lost(change, _names(change.added)):
        lines = [line for line in lost if not after.get(line.text.strip())]
        what = f"{number} assertion{'s' if number > 1 else ''} fewer than before"
        yield signal_at("assertions_removed", HIGH, what, change, lines=lines)


def _expectations(change: FileChange, requests: str) -> Iterator[Signal]:
    """Yield expectations that were edited in place: other literals, wider tolerances."""
    edited: list[Line] = []
    widened: list[Line] = []
    for hunk in change.hunks:
        for old, new in patch.pairs(hunk):
            is_assertion = _ASSERTION.search(old.text + new.text) and not _REMARK.match(new.text)
            if old.text == new.text or not is_assertion:
                continue
            if _LITERAL.sub("_", old.text).strip() != _LITERAL.sub("_", new.text).strip():
                if _tolerances(new.text) - _tolerances(old.text):
                    widened.append(new)
                continue
            values = set(_LITERAL.findall(new.text)) - set(_LITERAL.findall(old.text))
            if any(value.strip("\"'`") in requests for value in values):
                continue
            (widened if _TOLERANCE.search(new.text) else edited).append(new)
    if edited:
        yield signal_at(
            "expectation_edited", LOW, "an expected value was changed", change, lines=edited
        )
    if widened:
        yield signal_at("tolerance_changed", HIGH, "a tolerance was changed", change, lines=widened)


def _tolerances(text: str) -> set[str]:
    return {match.casefold() for match in _TOLERANCE.findall(text)}


def _snapshots(changes: Sequence[FileChange], requests: str) -> Iterator[Signal]:
    """Yield recorded expectations that were recorded again."""
    if re.search(r"snapshot|golden|快照", requests, re.IGNORECASE):
        return
    for change in changes:
        if files.is_snapshot(change.path) and not change.is_new:
            what = "deleted" if change.is_deleted else "changed"
            yield signal("snapshot_changed", LOW, f"a recorded expectation was {what}", change.path)
