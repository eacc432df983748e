"""`share_key_with_hooks`: copies that claude doesn't remove, and the script that restores them."""

import subprocess

import pytest

from ccc.claude import binary
from ccc.claude.formats import environment

KEY = "sk-canary-Hq7Zt2Vw9Xk4Rn8Lm3Pd6Jc5"
PROVIDER = {"ANTHROPIC_BASE_URL": "https://kimi.example", "ANTHROPIC_AUTH_TOKEN": KEY}
SCRIPT = "/opt/it's ours/share_key.sh"


def launched(**users: str) -> dict[str, str]:
    """Return the environment of a launch that shares the key."""
    env = environment.for_claude(users, PROVIDER, 10, "s")
    return environment.share_keys(env, SCRIPT)


def test_what_is_added() -> None:
    """The key gets a copy under another name, and claude a prefix that restores it."""
    before, after = environment.for_claude({}, PROVIDER, 10, "s"), launched()
    added = {name: after[name] for name in after.keys() - before.keys()}
    assert added == {
        "CCC_SHARED_ANTHROPIC_AUTH_TOKEN": KEY,
        "CLAUDE_CODE_SHELL_PREFIX": SCRIPT,
    }


def test_the_copy_stays_in_the_session() -> None:
    """Reviewer, checks, notifications and the next launch don't get the key's copy."""
    env = launched() | {"ANTHROPIC_AUTH_TOKEN": KEY}
    assert KEY not in environment.for_checks(env, ()).values()
    assert KEY not in environment.for_notification(env, ()).values()
    other = {"ANTHROPIC_BASE_URL": "https://glm.example", "ANTHROPIC_AUTH_TOKEN": "other"}
    assert KEY not in environment.for_reviewer(env, other).values()
    again = environment.share_keys(environment.for_claude(env, other, 10, "t"), SCRIPT)
    assert KEY not in again.values()
    assert again["CCC_SHARED_ANTHROPIC_AUTH_TOKEN"] == "other"


@pytest.mark.parametrize(
    ("users", "script"),
    [
        ({"CLAUDE_CODE_SHELL_PREFIX": "/my/wrapper"}, SCRIPT),
        ({}, "/opt/a -b/share_key.sh"),
        ({}, ""),
    ],
)
def test_when_nothing_is_shared(users: dict[str, str], script: str) -> None:
    """A prefix of the user's own stays, and a path that claude would split isn't used."""
    env = environment.for_claude(users, PROVIDER, 10, "s")
    assert environment.share_keys(env, script) == env


def test_a_login_is_not_shared() -> None:
    """Without a provider's key claude hides nothing."""
    env = environment.for_claude({}, {}, 10, "s")
    assert environment.share_keys(env, SCRIPT) == env


def test_the_script_restores_every_hidden_variable() -> None:
    """The script exports each of them, and runs the command as the shell would."""
    copies = {environment.SHARED + name: f"{name} 'value'" for name in environment.HIDDEN}
    command = 'env; echo "$1|it\'s" "a  b"; exit 7'
    done = subprocess.run(
        [binary.share_key_script(), command],
        env={"PATH": "/usr/bin:/bin", **copies},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = done.stdout.splitlines()
    assert {f"{name}={name} 'value'" for name in environment.HIDDEN} <= set(lines)
    assert (lines[-1], done.returncode) == ("|it's a  b", 7)


def test_the_script_exports_nothing_else() -> None:
    """Without a copy, the variable stays unset."""
    done = subprocess.run(
        [binary.share_key_script(), "env"],
        env={"PATH": "/usr/bin:/bin", "SHELL": "/usr/bin/fish"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "ANTHROPIC" not in done.stdout
    assert not {line.partition("=")[0] for line in done.stdout.splitlines()} & {"name", "value"}


def test_a_shell_that_is_not_installed() -> None:
    """As in claude, another shell runs the command: ccc's own hook is one of them."""
    env = {"PATH": "/usr/bin:/bin", "SHELL": "/nonexistent/bash"}
    line = [binary.share_key_script(), "echo hi"]
    done = subprocess.run(line, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "hi\n", "")
