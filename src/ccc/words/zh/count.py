"""Counted nouns in Chinese: one form for any number."""

WORDS = {
    "count.asking": "{n} 需要回答",
    "count.calls": "{n} 次工具调用",
    "count.cases": "{n} 个案例",
    "count.checks": "{n} 项检查",
    "count.commits": "{n} 个提交",
    "count.files": "{n} 个文件",
    "count.leftovers": "被强行终止的会话留下的 {n} 个文件",
    "count.reviews": "{n} 次审查",
    "count.sessions": "{n} 个会话",
    "count.times": "{n} 次",
    "count.workers": "{n} 个 worker",
}
