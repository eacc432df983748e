"""Messages of `ccc install` in Chinese."""

WORDS = {
    "install.usage": """用法：ccc install

为 Claude Code 添加监督：在 ~/.claude/settings.json 中加入 Stop hook，并添加
/supervisor 和 /supervisoroff 命令。它们在任何会话中都可用，不限于用 ccc
启动的会话（普通的 claude、VS Code、Agent SDK 也可以）。审查者使用会话自己的
账号或提供商，其说明在 SUPERVISOR.md 中。`ccc uninstall` 可全部移除。
要使用别的提供商，请改为运行 `ccc init`。""",
    "install.done": "{directory} 中已有 Stop hook（settings.json）、/supervisor 和\n"
    "  /supervisoroff 命令，以及审查者的 SUPERVISOR.md。",
    "install.unchanged": "无需改动：{directory} 中已有 Stop hook、/supervisor、\n"
    "  /supervisoroff 和 SUPERVISOR.md。",
    "install.next": "请启动 claude（已打开的会话还不知道它们）并输入：/supervisor <任务>",
    "install.next_again": "请启动 {program} 并输入：/supervisor <任务>",
    "install.next_no_claude": "PATH 中没有 claude。请安装 Claude Code（npm install -g\n"
    "  @anthropic-ai/claude-code）并启动 claude，或运行 ccc init 并启动 ccc。\n"
    "  然后输入：/supervisor <任务>",
}
