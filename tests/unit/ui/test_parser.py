"""Command lines: errors are in the user's language and point to the usage."""

import pytest

from ccc import words
from ccc.errors import CccError
from ccc.ui.arguments import Parser, usage


@pytest.mark.parametrize(
    ("line", "english", "chinese"),
    [
        (["--nope"], "unknown: --nope", "未知的参数 --nope"),
        (["--number"], "--number needs a value", "--number 需要一个值"),
        (["--number", "x"], '--number: expected a number, got "x"', "应为数字，而不是“x”"),
        (["--kind", "c"], '--kind: expected one of a, b, got "c"', "应为 a, b 之一"),
        (["--kind", "sk-secret-1"], 'expected one of a, b, got "…"', "而不是“…”"),
        (["--numbr", "1"], "unknown: --numbr. Did you mean --number?", "是不是想用 --number？"),
        (["--numbr=1"], "unknown: --numbr. Did you mean --number?", "是不是想用 --number？"),
        (
            ["--all", "--none"],
            "--none can't be used with --all",
            "--none 与 --all 不能同时使用",
        ),
        ([], "missing: name", "缺少 name"),
    ],
)
def test_mistakes(line: list[str], english: str, chinese: str) -> None:
    """Each kind of mistake has its own message in both languages."""
    parser = Parser("run")
    parser.add_argument("name")
    parser.add_argument("--number", type=int)
    parser.add_argument("--kind", choices=["a", "b"])
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--all", action="store_true")
    either.add_argument("--none", action="store_true")
    for language, text in (("en", english), ("zh", chinese)):
        words.use({"CCC_LANG": language})
        with pytest.raises(CccError) as caught:
            parser.parse_args(["n", *line] if line else [])
        assert text in str(caught.value)
        assert caught.value.hint == "usage.see"
        assert "ccc run --help" in caught.value.remedy


@pytest.mark.parametrize("word", ["--help", "-h"])
def test_help(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Help prints the command's usage, whatever else is on the line."""
    assert Parser("run").parse(["--nope", word]) is None
    assert capsys.readouterr().out.strip() == usage("run")
