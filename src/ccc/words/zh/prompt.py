"""Messages of `ccc prompt` in Chinese."""

WORDS = {
    "prompt.usage": """用法：ccc prompt init [--project]

把默认的 SUPERVISOR.md（给审查者的说明）写到 ~/.claude；不会覆盖已有的文件。

  --project   写到当前目录，只用于这个项目""",
    "prompt.exists": "{file} 已存在，保持原样\n→ 请先改名或删除它。",
}
