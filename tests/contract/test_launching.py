"""`ccc [provider] [claude args…]` with a claude that records how it was started."""

import json
import os
import sys
import uuid
from pathlib import Path

import pytest
from launches import GLM, option, two_providers, users

from harness import KEY, CccProject


class TestWhichProvider:
    def test_named(self, stubbed: CccProject) -> None:
        """The first word names the provider, and the choice is saved."""
        two_providers(stubbed).run("glm").succeeded()
        assert stubbed.launched.env["ANTHROPIC_AUTH_TOKEN"] == "sk-glm"
        assert stubbed.json(".claude/ccc.json")["current_provider"] == "glm"

    def test_current(self, stubbed: CccProject) -> None:
        """Without a name, the current provider is used."""
        two_providers(stubbed, current_provider="glm").run("-p", "hi").succeeded()
        assert stubbed.launched.env["ANTHROPIC_AUTH_TOKEN"] == "sk-glm"

    def test_first(self, stubbed: CccProject) -> None:
        """If the current provider is unset or gone, the first one in the file is used."""
        two_providers(stubbed, current_provider="gone").run().succeeded()
        assert stubbed.launched.env["ANTHROPIC_AUTH_TOKEN"] == KEY
        assert stubbed.json(".claude/ccc.json")["current_provider"] == "kimi"

    def test_of_the_directory(self, stubbed: CccProject) -> None:
        """The nearest directory that names a provider decides, and the current one stays."""
        outer, inner = str(stubbed.root), str(stubbed.directory)
        bound = {outer: {"provider": "kimi"}, inner: {"provider": "glm"}, "/elsewhere": {}}
        two_providers(stubbed, current_provider="kimi", projects=bound).run().succeeded()
        assert stubbed.launched.env["ANTHROPIC_AUTH_TOKEN"] == "sk-glm"
        assert stubbed.json(".claude/ccc.json")["current_provider"] == "kimi"

    def test_named_in_such_a_directory(self, stubbed: CccProject) -> None:
        """A provider on the command line wins, and the directory keeps its own."""
        bound = {str(stubbed.directory): {"provider": "glm"}}
        two_providers(stubbed, current_provider="glm", projects=bound).run("kimi").succeeded()
        assert stubbed.launched.env["ANTHROPIC_AUTH_TOKEN"] == KEY
        found = stubbed.json(".claude/ccc.json")
        assert (found["current_provider"], found["projects"]) == ("kimi", bound)

    def test_in_the_background(self, stubbed: CccProject) -> None:
        """A background session would not get the key, so ccc refuses and writes nothing."""
        outcome = stubbed.run("kimi", "--bg", "task")
        assert outcome.code == 1
        assert "--bg: background sessions can't use provider kimi\n" in outcome.stderr
        assert "passes neither the endpoint nor the key" in outcome.stderr
        assert stubbed.launches == []

    def test_in_the_background_with_the_login(self, stubbed: CccProject) -> None:
        """With the login it works, except for --supervisor: claude chooses the session's id."""
        stubbed.configure(providers={"official": {}})
        outcome = stubbed.run("--supervisor", "official", "--bg", "task")
        assert outcome.code == 1
        assert 'Begin the task with /supervisor: ccc --bg "/supervisor …"' in outcome.stderr
        stubbed.run("official", "--bg", "task").succeeded()
        assert "--session-id" not in stubbed.launched.argv
        assert "CLAUDE_CODE_DISABLE_AGENT_VIEW" not in stubbed.launched.env

    @pytest.mark.parametrize(
        ("word", "said"),
        [
            ("glmm", "unknown provider: glmm\nDid you mean glm? Known providers: kimi, glm"),
            ("zzz", '"zzz" is neither a command nor a provider\nCommands: clean, '),
            ("zzz", "\nProviders: kimi, glm\n"),
            ("mcp", "unknown provider: mcp\n`mcp` is a command of claude"),
            ("mcp", "ccc kimi mcp"),
            ("statu", 'unknown command "statu". Did you mean "status"?'),
            ("runn", 'unknown command "runn". Did you mean "run"?'),
            ("providers", 'unknown command "providers". Did you mean "provider"?'),
            ("deepseek", "the provider deepseek is not set up yet (ccc has a preset for it)"),
            ("deepseek", "Set it up: ccc provider add deepseek\n"),
            ("version", 'unknown command "version". Use: ccc --version'),
            ("list", 'unknown command "list". Use: ccc provider list'),
            ("resume", 'unknown command "resume". Use: ccc --resume, ccc run --continue'),
            ("supervisor", 'unknown command "supervisor". Use: ccc --supervisor, ccc run'),
            ("isntall", 'unknown command "isntall". Did you mean "install"?'),
        ],
    )
    def test_unknown(self, stubbed: CccProject, word: str, said: str) -> None:
        """An unknown name is an error with the known names; nothing is started or changed."""
        before = two_providers(stubbed).read(".claude/ccc.json")
        outcome = stubbed.run(word, "list")
        assert outcome.code == 1
        assert said in outcome.stderr
        assert outcome.stdout == ""
        assert stubbed.launches == []
        assert stubbed.read(".claude/ccc.json") == before
        assert os.listdir(stubbed.claude_dir) == ["ccc.json"]

    @pytest.mark.parametrize("key", ["sk-canary-123", "0f3e5a7b9c1d4e6f8a0b.Xy12", "eyJhbGciOi"])
    def test_a_key(self, stubbed: CccProject, key: str) -> None:
        """A key given as a name is not shown, and the ways to provide one are."""
        outcome = stubbed.run(key)
        assert outcome.code == 1
        assert "a key can't be an argument" in outcome.stderr
        assert "--key-stdin" in outcome.stderr
        assert key not in outcome.stderr
        assert stubbed.launches == []

    def test_a_provider_that_looks_like_a_command(self, stubbed: CccProject) -> None:
        """The exact name of a provider always wins."""
        stubbed.configure(providers={"statu": GLM})
        stubbed.run("statu").succeeded()
        assert stubbed.launched.env["ANTHROPIC_AUTH_TOKEN"] == "sk-glm"

    def test_a_typo_without_a_configuration(self, stubbed: CccProject) -> None:
        """Without a configuration, a typo suggests a command and a provider suggests init."""
        (stubbed.claude_dir / "ccc.json").unlink()
        assert 'Did you mean "status"?' in stubbed.run("statu").stderr
        assert "ccc init" in stubbed.run("kimi").stderr

    def test_words_that_cannot_be_a_name_are_claudes(self, stubbed: CccProject) -> None:
        """A prompt, a path or an option as the first word goes to claude."""
        for first in ("fix the tests", "/path/to", "-p", "--help-me", "./x"):
            stubbed.run(first).succeeded()
            assert stubbed.launches[-1].argv[-1] == first


