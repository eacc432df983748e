"""Messages of the queue's workers in Chinese."""

WORDS = {
    "worker.git": "{command} 在 {directory} 中失败：{cause}",
    "worker.setup": "准备命令失败：{command}\n{cause}",
    "worker.no_forge": "创建拉取请求需要 worker 的 PATH 中有 gh 或 glab。"
    "请安装其中一个并登录，然后：ccc queue retry {id}（已完成的工作不会重做）",
    "worker.push": "{branch} 未能推送：{cause}\n"
    "工作已提交在这个分支上。解决原因后：ccc queue retry {id}（只推送，Agent 不会再次运行）",
    "worker.no_push_url": "{branch} 未推送：#{id} 由较旧的 ccc 添加，没有记录推送地址。"
    "工作已提交到此分支，请自行推送。",
    "worker.forge": "没有为 {branch} 创建拉取请求：{cause}\n"
    "分支已推送。解决原因后：ccc queue retry {id}（Agent 不会再次运行）",
    "worker.unexpected": "worker 意外出错，请查看日志",
    "worker.answered": "用户对此作出了回答：\n{answer}",
    "worker.begun": "此目录中已有人开始处理该任务：继续之前，请先查看分支上的提交和未提交的内容。",
    "worker.worker_started": "Worker {host}，最多同时运行 {jobs} 个任务。Ctrl-C 停止，"
    "运行中的任务由下一个 worker 继续。",
    "worker.keys": "q 停止 worker；运行中的任务由下一个 worker 继续",
    "worker.started": "#{id} 已在 {provider} 上开始：{title} · 检查：{checks}",
    "worker.continues": "#{id} 在 {provider} 上继续：{title}",
    "worker.taken_over": "#{id} 已从失效的 {worker} 接管",
    "worker.completed": "#{id} 已完成（{cost}）",
    "worker.needs_input": '#{id} 需要你的回答：{detail}\n  ccc queue answer {id} "…"',
    "worker.failed": "#{id} 失败：{outcome}{detail}",
    "worker.cancelled": "#{id} 已取消",
    "worker.waiting": "#{id} 已停止，等待下一个 worker",
    "worker.limited": "#{id} 等待中：{provider} 已达到用量上限，{until} 恢复",
    "worker.database_lost": "{cause}。正在重试。",
    "worker.database_gone": "{cause}。之后发生的事无法保存：worker 停止。",
    "worker.database_back": "数据库已恢复。",
    "worker.worker_stopping": "正在停止：运行中的任务正在保存状态。",
    "worker.ended_nothing_left": "现在没有可以启动的任务：worker 结束。",
    "worker.ended_stopped": "worker 已停止。",
    "worker.ended_database_lost": "worker 已停止：队列的数据库丢失。",
    "worker.events_lost": "事件无法写出（{cause}）：worker 停止。",
    "worker.ended_failed": "worker 意外出错，已停止。",
    "worker.detached": "Worker 已在后台启动（pid {pid}）。日志：{file}\n停止：kill {pid}",
    "worker.not_detached": "worker 没有启动，日志：{file}",
    "worker.no_worktree": "工作树已不存在：{directory}",
    "worker.budget_short": "下一个任务需要 {needed_usd} 预算，剩余 {left_usd}：不再启动任务。"
    "修改预算：ccc queue budget",
    "worker.no_repository": "{directory} 已没有对应的仓库",
    "worker.git_changed": "#{id}：任务运行期间，该仓库的 git 设置发生了变化：{detail}。"
    "它们可能指定了程序，git 会运行这些程序，合并时也一样。请先检查："
    "git config --list --local --show-origin",
    "worker.no_settings": "git 无法读取 {directory} 中的设置：git config --list --local",
    "worker.busy": "#{id} 等待中：同一工作树中，失效 worker 的运行还没有结束",
}
