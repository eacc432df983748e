"""Everything that ccc says to a person, in Chinese."""

from ccc.words.example import EXAMPLE

WORDS = {
    "bug": "ccc: 内部错误（{kind}）。这是一个 bug：设置 CCC_DEBUG=1 可以看到位置，欢迎反馈。",
    "file.unreadable": "无法读取 {file}：{reason_text}",
    "file.unwritable": "无法写入 {file}：{reason_text}",
    "file.hint": "请检查该处的所有者、权限和剩余空间。",
    "file.not_directory": "{file} 已存在，但不是目录",
    "file.not_utf8": "{file} 不是 UTF-8 文本（第 {at} 字节）",
    "file.left_alone": "文件未被改动。请另存为 UTF-8。",
    "file.busy": "{file} 一直在被其他程序修改",
    "file.busy_hint": "没有写入任何内容。请稍后再试。",
    "file.not_json": "{file} 第 {line} 行第 {column} 列：{reason}",
    "lock.busy": "另一个 ccc 占用 {file} 已超过 {seconds} 秒",
    "lock.hint": "请等它结束；如果它卡住了，请结束它。",
    "json.invalid": "这里不是合法的 JSON",
    "json.invalid.hint": "文件未被改动。请修正该处。",
    "json.unfinished": "内容提前结束",
    "json.unfinished.hint": "文件未被改动。有括号或引号没有闭合。",
    "json.empty": "文件是空的",
    "json.empty.hint": "文件未被改动。至少写入 {{}}。",
    "json.bom": "文件以 BOM（字节顺序标记）开头",
    "json.bom.hint": "文件未被改动。请另存为不带 BOM 的 UTF-8。",
    "json.comment": "JSON 不支持注释",
    "json.comment.hint": "文件未被改动。请删除注释。",
    "json.trailing_comma": "多余的逗号，后面没有内容",
    "json.trailing_comma.hint": "文件未被改动。请删除该逗号。",
    "json.too_deep": "嵌套过深",
    "json.too_deep.hint": "文件未被改动。",
    "json.constant": "NaN 和 Infinity 不是合法的 JSON",
    "json.constant.hint": "文件未被改动。请改成数字或字符串。",
    "config.missing": "还没有配置文件：{file}",
    "config.example": "最小可用的配置如下，请换成你自己的提供商和密钥：\n\n"
    + EXAMPLE.replace("{", "{{").replace("}", "}}")
    + '\n\n密钥不必写在文件里：可以用 {{"command": ["pass", "show", "kimi"]}} '
    '或 {{"env": "KIMI_KEY"}} 代替。',
    "config.no_providers": "{file}：`providers` 里没有提供商",
    "config.wrong": "{file}：{path}：{reason}",
    "config.not_object": "必须是对象 {{…}}",
    "config.not_object.hint": "请把 {path} 的值放进花括号。",
    "config.not_string": "必须是字符串",
    "config.not_string.hint": "请把 {path} 的值放进双引号。",
    "config.not_strings": "必须是字符串列表",
    "config.not_strings.hint": '例如 ["--verbose"]。',
    "config.not_whole": "必须是 {least} 到 {most} 之间的整数",
    "config.not_whole.hint": "不要加引号，也不要小数。",
    "config.not_number": "必须是 {least} 到 {most} 之间的数字",
    "config.not_number.hint": "不要加引号。",
    "config.not_truth": "必须是 true 或 false",
    "config.not_truth.hint": "不要加引号。",
    "config.not_one_of": "必须是以下之一：{choices}",
    "config.not_one_of.hint": "请放进双引号。",
    "config.not_checks": "必须是命令：字符串，或 "
    '{{"command": "make test", "timeout_seconds": 300}}',
    "config.not_checks.hint": '例如 ["make test"]。',
    "supervisor.provider": "没有名为 {name} 的提供商",
    "supervisor.provider.hint": "请写 `providers` 中的一个，或删除该键。",
    "config.hooks": "不是 Claude Code 能读取的形式",
    "config.hooks.hint": "`hooks.Stop` 是分组列表："
    '[{{"hooks": [{{"type": "command", "command": "…"}}]}}]',
    "config.misplaced": "它应当放在 `env` 里",
    "config.misplaced.hint": "请移到 {inside} 中，以免被写入 settings 文件。",
    "config.directory": "必须是绝对路径",
    "config.directory.hint": "请以 / 或 ~ 开头。",
    "config.language": "ccc 不支持语言 {value}",
    "config.language.hint": '请写 "zh" 或 "en"。',
    "config.unknown_key": "{file}：未知的键 {path}（已保留，未使用）",
    "provider.name": "提供商名称只能包含字母、数字、`.`、`_` 和 `-`，最多 64 个字符",
    "provider.name.hint": "请改名。",
    "provider.reserved": "{name} 是 ccc 的命令",
    "provider.reserved.hint": "请给提供商改名。",
    "provider.suffix": "提供商名称不能以 -supervisor 结尾（该文件属于审查者）",
    "provider.suffix.hint": "请改名。",
    "provider.twice": "与 {other} 只有大小写不同",
    "provider.twice.hint": "请给其中一个改名。",
    "provider.unknown": "未知的提供商：{name}",
    "provider.gone": "ccc: 当前提供商 {name} 已不在 ccc.json 中，改用 {chosen}",
    "provider.nearest": "你是不是要找 {near}？可用的提供商：{known}",
    "provider.known": "可用的提供商：{known}",
    "provider.subcommand": "`{name}` 是 claude 的命令；请指明提供商：ccc {current} {name}\n"
    "可用的提供商：{known}",
    "env.name": "{name!r} 不能作为变量名",
    "env.name.hint": "请使用字母、数字和 _。",
    "env.variable": "这不是变量名",
    "env.variable.hint": '例如 {{"env": "KIMI_KEY"}}。密钥本身请直接写成字符串。',
    "env.value": '必须是字符串、数字、null、{{"command": ["程序", "参数"]}} 或 {{"env": "变量名"}}',
    "env.value.hint": '请把 {path} 的值放进双引号；命令是词的列表：["pass", "show", "kimi"]。',
    "secret.command_failed": "{path}：`{program}` 没有给出密钥（{cause}）",
    "secret.empty": "{path}：`{program}` 没有输出可用的内容",
    "secret.hint": "请手动运行 ccc.json 里该密钥的命令：输出的第一行应当是密钥。",
    "secret.variable_missing": "{path}：环境变量 {variable} 未设置",
    "secret.variable_hint": "请设置：export {variable}=…",
    "claude.missing": "找不到 claude",
    "claude.named_missing": "找不到 claude，并且 CCC_CLAUDE={file} 不是可执行程序",
    "claude.not_started": "无法启动 {file}：{reason_text}",
    "claude.install": "请安装 Claude Code（npm install -g @anthropic-ai/claude-code），"
    "或把 CCC_CLAUDE 设为它的路径。",
    "claude.loop": "{file} 又回到了 ccc",
    "claude.loop_hint": "名为 claude 的包装脚本调用了 ccc。请把它移出 PATH，"
    "或让它调用真正的 claude。",
    "program.unknown": "无法确定 ccc 安装在哪里（{file}）",
    "program.hint": "请用安装后的命令名启动：ccc",
    "session.name": "{variable} 不是合法的名称",
    "session.hint": "只能包含字母、数字、`.`、`_` 和 `-`。取消设置即可获得新的 id。",
    "settings.shape": "{file}：{path} 不是 Claude Code 能读取的形式",
    "settings.hint": "文件未被改动，claude 没有启动。请修正该处。",
    "settings.missing": "没有这个 settings 文件：{file}",
    "settings.missing_hint": "--settings 接受文件路径或 JSON 对象。",
    "settings.set_aside": "你的一个文件占用了我们的文件名，已改名为 {file}",
    "slash.foreign": "{file} 不是 ccc 写的，保持原样：/{name} 运行的是你的版本",
    "slash.hint": "改名或删除它，即可使用 ccc 的 /{name}。",
    "supervisor.enabled": "Supervisor mode enabled",
    "supervisor.replaced": "CCC_SUPERVISOR=1 已不再启用任何功能：请在会话中使用 /supervisor，"
    "或使用 ccc --supervisor。",
    "supervisor.logs": "[Supervisor Mode] 日志文件:\n"
    "  state 目录: {state_dir}\n"
    "  hook 调用日志: {hook_log}\n"
    "  supervisor 输出日志: {output_log}",
    "warn.hooks_off": "你的设置里有 `disableAllHooks`：Supervisor 的 Stop hook 不会运行。",
    "warn.no_credential": "ccc: 提供商 {provider} 设置了 ANTHROPIC_BASE_URL，但没有 "
    "ANTHROPIC_AUTH_TOKEN 或 ANTHROPIC_API_KEY；claude 会提示未登录（提供商不使用 apiKeyHelper）。",
    "warn.two_credentials": "ccc: 提供商 {provider} 同时设置了 {names}；只应有一个有值。",
    "mode.on": "[Supervisor Mode] 已启用",
    "mode.off": "[Supervisor Mode] 已关闭",
    "mode.no_session": "CCC_SUPERVISOR_ID 未设置：没有可切换的会话",
    "mode.no_session_hint": "请先用 ccc 启动会话（例如 `ccc kimi`），再在会话中使用 /supervisor。",
    "mode.unknown": "supervisor-mode 只接受 on、off 或 status，而不是 {word}",
    "mode.nothing_changed": "没有做任何改动。",
    "state.corrupt": "会话状态无法读取，已另存为 {file}",
    "state.corrupt_off": "[SUPERVISOR] 会话状态无法读取，已另存为 {file}。"
    "Supervisor Mode 已关闭；用 /supervisor 重新启用。",
    "stop.completed": "[SUPERVISOR] 任务已完成，允许停止"
    "（第 {iteration}/{limit} 次审查，{seconds} 秒，${cost}）",
    "stop.not_completed": "[SUPERVISOR] 任务未完成（{iteration}/{limit}）："
    "Agent 将根据反馈继续工作（{seconds} 秒，${cost}）",
    "stop.needs_user": "[SUPERVISOR] 需要你来决定，允许停止：{feedback}",
    "stop.stuck": "[SUPERVISOR] 陷入停滞，允许停止：反馈与上次相同，且没有任何改动。"
    "反馈：{feedback}",
    "stop.plan": "[SUPERVISOR] 计划模式：不审查，允许停止",
    "stop.background": "[SUPERVISOR] 后台仍在运行（{detail}）：不审查，允许停止",
    "stop.iterations": "[SUPERVISOR] 已达上限（本次提问 {detail} 轮）：不审查，允许停止。"
    "下一次提问重新计数。",
    "stop.minutes": "[SUPERVISOR] 已达上限（{detail} 分钟）：不审查，允许停止",
    "stop.cost": "[SUPERVISOR] 已达上限（审查费用 {detail} 美元）：不审查，允许停止",
    "stop.not_judged": "[SUPERVISOR] 无法审查，允许停止：{detail}\n"
    "日志：{log}。用 /supervisoroff 关闭 Supervisor Mode。",
    "stop.no_event": "hook 的输入不是 claude 在停止时给出的内容",
    "stop.switched_off": "[SUPERVISOR] 审查期间已被关闭，允许停止",
    "stop.tree_changed": "[SUPERVISOR] 审查期间项目发生了变化。",
    "stop.not_recorded": "[SUPERVISOR] 有记录未能写入：{problem}",
    "stop.cut": "[反馈未完，全文见 {file}]",
    "check.failed": "检查 `{command}` 失败，退出码 {code}。请让它通过。输出的末尾"
    "（全部输出见 {file}）：\n\n{output}",
    "check.no_end": "检查 `{command}` 在 {seconds} 秒后仍未结束，或无法启动。输出的末尾"
    "（全部输出见 {file}）：\n\n{output}",
    "review.too_slow": "审查超过了 {seconds} 秒（supervisor.timeout_seconds）",
    "review.no_verdict": "审查者没有给出结论，再次询问也没有",
    "review.no_feedback": "审查认为工作尚未完成，但没有说明缺少什么。请再次逐条核对用户的要求："
    "完成尚未完成的部分，实际运行以验证每一条，并给出证据。",
    "hook.begun": "========== [SUPERVISOR HOOK] 开始执行 ==========\n"
    "session_id: {session}, 迭代次数: {iteration}/{limit}",
    "hook.reviewing": "[SUPERVISOR] 正在审查工作...\n请在新窗口查看日志文件了解详情: {file}",
    "hook.not_completed": "[SUPERVISOR] 任务未完成\n{feedback}\nAgent 将根据反馈继续工作",
    "hook.completed": "[SUPERVISOR] 任务已完成\n允许停止",
    "hook.needs_user": "[SUPERVISOR] 需要用户来决定\n{feedback}\n允许停止",
    "hook.stuck": "[SUPERVISOR] 陷入停滞\n{feedback}\n允许停止",
    "hook.plan": "[SUPERVISOR] 计划模式\n允许停止",
    "hook.background": "[SUPERVISOR] 后台仍在运行: {detail}\n允许停止",
    "hook.iterations": "[SUPERVISOR] 已达 {detail} 次审查的上限\n允许停止",
    "hook.minutes": "[SUPERVISOR] 已达 {detail} 分钟的上限\n允许停止",
    "hook.cost": "[SUPERVISOR] 已达 {detail} 美元的上限\n允许停止",
    "hook.not_judged": "[SUPERVISOR] 无法审查: {detail}\n允许停止",
    "judge.provider_gone": "提供商 {name} 已不在 {file} 中",
    "judge.no_session": "claude 没有说明是哪个会话停止了",
    "judge.no_sandbox": 'supervisor.sandbox 为 "require"，但此处无法运行沙箱'
    "（需要 bubblewrap 和 socat）",
    "judge.no_prompt": "没有 SUPERVISOR.md：项目中没有，{file} 也不存在；请用 ccc prompt init 创建",
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
    "run.wrong": "ccc run：{problem}",
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
    "run.waiting": "[ccc] {error}\n{seconds} 秒后重试（第 {failures} 次）",
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
    "prompt.usage": "用法：ccc prompt init [--project]",
    "prompt.exists": "{file} 已存在，保持原样",
    "prompt.exists_hint": "请先改名或删除它。",
    "prompt.written": "已写入 {file}",
    "help.usage": """ccc {version}：让 Claude Code 使用任意提供商，并由 Supervisor 审查它的工作

用法：
  ccc [提供商] [claude 参数…]
  ccc --supervisor [提供商] [claude 参数…]
  ccc run [选项] "任务" [-- claude 参数…]
  ccc <命令>

第一个词决定做什么；其后的内容原样交给 claude。

命令：
  supervisor-mode [on|off|status]  切换当前会话的 Supervisor Mode
  run "任务"                       无人值守地工作，直到完成（见 run --help）
  prompt init [--project]          写入默认的 SUPERVISOR.md
  --supervisor                     启动时即启用 Supervisor Mode
  --version, -V                    显示版本
  --help, -h                       显示本帮助

在会话中：
  /supervisor <任务>               启用 Supervisor Mode 并给出任务
  /supervisoroff                   关闭 Supervisor Mode

环境变量：
  CCC_CONFIG_DIR       ccc.json 所在目录（否则 CLAUDE_CONFIG_DIR，否则 ~/.claude）
  CCC_WORK_DIR         状态和日志放在它的 ccc 目录（否则与 ccc.json 同处）
  CCC_CLAUDE           PATH 中没有 claude 时使用的 claude
  CCC_LANG             zh 或 en
  CCC_SUPERVISOR_ID    会话 id；未设置时自动生成
  CCC_DEBUG            1：内部错误时显示 traceback
""",
    "help.config": "配置文件：{file}（{how}）",
    "help.config_good": "可读",
    "help.config_missing": "尚不存在",
    "help.config_bad": "不可用：{problem}",
    "help.providers": "提供商（* 为当前）：",
}
