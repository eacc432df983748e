"""docs/seeds.md lists every scenario of the requirements with the tests that name it."""

import ast
import re
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent
PAGE = TESTS.parent / "docs" / "seeds.md"
SCENARIOS = {
    "000": """
supervisor 循环启动
Agent Phase → Supervisor Phase
Supervisor Phase → Agent Phase（未完成）
Supervisor Phase → 结束（已完成）
启动 Agent pty
解析 stream-json
捕获用户输入
检测 Agent 停止
Fork session 调用 Supervisor
检测完成标记
捕获 Supervisor 反馈
读取项目级 SUPERVISOR.md
fallback 到全局 SUPERVISOR.md
SUPERVISOR.md 不存在
解析 session_id
解析消息类型
解析错误处理
""",
    "001": """
启用 Supervisor Mode
Supervisor Mode 指定提供商
Supervisor Mode 传递参数
解析 hook 参数
读取 hook 输入
迭代次数限制
调用 Supervisor
Supervisor 返回完成
Supervisor 返回未完成
生成带 Hook 的 Settings
生成 Supervisor 专用 Settings
Hook 命令绝对路径
创建状态文件
更新迭代次数
迭代次数达到限制
保存 stream-json 输出
原始输出到 stderr
解析 --supervisor
解析 --supervisor 与提供商
""",
    "002": """
State 文件 Enabled 为 true 时执行 Supervisor
State 文件 Enabled 为 false 时跳过 Supervisor
State 文件不存在时默认跳过
正常 Hook 调用（使用 Claude Agent SDK）
State 文件 Enabled 为 false 时跳过
State 文件结构（更新）
加载旧 State 文件兼容性
supervisor.md 内容格式
supervisoroff.md 内容格式
用户使用 /supervisor 命令
用户使用 /supervisoroff 命令
""",
    "003": """
显示 log 路径提示
State 目录路径计算
自定义 State 目录
Hook 调用开始
Supervisor 调用中
审查结果输出
任务完成
hook-invocation.log 格式
supervisor 输出日志格式
解析 stream-json
结果 JSON Schema
""",
    "004": """
启用 Supervisor Mode
禁用 Supervisor Mode
默认参数为启用
缺少 CCC_SUPERVISOR_ID
总是设置 CCC_SUPERVISOR_ID
总是生成带 Hook 的 Settings
创建 supervisor.md 命令文件
创建 supervisoroff.md 命令文件
显示帮助（更新）
""",
}
"""The titles of the scenarios, by document."""


def on_the_page(text: str) -> dict[tuple[str, str], tuple[list[str], str]]:
    """Return each scenario on the page with its tests and its status."""
    rows: dict[tuple[str, str], tuple[list[str], str]] = {}
    document = ""
    for line in text.splitlines():
        if heading := re.match(r"## (\d{3}): ", line):
            document = heading.group(1)
        elif line.startswith("| ") and not line.startswith("| scenario"):
            title, tests, holds = (cell.strip() for cell in line.strip("|").split("|"))
            assert (document, title) not in rows, line
            rows[document, title] = (re.findall(r"`([^`]+)`", tests), holds)
    return rows


def in_the_tests() -> dict[tuple[str, str], set[str]]:
    """Return each scenario with the tests whose docstrings name it."""
    tests: dict[tuple[str, str], set[str]] = defaultdict(set)
    titles = sorted(scenarios(), key=lambda key: len(key[1]), reverse=True)
    for path in sorted(TESTS.rglob("test_*.py")):
        for name, docstring in _docstrings(ast.parse(path.read_text()), ""):
            for document, title in titles:
                if re.search(re.escape(f"{document}/{title}") + r"\s*[:;,]", docstring):
                    tests[document, title].add(f"{path.relative_to(TESTS)}::{name}")
    return tests


def _docstrings(node: ast.AST, inside: str) -> list[tuple[str, str]]:
    docstrings = []
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            docstrings += _docstrings(child, f"{inside}{child.name}::")
        elif isinstance(child, ast.FunctionDef) and child.name.startswith("test"):
            docstrings.append((inside + child.name, ast.get_docstring(child) or ""))
    return docstrings


def scenarios() -> list[tuple[str, str]]:
    """Return the document and title of every scenario."""
    return [
        (number, t) for number, titles in SCENARIOS.items() for t in titles.strip().splitlines()
    ]


def problems(text: str) -> list[str]:
    """Return the problems of the page."""
    page, tests = on_the_page(text), in_the_tests()
    result = [f"missing: {key}" for key in scenarios() if key not in page]
    result += [f"unknown: {key}" for key in page if key not in scenarios()]
    for key, (listed, holds) in page.items():
        if not listed or not holds:
            result.append(f"blank: {key}")
        for test in {*listed} ^ tests[key]:
            where = "the page" if test in listed else "the docstring"
            result.append(f"only {where} names {test} for {key}")
    return result


def test_the_page() -> None:
    """The page lists all 67 scenarios, each with the tests that name it and its status."""
    assert len(scenarios()) == 67
    assert problems(PAGE.read_text()) == []


def row(text: str, title: str) -> str:
    """Return the line of a scenario."""
    return next(line for line in text.splitlines() if line.startswith(f"| {title} |"))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda line: "", "missing: ('004', '默认参数为启用')"),
        (lambda line: line.replace("默认参数为启用", "另一个"), "unknown: ('004', '另一个')"),
        (lambda line: re.sub(r"\| `[^|]*\|", "|  |", line), "blank: ('004', '默认参数为启用')"),
        (lambda line: line.replace("as written", ""), "blank: ('004', '默认参数为启用')"),
        (lambda line: line.replace("test_no_word", "test_none"), "only the page names"),
        (lambda line: line.replace("`contract", "`a.py::b`<br>`contract"), "only the page names"),
    ],
)
def test_what_is_wrong_is_found(change: Callable[[str], str], problem: str) -> None:
    """The check reports a missing scenario, a blank cell and a test that doesn't exist."""
    text = PAGE.read_text()
    line = row(text, "默认参数为启用")
    changed = change(line)
    assert changed != line
    assert any(problem in each for each in problems(text.replace(line, changed)))
