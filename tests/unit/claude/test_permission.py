"""An unattended agent's permissions: rules for claude, options that allow a call, run endings."""

import pytest

from ccc.claude.formats import permission
from ccc.claude.formats.permission import ALL, EDIT, SANDBOX, Call, Denials

NPM = Call("Bash", "npm install left-pad")
STAR = Call("Bash", "rm *.o")


class TestRules:
    def test_edit(self) -> None:
        """It allows edits and checks, and nothing of the sandbox."""
        assert permission.for_agent(EDIT, False, ["make test"], ["WebSearch"]) == {
            "permissions": {
                "defaultMode": "acceptEdits",
                "allow": ["Bash(make test)", "WebSearch"],
            }
        }

    def test_sandbox(self) -> None:
        """Every command runs in it, checks and allowed commands outside it, and none without it."""
        given = permission.for_agent(SANDBOX, True, ["make test"], ["Bash(npm install *)", "Edit"])
        assert given == {
            "permissions": {
                "defaultMode": "acceptEdits",
                "allow": ["Bash(*)", "Bash(make test)", "Bash(npm install *)", "Edit"],
            },
            "sandbox": {
                "enabled": True,
                "autoAllowBashIfSandboxed": True,
                "failIfUnavailable": True,
                "excludedCommands": ["make test", "npm install *"],
            },
        }

    def test_without_a_sandbox_nothing_is_open(self) -> None:
        """If the sandbox can't run, the rule that allows every command is absent."""
        given = permission.for_agent(SANDBOX, False, [], [])
        assert given == {"permissions": {"defaultMode": "acceptEdits", "allow": []}}

    def test_all(self) -> None:
        """It allows everything, by claude's own mode."""
        assert permission.for_agent(ALL, True, [], []) == {
            "permissions": {"defaultMode": "bypassPermissions", "allow": []}
        }

    @pytest.mark.parametrize(
        ("check", "rules"),
        [
            ("make test", ["make test"]),
            (" make test ", ["make test"]),
            ("a && b; c", ["a && b; c", "a", "b", "c"]),
            ("make test 2>&1 | tail -5", ["make test 2>&1 | tail -5", "make test 2>&1", "tail -5"]),
            ("echo 'a && b'", ["echo 'a && b'"]),
            ('echo "x; \\" y"', ['echo "x; \\\\" y"']),
            ("(cd x && make)", ["\\(cd x && make\\)", "cd x", "make"]),
            ("echo $(date)", ["echo $\\(date\\)"]),
            ("sh *.sh && make", ["make"]),
            ("echo 'unfinished", ["echo 'unfinished"]),
            ("", []),
        ],
    )
    def test_checks(self, check: str, rules: list[str]) -> None:
        """A check is allowed as written, and so is each of its parts; brackets are escaped."""
        given = permission.for_agent(EDIT, False, [check], [])["permissions"]
        assert isinstance(given, dict)
        assert given["allow"] == [f"Bash({rule})" for rule in rules]


@pytest.mark.parametrize(
    ("call", "rules"),
    [
        (NPM, ["Bash(npm install *)"]),
        (Call("Bash", "npm install"), ["Bash(npm install *)"]),
        (Call("Bash", "./npm ci --quiet"), ["Bash(./npm ci *)"]),
        # exactly what was denied, for commands that may run, delete or reach anything
        (Call("Bash", "ls -la"), ["Bash(ls -la)"]),
        (Call("Bash", "python3 x.py"), ["Bash(python3 x.py)"]),
        (Call("Bash", "sudo npm install x"), ["Bash(sudo npm install x)"]),
        (Call("Bash", "npm run build"), ["Bash(npm run build)"]),
        (Call("Bash", "ssh host true"), ["Bash(ssh host true)"]),
        (Call("Bash", "npm ci $(cat x)"), ["Bash(npm ci $\\(cat x\\))"]),
        (Call("Bash", "X=1 make"), ["Bash(X=1 make)"]),
        (Call("Bash", "rm *.o"), ["Bash(rm \\*.o*)"]),
        # by pipe, else as a whole
        (Call("Bash", "npm ci && ./b | tail -3"), ["Bash(npm ci && ./b)", "Bash(tail -3)"]),
        (Call("Bash", "a || b; c"), ["Bash(a || b; c)"]),
        (Call("Bash", "for i in 1; do a | b; done"), ["Bash(for i in 1; do a | b; done)"]),
        (Call("Bash", "cat <<E | sh\nrm /x\nE"), ["Bash(cat <<E | sh\nrm /x\nE)"]),
        (Call("Bash", "x" * 400 + "\ny"), ["Bash(" + "x" * 400 + "\ny)"]),
        # with the files elsewhere
        (Call("Bash", "a > /b/c 2>&1"), ["Bash(a > /b/c 2>&1)", "Edit(//b/c)"]),
        (Call("Bash", "a 2>/dev/null >b"), ["Bash(a 2>/dev/null >b)"]),
        (Call("Bash", "rm -rf '/a b' c"), ["Bash(rm -rf '/a b' c)", "Edit(//a b)"]),
        (Call("Bash", "cp /a ~/b"), ["Bash(cp /a ~/b)", "Read(//a)", "Edit(~/b)"]),
        (Call("Bash", "cd /a && b"), ["Bash(cd /a && b)"]),
        (Call("Bash", "cd /a && b | c"), ["Bash(cd /a && b)", "Bash(c)", "Read(//a)"]),
        (Call("Bash", "cd .. && make"), ["Bash(cd .. && make)"]),
        # claude has no rule
        (Call("Bash", "(cd a && make)"), []),
        (Call("Bash", "a && (b)"), []),
        (Call("Bash", "a & b"), []),
        (Call("Bash", "a >> ~/b"), []),
        (Call("Bash", "touch ../a"), []),
        (Call("Bash", "rm /a/*"), []),
        (Call("Bash", ""), ["Bash"]),
        (Call("Write", "/etc/hosts"), ["Edit(//etc/hosts)"]),
        (Call("Edit", "/a (b)"), ["Edit(//a \\(b\\))"]),
        (Call("Read", "/etc/hosts"), ["Read(//etc/hosts)"]),
        (Call("WebFetch", "https://u:p@example.com:80/x"), ["WebFetch(domain:example.com)"]),
        (Call("WebSearch", "how"), ["WebSearch"]),
        (Call("mcp__github__list", ""), ["mcp__github__list"]),
    ],
)
def test_the_rules_for_a_call(call: Call, rules: list[str]) -> None:
    """The rules would have allowed the call, and little more: the command, a file, a host."""
    assert permission.rules_for(call) == rules
    assert all(permission.is_rule(rule) for rule in rules)


