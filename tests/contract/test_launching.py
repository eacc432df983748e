"""`ccc [provider] [claude args…]` with a claude that records how it was started."""

import json
import os
import stat
import sys
import uuid
from pathlib import Path

import pytest

from ccc.cli import COMMANDS
from harness import KEY, CccProject

GLM = {"env": {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9", "ANTHROPIC_AUTH_TOKEN": "sk-glm"}}
OURS = ("--settings", "--session-id")


def two_providers(project: CccProject, **more: object) -> CccProject:
    """kimi and glm."""
    project.configure(providers={"kimi": project.provider(), "glm": GLM}, **more)
    return project


class TestWhichProvider:
    def test_named(self, stubbed: CccProject) -> None:
        """The first word names the provider, and the choice is saved."""
        two_providers(stubbed).run("glm").succeeded()
        assert stubbed.launched.env["ANTHROPIC_AUTH_TOKEN"] == "sk-glm"
        assert stubbed.json(".claude/ccc.json")["current_provider"] == "glm"

    def test_current(self, stubbed: CccProject) -> None:
        """Without a name the current provider is taken."""
        two_providers(stubbed, current_provider="glm").run("-p", "hi").succeeded()
        assert stubbed.launched.env["ANTHROPIC_AUTH_TOKEN"] == "sk-glm"

    def test_first(self, stubbed: CccProject) -> None:
        """Without a current one, or with one that is gone, the first in the file is taken."""
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
        """It is not shown, and the ways to give one are."""
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
        """A command is meant, not the configuration."""
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
        """`claude_args` of the configuration stand before the user's own."""
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
        """An id that is no plain name is refused before it touches a path."""
        outcome = stubbed.run("kimi", env={"CCC_SUPERVISOR_ID": bad})
        assert (outcome.code, stubbed.launches) == (1, [])
        assert "CCC_SUPERVISOR_ID" in outcome.stderr

    @pytest.mark.parametrize(
        "choice",
        [["--resume", "x"], ["-r"], ["--continue"], ["-c"], ["-pc"], ["--session-id", "y"]],
    )
    def test_the_users_session_is_respected(self, stubbed: CccProject, choice: list[str]) -> None:
        """With a session of the user's choice ours is not given."""
        stubbed.run("kimi", *choice).succeeded()
        argv = stubbed.launched.argv
        assert argv[argv.index("--settings") + 2 :] == choice

    @pytest.mark.parametrize("command", [["mcp", "list"], ["doctor"], ["--verbose", "plugin"]])
    def test_a_subcommand_gets_no_flag(self, stubbed: CccProject, command: list[str]) -> None:
        """A subcommand of claude's gets the provider's environment and no flag of ours."""
        stubbed.run("kimi", *command).succeeded()
        assert stubbed.launched.argv == command
        assert stubbed.launched.env["ANTHROPIC_MODEL"]
        assert list((stubbed.claude_dir / "ccc").glob("supervisor-*.json")) == []

    def test_claude_args_do_not_reach_a_subcommand(self, stubbed: CccProject) -> None:
        """`claude_args` are for conversations: a subcommand would choke on them."""
        stubbed.configure(claude_args=["--allowedTools", "Bash"])
        outcome = stubbed.run("--supervisor", "kimi", "mcp", "list").succeeded()
        assert stubbed.launched.argv == ["mcp", "list"]
        assert "Supervisor mode enabled" not in outcome.stderr

    def test_claude_args_swallow_no_prompt(self, stubbed: CccProject) -> None:
        """An option with many values in `claude_args` ends before the user's prompt."""
        stubbed.configure(claude_args=["--allowedTools", "Bash"])
        stubbed.run("kimi", "fix it").succeeded()
        argv = stubbed.launched.argv
        assert argv[:3] == ["--allowedTools", "Bash", "--settings"]
        assert argv[-1] == "fix it"

    @pytest.mark.parametrize("flag", ["--version", "-v", "--help", "-h"])
    def test_a_question_leaves_no_state(self, stubbed: CccProject, flag: str) -> None:
        """`ccc kimi --version` is no session."""
        stubbed.run("kimi", flag).succeeded()
        assert list((stubbed.claude_dir / "ccc").glob("supervisor-*.json")) == []


class TestSettingsOfTheUsers:
    @pytest.mark.parametrize("form", ["file", "json", "equals"])
    def test_folded(self, stubbed: CccProject, form: str) -> None:
        """A --settings of the user's is folded into ours: theirs wins, our hook stays."""
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
        assert folded["permissions"] == {"allow": ["Read"], "deny": [records]}
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
        """The provider's variables, what makes them win, the limit; the user's own stay."""
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
        """`supervisor.max_iterations` is claude's cap too."""
        stubbed.configure(supervisor={"max_iterations": 33})
        stubbed.run("kimi").succeeded()
        assert stubbed.launched.env["CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"] == "33"

    def test_switching_away_leaves_nothing(self, stubbed: CccProject) -> None:
        """A launch from inside another provider's session carries nothing of that one."""
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
        """A key may come from a command (its first line) or from a variable of the user's."""
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
        """The error names the key's path and what to do; nothing is started or changed."""
        stubbed.configure(providers={"a": {"env": {"ANTHROPIC_API_KEY": secret}}})
        outcome = stubbed.run("a")
        assert (outcome.code, stubbed.launches) == (1, [])
        assert said in outcome.stderr
        assert "ccc.json: providers.a.env.ANTHROPIC_API_KEY: " in outcome.stderr
        assert os.listdir(stubbed.claude_dir) == ["ccc.json"]

    def test_no_key_anywhere_but_in_the_environment(self, stubbed: CccProject) -> None:
        """After a launch the key is in ccc.json and in the child's environment, nowhere else."""
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
        """What is piped into ccc is claude's; a key's command can't eat it."""
        command = ["sh", "-c", "cat > /dev/null; echo sk-x"]
        stubbed.configure(providers={"a": {"env": {"ANTHROPIC_API_KEY": {"command": command}}}})
        (stubbed.bin / "claude").write_text("#!/bin/sh\ncat\n")
        assert stubbed.run("a", stdin="piped").succeeded().stdout == "piped"

    def test_directories_are_absolute_inside(self, stubbed: CccProject) -> None:
        """A relative CCC_WORK_DIR means the same directory wherever the session goes."""
        stubbed.run("kimi", env={"CCC_WORK_DIR": "work"}).succeeded()
        assert stubbed.launched.env["CCC_WORK_DIR"] == str(stubbed.directory / "work")

    def test_a_launch_from_inside_a_session(self, stubbed: CccProject) -> None:
        """A launch by the agent leaves the outer session's state and settings as they are."""
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
        """Another provider than the last is another bill: the person is told."""
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
        001/解析 --supervisor 与提供商: the named provider or the first, with our Stop hook."""
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
        """CCC_SUPERVISOR=1 prints the log paths and what replaced it, and switches nothing on."""
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
        """A link named claude that is ccc itself is passed over."""
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
        """The same where the script does not exec."""
        claude = stubbed.bin / "claude"
        claude.write_text(f'#!/bin/sh\n{stubbed.ccc} kimi "$@"\n')
        outcome = stubbed.run("kimi", timeout=20)
        assert outcome.code == 1
        assert "leads back to ccc" in outcome.stderr

    def test_a_named_one_that_is_not_there(self, stubbed: CccProject) -> None:
        """A CCC_CLAUDE that is no program is an error, not a reason to take another one."""
        (stubbed.bin / "claude").unlink()
        outcome = stubbed.run("kimi", env={"CCC_CLAUDE": "/no/such/claude"})
        assert outcome.code == 1
        assert "CCC_CLAUDE=/no/such/claude is not a program" in outcome.stderr

    def test_not_from_the_project(self, stubbed: CccProject) -> None:
        """A relative entry of PATH can't make the project directory choose the program."""
        trap = stubbed.directory / "claude"
        trap.write_text("#!/bin/sh\necho trapped\n")
        trap.chmod(0o755)
        outcome = stubbed.run("kimi", env={"PATH": f".::{stubbed.env['PATH']}"}).succeeded()
        assert outcome.stdout == ""
        assert len(stubbed.launches) == 1

    def test_named_one_then_bundled_one(self, stubbed: CccProject) -> None:
        """Without claude on PATH it is CCC_CLAUDE, and without that the bundled one."""
        named = (stubbed.bin / "claude").rename(stubbed.root / "my-claude")
        stubbed.run("kimi", env={"CCC_CLAUDE": str(named)}).succeeded()
        assert len(stubbed.launches) == 1
        outcome = stubbed.run("kimi", "--version").succeeded()
        assert "Claude Code" in outcome.stdout

    def test_the_bundled_one_does_not_update_itself(self, stubbed: CccProject) -> None:
        """It could not; any other claude may."""
        del stubbed.env["DISABLE_AUTOUPDATER"]
        stubbed.run("kimi").succeeded()
        assert "DISABLE_AUTOUPDATER" not in stubbed.launched.env
        bundled = stubbed.root / "packages" / "claude_agent_sdk" / "_bundled"
        bundled.mkdir(parents=True)
        (stubbed.bin / "claude").rename(bundled / "claude")
        stubbed.run("kimi", env={"PYTHONPATH": str(stubbed.root / "packages")}).succeeded()
        assert stubbed.launches[-1].env["DISABLE_AUTOUPDATER"] == "1"

    def test_a_program_that_cannot_start(self, stubbed: CccProject) -> None:
        """A claude that the system can't execute is an error with how to install."""
        (stubbed.bin / "claude").write_text("not a program\n")
        outcome = stubbed.run("kimi")
        assert outcome.code == 1
        assert f"cannot start {stubbed.bin}/claude" in outcome.stderr
        assert "npm install" in outcome.stderr


class TestFiles:
    def test_hook_in_the_settings(self, stubbed: CccProject) -> None:
        """004/总是生成带 Hook 的 Settings; 001/生成带 Hook 的 Settings: in both files."""
        stubbed.run("kimi").succeeded()
        for name in ("settings.json", "settings-kimi.json"):
            assert stop_commands(stubbed, name) == [f"{stubbed.ccc} supervisor-hook"]
        assert option(stubbed.launched.argv, "--settings").endswith("/settings-kimi.json")

    def test_hook_by_absolute_path(self, stubbed: CccProject) -> None:
        """001/Hook 命令绝对路径: also when ccc was called by a relative path."""
        here = os.path.relpath(stubbed.ccc, stubbed.directory)
        stubbed.run("kimi", program=here).succeeded()
        assert stop_commands(stubbed, "settings.json") == [f"{stubbed.ccc} supervisor-hook"]
        assert os.path.isabs(stubbed.ccc)

    def test_settings_of_the_reviewer(self, stubbed: CccProject) -> None:
        """001/生成 Supervisor 专用 Settings: no hooks, read-only, the rest as in the main ones."""
        hooks = {"PreToolUse": [{"hooks": [{"type": "command", "command": "true"}]}]}
        stubbed.configure(settings={"model": "opus", "hooks": hooks})
        stubbed.run("kimi").succeeded()
        reviewer = stubbed.json(".claude/settings-kimi-supervisor.json")
        assert "hooks" not in reviewer
        assert reviewer["disableAllHooks"] is True
        assert "Edit(./**)" in reviewer["permissions"]["deny"]
        assert reviewer["model"] == stubbed.json(".claude/settings-kimi.json")["model"] == "opus"

    @pytest.mark.parametrize(
        ("name", "switch", "description"),
        [
            ("supervisor", "on", "Enable supervisor mode"),
            ("supervisoroff", "off", "Disable supervisor mode"),
        ],
    )
    def test_slash_commands(
        self, stubbed: CccProject, name: str, switch: str, description: str
    ) -> None:
        """002/supervisor.md 内容格式; 002/supervisoroff.md 内容格式; \
        004/创建 supervisor.md 命令文件; 004/创建 supervisoroff.md 命令文件: they run."""
        stubbed.run("kimi").succeeded()
        text = stubbed.read(f".claude/commands/{name}.md")
        assert text.startswith(f"---\ndescription: {description}\n")
        assert "\nallowed-tools: Bash(" in text
        assert f"\n!`{stubbed.ccc} supervisor-mode {switch} --this-session`\n" in text
        assert text.endswith("\n$ARGUMENTS\n")

    def test_the_ledger(self, stubbed: CccProject) -> None:
        """A ledger says what is ours, each file with its kind."""
        stubbed.run("kimi").succeeded()
        ledger = stubbed.json(".claude/ccc/ledger.json")["files"]
        assert {Path(path).name: entry["kind"] for path, entry in ledger.items()} == {
            "settings.json": "hook",
            "settings-kimi.json": "settings",
            "settings-kimi-supervisor.json": "settings",
            "commands": "directory",
            "supervisor.md": "command",
            "supervisoroff.md": "command",
            "SUPERVISOR.md": "prompt",
        }

    def test_the_status_text_is_in_the_persons_language(self, stubbed: CccProject) -> None:
        """Both settings files have the same entry; a launch in the other language replaces it."""
        texts = {"en": "Supervisor: checking", "zh": "Supervisor: 检查中"}
        for language in ("en", "zh", "en"):
            stubbed.run("kimi", env={"CCC_LANG": language}).succeeded()
            files = [stubbed.json(f".claude/{n}.json") for n in ("settings", "settings-kimi")]
            entries = [file["hooks"]["Stop"] for file in files]
            assert entries[0] == entries[1]
            assert [h["statusMessage"] for g in entries[0] for h in g["hooks"]] == [texts[language]]

    def test_the_prompt_is_in_the_persons_language(self, stubbed: CccProject) -> None:
        """A launch writes SUPERVISOR.md in the language that ccc speaks."""
        stubbed.run("kimi", env={"CCC_LANG": "zh"}).succeeded()
        assert stubbed.read(".claude/SUPERVISOR.md").startswith("# 监督者")

    def test_private_modes(self, stubbed: CccProject) -> None:
        """What we make is for the user alone, whatever the umask; the user's own modes stay."""
        stubbed.write(".claude/settings.json", "{}").chmod(0o644)
        (stubbed.claude_dir / "ccc.json").chmod(0o640)
        os.chmod(stubbed.claude_dir, 0o755)
        stubbed.run("-c", f"umask 000; exec {stubbed.ccc} kimi", program="/bin/sh").succeeded()
        modes = {
            str(path.relative_to(stubbed.claude_dir)): stat.S_IMODE(path.stat().st_mode)
            for path in stubbed.claude_dir.rglob("*")
        }
        assert modes.pop("settings.json") == 0o644
        assert modes.pop("ccc.json") == 0o640
        assert {modes.pop("ccc"), modes.pop("commands")} == {0o700}
        assert set(modes.values()) == {0o600}

    def test_an_unchanged_file_is_not_written_again(self, stubbed: CccProject) -> None:
        """A second launch touches nothing but its own new state."""
        stubbed.run("kimi").succeeded()
        before = snapshot(stubbed.claude_dir)
        stubbed.run("kimi").succeeded()
        after = snapshot(stubbed.claude_dir)
        new = {name for name in after if after[name] != before.get(name)}
        own = ("ccc/supervisor-", "ccc/lock")
        assert [name for name in new if not name.startswith(own)] == []

    def test_the_users_settings_survive(self, stubbed: CccProject) -> None:
        """Every byte of the user's settings.json stays; our entry is added."""
        users = (
            '{\n    "model": "opus",\n    "\\u4e2d": "中",\n    "n": 1.10e2,\n'
            '    "hooks": {\n        "Stop": [\n            '
            '{"hooks": [{"type": "command", "command": "say done"}]}\n        ]\n    },\n'
            '    "disableAllHooks": true\n}'
        )
        stubbed.write(".claude/settings.json", users)
        stubbed.run("kimi").succeeded()
        text = stubbed.read(".claude/settings.json")
        ours = text.index(',\n            {\n                "hooks"')
        end = text.index("\n        ]", ours)
        assert text[:ours] + text[end:] == users
        assert json.loads(text)["hooks"]["Stop"][1]["hooks"][0]["command"].endswith("hook")

    def test_an_older_entry_is_replaced(self, stubbed: CccProject) -> None:
        """An entry of ours with another path is replaced, never doubled."""
        old = {"type": "command", "command": "/old/bin/ccc supervisor-hook --state-dir x"}
        users = {"hooks": {"Stop": [{"hooks": [old]}, {"hooks": [old]}]}}
        stubbed.write(".claude/settings.json", json.dumps(users, indent=2))
        stubbed.run("kimi").succeeded()
        (group,) = stubbed.json(".claude/settings.json")["hooks"]["Stop"]
        assert [h["command"] for h in group["hooks"]] == [f"{stubbed.ccc} supervisor-hook"]

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ('{"a": 1,}', "settings.json, line 1, column 8"),
            ("// mine\n{}", "settings.json, line 1, column 1"),
            ('{"hooks": []}', "settings.json: hooks"),
            ('{"hooks": {"Stop": {}}}', "settings.json: hooks.Stop"),
            ("[]", "settings.json"),
            ('{"a": ', "settings.json, line 1"),
        ],
    )
    def test_unreadable_settings_are_left(self, stubbed: CccProject, text: str, said: str) -> None:
        """A settings.json that can't be parsed is not overwritten: error, exit 1, no claude."""
        stubbed.write(".claude/settings.json", text)
        outcome = stubbed.run("kimi")
        assert (outcome.code, stubbed.launches) == (1, [])
        assert said in outcome.stderr
        assert stubbed.read(".claude/settings.json") == text

    @pytest.mark.parametrize(
        "text", ["", "\ufeff{}", '{"hooks": null}', '{"hooks": {"Stop": null}}']
    )
    def test_what_claude_reads_is_no_error(self, stubbed: CccProject, text: str) -> None:
        """A settings.json that claude takes gets our hook."""
        stubbed.write(".claude/settings.json", text)
        stubbed.run("kimi").succeeded()
        assert "supervisor-hook" in stubbed.read(".claude/settings.json")

    def test_a_longer_command_is_the_users(self, stubbed: CccProject) -> None:
        """A hook that runs ours among other things stays as it is."""
        theirs = f"notify-send done; {stubbed.ccc} supervisor-hook"
        users = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": theirs}]}]}}
        stubbed.write(".claude/settings.json", json.dumps(users))
        stubbed.run("kimi").succeeded()
        assert theirs in stop_commands(stubbed, "settings.json")

    def test_nothing_that_was_set_aside_is_overwritten(self, stubbed: CccProject) -> None:
        """A second file of the user's in our place gets another name than the first."""
        for number in (1, 2):
            stubbed.write(".claude/settings-kimi.json", f'{{"mine": {number}}}')
            (stubbed.claude_dir / "ccc" / "ledger.json").unlink(missing_ok=True)
            stubbed.run("kimi").succeeded()
        assert stubbed.json(".claude/settings-kimi.json.before-ccc") == {"mine": 1}
        assert stubbed.json(".claude/settings-kimi.json.before-ccc-2") == {"mine": 2}

    def test_links_are_followed_and_kept(self, stubbed: CccProject) -> None:
        """A settings.json kept elsewhere by a link stays a link, and its target is changed."""
        target = stubbed.write("dotfiles/settings.json", '{"model": "opus"}\n')
        (stubbed.claude_dir / "settings.json").symlink_to(target)
        stubbed.run("kimi").succeeded()
        assert (stubbed.claude_dir / "settings.json").is_symlink()
        assert "supervisor-hook" in target.read_text()
        assert json.loads(target.read_text())["model"] == "opus"
        assert os.listdir(target.parent) == ["settings.json"]

    def test_a_command_of_the_users_is_left(self, stubbed: CccProject) -> None:
        """A slash command of the same name that is not ours is left, and told once."""
        stubbed.write(".claude/commands/supervisor.md", "my own\n")
        first = stubbed.run("kimi").succeeded()
        second = stubbed.run("kimi").succeeded()
        assert stubbed.read(".claude/commands/supervisor.md") == "my own\n"
        assert "commands/supervisor.md is not ccc's" in first.stderr
        assert second.stderr == ""

    def test_stop_hooks_of_the_project_are_told_once(self, stubbed: CccProject) -> None:
        """They could end a turn that the reviewer sends back; told anew where they change."""
        file = stubbed.directory / ".claude" / "settings.json"
        file.parent.mkdir()
        for command in ("TOKEN=secret-one ./stop.sh", "./other.sh"):
            hook = {"type": "command", "command": command}
            file.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [hook]}]}}))
            first, second = (stubbed.run("kimi").succeeded() for _ in range(2))
            assert f"{file} has its own Stop hooks" in first.stderr
            assert second.stderr == ""
        assert "secret-one" not in stubbed.read(".claude/ccc/ledger.json")

    def test_stop_hooks_of_ones_own_are_not_told(self, stubbed: CccProject) -> None:
        """In the home directory the project's settings are the user's, with our hook in them."""
        hook = {"type": "command", "command": "./stop.sh"}
        stubbed.write(".claude/settings.json", json.dumps({"hooks": {"Stop": [{"hooks": [hook]}]}}))
        stubbed.directory = stubbed.home
        assert stubbed.run("kimi").succeeded().stderr == ""

    def test_the_ancestors_command_is_replaced(self, stubbed: CccProject) -> None:
        """The slash command of the ancestor, which does not run any more, is replaced."""
        old = "---\ndescription: Enable supervisor mode\n---\n$ARGUMENTS!`ccc supervisor-mode on`\n"
        stubbed.write(".claude/commands/supervisor.md", old)
        stubbed.run("kimi").succeeded()
        assert "allowed-tools" in stubbed.read(".claude/commands/supervisor.md")

    def test_the_prompt_is_written_once(self, stubbed: CccProject) -> None:
        """SUPERVISOR.md is not brought back when deleted, and never overwritten when changed."""
        stubbed.run("kimi").succeeded()
        prompt = stubbed.claude_dir / "SUPERVISOR.md"
        default = prompt.read_text()
        prompt.write_text("mine\n")
        self.upgrade(stubbed)
        assert prompt.read_text() == "mine\n"
        prompt.unlink()
        self.upgrade(stubbed)
        assert not prompt.exists()
        assert len(default) > 1000

    def test_the_prompt_follows_the_language(self, stubbed: CccProject) -> None:
        """Our unchanged SUPERVISOR.md becomes that of the other language; the user's stays."""
        prompt = stubbed.claude_dir / "SUPERVISOR.md"

        def launch(language: str) -> str | None:
            stubbed.run("kimi", env={"CCC_LANG": language}).succeeded()
            return prompt.read_text("utf-8") if prompt.exists() else None

        english, chinese = launch("en"), launch("zh")
        assert english != chinese
        assert (launch("en"), launch("zh")) == (english, chinese)
        prompt.write_text(f"{chinese}Mine.\n", "utf-8")
        assert launch("en") == launch("zh") == f"{chinese}Mine.\n"
        prompt.unlink()
        assert launch("en") is launch("zh") is None

    def test_a_launch_killed_while_it_wrote_the_prompt(self, stubbed: CccProject) -> None:
        """A prompt that was written, with nothing of it in the ledger yet, is ours as well."""
        stubbed.run("kimi").succeeded()
        english = stubbed.read(".claude/SUPERVISOR.md")
        ledger = stubbed.json(".claude/ccc/ledger.json")
        entry = ledger["files"][str(stubbed.claude_dir / "SUPERVISOR.md")]
        entry.update(language="zh", pending=entry["sha256"], sha256="that of another text")
        stubbed.write(".claude/ccc/ledger.json", json.dumps({**ledger, "told": []}))
        stubbed.run("kimi", env={"LANG": "zh_CN.UTF-8", "CCC_LANG": None}).succeeded()
        assert stubbed.read(".claude/SUPERVISOR.md") != english

    def test_an_unchanged_prompt_is_refreshed(self, stubbed: CccProject) -> None:
        """A prompt that an earlier version wrote and nobody changed becomes the new one."""
        import hashlib

        stubbed.run("kimi").succeeded()
        prompt = stubbed.claude_dir / "SUPERVISOR.md"
        default = prompt.read_text()
        prompt.write_text("the old default\n")
        digest = hashlib.sha256(b"the old default\n").hexdigest()
        self.upgrade(stubbed, sha256=digest)
        assert prompt.read_text() == default

    def upgrade(self, project: CccProject, **facts: str) -> None:
        """Launch as if the last launch had been an older version's."""
        ledger = project.json(".claude/ccc/ledger.json")
        ledger["files"][str(project.claude_dir / "SUPERVISOR.md")].update(version="0.0.1", **facts)
        project.write(".claude/ccc/ledger.json", json.dumps(ledger))
        project.run("kimi").succeeded()

    def test_a_settings_file_of_the_users_is_set_aside(self, stubbed: CccProject) -> None:
        """A settings-kimi.json that is not ours is kept under another name, and told."""
        stubbed.write(".claude/settings-kimi.json", '{"model": "mine"}')
        outcome = stubbed.run("kimi").succeeded()
        assert stubbed.json(".claude/settings-kimi.json.before-ccc") == {"model": "mine"}
        assert "settings-kimi.json.before-ccc" in outcome.stderr

    @pytest.mark.parametrize("name", ["settings-kimi.json", "settings-kimi-supervisor.json"])
    def test_a_file_of_the_users_over_ours(self, stubbed: CccProject, name: str) -> None:
        """A file that the user put in the place of ccc's is not lost either."""
        stubbed.run("kimi").succeeded()
        ours = stubbed.read(f".claude/{name}")
        stubbed.run("kimi").succeeded()
        assert not (stubbed.claude_dir / f"{name}.before-ccc").exists()
        stubbed.write(f".claude/{name}", '{"model": "mine"}')
        outcome = stubbed.run("kimi").succeeded()
        assert stubbed.json(f".claude/{name}.before-ccc") == {"model": "mine"}
        assert f"{name}.before-ccc" in outcome.stderr
        assert stubbed.read(f".claude/{name}") == ours

    def test_what_another_version_knows_is_kept(self, stubbed: CccProject) -> None:
        """A field of the ledger that this one does not know."""
        stubbed.run("kimi").succeeded()
        ledger = stubbed.json(".claude/ccc/ledger.json")
        stubbed.write(".claude/ccc/ledger.json", json.dumps({**ledger, "future": [1]}))
        stubbed.configure(providers={"glm": stubbed.provider()})
        stubbed.run("glm").succeeded()
        after = stubbed.json(".claude/ccc/ledger.json")
        assert after["future"] == [1]
        assert len(after["files"]) > len(ledger["files"])

    def test_a_home_that_was_moved(self, stubbed: CccProject) -> None:
        """Our files are ours in the new place, too; what is not ours stays the user's."""
        stubbed.run("kimi").succeeded()
        before = stubbed.json(".claude/ccc/ledger.json")["files"]
        moved = stubbed.root / "moved"
        stubbed.home.rename(moved)
        (moved / ".claude/settings-glm.json").write_text('{"mine": 1}')
        env = {"HOME": str(moved)}
        outcome = stubbed.run("kimi", env={**env, "CCC_LANG": "zh"}).succeeded()
        assert not list((moved / ".claude").glob("*.before-ccc*")), outcome.stderr
        after = json.loads((moved / ".claude/ccc/ledger.json").read_text())["files"]
        old, new = str(stubbed.home), str(moved)
        assert set(after) == {path.replace(old, new, 1) for path in before}
        assert "~/.claude/SUPERVISOR.md" in stubbed.run("uninstall", "--yes", env=env).stdout
        assert not (moved / ".claude/SUPERVISOR.md").exists()
        assert not (moved / ".claude/settings-kimi.json").exists()
        assert (moved / ".claude/settings-glm.json").exists()

    @pytest.mark.skipif(sys.platform != "linux", reason="Python has no calls for them elsewhere")
    def test_extended_attributes_are_kept(self, stubbed: CccProject) -> None:
        """What hangs on a file of the user's is there after our edit."""
        path = stubbed.write(".claude/settings.json", '{"model": "mine"}')
        try:
            os.setxattr(path, "user.note", b"mine")
        except OSError:
            pytest.skip("the file system has no extended attributes")
        stubbed.run("kimi").succeeded()
        assert "supervisor-hook" in path.read_text()
        assert os.getxattr(path, "user.note") == b"mine"

    @pytest.mark.parametrize(
        ("language", "said"), [("en", "was a hard link"), ("zh", "原是硬链接")]
    )
    def test_a_hard_link_is_told_of(self, stubbed: CccProject, language: str, said: str) -> None:
        """The other name keeps its text whole, which is said, once."""
        path = stubbed.write(".claude/settings.json", '{"model": "mine"}')
        other = stubbed.home / "dotfiles.json"
        other.hardlink_to(path)
        outcome = stubbed.run("kimi", env={"CCC_LANG": language}).succeeded()
        assert outcome.stderr.count(said) == 1
        assert str(path) in outcome.stderr
        assert "supervisor-hook" in path.read_text()
        assert other.read_text() == '{"model": "mine"}'
        assert said not in stubbed.run("kimi", env={"CCC_LANG": language}).stderr

    def test_settings_that_cannot_be_written(self, stubbed: CccProject) -> None:
        """Where settings.json can't be replaced claude still starts: --settings has the hook."""
        readonly = stubbed.home / "store"
        readonly.mkdir()
        (stubbed.claude_dir / "settings.json").symlink_to(readonly / "missing" / "settings.json")
        (readonly / "missing").write_text("a file, not a directory")
        outcome = stubbed.run("kimi").succeeded()
        assert "store/missing" in outcome.stderr
        assert len(stubbed.launches) == 1

    def test_other_directories(self, stubbed: CccProject) -> None:
        """CCC_CONFIG_DIR has ccc.json and our files; the hook goes where claude looks for it."""
        ours, claudes = stubbed.root / "ours", stubbed.root / "claudes"
        ours.mkdir()
        (stubbed.claude_dir / "ccc.json").rename(ours / "ccc.json")
        env = {"CCC_CONFIG_DIR": str(ours), "CLAUDE_CONFIG_DIR": str(claudes)}
        stubbed.run("kimi", env=env).succeeded()
        assert option(stubbed.launched.argv, "--settings") == str(ours / "settings-kimi.json")
        assert (ours / "SUPERVISOR.md").exists()
        assert "supervisor-hook" in (claudes / "settings.json").read_text()
        assert (claudes / "commands" / "supervisor.md").exists()
        assert os.listdir(stubbed.claude_dir) == []


