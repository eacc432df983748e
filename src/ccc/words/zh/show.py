"""Messages of `ccc show` in Chinese."""

WORDS = {
    "show.usage": """用法：ccc show [会话] [--full] [--json]
      ccc show [会话] --wrong|--right [--round N]

一个受监督的会话：最初的任务，每一轮的结论、检查、反馈和费用，审查者运行了
什么、看到了什么、最后说了什么。
会话可以只写 id 的开头；不写则为当前目录最近有变化的受监督会话，
没有时取所有目录中最近的。

  --full      全部内容：审查者的所有工具调用及其输出、检查的输出，以及日志文件的
              位置
  --json      输出一个 JSON 对象
  --wrong     标记最后的结论有误，并给出把它做成 `ccc eval` 案例的命令
  --right     撤销标记
  --round N   标记第 N 轮的结论，而不是最后一个
  --no-color""",
    "show.wrong": "有误",
    "show.marked_wrong": "已标记为有误：会话 {session}，{round}。",
    "show.marked_right": "已标记为正确：会话 {session}，{round}。",
    "show.make_case": "要用它衡量审查者，可以做成案例（KIND 见 ccc help eval）：",
    "show.round_of_mark": "--round 要和 --wrong 或 --right 一起用",
    "show.no_verdict": "会话 {session} 还没有结论",
    "show.no_round": "会话 {session} 的第 {n} 轮没有结论\n→ 有结论的轮次：{known}",
    "show.not_marked": "标记没有记录下来：{problem}",
    "show.resume": "恢复命令",
    "show.model": "模型",
    "show.supervisor": "监督",
    "show.reviews_cost": "审查",
    "show.no_reviews": "无：由检查决定",
    "show.reviewers": "审查者",
    "show.agent_cost": "Agent 费用",
    "show.prices": "价格来源",
    "show.no_request": "（没有记录任务）",
    "show.no_rounds": "还没有任何一轮：开启监督以来 Agent 尚未停止过。",
    "show.round": "第 {n} 轮",
    "show.after_round": "第 {n} 轮之后",
    "show.before_rounds": "第一轮之前",
    "show.no_changes": "没有改动",
    "show.cached": "缓存 {n}",
    "show.no_model": "未请模型审查",
    "show.reviewer": "审查者：{calls}",
    "show.changed_tree": "审查期间项目发生了变化",
    "show.state": "状态",
    "show.hook": "hook 日志",
    "show.agent": "Agent 输出",
    "show.reviews": "审查者输出",
    "show.verdicts": "结论记录",
    "show.errors": "审查者错误输出",
}
