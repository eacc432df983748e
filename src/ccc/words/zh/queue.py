"""Messages of `ccc queue` in Chinese."""

WORDS = {
    "queue.usage": """用法：ccc queue [子命令] …

任务队列。每个任务有自己的工作树和分支；worker 像 ccc run 一样运行它们，
遵守你设置的各项限制和一个总预算。不写子命令时：在终端中显示看板，否则列出任务。

  add "任务" [选项]        添加任务
  work [--jobs N]          运行任务，直到按 Ctrl-C
  list [选项]              列出任务，以及等待中的任务在等什么
  show ID                  一个任务的全部信息，以及接下来怎么做
  logs ID [-f, --follow]   各次运行的输出；-f：持续显示直到结束
  answer ID "内容"         回答需要你输入的任务（也可从标准输入读取）
  cancel ID…               取消任务，包括正在运行的
  retry ID… [--allow RULE] 再次运行失败的任务，可增加权限或修改限制
                           （--max-…，同 add）
  move ID first|last|N     调整顺序，或设置优先级
  rm ID… [--yes, --force]  删除任务及其工作树，保留分支；
                           --force：即使有其他任务在等它
  pause, resume [名称]     不再启动任务（或某个提供商的任务）；恢复
  budget [N/day|N|off]     所有任务的费用上限：每天或总计（美元）
  limit [名称 [选项]]      某个提供商的限制
  keep [N]                 已完成任务的工作树保留 N 天

add 的选项：
  --repo 路径|URL          仓库（默认为当前目录所在的仓库）
  --branch B, --base REF   存放结果的分支，以及它的起点
  --provider 名称          提供商；用量达到上限时换下一个（可重复，或写成 a,b）
  --check 命令, --allow 规则, {options}         与 ccc run 相同
  --setup 命令             准备新工作树的命令
  --priority N             数字大的先开始（默认 0）
  --after ID               在该任务完成后开始（可重复）
  --push, --pr             推送分支；并创建拉取请求
  --file 文件              从文件读取任务
  --from 文件              添加文件中的所有任务：YAML、JSON 或逐行；- 为标准输入

list 的选项：
  --state S                running、needs_input、waiting、completed、failed
                           或 cancelled（可重复）
  --all                    所有任务（默认：未结束的，以及最近结束的 10 个）
  -n N                     最多 N 个任务

limit 的选项（0 表示不限）：
  --jobs N                 该提供商上同时运行的任务数
  --per-minute N           每分钟启动的任务数

work 的选项：
  --jobs N                 同时运行的任务数（默认 2）
  --once                   没有任务可以启动时结束
  --detach                 在后台运行
  --unit                   输出此 worker 的 systemd 单元文件

  --json                   输出一个 JSON 对象；work：每个事件一行
  --no-color

设置 CCC_QUEUE_URL=postgresql://… 后，多台机器上的 worker 共用一个队列。""",
    "queue.text": "内容",
    "queue.not_id": "应为任务编号，而不是“{text}”",
    "queue.not_place": "应为 first、last 或优先级，而不是“{text}”",
    "queue.not_amount": "应为金额（美元），例如 20/day 或 100，或者 off，而不是“{text}”",
    # the database
    "queue.database": "无法使用队列的数据库 {url}：{cause}\n"
    "→ 请检查 Postgres 是否在运行，以及 CCC_QUEUE_URL 是否正确。",
    "queue.damaged": "队列的数据库 {url} 已损坏：{cause}\n"
    "→ 请停止 worker，并将 queue.db、queue.db-wal、queue.db-shm 移到别处。之后 ccc 会从空队列开"
    "始；已完成的工作在各自的分支上（git branch --list 'ccc/*'）。读取旧数据库中仍可读的内容："
    "sqlite3 queue.db .recover",
    "queue.busy": "另一个程序正在修改队列，一直没有完成（{url}）\n→ 没有做任何更改。请稍后重试。",
    "queue.database_gone": "队列的数据库 {file} 已被删除或替换",
    "queue.schema": "队列由另一版本的 ccc 写入（格式 {theirs}，此 ccc 使用 {ours}）\n"
    "→ 请在所有机器上使用同一版本的 ccc。",
    "queue.url": "{variable} 不是 Postgres 数据库的地址\n"
    "→ 例如 postgresql://user:password@host:5432/ccc",
    "queue.no_task": "没有任务 #{id}\n→ 参见：ccc queue list --all",
    # repositories
    "queue.no_repo": "{directory} 不在 git 仓库中\n"
    "→ 请进入一个仓库，或指定一个：--repo 路径 或 --repo URL",
    "queue.no_commit": "仓库 {directory} 还没有提交\n"
    "→ 任务在分支上工作，分支需要一个起始提交：git add . && git commit",
    "queue.branch": "{branch} 不能作为分支名\n→ 参见：git check-ref-format --help",
    "queue.no_base": "{repo} 中没有提交 {base}\n→ 请指定分支、标签或提交：--base main",
    "queue.no_origin": "{directory} 没有可以推送的远程仓库 origin\n"
    "→ 请添加一个：git remote add origin URL。或不用 --push 和 --pr：结果就是此仓库的一个分支。",
    "queue.no_forge": "--pr 需要 gh 或 glab，但 PATH 中两者都没有\n"
    "→ 请安装其中一个并登录：gh auth login 或 glab auth login。或者改用 --push，自己创建拉取请求。",
    "queue.no_git": "找不到 git\n→ 请安装 git。",
    # states
    "queue.state_waiting": "等待中",
    "queue.state_running": "运行中",
    "queue.state_needs_input": "需要回答",
    "queue.state_completed": "已完成",
    "queue.state_failed": "失败",
    "queue.state_cancelled": "已取消",
    "queue.cancelling": "正在取消",
    "queue.failed": "失败：{outcome}",
    "queue.after_limit": "已达 {limit}",
    "queue.outcome_released": "worker 已停止",
    "queue.outcome_lost": "已被接管",
    "queue.outcome_not_prepared": "没有工作树",
    "queue.outcome_not_delivered": "未能推送",
    "queue.cannot": "不能 {verb} #{id}：{reason}",
    "queue.state_hint": "参见：ccc queue show {id}",
    # what keeps a waiting task
    "queue.obstacle_paused": "队列已暂停",
    "queue.obstacle_budget": "预算已用完",
    "queue.obstacle_shortage": "需要 {needed}，剩余 {left}",
    "queue.obstacle_provider": "没有 worker 配置 {detail}",
    "queue.obstacle_orphaned": "已中断：worker 已退出",
    "queue.obstacle_after": "等待 #{detail}",
    "queue.obstacle_blocked": "#{detail} 未完成",
    "queue.obstacle_host": "{detail} 上没有 worker",
    "queue.obstacle_limited": "{detail}：用量上限，到 {until}",
    "queue.obstacle_held": "{detail} 已暂停",
    "queue.obstacle_busy": "{detail} 已满",
    "queue.obstacle_rate": "{detail}：每分钟启动数已满",
    # the list and the board
    "queue.empty": '队列是空的。添加任务：ccc queue add "任务"',
    "queue.head_id": "#",
    "queue.head_state": "状态",
    "queue.head_time": "用时",
    "queue.head_task": "任务或分支",
    "queue.head_started": "开始",
    "queue.head_worker": "WORKER",
    "queue.asks": "#{id} 的问题：{question}",
    "queue.cut": "… 另外还有 {n} 个",
    "queue.keys": "q 退出",
    "queue.no_worker": "没有 worker",
    "queue.start_worker": "没有 worker 在运行。启动一个：ccc queue work",
    "queue.is_paused": "队列已暂停。恢复：ccc queue resume",
    # the budget, limits and pauses
    "queue.budget": "预算：{facts}",
    "queue.used_today": "24 小时内已用 {used}（上限 {limit}）",
    "queue.used": "总计已用 {used}（上限 {limit}）",
    "queue.reserved": "已预留 {reserved}",
    "queue.left": "剩余 {left}",
    "queue.no_budget": "没有预算。目前已用：{used}",
    "queue.frees": "最早的费用将在 {time} 移出 24 小时窗口。",
    "queue.tomorrow": "明天 {time}",
    "queue.paused": "已暂停：{names}",
    "queue.all_tasks": "整个队列",
    "queue.until": "{provider}（到 {until}）",
    "queue.not_paused": "没有暂停任何任务。",
    "queue.no_limits": "没有为任何提供商设置限制。",
    "queue.limit_jobs": "同时 {n} 个",
    "queue.limit_rate": "每分钟 {n} 个",
    "queue.keep": "已完成任务的工作树保留 {days} 天。",
    # changes of tasks
    "queue.added": "已添加 #{id}：{branch} · 检查：{checks}",
    "queue.now": "#{id} 现在的状态：{state}",
    "queue.now_waiting": "#{id} 正在等待（优先级 {priority}）",
    "queue.will_cancel": "正在取消 #{id}，它的 worker 会结束这次运行",
    "queue.no_answer": '没有给 #{id} 的回答\n→ 请写在编号之后：ccc queue answer {id} "…"',
    "queue.confirm": "删除 {tasks} 需要用 --yes 确认\n→ 工作树会被删除，分支会保留。",
    "queue.ask_remove": "删除 {tasks} 及其工作树？分支会保留。",
    "queue.awaited": "无法删除 #{id}：{tasks} 会一直等待它\n"
    "→ 请把等待它的任务一起删除，或让它们不再等待 #{id}：ccc queue rm {id} --force",
    "queue.waits_no_more": "#{id} 不再等待 #{other}",
    "queue.removed": "已删除 #{id}",
    "queue.worktree_kept": "它的工作树保留，因为其中未提交的内容无法保存：{directory}\n{cause}",
    "queue.worktree_stays": "它的工作树没有删除：{directory}（在 {host} 上）",
    "queue.answer_added": "已追加到你之前的回答：#{id} 此后还没有启动。",
    "queue.not_started": "#{id} 还没有启动，正在等待",
    "queue.no_log": "#{id} 还没有日志",
    "queue.elsewhere": "#{id} 在另一台机器上运行：{host}\n"
    "→ 请在那台机器上运行：ccc queue logs {id}",
    # one task
    "queue.of_detail": "详情",
    "queue.of_message": "你的回答",
    "queue.of_repo": "仓库",
    "queue.of_branch": "分支",
    "queue.of_base": "起点",
    "queue.of_providers": "提供商",
    "queue.of_allow": "允许",
    "queue.of_limits": "限制",
    "queue.of_setup": "准备",
    "queue.of_priority": "优先级",
    "queue.of_after": "等待",
    "queue.of_added": "添加于",
    "queue.of_worktree": "工作树",
    "queue.of_change": "改动",
    "queue.of_pull_request": "拉取请求",
    "queue.pushed": "{branch}（已推送）",
    "queue.will_push": "{branch}（将推送）",
    "queue.will_pr": "{branch}（将推送，并创建拉取请求）",
    "queue.go_on": "接下来：",
    "queue.branch_exists": "分支 {branch} 已存在\n→ 换一个名字，或不使用 --branch。",
    "queue.url_password": "URL 中包含密码，会被存储和显示\n"
    "→ 请去掉它：git 会使用凭据助手或你的 SSH 密钥。",
    "queue.outcome_not_set_up": "准备失败",
    "queue.outcome_no_request": "未创建拉取请求",
}
