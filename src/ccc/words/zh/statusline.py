"""Messages of `ccc statusline` in Chinese."""

WORDS = {
    "statusline.usage": """用法：ccc statusline

供 Claude Code 状态栏使用的一行：本会话是否受监督，以及监督进行到哪一步。
Claude 会把会话信息以 JSON 形式传到标准输入。用 ccc init --statusline
安装，或在 ~/.claude/settings.json 中写：

  "statusLine": {{
    "type": "command", "command": "ccc statusline", "refreshInterval": 2
  }}

不是由 ccc 启动的会话中不输出任何内容。""",
    "statusline.off": "监督关",
    "statusline.on": "监督开",
    "statusline.waiting": "锁被另一个 ccc 占用",
    "statusline.checking": "监督：检查中",
    "statusline.reviewing": "监督：审查中",
}
