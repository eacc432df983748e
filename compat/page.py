"""Write docs/compatibility.md and the answers that ccc ships."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ccc import words
from ccc.claude.capabilities import CAPABILITIES, version_number
from ccc.claude.known_claudes import KNOWN_VERSIONS
from ccc.selftest.selftest import Report
from compat.journeys import FAILS, JOURNEYS, REFUSED, SILENT, TOLD, Result

FILE = Path(__file__).parent.parent / "docs" / "compatibility.md"
_HEAD = """\
# Compatibility

[中文](compatibility.zh-CN.md)

What works with which version of Claude Code. `make compat` generates this page and the answers that
ccc ships (`src/ccc/claude/known_versions.json`); don't edit it. It runs `ccc doctor --deep
--interactive` and the journeys below with the real claude of each version and a scripted model,
{where}.

If ccc doesn't know your version, the first launch tests it in the background. `ccc doctor --deep`
shows the result.
"""
_HEAD_ZH = """\
# 兼容性

[English](compatibility.md)

哪个版本的 Claude Code 能做什么。本页和 ccc 自带的结果（`src/ccc/claude/known_versions.json`）由
`make compat` 生成，请勿手工修改。它用每个版本的真实 claude 和脚本模型运行
`ccc doctor --deep --interactive` 以及下面的流程（{where}）。

如果 ccc 不认识你的版本，首次启动时会在后台测试它。`ccc doctor --deep` 会显示结果。
"""
_JOURNEYS = """\
- **launch**: `ccc kimi -p hi` while settings.json names another endpoint, key and model
- **`-p /supervisor`**: `/supervisor …` as a message to `ccc kimi -p --input-format stream-json`; a
  check fails once, then the reviewer runs a command, tries to write to the project, and is
  satisfied
- **review fails**: `ccc kimi -p "/supervisor …"` with a provider that refuses the review
- **interactive**: the same as the second one, with `ccc --supervisor kimi` on a terminal
- **`ccc run`**, **`ccc demo`**, **`ccc doctor`**

“Told” means that ccc says what is missing and what it does about it. `make compat` fails if a
journey fails and nobody is told.
"""
_JOURNEYS_ZH = """\
- **launch**：`ccc kimi -p hi`，同时 settings.json 设置了另一个接口地址、密钥和模型
- **`-p /supervisor`**：`/supervisor …` 作为消息发给 `ccc kimi -p --input-format stream-json`；
  检查先失败一次，然后审查者运行一条命令，尝试写入项目，最后认可
- **review fails**：`ccc kimi -p "/supervisor …"`，但提供商拒绝审查
- **interactive**：与第二项相同，但在终端中用 `ccc --supervisor kimi`
- **`ccc run`**、**`ccc demo`**、**`ccc doctor`**

“说明”表示 ccc 会说明缺少什么以及如何处理。只要有流程失败而没有任何说明，`make compat` 就会失败。
"""
_TEXTS = {
    "en": {
        "head": _HEAD,
        "where": "{system}, {user}",
        "user": "not as root",
        "root": "as root",
        "capabilities": "Capabilities",
        "journeys": "Journeys",
        "version": "version",
        "about": "✓ works, ✗ is missing, ? could not be tested.",
        "about_journeys": _JOURNEYS,
        "works": "works",
        "fails": "told: {detail}",
        "told": "works, told: {told}",
        "refused": "refused: {detail}",
        "silent": "fails silently: {detail}",
    },
    "zh": {
        "head": _HEAD_ZH,
        "where": "{system}，{user}",
        "user": "非 root 用户",
        "root": "root 用户",
        "capabilities": "能力",
        "journeys": "流程",
        "version": "版本",
        "about": "✓ 可用，✗ 缺少，? 无法测试。",
        "about_journeys": _JOURNEYS_ZH,
        "works": "可用",
        "fails": "有说明：{detail}",
        "told": "可用，并说明：{told}",
        "refused": "拒绝：{detail}",
        "silent": "悄无声息地失败：{detail}",
    },
}

Measured = Mapping[str, tuple[Report, Mapping[str, Result]]]
"""The self-test and the journeys of each version, the newest first."""


def write(measured: Measured, system: str) -> None:
    """Write the page in both languages."""
    for language, texts in _TEXTS.items():
        words.use({"CCC_LANG": language})
        file = FILE if language == "en" else FILE.with_name("compatibility.zh-CN.md")
        file.write_text(_page(measured, texts, system), "utf-8")
    words.use({"CCC_LANG": "en"})


def _page(measured: Measured, texts: Mapping[str, str], system: str) -> str:
    user = texts["root" if os.geteuid() == 0 else "user"]
    where = texts["where"].format(system=system, user=user)
    parts = [
        texts["head"].format(where=where),
        f"## {texts['capabilities']}",
        texts["about"],
        _capabilities(measured),
        f"## {texts['journeys']}",
        texts["about_journeys"],
        _journeys(measured, texts),
    ]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _capabilities(measured: Measured) -> str:
    marks = {True: "✓", False: "✗", None: "?"}
    rows = [["", *measured]]
    for name in CAPABILITIES:
        answers = [marks[report.answers.get(name)] for report, _ in measured.values()]
        rows.append([f"`{name}`: {words.say(f'selftest.{name}')}", *answers])
    return _table(rows)


def _journeys(measured: Measured, texts: Mapping[str, str]) -> str:
    rows = [[texts["version"], *JOURNEYS]]
    for version, (_, results) in measured.items():
        rows.append([version, *(_cell(name, results[name], texts) for name in JOURNEYS)])
    return _table(rows)


def _cell(name: str, result: Result, texts: Mapping[str, str]) -> str:
    refused = "fails" if name == FAILS else "refused"
    kind = {TOLD: "told", REFUSED: refused, SILENT: "silent"}.get(result.kind, "works")
    told = ", ".join(f"`{name}`" for name in result.told)
    return texts[kind].format(told=told, detail=result.detail.replace("|", "\\|"))


def _table(rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def ship(measured: Measured) -> None:
    """Write the answers into known_versions.json, and keep those about other versions."""
    path = Path(KNOWN_VERSIONS)
    known = {each["version"]: each for each in json.loads(path.read_text("utf-8"))["versions"]}
    for version, (report, _) in measured.items():
        known[version] = _entry(version, report, _only_root_lacks(version, known))
    ordered = sorted(known.values(), key=lambda each: version_number(str(each["version"])))
    lines = ",\n".join(f"    {json.dumps(each)}" for each in ordered)
    path.write_text(f'{{\n  "versions": [\n{lines}\n  ]\n}}\n', "utf-8")


def _only_root_lacks(version: str, known: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return what is known about root; for a new version, what both of its neighbours lack."""
    if version in known:
        return list(known[version].get("as_root", ()))
    number, ordered = version_number(version), sorted(known, key=version_number)
    below = [each for each in ordered if version_number(each) < number][-1:]
    above = [each for each in ordered if version_number(each) > number][:1]
    if not below or not above:
        return []
    lower, upper = (known[each].get("as_root", ()) for each in (*below, *above))
    return [name for name in lower if name in upper]


def _entry(version: str, report: Report, as_root: Sequence[str]) -> dict[str, object]:
    """Return a version's answers; what only root lacks is apart."""
    is_root = os.geteuid() == 0
    missing = [name for name in report.missing if not (is_root and name in as_root)]
    entry: dict[str, object] = {"version": version, "missing": missing}
    if report.unknown:
        entry["unknown"] = list(report.unknown)
    if apart := [name for name in as_root if name not in missing]:
        entry["as_root"] = apart
    return entry