class TestArguments:
    def test_untouched(self, stubbed: CccProject) -> None:
        """001/Supervisor Mode 传递参数: claude gets ["/path/to/project", "--help"]."""
        stubbed.run("--supervisor", "kimi", "/path/to/project", "--help").succeeded()
        assert users(stubbed.launched.argv) == ["/path/to/project", "--help"]

    def test_claude_args_come_first(self, stubbed: CccProject) -> None:
        """`claude_args` in the configuration come before the user's own arguments."""
        stubbed.configure(claude_args=["--verbose", "--model", "opus"])
        stubbed.run("kimi", "-p", "hi").succeeded()
        assert users(stubbed.launched.argv) == ["--verbose", "--model", "opus", "-p", "hi"]

    def test_a_new_session_has_our_id(self, stubbed: CccProject) -> None:
        """004/总是设置 CCC_SUPERVISOR_ID: a new one is a UUID, and the session's id."""
        stubbed.run("kimi").succeeded()
        session = stubbed.launched.env["CCC_SUPERVISOR_ID"]
        assert uuid.UUID(session).version == 4
        assert option(stubbed.launched.argv, "--session-id") == session
        state = stubbed.json(f".claude/ccc/supervisor-{session}.json")
        assert (state["enabled"], state["provider"]) == (False, "kimi")
        assert state["claude"] == str(stubbed.bin / "claude")

    def test_an_inherited_id_is_kept(self, stubbed: CccProject) -> None:
        """004/总是设置 CCC_SUPERVISOR_ID: an inherited one is kept, without --session-id."""
        stubbed.run("kimi", env={"CCC_SUPERVISOR_ID": "my-id"}).succeeded()
        assert stubbed.launched.env["CCC_SUPERVISOR_ID"] == "my-id"
        assert "--session-id" not in stubbed.launched.argv

    @pytest.mark.parametrize("bad", ["../../settings", "a/b", "a b", ".", "..", "-x"])
    def test_an_id_that_could_leave_its_directory(self, stubbed: CccProject, bad: str) -> None:
        """An id that is no plain name is rejected before it is used in a path."""
        outcome = stubbed.run("kimi", env={"CCC_SUPERVISOR_ID": bad})
        assert (outcome.code, stubbed.launches) == (1, [])
        assert "CCC_SUPERVISOR_ID" in outcome.stderr

    @pytest.mark.parametrize(
        "choice",
        [["--resume", "x"], ["-r"], ["--continue"], ["-c"], ["-pc"], ["--session-id", "y"]],
    )
    def test_the_users_session_is_respected(self, stubbed: CccProject, choice: list[str]) -> None:
        """If the user chooses a session, ccc doesn't pass its own."""
        stubbed.run("kimi", *choice).succeeded()
        argv = stubbed.launched.argv
        assert argv[argv.index("--settings") + 2 :] == choice

    @pytest.mark.parametrize("command", [["mcp", "list"], ["doctor"], ["--verbose", "plugin"]])
    def test_a_subcommand_gets_no_flag(self, stubbed: CccProject, command: list[str]) -> None:
        """A claude subcommand gets the provider's environment and none of ccc's flags."""
        stubbed.run("kimi", *command).succeeded()
        assert stubbed.launched.argv == command
        assert stubbed.launched.env["ANTHROPIC_MODEL"]
        assert list((stubbed.claude_dir / "ccc").glob("supervisor-*.json")) == []

    def test_claude_args_do_not_reach_a_subcommand(self, stubbed: CccProject) -> None:
        """`claude_args` are for conversations and don't reach a subcommand."""
        stubbed.configure(claude_args=["--allowedTools", "Bash"])
        outcome = stubbed.run("--supervisor", "kimi", "mcp", "list").succeeded()
        assert stubbed.launched.argv == ["mcp", "list"]
        assert "Supervisor mode enabled" not in outcome.stderr

    def test_claude_args_swallow_no_prompt(self, stubbed: CccProject) -> None:
        """A variadic option in `claude_args` ends before the user's prompt."""
        stubbed.configure(claude_args=["--allowedTools", "Bash"])
        stubbed.run("kimi", "fix it").succeeded()
        argv = stubbed.launched.argv
        assert argv[:3] == ["--allowedTools", "Bash", "--settings"]
        assert argv[-1] == "fix it"

    @pytest.mark.parametrize("flag", ["--version", "-v", "--help", "-h"])
    def test_a_question_leaves_no_state(self, stubbed: CccProject, flag: str) -> None:
        """`ccc kimi --version` starts no session."""
        stubbed.run("kimi", flag).succeeded()
        assert list((stubbed.claude_dir / "ccc").glob("supervisor-*.json")) == []


