"""What `ccc run` says, in Chinese."""

WORDS = {
    "run.usage": """用法：ccc run [选项] "任务" [-- claude 参数…]

Agent 工作，Supervisor 审查，Agent 继续工作……直到任务完成。
任务也可以来自 --file 或标准输入。

  --provider 名称       提供商（否则为当前提供商）
  --max-iterations N    最多审查 N 次
  --max-minutes N       最长 N 分钟（包括之后的继续运行）
  --max-cost-usd N      最多 N 美元（Agent 与审查合计）
  --check 命令          审查前必须成功的命令（可重复）
  --continue            继续本目录最近一次未完成的运行
  --wait                等待用量限制重置
  --no-resume           结束时不在终端打开会话
  --json                结束时输出一个 JSON 对象
  --quiet               只显示结果
  --file 文件           从文件读取任务

退出码：0 已完成，1 输入或配置有误，20 达到审查次数上限，21 陷入停滞，22 预算用尽，
23 需要用户决定，24 无法审查，25 Agent 失败，130 被中断""",
    "run.no_task": "没有任务",
    "run.no_file": "没有这个文件：{file}",
    "run.nothing_to_continue": "{directory} 中没有未完成的运行",
    "run.ask": "任务：",
    "run.logs": "[Supervisor Mode] 日志文件:\n"
    "  state 目录: {state_dir}\n"
    "  hook 调用日志: {hook_log}\n"
    "  agent 输出日志: {agent_log}\n"
    "  supervisor 输出日志: {output_log}",
    "run.status": "第 {iteration}/{limit} 轮 · {time} · ${cost}",
    "run.waiting": "[ccc] {error}\n{time} 后重试（第 {failures} 次）",
    "run.countdown": "{time} 后重试",
    "run.limit_ends": "额度将在 {time} 恢复。用 `ccc run --continue --wait` 可以等到那时再继续。",
    "run.unsaid": "[ccc] 这句话还没有告诉 agent：{text}",
    "run.died": "[ccc] claude 没有给出结果就结束了（{error}）；正在恢复会话（第 {failures} 次）",
    "run.stopping": "[ccc] 正在请 Agent 停止；再按一次 Ctrl-C 立即结束",
    "run.completed": "[ccc] 已完成：{iterations} 次审查，{seconds} 秒，${cost}，会话 {session}",
    "run.iterations": "[ccc] 已达审查次数上限（{iterations}）：{seconds} 秒，${cost}，"
    "会话 {session}",
    "run.stuck": "[ccc] {iterations} 次审查后陷入停滞，会话 {session}：{detail}",
    "run.minutes": "[ccc] {seconds} 秒后时间用尽：{iterations} 次审查，${cost}，会话 {session}",
    "run.cost": "[ccc] 预算用尽（${cost}）：{iterations} 次审查，{seconds} 秒，会话 {session}",
    "run.needs_user": "[ccc] 需要你来决定，会话 {session}：{detail}",
    "run.plan": "[ccc] 计划模式：计划等你确认，会话 {session}",
    "run.not_judged": "[ccc] 无法审查：{detail}\n日志：{log}",
    "run.agent_failed": "[ccc] Agent 失败：{detail}\n日志：{log}",
    "run.interrupted": "[ccc] 已中断：{iterations} 次审查，{seconds} 秒，${cost}。"
    "继续请用：ccc run --continue",
}