class TestConfig:
    def test_first_run(self, stubbed: CccProject) -> None:
        """Without a configuration: says so in three lines, starts nothing."""
        (stubbed.claude_dir / "ccc.json").unlink()
        outcome = stubbed.run()
        assert (outcome.code, outcome.stdout, stubbed.launches) == (1, "", [])
        assert "there is no configuration yet" in outcome.stderr
        assert len(outcome.stderr.splitlines()) == 3

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("\ufeff{}", "line 1, column 1: the file begins with a byte order mark"),
            ('{\n  // keys\n  "providers": {}\n}', "line 2, column 3: JSON has no comments"),
            ('{\n  "providers": {},\n}', "line 2, column 18: trailing comma"),
            ('{"providers": {}}', "`providers` has no provider"),
            ('{"providers": []}', "providers: must be an object"),
            ('{"providers": {"a": {"env": {"K": true}}}}', "providers.a.env.K: must be a string"),
            ('{"providers": {"help": {}}}', "providers.help: help is a ccc command"),
        ],
    )
    def test_errors_name_file_and_key(self, stubbed: CccProject, text: str, said: str) -> None:
        """A bad configuration is an error with its place, and the file is left alone."""
        path = stubbed.write(".claude/ccc.json", text)
        outcome = stubbed.run("a")
        assert (outcome.code, stubbed.launches) == (1, [])
        assert f"{path}" in outcome.stderr
        assert said in outcome.stderr
        assert stubbed.read(".claude/ccc.json") == text

    def test_rewriting_keeps_everything(self, stubbed: CccProject) -> None:
        """Saving the choice changes one value: order, unknown keys, numbers, form stay."""
        text = (
            '{"current_provider":"a", "zoo": [1.0, 1e3],\n\t"providers": {"a": {}, "b": {}},\n'
            '\t"\\u00e4": "ä"}'
        )
        stubbed.write(".claude/ccc.json", text)
        first = stubbed.run("b").succeeded()
        assert stubbed.read(".claude/ccc.json") == text.replace('":"a"', '":"b"')
        assert "unknown key zoo" in first.stderr
        assert stubbed.run("a").succeeded().stderr == ""
        assert stubbed.read(".claude/ccc.json") == text