class TestSettingsOfTheUsers:
    @pytest.mark.parametrize("form", ["file", "json", "equals"])
    def test_folded(self, stubbed: CccProject, form: str) -> None:
        """The user's --settings are merged with ccc's: theirs win, and ccc's hook stays."""
        stubbed.configure(settings={"model": "opus", "permissions": {"allow": ["Read"]}})
        given = json.dumps({"model": "haiku", "env": {"ANTHROPIC_MODEL": "mine", "X_KEY": "sk-x"}})
        if form == "file":
            (stubbed.directory / "mine.json").write_text(given)
            given = "mine.json"
        stubbed.run(
            "kimi", *([f"--settings={given}"] if form == "equals" else ["--settings", given])
        )
        launch = stubbed.launched
        assert launch.argv.count("--settings") == 1
        folded = json.loads(Path(option(launch.argv, "--settings")).read_text())
        assert folded["model"] == "haiku"
        records = f"Edit(/{stubbed.claude_dir}/ccc/**)"
        own = {"allow": ["Read"], "defaultMode": "default", "deny": [records]}
        assert folded["permissions"] == own
        assert "supervisor-hook" in json.dumps(folded["hooks"]["Stop"])
        assert "sk-x" not in json.dumps(folded)
        assert (launch.env["ANTHROPIC_MODEL"], launch.env["X_KEY"]) == ("mine", "sk-x")
        assert stubbed.json(".claude/settings-kimi.json")["model"] == "opus"

    @pytest.mark.parametrize("given", ["missing.json", "{broken", '{"env": {"A": []}}'])
    def test_unusable(self, stubbed: CccProject, given: str) -> None:
        """A --settings that can't be read is an error, and nothing is started."""
        outcome = stubbed.run("kimi", "--settings", given)
        assert (outcome.code, stubbed.launches) == (1, [])
        assert "ccc: " in outcome.stderr


