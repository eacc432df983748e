"""Signals in the program's changed lines: stubs, weakened gates, constants."""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence, Set

from ccc.model.evidence import HIGH, LOW, Signal
from ccc.signals import dropped_errors, files, patch
from ccc.signals.patch import FileChange, Line, contains
from ccc.signals.signal import signal_at

_STUB = re.compile(
    r"(?<![\w-])(?:TODO|FIXME|XXX|HACK)\b|NotImplementedError|\b(?:todo|unimplemented)!\("
    r"|(?<!return )not[ _-]?(?:yet[ _-])?implemented|\bimplement (?:me|this|later)\b"
    r"|(?:#|//|return|[\"']).*\bplaceholder\b(?!\"?\s*[=:(])(?! (?:is|are)\b)|\bplaceholder for now"
    r"|\b(?:in|for) a real (?:implementation|world|app)|\bsimplified (?:version|for now)"
    r"|\b(?:stub|dummy|mock|fake)(?:bed)? (?:implementation|value|data|response|result)s?\b"
    r"|待实现|未实现|占位|暂时(?:先|返回)|以后再|先返回空|简化处理|后续(?:再|完善|补充)"
    r"|(?:#|//)\s*for now\b",
    re.IGNORECASE,
)
_STUB_WORDS = (
    *("todo", "fixme", "xxx", "hack", "implement", "placeholder", "in a real", "for a real"),
    *("simplified", "stub", "dummy", "mock", "fake", "实现", "占位", "暂时", "以后", "先返回"),
    *("简化", "后续", "for now"),
)
_DEFINITION = re.compile(r"^\s*(?:async\s+)?(?:def|class)\s.*:\s*(#.*)?$")
_NOTHING = re.compile(r"^\s*(?:pass|\.\.\.)\s*(?:#.*)?$")
_DOCSTRING = re.compile(r"^\s*(?:\"\"\"|''').*(?:\"\"\"|''')\s*$")
_COMMENT = re.compile(r"^\s*(?:#|//(?![/!]))\s?(.*)$")
_CODE = re.compile(
    r"[;{}]\s*$|^\s*return\b|^\s*(?:if|for|while|def|const|let|var|import|from)\b.*[:(=;]"
    r"|^\s*[\w.]+\(.*\)\s*;?$|^\s*[\w.]+\s*[-+*]?=\s*\S"
)
_FEWEST_COMMENTED = 3

_SUPPRESSION = re.compile(
    r"#\s*(?:noqa|type:\s*ignore|pylint:\s*disable|pragma:\s*no cover|nosec)|eslint-disable"
    r"|@ts-(?:ignore|nocheck|expect-error)|//\s*nolint|#\[allow\(|@SuppressWarnings|rubocop:disable"
)
_SUPPRESSION_WORDS = (
    *("noqa", "ignore", "disable", "pragma", "nosec", "nocheck", "expect-error", "nolint"),
    *("allow(", "suppresswarnings"),
)
_WEAKER = re.compile(
    r"\|\|\s*(?:true|:|echo)|continue-on-error:\s*true|allow_failure:\s*true|collect_ignore"
    r"|pytest_collection_modifyitems|pytest_runtest|pytest_ignore_collect|monkeypatch|--deselect"
    r"|--exit-zero|--max-warnings[= ][1-9-]|--no-verify|passWithNoTests"
    r"|\bif:\s*false|@true\b|\bexit 0\b"
    r"|\b(?:per-file-)?(?:ignore|exclude|omit|skip(?!_install|_missing)|disable)[\w-]*\"?\s*[:=]"
    r"(?!\s*\{?\s*version)|-k\s+[\"']?not "
    r"|--(?:ignore(?!-unknown)|exclude|skip)[\w-]*[= ]|[:=]\s*[\"']?(?:off|warn)[\"']?\s*,?\s*$"
    r"|\bset \+e\b|--retries",
    re.IGNORECASE,
)
_LIST_OF_EXCEPTIONS = re.compile(
    r"\b(?:ignore|exclude|omit|skip|disable|allow)[\w.-]{0,40}\"?\s*(?:[:=]\s*)?(?:[\[({]\s*)?$",
    re.IGNORECASE,
)
_ENTRY = re.compile(r"^\s+(?:-\s|[\"'\w^*.\[{(}\])])")
_FLOOR = re.compile(
    r"(?:floor|fail[-_]under|threshold|minimum|min[-_]?\w{0,20}|lines|branches|functions|statements"
    r"|coverage)\"?\s*[:=>]+\s*\"?(\d+(?:\.\d+)?)",
    re.IGNORECASE,
)
_STRICT = re.compile(
    r"strict|error|disallow|check|warn_|\bno[A-Z_]|lint|test|valid|verif|enforce|fail|require",
    re.IGNORECASE,
)
_OFF = re.compile(r"[:=]\s*[\"']?(?:false|off|0|warn|none|no)\b", re.IGNORECASE)
_ASKS_FOR_LESS = re.compile(
    r"\b(?:ignore|exclude|omit|disable|relax|loosen|lower|allow|turn off|skip)\b"
    r"|忽略|排除|跳过|放宽|降低|关闭|禁用",
    re.IGNORECASE,
)
_ABOUT_GATES = re.compile(
    r"\b(?:CI|workflow|pipeline|lint\w*|ruff|mypy|eslint|tsconfig|coverage|pre-commit|conftest"
    r"|golangci\w*|pytest)\b|流水线|静态检查|覆盖率",
    re.IGNORECASE,
)
_VERSION = re.compile(r"[\w.^~<>=-]*\d[\w.]*|#.*$")
_LITERAL = re.compile(r"\"([^\"\\]{4,80})\"|'([^'\\]{4,80})'|\b(\d{3,}(?:\.\d+)?|\d+\.\d{2,})\b")
_EXPECTING = re.compile(r"\bassert|\bexpect\b|\bEqual|\btoBe|\bshould\b|\bwant\b|==|\bdiff\b")
_ANSWERING = re.compile(r"\breturn\b|=>|\bcase\b|\?\s|^\s*[\"'\d].*:\s|\becho\b|\bprint")
_RETURNED = re.compile(r"^\s*return\s+(?:\"[^\"]*\"|'[^']*'|[\d.]+);?\s*$")
_FEWEST_EXPECTED, _FEWEST_CONSTANTS = 2, 4
_MOST_FILES, _MOST_ANSWERS, _MOST_USES, _LONGEST_LINE = 30, 30, 20, 500
_COMMON_NUMBERS = {"100", "1000", "1024", "200", "201", "204", "400", "401", "403", "404", "500"}


