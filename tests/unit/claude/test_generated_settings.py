"""The settings of the agent and the reviewer, and how far settings let claude reach."""

import copy
import json
from typing import Any

import pytest

from ccc.claude.formats import generated_settings, settings

COMMAND = settings.hook_command("/opt/ccc/bin/ccc")
STATUS = "Supervisor: reviewing the work"
STRICT = {"defaultMode": "dontAsk", "deny": list(generated_settings.DENIED)}
ENTRY = settings.hook_entry(COMMAND, STATUS)
HOOK = ENTRY["hooks"][0]  # type: ignore[index]
TEMPLATE: dict[str, Any] = {
    "model": "opus",
    "hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "mine"}]}],
        "PreToolUse": [{"hooks": [{"type": "command", "command": "lint"}]}],
    },
    "permissions": {
        "allow": ["WebFetch"],
        "deny": ["Read(./.env)"],
        "ask": ["Bash(rm:*)"],
        "defaultMode": "bypassPermissions",
    },
    "disableAllHooks": False,
    "sandbox": {"enabled": False, "network": {"x": 1}},
}


def test_the_agent_has_the_templates_hooks_and_ours() -> None:
    """The agent's file has the template's hooks, the harmless env, and the identical ccc hook."""
    agent = generated_settings.for_agent(TEMPLATE, {"API_TIMEOUT_MS": "1"}, COMMAND, STATUS, "/r")
    hooks: Any = agent["hooks"]
    assert hooks["PreToolUse"] == TEMPLATE["hooks"]["PreToolUse"]
    assert hooks["Stop"] == [*TEMPLATE["hooks"]["Stop"], ENTRY]
    assert agent["env"] == {"API_TIMEOUT_MS": "1"}
    others = [key for key in TEMPLATE if key not in ("hooks", "permissions")]
    assert {key: agent[key] for key in others} == {key: TEMPLATE[key] for key in others}
    permissions: Any = agent["permissions"]
    users = TEMPLATE["permissions"]
    assert permissions == {**users, "deny": [*users["deny"], "Edit(//r/**)"]}
    assert (
        ENTRY["hooks"]
        == json.loads(settings.with_hook("", COMMAND, STATUS))["hooks"]["Stop"][0]["hooks"]
    )


def test_an_old_hook_in_the_template_is_not_doubled() -> None:
    """A ccc Stop hook that the user copied into the template results in one hook, not two."""
    template = {"hooks": {"Stop": [{"hooks": [{"command": "/old/ccc supervisor-hook"}]}]}}
    hooks: Any = generated_settings.for_agent(template, {}, COMMAND, STATUS, "/r")["hooks"]
    assert hooks["Stop"] == [{"hooks": [HOOK]}]


def test_without_env_there_is_no_env() -> None:
    """An empty env is not written."""
    assert "env" not in generated_settings.for_agent({}, {}, COMMAND, STATUS, "/r")
    assert "env" not in generated_settings.for_reviewer({}, {})


def test_the_reviewer_reads_only() -> None:
    """It has no hooks, scoped denies after the user's, none of the user's allows, and a sandbox."""
    before = copy.deepcopy(TEMPLATE)
    reviewer: Any = generated_settings.for_reviewer(TEMPLATE, {"API_TIMEOUT_MS": "1"})
    assert "hooks" not in reviewer
    assert reviewer["disableAllHooks"] is True
    permissions = reviewer["permissions"]
    assert permissions["deny"][0] == "Read(./.env)"
    assert {"Edit(./**)", "Bash(git commit:*)", "Bash(git push:*)"} <= set(permissions["deny"][1:])
    assert "WebFetch" not in permissions["allow"]
    assert "Bash" in permissions["allow"]
    assert permissions["ask"] == ["Bash(rm:*)"]
    assert permissions["defaultMode"] == "dontAsk"
    assert reviewer["sandbox"] == {
        "enabled": True,
        "allowUnsandboxedCommands": False,
        "network": {"x": 1},
    }
    assert reviewer["model"] == "opus"
    assert reviewer["env"] == {"API_TIMEOUT_MS": "1"}
    assert before == TEMPLATE