class TestEnvironment:
    def test_child_environment(self, stubbed: CccProject) -> None:
        """claude gets the provider's variables, the limit and the user's own environment."""
        stubbed.configure(settings={"env": {"API_TIMEOUT_MS": 3000000, "ANTHROPIC_MODEL": "base"}})
        foreign = {"ANTHROPIC_API_KEY": "sk-foreign", "CLAUDE_CODE_USE_BEDROCK": "1"}
        stubbed.run("kimi", env={**foreign, "EDITOR": "vi"}).succeeded()
        env = stubbed.launched.env
        assert env["ANTHROPIC_AUTH_TOKEN"] == KEY
        assert env["ANTHROPIC_MODEL"] == "kimi-k2.7-code"
        assert env["API_TIMEOUT_MS"] == "3000000"
        assert env["CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST"] == "1"
        assert env["CLAUDE_CODE_ATTRIBUTION_HEADER"] == "0"
        assert env["CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"] == "10"
        assert env["EDITOR"] == "vi"
        assert not set(foreign) & set(env)

    def test_the_limit_sets_claudes_cap(self, stubbed: CccProject) -> None:
        """`supervisor.max_iterations` also sets claude's cap."""
        stubbed.configure(supervisor={"max_iterations": 33})
        stubbed.run("kimi").succeeded()
        assert stubbed.launched.env["CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"] == "33"

    def test_switching_away_leaves_nothing(self, stubbed: CccProject) -> None:
        """A launch from inside another provider's session inherits nothing from that provider."""
        own = {"env": {"ANTHROPIC_MODEL": "glm-5", "KIMI_ONLY": None}}
        kimi = stubbed.provider(KIMI_ONLY="1", API_TIMEOUT_MS="1", ANTHROPIC_SMALL_FAST_MODEL="k")
        stubbed.configure(providers={"kimi": kimi, "official": own})
        stubbed.run("kimi").succeeded()
        inside = stubbed.launched.env
        stubbed.run("official", env=inside).succeeded()
        left = set(stubbed.launches[1].env) & {*kimi["env"], "CLAUDE_CODE_ATTRIBUTION_HEADER"}
        assert left == {"ANTHROPIC_MODEL"}
        assert stubbed.launches[1].env["ANTHROPIC_MODEL"] == "glm-5"
        assert "CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST" not in stubbed.launches[1].env

    def test_secrets_from_elsewhere(self, stubbed: CccProject) -> None:
        """A key may come from a command (its first line) or from the user's variable."""
        command = [sys.executable, "-c", "print('sk-from-command\\nnote')"]
        stubbed.configure(
            providers={
                "a": {"env": {"ANTHROPIC_API_KEY": {"command": command}}},
                "b": {"env": {"ANTHROPIC_API_KEY": {"env": "MY_KEY"}}},
            }
        )
        stubbed.run("a").succeeded()
        stubbed.run("b", env={"MY_KEY": "sk-$HOME"}).succeeded()
        keys = [launch.env["ANTHROPIC_API_KEY"] for launch in stubbed.launches]
        assert keys == ["sk-from-command", "sk-$HOME"]

    @pytest.mark.parametrize(
        ("secret", "said"),
        [
            ({"command": ["false"]}, "`false` printed no key (exit 1)"),
            ({"command": ["no-such-program"]}, "No such file"),
            ({"command": ["true"]}, "`true` printed no usable key"),
            ({"env": "NOT_SET"}, "the variable NOT_SET is not set"),
        ],
    )
    def test_a_secret_that_cannot_be_had(
        self, stubbed: CccProject, secret: object, said: str
    ) -> None:
        """The error names the key's path and the fix; nothing is started or changed."""
        stubbed.configure(providers={"a": {"env": {"ANTHROPIC_API_KEY": secret}}})
        outcome = stubbed.run("a")
        assert (outcome.code, stubbed.launches) == (1, [])
        assert said in outcome.stderr
        assert "ccc.json: providers.a.env.ANTHROPIC_API_KEY: " in outcome.stderr
        assert os.listdir(stubbed.claude_dir) == ["ccc.json"]

    def test_no_key_anywhere_but_in_the_environment(self, stubbed: CccProject) -> None:
        """After a launch, the key is only in ccc.json and in the child's environment."""
        key = KEY
        outcome = stubbed.run("--supervisor", "kimi", "hi").succeeded()
        launch = stubbed.launched
        assert launch.env["ANTHROPIC_AUTH_TOKEN"] == key
        assert key not in " ".join(launch.argv) + outcome.stdout + outcome.stderr
        holders = [
            path.name
            for path in stubbed.claude_dir.rglob("*")
            if path.is_file() and key in path.read_text()
        ]
        assert holders == ["ccc.json"]
        assert [name for name, value in launch.env.items() if key in value] == [
            "ANTHROPIC_AUTH_TOKEN"
        ]

    def test_a_key_command_leaves_the_pipe_to_claude(self, stubbed: CccProject) -> None:
        """Input piped into ccc goes to claude, and a key's command can't consume it."""
        command = ["sh", "-c", "cat > /dev/null; echo sk-x"]
        stubbed.configure(providers={"a": {"env": {"ANTHROPIC_API_KEY": {"command": command}}}})
        (stubbed.bin / "claude").write_text("#!/bin/sh\ncat\n")
        assert stubbed.run("a", stdin="piped").succeeded().stdout == "piped"

    def test_directories_are_absolute_inside(self, stubbed: CccProject) -> None:
        """A relative CCC_WORK_DIR means the same directory wherever the session goes."""
        stubbed.run("kimi", env={"CCC_WORK_DIR": "work"}).succeeded()
        assert stubbed.launched.env["CCC_WORK_DIR"] == str(stubbed.directory / "work")

    def test_a_launch_from_inside_a_session(self, stubbed: CccProject) -> None:
        """A launch by the agent leaves the outer session's state and settings unchanged."""
        two_providers(stubbed).run("--supervisor", "kimi", "--settings", "{}").succeeded()
        outer = stubbed.launched.env
        state = f".claude/ccc/supervisor-{outer['CCC_SUPERVISOR_ID']}.json"
        changing = ("updated_at",)
        before = {k: v for k, v in stubbed.json(state).items() if k not in changing}
        inside = {**outer, "CLAUDECODE": "1"}
        for line in (["glm"], ["--supervisor", "glm", "--settings", '{"model": "x"}']):
            stubbed.run(*line, env=inside).succeeded()
            after = {k: v for k, v in stubbed.json(state).items() if k not in changing}
            assert after == before
        files = [option(launch.argv, "--settings") for launch in stubbed.launches]
        assert files[0] != files[2]

    def test_a_provider_that_is_gone_is_told(self, stubbed: CccProject) -> None:
        """If the current provider is gone, the user is told which one is used instead."""
        outcome = two_providers(stubbed, current_provider="gone").run().succeeded()
        assert "the current provider gone is not in ccc.json; using kimi" in outcome.stderr


