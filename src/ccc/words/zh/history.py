"""Messages of `ccc history` in Chinese."""

WORDS = {
    "history.usage": """用法：ccc history [-n N] [--json]

受过监督的会话，最新的在前：时间、项目、提供商、结论、轮次、费用和任务。
费用指审查的费用；ccc run 的会话则是 Agent 与审查的合计。

  -n N        最多显示 N 个（20）
  --json      输出一个 JSON 对象
  --no-color""",
    "history.least": "-n 至少为 1",
    "history.when": "时间",
}