def find(
    changes: Sequence[FileChange], requests: str, tests: Mapping[str, str], checks: Sequence[str]
) -> Iterator[Signal]:
    """Yield the signals; `tests` has the text of the project's test files."""
    before = patch.removed_texts(changes)
    for change in changes:
        if change.is_deleted or files.is_snapshot(change.path):
            continue
        yield from _gate(change, requests, checks)
        if not files.is_document(change.path):
            yield from _suppressions(change, before)
        if files.is_code(change.path):
            yield from _stubs(change, requests, before)
            yield from _commented_out(change, before)
            yield from dropped_errors.find(change, before)
    code = [each for each in changes if files.is_code(each.path) and not each.is_deleted]
    for change in code[:_MOST_FILES]:
        yield from _constants(change, tests, requests)


def _stubs(change: FileChange, requests: str, before: Set[str]) -> Iterator[Signal]:
    added = change.added if contains(change.added, _STUB_WORDS) else []
    lines = [
        line
        for line in added
        if (match := _STUB.search(line.text))
        and line.text.strip() not in before
        and match[0].casefold() not in requests.casefold()
    ]
    lines += [line for line in _empty_bodies(change) if line.text.strip() not in before]
    if lines:
        text = "a stub or a note about missing work"
        yield signal_at(
            "stub", HIGH, text, change, lines=sorted(lines, key=lambda line: line.number)
        )


def _empty_bodies(change: FileChange) -> list[Line]:
    """Return added definitions whose body is `pass` or `...`."""
    empty: list[Line] = []
    definition = None
    if not contains(change.added, ("pass", "...")):
        return empty
    for hunk in change.hunks:
        for sign, line in hunk.lines:
            if sign == "-":
                continue
            if definition and sign == "+" and _NOTHING.match(line.text):
                empty.append(definition)
            if not (definition and _DOCSTRING.match(line.text)):
                is_definition = _DEFINITION.match(line.text) and "Error" not in line.text
                is_abstract = "Protocol" in line.text or "class" in line.text
                definition = line if is_definition and not is_abstract else None
    return empty


def _commented_out(change: FileChange, before: Set[str]) -> Iterator[Signal]:
    block: list[Line] = []
    for line in [*change.added, Line(0, "")]:
        comment = _COMMENT.match(line.text)
        if comment and _CODE.search(comment[1]) and line.text.strip() not in before:
            block.append(line)
        elif not comment or not block:
            if len(block) >= _FEWEST_COMMENTED:
                text = f"{len(block)} lines of code are commented out"
                yield signal_at("commented_out", LOW, text, change, lines=block)
            block = []


def _suppressions(change: FileChange, before: Set[str]) -> Iterator[Signal]:
    if not contains(change.added, _SUPPRESSION_WORDS):
        return
    earlier = sum(bool(_SUPPRESSION.search(line.text)) for line in change.removed)
    lines = [line for line in change.added if _SUPPRESSION.search(line.text)]
    lines = lines if len(lines) > earlier else []
    if lines := [line for line in lines if line.text.strip() not in before]:
        yield signal_at(
            "check_suppressed", LOW, "a linter or type checker is silenced", change, lines=lines
        )