class TestSupervisorOption:
    @pytest.mark.parametrize(
        ("line", "provider"), [([], "kimi"), (["glm"], "glm"), (["hi there"], "kimi")]
    )
    def test_with_and_without_a_provider(
        self, stubbed: CccProject, line: list[str], provider: str
    ) -> None:
        """001/启用 Supervisor Mode; 001/Supervisor Mode 指定提供商; 001/解析 --supervisor; \
        001/解析 --supervisor 与提供商: the named provider or the first, with ccc's Stop hook."""
        two_providers(stubbed).run("--supervisor", *line).succeeded()
        settings = option(stubbed.launched.argv, "--settings")
        assert settings == str(stubbed.claude_dir / f"settings-{provider}.json")
        assert "supervisor-hook" in Path(settings).read_text()
        session = stubbed.launched.env["CCC_SUPERVISOR_ID"]
        state = stubbed.json(f".claude/ccc/supervisor-{session}.json")
        assert (state["enabled"], state["provider"]) == (True, provider)

    def test_enabled_and_told(self, stubbed: CccProject) -> None:
        """003/显示 log 路径提示: `--supervisor` switches on, and says where the logs are."""
        outcome = stubbed.run("--supervisor", "kimi", env={"CCC_LANG": "zh"}).succeeded()
        session = stubbed.launched.env["CCC_SUPERVISOR_ID"]
        state_dir = stubbed.claude_dir / "ccc"
        assert outcome.stdout == ""
        assert outcome.stderr.splitlines()[:2] == [
            "Supervisor mode enabled（监督已开启）",
            "[Supervisor Mode] 日志文件:",
        ]
        assert f"  状态目录: {state_dir}\n" in outcome.stderr
        assert f"{state_dir}/hook-invocation.log" in outcome.stderr
        assert f"{state_dir}/supervisor-{session}-output.jsonl" in outcome.stderr
        assert stubbed.json(f".claude/ccc/supervisor-{session}.json")["enabled"] is True

    def test_the_old_variable_only_tells(self, stubbed: CccProject) -> None:
        """CCC_SUPERVISOR=1 prints the log paths and its replacement, and switches nothing on."""
        outcome = stubbed.run("kimi", env={"CCC_SUPERVISOR": "1"}).succeeded()
        session = stubbed.launched.env["CCC_SUPERVISOR_ID"]
        assert "ccc --supervisor" in outcome.stderr
        assert "[Supervisor Mode] 日志文件: (log files)" in outcome.stderr
        assert stubbed.json(f".claude/ccc/supervisor-{session}.json")["enabled"] is False

    def test_usual_state_directory(self, stubbed: CccProject) -> None:
        """003/State 目录路径计算: without CCC_WORK_DIR it is ~/.claude/ccc."""
        outcome = stubbed.run("--supervisor").succeeded()
        assert f"state directory: {stubbed.home}/.claude/ccc\n" in outcome.stderr

    def test_state_directory(self, stubbed: CccProject) -> None:
        """003/自定义 State 目录: CCC_WORK_DIR moves the state to its ccc directory."""
        work = stubbed.root / "work"
        outcome = stubbed.run("--supervisor", env={"CCC_WORK_DIR": str(work)}).succeeded()
        assert f"state directory: {work}/ccc" in outcome.stderr
        assert len(list((work / "ccc").glob("supervisor-*.json"))) == 1


