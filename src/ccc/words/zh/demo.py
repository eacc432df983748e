"""Messages of `ccc demo` in Chinese, and the words of its agent and reviewer."""

WORDS = {
    "demo.usage": """用法：ccc demo [选项]

一分钟内看完一次受监督的工作：无需账号、密钥和网络。运行的是真正的 Claude Code，
在一次性的 HOME 和仓库里；只有模型是本机上的一段脚本。

  --interactive   在 Claude Code 自己的界面里看同一个故事
  --fast          不为阅读停顿
  --keep          保留一次性 HOME（包括项目和日志），并告知位置
  --no-color      不使用颜色

退出码：0 演示如期完成，1 没有，130 被中断""",
    "demo.intro": "真正的 Claude Code（{version}），运行在一次性的 HOME 和仓库里：工具、文件、"
    "测试和 ccc 都是真的，只有模型是本机上的一段脚本。"
    "无需账号和密钥，不花钱，也不会碰你的任何文件。",
    "demo.preparing": "正在准备一次性 HOME……",
    "demo.no_git": "（没有安装 git：这里的项目不是仓库。）",
    "demo.claude_fails": "{file} 无法在一次性 HOME 中运行",
    "demo.no_terminal": "--interactive 需要终端\n→ 没有终端时请用：ccc demo",
    "demo.different": "演示没有按预期进行：{what}\n"
    "→ Claude Code {version} 的行为可能与本版 ccc 测试时所用的版本不同。想查看经过：ccc demo "
    "--keep",
    "demo.other_course": "应为 {expected}，实为 {got}",
    "demo.surprise_exit": "ccc run 的退出码是 {code}：{output}",
    "demo.surprise_claude": "claude 以 {code} 结束",
    "demo.surprise_blind": "审查者的命令全部失败：{output}",
    "demo.surprise_readme": "README.md 里仍有 {text}",
    "demo.surprise_silent": "{seconds} 秒内没有任何动静",
    "demo.nothing_left": "（没有留下任何东西）",
    "demo.not_removed": "无法删除 {directory}",
    "demo.kept": "已保留：{directory}（看完后请自行删除）",
    "demo.title_task": "任务",
    "demo.about_task": "一个小项目：slug.py、它的测试和 README。你会输入：",
    "demo.title_works": "Agent 开始工作，然后说“完成了”",
    "demo.title_check": "真的完成了吗？ccc 运行检查",
    "demo.about_check": "单独的 Claude Code 会就此停下。ccc 不轻信任何说法。",
    "demo.title_sent_back": "Agent 得继续",
    "demo.title_review": "检查通过，轮到审查者",
    "demo.about_review": "它是同一段对话的分叉，同一个模型，只读。它不听信说法，而是亲自查看。",
    "demo.title_goes_on": "Agent 根据反馈继续工作",
    "demo.title_again": "再次检查，再次审查",
    "demo.about_again": "每次停下都会审查，直到任务完成或达到上限。",
    "demo.title_summary": "结果",
    "demo.title_next": "接下来",
    "demo.waiting_agent": "Agent 正在工作……",
    "demo.waiting_review": "正在判断能否停下……",
    "demo.sum_stops_are": "{all} 轮：检查退回 {by_check} 次，审查者退回 {by_reviewer} 次，"
    "允许 {allowed} 次",
    "demo.sum_reviews_are": "{count} 次，共 {seconds} 秒，在 claude 的沙箱中",
    "demo.sum_reviews_off": "{count} 次，共 {seconds} 秒，没有沙箱"
    "（命令在这个 claude 的沙箱中会失败）",
    "demo.sum_reviews_bare": "{count} 次，共 {seconds} 秒，没有沙箱（需要 bubblewrap 和 socat）",
    "demo.sum_cost_is": "$0：只是脚本。按 claude 的计算：Agent ${agent}，审查 ${reviews}",
    "demo.sum_cached": "缓存",
    "demo.sum_cached_apart": "审查的提示词 token 有 {share} 命中缓存，"
    "但在这个 claude 上分叉不与 Agent 共用缓存",
    "demo.sum_cached_is": "审查的提示词 token 有 {share} 命中缓存：分叉与 Agent 共用缓存",
    "demo.sum_logs": "日志",
    "demo.sum_logs_gone": "已随一次性 HOME 删除；ccc demo --keep 可以保留",
    "demo.next": """  ccc init                           设置提供商和密钥
  ccc 名称                           用该提供商运行 Claude Code
  /supervisor <任务>                 在会话中：不完成就不停下
  ccc run --check "make test" "…"    无人值守地做同样的事，以退出码告知结果""",
    "demo.next_interactive": "  ccc demo --interactive             在 Claude Code 自己的界面里"
    "看这个故事",
    "demo.other_way": "  ccc demo                           逐步讲解这个故事",
    "demo.interactive": "接下来会打开 Claude Code：一次性的 HOME，监督已开启，"
    "任务也已给出。请留意 Agent 说“完成了”之后发生的事：ccc 退回的内容显示为 "
    "`Stop hook reported a problem`，这是 Claude Code 对 hook 反馈的叫法。"
    "输入 /exit，或按两次 Ctrl-C，即可回到这里。",
    "demo.begin": "按回车开始…… ",
    "demo.session_gone": "（该会话及其日志文件位于一次性 HOME 中。）",
    "demo.left_early": "故事还没有结束，你就离开了。",
    "demo.task": '让 slugify() 把 "Crème brûlée!" 变成 "creme-brulee"，让测试通过，并更新 README。',
    "demo.agent_looks": "我先看看这个函数。",
    "demo.agent_done": "完成了：带重音的字母会变成普通字母。",
    "demo.agent_fixes": "末尾多了一个连字符。我把它去掉，这次运行一下测试。",
    "demo.agent_done_again": "测试全部通过，完成了。",
    "demo.agent_goes_on": "对，README 也是任务的一部分。",
    "demo.agent_done_at_last": "README 现在与代码一致，完成了。",
    "demo.supervisor_looks": "用户要求了三件事。代码已有测试；我来看看 README，并亲自试一下例子。",
    "demo.supervisor_looks_again": "README 改好了吗？我再看一遍，再试一次。",
    "demo.supervisor_no": "README 与代码矛盾。",
    "demo.supervisor_yes": "README 与代码一致，测试也通过了。",
    "demo.feedback": "README.md 里仍是 cr-me-br-l-e-，还说重音会丢失；代码给出的是 creme-brulee。"
    "请改正这两处。",
    "demo.only_a_script": "我只是一段脚本，故事到此为止。输入 /exit 返回；"
    "用 `ccc init` 设置真正的模型。",
    "demo.readme_about": "把标题变成网址。",
    "demo.readme_before": "重音会丢失。",
    "demo.readme_after": "带重音的字母会变成普通字母。",
}
