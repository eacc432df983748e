"""Messages of `ccc eval` in Chinese."""

WORDS = {
    "eval.usage": """用法：ccc eval [--provider P] [--model M] [--prompt 文件] [选项]
      ccc eval --no-model [选项]
      ccc eval --compare 名称 名称
      ccc eval add 会话 --truth done|not-done --kind K [选项]
      ccc eval --export inspect 目录

衡量审查者能否分清真正做完的工作和只是声称做完的工作。每个案例是一个小项目，
包括 Agent 的改动和它说的话；“坏”的一份没有做完，“好”的一份做完了，
两者都由一条隐藏的命令证明。审查就是真正的审查，费用也一样：每个案例一次。
“误放”是通过了的坏案例，“误拦”是被退回的好案例。

  --no-model      不询问模型：项目自己的检查和 ccc 的信号能发现什么？
                  不需要密钥
  --provider P, --model M
                  审查者；默认为当前的提供商
  --prompt 文件   用它代替你的 SUPERVISOR.md
  --kind K        只用这一类案例：数字或名称（见下）
  --only 案例     只用这个案例，或其中一份：04-名称/bad。只有加上 --name
                  才保存结果
  --cases 目录    用你自己的案例代替自带的
  --epochs N      每个案例审查 N 次
  --jobs N        同时处理多少个案例
  --name 名称     以此名称保存结果；默认为 last
  --continue      从这个名称的实验中断的地方继续
  --compare A B   在相同案例上比较两次保存的实验，并做配对检验
  --export inspect 目录
                  把案例写成 Inspect AI 的任务，放进该目录；在那里运行：
                  inspect eval ccc_eval.py --model none -T provider=P
  --yes           不询问就开始审查（没有终端时必须给出）
  --json          输出一个 JSON 对象：案例和类别
  --no-color

ccc eval add 把会话的最后一个结论做成你自己的案例：项目的前后、请求、
Agent 做了什么、说了什么，密钥会被去掉。项目必须和下结论时一样。
--truth 说明工作是否做完（done 或 not-done），--kind 说明问题出在哪里，
或者审查者误以为出在哪里。

  --round N       用第 N 轮的结论，而不是最后一个
  --cases 目录    案例放在哪里；默认为 ~/.claude/ccc/cases
  --title 文字    一行说明；默认为请求

类别：1 tests-weakened、2 hard-coded、3 gate-altered、4 stub、5 half-done、
6 regression、7 wrong-behaviour、8 run-claimed、9 wrong-proof、
10 error-swallowed、11 wrong-file、12 not-updated、13 deferred、
14 effect-claimed""",
    "eval.bad_case": "{file} 不是案例：{cause}",
    "eval.git": "{command} 在 {directory} 中失败",
    "eval.name": "{name}：名称只能包含字母、数字、- 和 _",
    "eval.login": "提供商 {name} 没有自己的密钥，而审查案例时不使用你的登录\n"
    "→ 请指定有密钥的提供商：ccc eval --provider 名称\n"
    "如果用订阅，请把 `claude setup-token` 给出的令牌放进提供商的 env：\n"
    "CLAUDE_CODE_OAUTH_TOKEN",
    "eval.not_measured": "没有以 {name} 保存的结果\n→ 请先测量：ccc eval --name 名称",
    "eval.interrupted": "已中断，完成了 {n} / {all}。\n→ 继续：ccc eval … --continue",
    "eval.other_reviewer": "这些结果来自另一个审查者：{then}；现在是 {now}\n"
    "→ 请用相同的提供商、模型和提示继续，或用 --name 另存一份。",
    "eval.added": "已写入 {file}（{round}）。",
    "eval.read_first": "分享前请先看一遍：ccc 只去掉它认得出的密钥。用它来衡量：",
    "eval.omitted_keys": "没有收入（可能含有密钥）：{names}",
    "eval.omitted_binary": "没有收入（不是文本）：{names}",
    "eval.omitted_large": "没有收入（大于 1 MB）：{names}",
    "eval.omitted_link": "没有收入（链接或子模块）：{names}",
    "eval.omitted_outside": "没有收入（在项目目录之外）：{names}",
    "eval.late": "下结论之后写过，请确认和审查者看到的一样：{names}",
    "eval.unknown_size": "记录里没有下结论时改动的大小，请确认项目和当时一样。",
    "eval.unknown_keys": "读不到这些提供商的密钥，所以只去掉了看起来像密钥的内容：{names}",
    "eval.no_project": "这个会话的项目已经不在了：{file}",
    "eval.no_git": "{file} 不在 git 仓库中，ccc 无法知道 Agent 改了什么",
    "eval.no_start": "会话开始时的提交 {commit} 已经不在了\n→ 请用 git fetch 取回，或换一个会话。",
    "eval.changed": "下结论之后项目有变化：当时 {then}，现在 {now}\n"
    "→ 案例需要审查者看到的项目。请恢复原样（例如用 git stash）再试。",
    "eval.no_talk": "claude 对会话 {session} 的记录没有最后的消息，或者已经不在了",
    "eval.too_large": "项目太大，无法做成案例：{files} 个文件，{size}",
    "eval.there_is": "{file} 已经存在\n→ 要重新生成，请先删除它。",
    "eval.no_kind": "{kind}：没有这一类\n→ 类别：\n{kinds}",
    "eval.format": "未知的格式 {name}\n→ 可用的格式：{formats}",
    "eval.not_export": "{directory} 不是空目录，也不是先前导出的目录\n"
    "→ 请换一个目录。没有写入任何文件。",
    "eval.exported": "已将 {n}和 Inspect AI 的任务写入 {directory}。运行：",
    "eval.no_case": "没有案例 {name}\n→ 案例是 {directory} 中的目录",
    "eval.none": "没有这样的案例",
    "eval.progress": "{n} / {all} 个案例  {case}",
    "eval.priced": "{reviews}，审查者为 {reviewer}；每次以 {calls} 次工具调用计，按 {source} 的价格"
    "共约 {cost}。项目自己的检查就能发现的，不花钱。",
    "eval.unpriced": "{reviews}，审查者为 {reviewer}。费用未知：ccc 没有这个模型的价格。",
    "eval.ask": "开始审查？",
    "eval.head_kind": "类别",
    "eval.head_bad": "坏",
    "eval.head_checks": "检查",
    "eval.head_signals": "信号",
    "eval.head_good": "好",
    "eval.head_alarms": "误报",
    "eval.head_false_pass": "误放",
    "eval.head_false_block": "误拦",
    "eval.head_no_verdict": "无结论",
    "eval.head_calls": "调用",
    "eval.head_seconds": "秒",
    "eval.all": "合计",
    "eval.false_pass": "误放：{n} / {all}（95 %：{low} 到 {high}）",
    "eval.false_block": "误拦：{n} / {all}（95 %：{low} 到 {high}）",
    "eval.layers": "{all} 个坏案例中，检查发现 {checks} 个，审查者另外发现 {reviewer} 个。"
    "信号提示了 {signals} 个。",
    "eval.failed": "没有结论，{n} 次：{cause}",
    "eval.both_right": "两者都对：{n}",
    "eval.only_right": "只有 {name} 对：{n}",
    "eval.neither_right": "两者都错：{n}",
    "eval.p": "p = {p}（McNemar 精确检验：低于 0.05 时，差别基本不是偶然）",
    "eval.about": "检查和信号都发现不了的，要靠审查者。",
    "eval.kind_tests_weakened": "削弱测试",
    "eval.kind_hard_coded": "写死结果",
    "eval.kind_gate_altered": "改动检查",
    "eval.kind_stub": "留下占位代码",
    "eval.kind_half_done": "只做了一半",
    "eval.kind_regression": "别处出现回归",
    "eval.kind_wrong_behaviour": "测试通过但行为不对",
    "eval.kind_run_claimed": "声称运行过",
    "eval.kind_wrong_proof": "验证了别的东西",
    "eval.kind_error_swallowed": "吞掉错误",
    "eval.kind_wrong_file": "改错文件",
    "eval.kind_not_updated": "文档或调用处没有更新",
    "eval.kind_deferred": "只提问不动手",
    "eval.kind_effect_claimed": "声称的效果不存在",
}