def test_without_our_sandbox_the_users_stays() -> None:
    """Without ccc's sandbox, the user's own is unchanged, and the denies are there."""
    reviewer: Any = generated_settings.for_reviewer(TEMPLATE, {}, sandbox=False)
    assert reviewer["sandbox"] == TEMPLATE["sandbox"]
    assert "Edit(./**)" in reviewer["permissions"]["deny"]
    assert "sandbox" not in generated_settings.for_reviewer({}, {}, sandbox=False)


def test_the_reviewers_denies_are_scoped() -> None:
    """A bare tool name would change the tool list, and with it the prompt cache."""
    deny: Any = generated_settings.for_reviewer({}, {})["permissions"]
    assert deny["deny"]
    assert all(rule.endswith(")") for rule in deny["deny"])


@pytest.mark.parametrize("permissions", [None, "x", [], {"deny": "x", "allow": None}])
def test_wrong_permissions_do_not_open_the_reviewer(permissions: object) -> None:
    """Whatever is in the user's rules, ccc's are there."""
    reviewer = generated_settings.for_reviewer({"permissions": permissions}, {})
    assert reviewer["permissions"] == generated_settings.for_reviewer({}, {})["permissions"]


@pytest.mark.parametrize(
    ("change", "ours"),
    [
        ({}, True),
        ({"disableAllHooks": False}, False),
        ({"permissions": None}, False),
        ({"permissions": {**STRICT, "deny": "x"}}, False),
        ({"permissions": {**STRICT, "deny": []}}, False),
        ({"permissions": {**STRICT, "defaultMode": "plan"}}, False),
        ({"permissions": {**STRICT, "deny": [*generated_settings.DENIED, "more"]}}, True),
        ({"permissions": {**STRICT, "deny": list(generated_settings.DENIED)[:1]}}, True),
        ({"permissions": {**STRICT, "deny": list(generated_settings.DENIED)[1:]}}, False),
    ],
)
def test_the_reviewers_settings_are_known_again(change: dict[str, object], ours: bool) -> None:
    """They are recognized by the lack of hooks and by ccc's rules, of any version."""
    content = {"disableAllHooks": True, "permissions": STRICT, **change}
    assert generated_settings.is_ours(json.dumps(content)) is ours
    assert not generated_settings.is_ours(json.dumps([content]))


def test_directories_beyond_the_project_are_denied() -> None:
    """Other directories that the agent may change are read-only for the reviewer, too."""
    found = generated_settings.for_reviewer({}, {}, beyond=("/repo/rest", "/other"))
    denied = found["permissions"]["deny"]  # type: ignore[index,call-overload]
    assert denied == [*generated_settings.DENIED, "Edit(//repo/rest/**)", "Edit(//other/**)"]


@pytest.mark.parametrize(
    ("rule", "place"),
    [
        ("Edit(//srv/data/**)", ["/srv/data"]),
        ("Write(//srv/*.txt)", ["/srv"]),
        ("MultiEdit(//srv/a.txt)", ["/srv/a.txt"]),
        ("Edit(~/notes/**)", ["~/notes"]),
        ("Edit(../lib/**)", ["../lib"]),
        ("Edit(**)", []),
        ("Edit(//**)", ["/"]),
        ("Edit", []),
        ("Read(//srv/**)", []),
        ("Bash(cp //srv/a:*)", []),
    ],
)
def test_rules(rule: str, place: list[str]) -> None:
    """What a rule lets claude edit, its sandbox lets commands write."""
    assert generated_settings.writable_places({"permissions": {"allow": [rule]}}) == place


def test_directories() -> None:
    """Both added directories and those writable in the sandbox are listed."""
    permissions = {"additionalDirectories": ["../a", 7], "allow": "Edit(//b/**)"}
    sandbox = {"filesystem": {"allowWrite": ["/c", "//d/**", "~/e", None]}}
    found = generated_settings.writable_places({"permissions": permissions, "sandbox": sandbox})
    assert found == ["../a", "/c", "/d", "~/e"]
    assert (
        generated_settings.writable_places({"permissions": [], "sandbox": {"filesystem": 1}}) == []
    )


def test_commands() -> None:
    """Commands that leave the sandbox are listed."""
    assert generated_settings.leaves_sandbox({"sandbox": {"excludedCommands": ["docker *"]}})
    for sandbox in ({}, {"excludedCommands": []}, {"excludedCommands": "docker *"}, None):
        assert not generated_settings.leaves_sandbox({"sandbox": sandbox})