def test_the_options() -> None:
    """Each rule appears once, quoted for the shell."""
    calls = [NPM, Call("Bash", "npm install x"), Call("WebSearch")]
    assert permission.options_for(calls) == "--allow 'Bash(npm install *)' --allow WebSearch"
    assert permission.options_for([NPM, Call("Bash", "(a)")]) == permission.ANYTHING


def test_a_star_is_no_excluded_command() -> None:
    """There it would match any text."""
    given = permission.for_agent(SANDBOX, True, ["sh *.sh"], permission.rules_for(STAR))
    assert given["permissions"] == {
        "defaultMode": "acceptEdits",
        "allow": ["Bash(*)", "Bash(rm \\*.o*)"],
    }
    assert isinstance(given["sandbox"], dict)
    assert given["sandbox"]["excludedCommands"] == []


def test_denied_calls_are_read_and_kept() -> None:
    """Each denied tool and argument is kept once; questions and plans are not permissions."""
    raw = [
        {"tool_name": "Bash", "tool_input": {"command": " npm install \n", "description": "x"}},
        {"tool_name": "Bash", "tool_input": {"command": "npm install"}},
        {"tool_name": "Write", "tool_input": {"file_path": "/a (b)", "content": "x"}},
        {"tool_name": "WebSearch", "tool_input": "?"},
        {"tool_name": "AskUserQuestion", "tool_input": {}},
        {"tool_name": "ExitPlanMode"},
        "nonsense",
    ]
    calls = permission.parse_denials(raw)
    assert list(map(str, calls)) == ["Bash(npm install)", "Write(/a (b))", "WebSearch"]
    assert tuple(permission.parse(str(call)) for call in calls) == calls
    assert permission.parse_denials(None) == ()


def test_all_calls_are_named_once() -> None:
    """The calls of both turns are named once."""
    assert Denials((NPM,), (NPM, Call("WebSearch"))).calls == (NPM, Call("WebSearch"))


@pytest.mark.parametrize(
    ("chosen", "mode", "users", "level"),
    [
        ("", "", {}, SANDBOX),
        (EDIT, "", {}, EDIT),
        (EDIT, "acceptEdits", {}, EDIT),
        (EDIT, "bypassPermissions", {}, ALL),
        ("", "", {"permissions": {"defaultMode": "bypassPermissions"}}, ALL),
        (EDIT, "", {"permissions": {"defaultMode": "bypassPermissions"}}, EDIT),
        ("", "", {"permissions": {"defaultMode": "plan"}}, SANDBOX),
        ("", "", {"permissions": None}, SANDBOX),
    ],
)
def test_the_level(chosen: str, mode: str, users: dict[str, object], level: str) -> None:
    """claude's arguments come first, then ccc.json, then a user's mode that never asks."""
    assert permission.level_of(chosen, mode, users) == level


@pytest.mark.parametrize("text", ["Bash", "Bash(x)", "mcp__a__b-c", "mcp__a__*", "Bash(a (b) c)"])
def test_rules(text: str) -> None:
    """A rule is a tool, with or without something in brackets."""
    assert permission.is_rule(text)


@pytest.mark.parametrize(
    "text",
    ["", "npm install", "Bash()", "Bash(x", "(x)", "--x", "mcp__*x", "A(b), C(d)", "A(b) C(d)"],
)
def test_no_rules(text: str) -> None:
    """Anything else is no rule."""
    assert not permission.is_rule(text)
