"""What `ccc show` says, in Chinese."""

WORDS = {
    "show.usage": """用法：ccc show [会话] [--json]

一个会话的全部记录：用户的要求，每一轮的结论、反馈、检查、费用和缓存占比，
以及日志文件的位置。会话可以只写 id 的开头；不写则为最近有变化的会话。

  --json      输出一个 JSON 对象
  --no-color""",
    "show.session": "会话",
    "show.project": "项目",
    "show.provider": "提供商",
    "show.supervisor": "监督",
    "show.outcome": "结论",
    "show.rounds": "轮次",
    "show.reviewed": "{rounds} 轮（请模型审查 {reviews} 次，{cost}，缓存占比 {cached}）",
    "show.judge": "审查者",
    "show.agent_cost": "Agent",
    "show.prices": "价格来源",
    "show.time": "用时",
    "show.no_request": "（没有记录用户的要求）",
    "show.round": "第 {n} 轮",
    "show.seconds": "{n} 秒",
    "show.cached": "缓存 {n}",
    "show.no_model": "未请模型审查",
    "show.diff": "{files} 个文件 +{added} −{removed}",
    "show.diff_of_one": "{files} 个文件 +{added} −{removed}",
    "show.changed_tree": "审查期间项目发生了变化",
    "show.exit": "退出码 {n}",
    "show.no_exit": "没有结束",
    "show.state": "状态",
    "show.hook": "hook 日志",
    "show.agent": "agent 输出",
    "show.reviews": "supervisor 输出",
    "show.verdicts": "结论记录",
    "show.errors": "supervisor 错误输出",
}
