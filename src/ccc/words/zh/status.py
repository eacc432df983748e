"""Messages of `ccc status` in Chinese."""

WORDS = {
    "status.usage": """用法：ccc status [--all] [--json]

每个会话一行，最新的在前：正在进行的，以及一天内受过监督的。
费用指审查的费用；ccc run 的会话则是 Agent 与审查的合计。
终端较窄时显示的列较少。
如果当前目录有自己的提供商，会先显示它。

  --all     也显示更早受过监督的会话
  --json    输出一个 JSON 对象：会话，以及另外还有多少个
  --no-color""",
    "status.bound": "此目录的提供商：{name}",
    "status.none": "没有正在进行的会话，最近一天也没有受监督的会话。",
}