def _gate(change: FileChange, requests: str, checks: Sequence[str]) -> Iterator[Signal]:
    """Yield changes to what decides whether work passes: gates, and the checks' own scripts.

    A request that names the file explains a change, but not that less is checked.
    """
    what = "what decides whether work passes was changed"
    may_weaken = files.may_gate(change.path) and not _ASKS_FOR_LESS.search(requests)
    weaker = _weaker_lines(change) if may_weaken else []
    decides = files.is_gate(change.path) or _is_script(change.path, checks)
    unasked = decides and not _explains(change.path, requests)
    if weaker:
        yield signal_at("gate_changed", HIGH, what, change, lines=weaker)
    elif unasked and not change.is_new and change.removed and not _is_version_bump(change):
        yield signal_at("gate_changed", LOW, what, change, lines=[*change.added, *change.removed])


def _is_script(path: str, checks: Sequence[str]) -> bool:
    """Whether a check runs this file, which is no test."""
    if files.is_test(path) or not any(path in line for line in checks):
        return False
    name = re.compile(rf"(?<![\w.-]){re.escape(path)}(?![\w-])")
    return any(map(name.search, checks))


def _is_version_bump(change: FileChange) -> bool:
    """Whether nothing but versions is different."""
    old, new = (
        [_VERSION.sub("", line.text).strip() for line in lines]
        for lines in (change.removed, change.added)
    )
    return old == new


def _explains(path: str, requests: str) -> bool:
    known = requests.casefold()
    return files.name(path).casefold() in known or bool(_ABOUT_GATES.search(requests))


def _weaker_lines(change: FileChange) -> list[Line]:
    """Return the lines after which less is checked."""
    lines = []
    for hunk in change.hunks:
        is_list = False
        for sign, line in hunk.lines:
            if sign != "+":
                # a list that continues: only its new entries are of interest
                is_list = bool(_LIST_OF_EXCEPTIONS.search(line.text)) or (
                    is_list and bool(_ENTRY.match(line.text))
                )
            elif _WEAKER.search(line.text) or (is_list and _ENTRY.match(line.text)):
                lines.append(line)
        lines += [new for old, new in patch.pairs(hunk) if _lowers(old.text, new.text)]
    before = {line.text.strip() for line in change.removed}
    return [line for line in lines if line.text.strip() not in before]


def _lowers(old: str, new: str) -> bool:
    """Whether a floor was lowered, or a check turned off."""
    if _STRICT.search(old) and _OFF.search(new) and not _OFF.search(old):
        return True
    first, second = _FLOOR.search(old), _FLOOR.search(new)
    return bool(first and second and float(second[1]) < float(first[1]))


def _literals(text: str) -> list[str]:
    found = ["".join(groups) for groups in _LITERAL.findall(text)]
    return [value for value in found if value not in _COMMON_NUMBERS]


def _constants(change: FileChange, tests: Mapping[str, str], requests: str) -> Iterator[Signal]:
    """Yield results that tests expect, where the program returns them as constants."""
    before = "\n".join(line.text for line in change.removed)
    lines: list[Line] = []
    values: dict[str, tuple[str, bool]] = {}
    is_whole = False
    for line, literals in _answers(change):
        own = [value for value in literals if value not in before and value not in requests]
        known = {value: use for value in own if (use := _use(value, tests))}
        if known:
            lines.append(line)
            values |= known
            is_expected = next(iter(known.values()))[1]
            is_whole = is_whole or bool(_RETURNED.match(line.text) and is_expected)
    expected = sum(is_expected for _, is_expected in values.values())
    if is_whole or expected >= _FEWEST_EXPECTED or len(values) >= _FEWEST_CONSTANTS:
        test = files.name(next(iter(values.values()))[0])
        text = f"the program contains results that {test} expects: {', '.join([*values][:3])}"
        yield signal_at("expected_constant", LOW, text, change, lines=lines)


def _answers(change: FileChange) -> Iterator[tuple[Line, list[str]]]:
    """Yield the added lines that may give a result, with their literals."""
    some = itertools.islice(
        (line for line in change.added if _ANSWERING.search(line.text)), _MOST_ANSWERS
    )
    for line in some:
        if literals := _literals(line.text):
            yield line, literals


def _use(value: str, tests: Mapping[str, str]) -> tuple[str, bool] | None:
    """Return a test file with the literal, and whether an assertion compares with it."""
    use = None
    for path, text in tests.items():
        at = text.find(value)
        for _ in range(_MOST_USES):
            if at < 0:
                break
            end = text.find("\n", at)
            line = text[text.rfind("\n", 0, at) + 1 : end if end >= 0 else len(text)]
            line = line[:_LONGEST_LINE]
            if value in _literals(line):
                if _EXPECTING.search(line):
                    return path, True
                use = use or (path, False)
            at = text.find(value, max(end, at + len(value))) if end >= 0 else -1
    return use
