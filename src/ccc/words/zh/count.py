"""Counted things in Chinese: one form for any number."""

WORDS = {
    "count.calls": "{n} 次工具调用",
    "count.checks": "{n} 项检查",
    "count.days": "{n} 天",
    "count.files": "{n} 个文件",
    "count.minutes": "{n} 分钟",
    "count.providers": "{n} 个提供商",
    "count.reviews": "{n} 次审查",
    "count.rounds": "{n} 轮",
    "count.sessions": "{n} 个会话",
    "count.states": "{n} 个状态",
    "count.times": "{n} 次",
}