class TestWhichClaude:
    def test_never_ourselves(self, stubbed: CccProject) -> None:
        """A symlink named claude that points to ccc itself is skipped."""
        first = stubbed.root / "first"
        first.mkdir()
        (first / "claude").symlink_to(stubbed.ccc)
        stubbed.run("kimi", env={"PATH": f"{first}:{stubbed.env['PATH']}"}).succeeded()
        assert len(stubbed.launches) == 1

    def test_a_wrapper_that_leads_back(self, stubbed: CccProject) -> None:
        """A script named claude that runs ccc again is an error, not an endless loop."""
        claude = stubbed.bin / "claude"
        claude.write_text(f'#!/bin/sh\nexec {stubbed.ccc} kimi "$@"\n')
        outcome = stubbed.run("kimi", timeout=20)
        assert outcome.code == 1
        assert f"{claude} leads back to ccc" in outcome.stderr

    def test_a_wrapper_that_starts_us(self, stubbed: CccProject) -> None:
        """A script that runs ccc again without exec is an error, too."""
        claude = stubbed.bin / "claude"
        claude.write_text(f'#!/bin/sh\n{stubbed.ccc} kimi "$@"\n')
        outcome = stubbed.run("kimi", timeout=20)
        assert outcome.code == 1
        assert "leads back to ccc" in outcome.stderr

    def test_a_named_one_that_is_not_there(self, stubbed: CccProject) -> None:
        """A CCC_CLAUDE that is no program is an error, with no fallback."""
        (stubbed.bin / "claude").unlink()
        outcome = stubbed.run("kimi", env={"CCC_CLAUDE": "/no/such/claude"})
        assert outcome.code == 1
        assert "CCC_CLAUDE=/no/such/claude is not a program" in outcome.stderr

    def test_not_from_the_project(self, stubbed: CccProject) -> None:
        """A relative entry of PATH can't let the project directory choose the program."""
        trap = stubbed.directory / "claude"
        trap.write_text("#!/bin/sh\necho trapped\n")
        trap.chmod(0o755)
        outcome = stubbed.run("kimi", env={"PATH": f".::{stubbed.env['PATH']}"}).succeeded()
        assert outcome.stdout == ""
        assert len(stubbed.launches) == 1

    def test_named_one_then_bundled_one(self, stubbed: CccProject) -> None:
        """Without claude on PATH, CCC_CLAUDE is used, and without that the bundled one."""
        named = (stubbed.bin / "claude").rename(stubbed.root / "my-claude")
        stubbed.run("kimi", env={"CCC_CLAUDE": str(named)}).succeeded()
        assert len(stubbed.launches) == 1
        outcome = stubbed.run("kimi", "--version").succeeded()
        assert "Claude Code" in outcome.stdout

    def test_the_bundled_one_does_not_update_itself(self, stubbed: CccProject) -> None:
        """Auto-updates are disabled for the bundled claude and for no other."""
        del stubbed.env["DISABLE_AUTOUPDATER"]
        stubbed.run("kimi").succeeded()
        assert "DISABLE_AUTOUPDATER" not in stubbed.launched.env
        bundled = stubbed.root / "packages" / "claude_agent_sdk" / "_bundled"
        bundled.mkdir(parents=True)
        (stubbed.bin / "claude").rename(bundled / "claude")
        stubbed.run("kimi", env={"PYTHONPATH": str(stubbed.root / "packages")}).succeeded()
        assert stubbed.launches[-1].env["DISABLE_AUTOUPDATER"] == "1"

    def test_a_program_that_cannot_start(self, stubbed: CccProject) -> None:
        """A claude that the system can't execute is an error that says how to install it."""
        (stubbed.bin / "claude").write_text("not a program\n")
        outcome = stubbed.run("kimi")
        assert outcome.code == 1
        assert f"cannot start {stubbed.bin}/claude" in outcome.stderr
        assert "npm install" in outcome.stderr
