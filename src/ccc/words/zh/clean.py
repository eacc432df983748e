"""Messages of `ccc clean` in Chinese."""

WORDS = {
    "clean.usage": """用法：ccc clean [--older-than 时长] [--dry-run] [--yes]

删除超过该时长没有变化、且不在运行的会话的状态和日志。

  --older-than 时长   例如 30d（默认）、12h、2w
  --dry-run           只显示将要删除的内容
  --yes               不询问（没有终端时必须给出）""",
    "clean.sessions": "超过 {age}没有变化的会话（{count} 个）：",
    "clean.headers": "会话|项目|更新|大小|任务",
    "clean.age_m": "{n} 分钟",
    "clean.age_h": "{n} 小时",
    "clean.age_d": "{n} 天",
    "clean.unit": "需要带单位的数字：45m、12h、30d、2w",
    "clean.running": "正在运行、因此保留的会话：{count} 个",
    "clean.more": "……另有 {count} 个",
    "clean.others": "旧日志，以及已结束进程留下的文件：{count} 个（{size}）",
    "clean.whole": "共 {files}，{size}。",
    "clean.ask": "删除它们吗？",
    "clean.nothing": "{directory} 中没有超过 {age}的内容。",
    "clean.done": "已删除 {files}，释放 {size}。",
}
