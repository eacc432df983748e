"""All messages about the limits of a task in Chinese."""

WORDS = {
    "limit.count.max_iterations": "{n} 轮",
    "limit.option.max_iterations": "最多轮数（默认取 ccc.json，否则为 10）",
    "limit.look.iterations": "已达轮数上限",
    "limit.stop.iterations": "[SUPERVISOR] 已达上限（本次提问 {rounds}）{checks}。"
    "不再审查，允许停止。下一次提问重新计数。",
    "limit.run.iterations": "[ccc] 已达 {rounds}的上限{checks}\n"
    "继续：ccc run --continue --max-iterations N",
    "limit.count.max_minutes": "{n} 分钟",
    "limit.option.max_minutes": "最长时间（分钟，续跑时累计）；0 表示不限",
    "limit.look.minutes": "已达时间上限",
    "limit.stop.minutes": "[SUPERVISOR] 已达上限（{detail} 分钟）。不再审查，允许停止。",
    "limit.run.minutes": "[ccc] 已达时间上限（{seconds} 秒）\n"
    "继续：ccc run --continue --max-minutes N",
    "limit.count.max_cost_usd": "${n}",
    "limit.option.max_cost_usd": "最高费用（美元，Agent 与审查合计）；0 表示不限",
    "limit.look.cost": "已达费用上限",
    "limit.stop.cost": "[SUPERVISOR] 已达上限（审查费用 {detail} 美元）{checks}。"
    "不再审查，允许停止。",
    "limit.run.cost": "[ccc] 预算用完（{cost}）{checks}\n继续：ccc run --continue --max-cost-usd N",
}