class TestHelp:
    def test_help(self, stubbed: CccProject) -> None:
        """004/显示帮助（更新）: usage, commands, variables, configuration, providers."""
        two_providers(stubbed, current_provider="glm")
        outcome = stubbed.run("--help").succeeded()
        assert "supervisor-mode" in outcome.stdout
        assert "CCC_SUPERVISOR_ID" in outcome.stdout
        assert "CCC_SUPERVISOR " not in outcome.stdout
        assert f"{stubbed.claude_dir}/ccc.json (readable)" in outcome.stdout
        assert "\n   kimi\n * glm\n" in outcome.stdout
        assert "sk-" not in outcome.stdout
        assert stubbed.launches == []

    @pytest.mark.parametrize("text", [None, "{broken", '{"providers": 1}'])
    def test_help_without_a_usable_config(self, stubbed: CccProject, text: str | None) -> None:
        """Help works with a broken or missing configuration, and says which it is."""
        path = stubbed.claude_dir / "ccc.json"
        path.unlink() if text is None else path.write_text(text)
        outcome = stubbed.run("--help").succeeded()
        assert ("not created yet" if text is None else "not usable") in outcome.stdout
        assert "Usage:" in outcome.stdout

    @pytest.mark.parametrize("text", [None, pytest.param("{broken", marks=pytest.mark.thorough)])
    def test_help_of_a_command(self, stubbed: CccProject, text: str | None) -> None:
        """`ccc help COMMAND` is what `ccc COMMAND --help` prints, whatever ccc.json is like."""
        if text:
            (stubbed.claude_dir / "ccc.json").write_text(text)
        for command in COMMANDS:
            printed = stubbed.run("help", command).succeeded().stdout
            assert command == "help" or printed.startswith(f"Usage: ccc {command}"), command
            if command not in ("help", "supervisor-hook"):
                assert stubbed.run(command, "--help").succeeded().stdout == printed, command
        assert stubbed.launches == []

    def test_help_of_another_word(self, stubbed: CccProject) -> None:
        """A provider is explained; of an unknown word the nearest one is named."""
        two_providers(stubbed)
        assert "ccc kimi --help" in stubbed.run("help", "kimi").succeeded().stdout
        for word, near in (("statsu", "status"), ("kimmi", "kimi")):
            outcome = stubbed.run("help", word)
            assert (outcome.code, outcome.stdout) == (1, "")
            assert f"no command {word}" in outcome.stderr
            assert f"ccc help {near}\n" in outcome.stderr
        assert "All commands: ccc help" in stubbed.run("help", "xyzzy").stderr

    def test_both_languages(self, stubbed: CccProject) -> None:
        """CCC_LANG, then `language`, then the locale choose the language; English otherwise."""
        assert "Usage:" in stubbed.run("--help").stdout
        for locale in (None, "C", "de_DE.UTF-8"):
            assert "Usage:" in stubbed.run("--help", env={"LANG": locale}).stdout
        assert "用法" in stubbed.run("--help", env={"LANG": "zh_CN.UTF-8"}).stdout
        assert "用法" in stubbed.run("--help", env={"CCC_LANG": "zh"}).stdout
        stubbed.configure(language="zh")
        assert "用法" in stubbed.run("--help").stdout
        assert "Usage:" in stubbed.run("--help", env={"CCC_LANG": "en"}).stdout

    def test_a_reader_that_goes_away(self, stubbed: CccProject) -> None:
        """Help into a closed pipe, or in an encoding without Chinese, is no crash."""
        line = f"{stubbed.ccc} --help | true; PYTHONIOENCODING=ascii {stubbed.ccc} --help"
        outcome = stubbed.run("-c", line, program="/bin/sh").succeeded()
        assert outcome.stderr == ""

    def test_version(self, stubbed: CccProject) -> None:
        """`ccc --version` prints the version."""
        import ccc

        assert stubbed.run("--version").succeeded().stdout == f"ccc {ccc.__version__}\n"


def stop_commands(project: CccProject, name: str) -> list[str]:
    """The commands of the Stop hooks in a settings file."""
    groups = project.json(f".claude/{name}")["hooks"]["Stop"]
    return [hook["command"] for group in groups for hook in group["hooks"]]


def option(argv: list[str], name: str) -> str:
    """The value of an option."""
    return argv[argv.index(name) + 1]


def users(argv: list[str]) -> list[str]:
    """The arguments without ours."""
    rest = list(argv)
    for name in OURS:
        at = rest.index(name)
        del rest[at : at + 2]
    return rest


def snapshot(directory: Path) -> dict[str, tuple[int, int, bytes]]:
    """Every file with its inode, time of change and content."""
    found = {}
    for path in directory.rglob("*"):
        if path.is_file():
            status = path.stat()
            name = str(path.relative_to(directory))
            found[name] = (status.st_ino, status.st_mtime_ns, path.read_bytes())
    return found
