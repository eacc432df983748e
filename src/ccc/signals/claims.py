"""Signals about the agent's words: claims without a trace, requests that left none."""

import re
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct, field

from ccc.claude.formats.activity import EDIT, RUN, Action
from ccc.model.evidence import HIGH, LOW, Signal
from ccc.signals import files
from ccc.signals.signal import signal

_TEST_COMMAND = re.compile(
    r"\b(?:py\.?test|unittest|tox|nox|vitest|jest|mocha|ava|karma|playwright|cypress|rspec|phpunit"
    r"|ctest|bats|pester|busted)\b|\b(?:npm|yarn|pnpm|bun|deno)\s+(?:run\s+|-s\s+)*(?:test|t\b|check)"
    r"|\b(?:go|cargo|mix|dotnet|swift|zig|dart|flutter|sbt|lein|gradlew?|mvn\w*)\s+(?:\S+\s+){0,6}?test\b"
    r"|\b(?:make|just|task|rake|ninja)\s+(?:\S+\s+){0,6}?(?:test|check|ci|verify)\S*"
    r"|(?:^|[\s/;&|])(?:test[-_s]?\w*|\w+[-_]tests?|check\w*)\.(?:sh|py|js|ts|rb|pl)\b"
    r"|(?:^|[\s/;&|])tests?/\S+|\bnode\s+--test\b"
)
_TEST_WORDS = (
    *("test", "tox", "nox", "jest", "mocha", "ava", "karma", "playwright", "cypress", "rspec"),
    *("phpunit", "bats", "pester", "busted", "check", "ci", "verify", " t"),
)
"""Each such command contains one of them."""
_NO_RUN = re.compile(
    r"\b(?:ba|da|z)?sh -n \S+|\bpy_compile\b.*|--collect-only.*|\bnode --check \S+|--listTests.*"
    r"|(?:^|(?<=[;&|\n]))\s*(?:awk|cat|chmod|cp|diff|echo|git|grep|head|less|ls|mv|nl|printf|rg|rm|sed"
    r"|tail|touch|wc)\s[^;&|\n]*"
)
"""Commands that name tests without running them."""
_FILTERED = re.compile(
    r"\s-k[\s=]|\s-run[\s=]|--filter|\s-t\s|::|--grep|\s-g\s|[-_]?test-?name-?pattern|--deselect"
    r"|--ignore|--exclude|--skip",
    re.IGNORECASE,
)
_CLAIM = re.compile(
    r"\b(?:all\s+(?:of\s+the\s+|the\s+)?|every\s+|the\s+|both\s+)?(?:\w+\s+)?(?:tests?|suite|checks?|specs?)\s+"
    r"(?:are\s+|is\s+|now\s+|all\s+|still\s+|have\s+|has\s+|suite\s+|run\s+){0,4}(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?|ok)\b"
    r"|\b(?:\d+|all)\s+(?:tests?\s+)?(?:passed|passing)\b|\bran\b[^.\n]{0,40}\b(?:tests?|suite)\b"
    r"|\b(?:is|are|all|everything)\s+green\b|\beverything (?:passes|is green)"
    r"|\b\d+ (?:of|/) ?\d+ (?:tests? )?(?:ok|pass\w*)\b"
    r"|\bverified (?:with|by|that) (?:\w+ ){0,6}tests?\b"
    r"|测试(?:用例)?(?:已|已经)?(?:全部|都|均)?(?:已|已经)?(?:通过|跑通|成功)|(?:已|已经)?(?:运行|跑)(?:了|过)(?:\S{0,6})测试"
    r"|全部通过",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"\b(?:not|no|never|can(?:'|no)t|couldn't|didn't|don't|doesn't|haven't|hasn't|won't|wasn't"
    r"|unable|without|should|would|once|until|if|when|please|to verify|make sure|ensure)\b"
    r"|没有|没能|未|无法|不能|应该|请|如果|需要|待",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\b(?:if|once|until|unless|except|but|when)\b|如果|除了|但", re.IGNORECASE)
_COMMITTED = re.compile(
    r"\b(?:I(?:'ve| have)?\s+|is\s+|are\s+|was\s+|been\s+|and\s+|^)(?:committed|pushed)\b"
    r"|已(?:经)?(?:提交|推送)|提交了|推送了",
    re.IGNORECASE | re.MULTILINE,
)
_CHANGED = re.compile(
    r"\b(?:creat|add|updat|chang|modif|wr[oi]t|rewr|remov|delet|renam|fix|implement|extend|edit)\w*"
    r"|新增|新建|创建|添加|修改|更新|删除|重写|修复|实现",
    re.IGNORECASE,
)
_ENDINGS = (
    r"(?:py|pyi|[cm]?[jt]sx?|go|rs|rb|java|kt|swift|c|h|cc|cpp|hpp|cs|php|sh|bash|md|rst|txt|json"
    r"|ya?ml|toml|ini|cfg|html|css|scss|sql|vue|svelte|lua|ex|exs|csv|lock|xml|proto|env|mk)"
)
_PATH = re.compile(
    rf"`([\w./@-]+\.{_ENDINGS})`|(?<![\w/`.@-])((?:[\w@-]+/)+[\w@.-]+\.{_ENDINGS})\b"
)
_ITEM = re.compile(
    r"^[ \t]*(?:[-*+•]|\d{1,2}[.)、]|[(（]\d{1,2}[)）]|[①-⑳])\s*(?:\[.\]\s*)?(\S.*)$", re.MULTILINE
)
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{3,}")
_CJK = re.compile(r"[\u4e00-\u9fff]{2,}")
_STOP_WORDS = frozenset(
    "this that with from have should must when then them they there make sure also into each every "
    "please only very more most some such same other than after before while where which what will "
    "would could using used uses need needs want file files code line lines function method test "
    "tests write create update change remove check run implement support handle without like just "
    "does doesn both your their been being were all and the for not add".split()
)
_COMMON_CJK = re.compile(
    r"测试|用例|文档|补充|新增|增加|添加|修改|更新|支持|需要|相应|同步|最后|全部|所有|都要|跑通|之后|告诉|每一|[补写改加要]"
)
_SENTENCE = re.compile(r"(?<=[.!?。！？;；])\s+|\n+|(?<=[。！？；])")
_LONGEST_MESSAGE, _LONGEST_SENTENCE, _LONGEST_REQUESTS = 20_000, 400, 100_000
_MOST_RUNS, _MOST_TRIES, _MOST_CLAIMS = 1_000, 200, 50
_LONGEST_COMMAND = 500
_MOST_ITEMS, _MOST_TOKENS = 30, 8
_FEWEST_WORDS, _FEWEST_PAIRS = 2, 3


class Work(Struct, frozen=True):
    """What is known about the agent's work."""

    message: str  # the agent's last message
    requests: Sequence[str]
    actions: Sequence[Action] = ()
    names: Collection[str] = field(default_factory=tuple)  # the paths of all changed files
    trace: str = ""  # the text of the diff and of the agent's messages
    passed: Sequence[str] = ()  # the commands of the checks that passed just now
    has_commit: bool | None = None
    """Whether there is a commit since the task began; None if that is unknown."""


def find(work: Work) -> Iterator[Signal]:
    """Yield claims without a trace, and requests that nothing refers to."""
    yield from _tests(work)
    yield from _commits(work)
    yield from _files(work)
    yield from _forgotten(work)


def _sentences(message: str) -> list[str]:
    """Return the sentences of a message; of a very long one, those at its end."""
    parts = _SENTENCE.split(message[-_LONGEST_MESSAGE:])
    return [part.strip()[:_LONGEST_SENTENCE] for part in parts if part and part.strip()]


def _claims(message: str, pattern: re.Pattern[str]) -> list[str]:
    """Return the sentences that claim something, without doubts, wishes and conditions."""
    found = []
    for sentence in _sentences(message):
        match = pattern.search(sentence)
        if not match or _DENIAL.search(sentence[: match.end()]):
            continue
        if not _CONDITION.search(sentence[match.end() :]):
            found.append(sentence)
    return found


def _tests(work: Work) -> Iterator[Signal]:
    claims = _claims(work.message, _CLAIM)
    if not claims or any(_runs_tests(each) or each in work.message for each in work.passed):
        return
    number, whole = _last_runs(work)
    says, quotes = "the agent says that tests pass, but", (claims[0],)
    if number is None:
        yield signal("claim_without_run", HIGH, f"{says} it ran no test command", quotes=quotes)
        return
    last = work.actions[number]
    later = [a.target for a in work.actions[number + 1 :] if _edits_code(a)]
    if last.failed:
        text = f"{says} its last test command failed: {last.target[:80]}"
        yield signal("claim_after_failure", HIGH, text, quotes=quotes)
    elif later:
        text = f"{says} it edited {files.name(later[-1])} after its last test run"
        yield signal("claim_before_edit", HIGH, text, later[-1], quotes=quotes)
    elif whole and whole.failed:
        text = f"{says} its last run of all tests failed, and it ran only a selection since"
        yield signal("claim_by_selection", HIGH, text, quotes=(*quotes, last.target[:80]))


def _last_runs(work: Work) -> tuple[int | None, Action | None]:
    """Return the number of the last test run, and the last run that wasn't a selection."""
    last = None
    tries = 0
    for number in range(len(work.actions) - 1, -1, -1):
        action = work.actions[number]
        if action.kind != RUN or not _may_run_tests(action.target, work.passed):
            continue
        if _runs_tests(action.target, work.passed):
            last = number if last is None else last
            if not _FILTERED.search(action.target):
                return last, action
        tries += 1
        if tries > _MOST_TRIES:
            break
    return last, None


def _may_run_tests(command: str, checks: Sequence[str] = ()) -> bool:
    return any(word in command for word in (*_TEST_WORDS, *checks))


def _runs_tests(command: str, checks: Sequence[str] = ()) -> bool:
    if any(check in command for check in checks):
        return True
    return bool(_TEST_COMMAND.search(_NO_RUN.sub("", command)))


def _edits_code(action: Action) -> bool:
    return action.kind == EDIT and not action.failed and not files.is_document(action.target)


def _commits(work: Work) -> Iterator[Signal]:
    if work.has_commit is False and (claims := _claims(work.message, _COMMITTED)):
        text = "the agent says that it committed, but there is no new commit"
        yield signal("claim_without_commit", HIGH, text, quotes=(claims[0],))


def _files(work: Work) -> Iterator[Signal]:
    """Yield files that the agent says it changed, without a change."""
    claims = [each for each in _claims(work.message, _CHANGED) if _PATH.search(each)]
    if not claims:
        return
    touched = {files.name(a.target) for a in work.actions if a.kind == EDIT and not a.failed}
    touched |= {files.name(name) for name in work.names}
    runs = [action.target for action in work.actions if action.kind == RUN]
    commands = "\n".join(run[:_LONGEST_COMMAND] for run in runs[-_MOST_RUNS:])
    for sentence in claims[:_MOST_CLAIMS]:
        verb = _CHANGED.search(sentence)
        for match in _PATH.finditer(sentence):
            path = match[1] or match[2]
            name = files.name(path)
            # `changed a.py to match b.py`: only the first file is said to be changed
            is_object = (
                verb is not None
                and match.start() - verb.end() < 40
                and match.start() >= verb.start()
            )
            if is_object and name not in touched and name not in commands:
                text = f"the agent says that it changed {path}, but the file is unchanged"
                yield signal("claim_without_change", HIGH, text, path, quotes=(sentence,))
            break


def _forgotten(work: Work) -> Iterator[Signal]:
    """Yield list items of the requests that left no trace."""
    trace = work.trace.casefold() + work.message.casefold()
    items = _ITEM.findall("\n".join(work.requests)[:_LONGEST_REQUESTS])
    for item in items[:_MOST_ITEMS] if len(items) > 1 else ():
        tokens = _tokens(item)[:_MOST_TOKENS]
        if tokens and not any(token in trace for token in tokens):
            text = "nothing in the change or in the agent's messages refers to this request"
            yield signal("request_without_trace", LOW, text, quotes=(item,))


def _tokens(item: str) -> list[str]:
    """Return the telling words of a request; none if there are too few to tell anything."""
    words = [word.casefold() for word in _WORD.findall(item)]
    words = [word for word in words if word not in _STOP_WORDS]
    runs = _CJK.findall(_COMMON_CJK.sub(" ", item))
    pairs = [run[at : at + 2] for run in runs for at in range(len(run) - 1)]
    return [*words, *pairs] if len(words) >= _FEWEST_WORDS or len(pairs) >= _FEWEST_PAIRS else []
