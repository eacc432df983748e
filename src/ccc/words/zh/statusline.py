"""Messages of `ccc statusline` in Chinese."""

WORDS = {
    "statusline.usage": """用法：ccc statusline

供 Claude Code 状态栏使用的一行：本会话是否受监督，以及 Supervisor 正在做什么。
Claude 会把会话信息以 JSON 形式传到标准输入。用 ccc init --statusline
安装，或在 ~/.claude/settings.json 中写：

  "statusLine": {{
    "type": "command", "command": "ccc statusline", "refreshInterval": 2
  }}

不是由 ccc 启动的会话中不输出任何内容。""",
    "statusline.off": "Supervisor 关",
    "statusline.on": "Supervisor 开",
    "statusline.waiting": "锁被另一个 ccc 占用",
    "statusline.checking": "Supervisor 检查中",
    "statusline.reviewing": "Supervisor 审查中",
}
