"""What `ccc status` says, in Chinese."""

WORDS = {
    "status.usage": """用法：ccc status [--all] [--json]

每个会话一行，最新的在前：正在运行的，以及一天内有变化的。

  --all     所有有记录的会话
  --json    输出一个 JSON 对象：会话，以及另外还有多少个
  --no-color""",
    "status.none": "没有正在运行的会话，一天内也没有会话发生变化。",
    "status.more": "另外还有 {n} 个：ccc status --all",
}
