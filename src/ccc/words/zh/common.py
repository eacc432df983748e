"""Messages that several commands share, and those of a stop, in Chinese."""

WORDS = {
    "bug": "ccc: 内部错误（{kind}）。这是一个 bug：设置 CCC_DEBUG=1 可以看到位置，欢迎反馈。",
    "comma": "、",
    "clause": "，",
    "usage.wrong": "{problem}",
    "usage.see": "用法见：ccc {command} --help",
    "usage.name": "名称",
    "usage.unknown": "未知的参数 {what}",
    "usage.missing": "缺少 {what}",
    "usage.no_value": "{what} 需要一个值",
    "usage.nearest": "{problem}。你是不是想用 {near}？",
    "usage.not_number": "{what}：应为数字，而不是“{value}”",
    "usage.not_choice": "{what}：应为 {choices} 之一，而不是“{value}”",
    "command.unknown": "未知的命令“{word}”。你是不是想用“{near}”？",
    "command.instead": "未知的命令“{word}”。请用：{instead}",
    "command.neither": "“{word}”既不是命令，也不是提供商",
    "command.lists": "命令：{commands}\n提供商：{known}",
    "usage.not_both": "{what} 与 {value} 不能同时使用",
    "usage.takes_none": "{what} 不接受值",
    "usage.about": "{what}：{value}",
    "usage.range": "请给出 {least} 到 {most} 之间的数字",
    "ask.yes_or_no": "请输入 y 或 n。",
    "ask.needs_yes": "没有可供询问的终端：请加 --yes",
    "ask.wrong": "{problem}。",
    "ask.empty": "请输入内容，或按 Ctrl-C 离开。",
    "ask.unchanged": "没有改动。",
    "ask.key": "这看起来是密钥，没有使用，也没有保存。密钥有单独的问题，输入时不显示。",
    "file.unreadable": "无法读取 {file}：{reason_text}",
    "file.unwritable": "无法写入 {file}：{reason_text}",
    "file.full": "无法继续写入：{reason_text}",
    "file.written": "已写入 {file}",
    "file.was_linked": "{file} 原是硬链接。改动只在这个名字下，文件的另一个名字仍是旧内容。",
    "file.hint": "请检查该处的所有者、权限和剩余空间。",
    "file.not_directory": "{file} 已存在，但不是目录",
    "file.not_utf8": "{file} 不是 UTF-8 文本（第 {at} 字节）\n→ 文件未被改动。请另存为 UTF-8。",
    "file.busy": "{file} 一直在被其他程序修改\n→ 没有写入任何内容。请稍后再试。",
    "file.not_json": "{file} 第 {line} 行第 {column} 列：{reason}",
    "home.unknown": "没有主目录：找不到 {path}\n"
    "→ 请设置 HOME，或者设置 CCC_CONFIG_DIR 和 CLAUDE_CONFIG_DIR。",
    "cwd.gone": "当前目录已被删除\n→ 请切换到一个存在的目录，例如：cd ~",
    "lock.waiting": "正在等待另一个 ccc{process} 释放 {file}",
    "lock.busy": "另一个 ccc{process} 占用 {file} 已超过 {seconds} 秒\n"
    "→ 请等它结束；如果它卡住或被挂起了，请结束它。",
    "json.invalid": "这里不是合法的 JSON\n→ 文件未被改动。请修正该处。",
    "json.unfinished": "内容提前结束\n→ 文件未被改动。有括号或引号没有闭合。",
    "json.empty": "文件是空的\n→ 文件未被改动。至少写入 {{}}。",
    "json.bom": "文件以 BOM（字节顺序标记）开头\n→ 文件未被改动。请另存为不带 BOM 的 UTF-8。",
    "json.comment": "JSON 不支持注释\n→ 文件未被改动。请删除注释。",
    "json.trailing_comma": "多余的逗号，后面没有内容\n→ 文件未被改动。请删除该逗号。",
    "json.too_deep": "嵌套过深\n→ 文件未被改动。",
    "json.constant": "NaN 和 Infinity 不是合法的 JSON\n→ 文件未被改动。请改成数字或字符串。",
    "config.missing": "还没有配置文件：{file}",
    "config.set_up": "请运行：ccc init\n不需要账号和密钥，先看演示：ccc demo",
    "config.ask_init": "ccc 还没有提供商。现在设置一个吗？",
    "config.no_providers": "{file}：`providers` 里没有提供商",
    "config.wrong": "{file}：{path}：{reason}",
    "config.not_object": "必须是对象 {{…}}\n→ 请把 {path} 的值放进花括号。",
    "config.not_string": "必须是字符串\n→ 请把 {path} 的值放进双引号。",
    "config.not_strings": '必须是字符串列表\n→ 例如 ["--verbose"]。',
    "config.not_whole": "必须是 {least} 到 {most} 之间的整数\n→ 不要加引号，也不要小数。",
    "config.not_prices": "必须包含 input 和 output，还可以包含 {names} 中的其他项：每百万 token 的"
    "美元价格（web_search：每千次搜索）\n"
    '→ 例如 {{"input": 0.6, "output": 2.5, "cache_read": 0.1}}，或每个模型一个这样的对象：{{'
    '"kimi-k2.7-code": {{…}}}}。',
    "config.base_prices": "价格属于某个 provider\n→ 请移到 providers.<name>.prices。",
    "config.not_number": "必须是 {least} 到 {most} 之间的数字\n→ 不要加引号和单位。",
    "config.not_truth": "必须是 true 或 false\n→ 不要加引号。",
    "config.not_one_of": "必须是以下之一：{choices}\n→ 请放进双引号。",
    "config.not_rules": '必须是权限规则的列表\n→ 例如 ["Bash(npm install *)"]。',
    "config.not_rule": "必须是 Claude Code 的权限规则\n"
    '→ 例如 "Bash(npm install *)" 或 "WebFetch(domain:example.com)"。',
    "config.not_checks": '必须是命令：字符串，或 {{"command": "make test", "timeout_seconds": 300'
    "}}\n"
    '→ 例如 ["make test"]。',
    "config.not_notify": '必须是 "bell"、"osc9"、一个命令（字符串，或字符串列表），或 Apprise 的 '
    "URL\n"
    '→ 例如 "bell"、["notify-send", "ccc"]，或 "ntfys://ntfy.example/topic"。',
    "config.notify_url": "{kind}: 后面要有 https:// 的 URL（http:// 只能用于 127.0.0.1 或 "
    "localhost）\n"
    '→ 例如 "{kind}:https://hooks.example/abc"。URL 中不能有用户名和密码。',
    "extra.missing": "{what} 需要的软件包没有安装（{name}）\n"
    "→ 请安装：pipx install --force 'ccc-supervisor[{extra}]'\n"
    "或：uv tool install 'ccc-supervisor[{extra}]'、pip install 'ccc-supervisor[{extra}]'；在源"
    "码目录中：make install",
    "config.no_provider": "没有名为 {name} 的提供商\n→ 请写 `providers` 中的一个，或删除该键。",
    "config.hooks": "不是 Claude Code 能读取的形式\n"
    '→ `hooks.Stop` 是分组列表：[{{"hooks": [{{"type": "command", "command": "…"}}]}}]',
    "config.misplaced": "它应当放在 `env` 里\n→ 请移到 {inside} 中，以免被写入 settings 文件。",
    "config.directory": "必须是绝对路径\n→ 请以 / 或 ~ 开头。",
    "config.language": 'ccc 不支持语言 {value}\n→ 请写 "zh" 或 "en"。',
    "config.unknown_key": "{file}：未知的键 {path}（已保留，未使用）\n→ 请检查拼写，或删除它。",
    "env.name": "{name!r} 不能作为变量名\n→ 请使用字母、数字和 _。",
    "env.variable": '这不是变量名\n→ 例如 {{"env": "KIMI_KEY"}}。密钥本身请直接写成字符串。',
    "env.value": '必须是字符串、数字、null、{{"command": ["程序", "参数"]}} 或 {{"env": "变量名"}}'
    '\n→ 请把 {path} 的值放进双引号；命令是词的列表：["pass", "show", "kimi"]。',
    "secret.command_failed": "{path}：`{program}` 没有给出密钥（{cause}）",
    "secret.empty": "{path}：`{program}` 没有输出可用的内容\n"
    "→ 请手动运行 ccc.json 里该密钥的命令：输出的第一行应当是密钥。",
    "secret.variable_missing": "{path}：环境变量 {variable} 未设置\n→ 请设置：export {variable}=…",
    "claude.missing": "找不到 claude\n"
    "→ 请安装 Claude Code（npm install -g @anthropic-ai/claude-code），或把 CCC_CLAUDE 设为它的"
    "路径。",
    "claude.named_missing": "找不到 claude，并且 CCC_CLAUDE={file} 不是可执行程序",
    "claude.too_old": "{file} 是 claude {version}，ccc 需要 {oldest} 或更新的版本\n"
    "→ 请更新它（`claude update`，或 npm install -g @anthropic-ai/claude-code）。",
    "claude.passed_over": "{file} 是 claude {version}，"
    "ccc 需要 {oldest} 或更新的版本，因此改用 {used}。",
    "claude.not_started": "无法启动 {file}：{reason_text}",
    "claude.loop": "{file} 又回到了 ccc\n"
    "→ 名为 claude 的包装脚本调用了 ccc。请把它移出 PATH，或让它调用真正的 claude。",
    "processes.unknown": "无法得知有哪些进程：这里的 `ps` 不可用\n"
    "→ 请安装 ps（procps 软件包）后重试。",
    "program.unknown": "无法确定 ccc 安装在哪里（{file}）\n→ 请用安装后的命令名启动：ccc",
    "session.name": "{variable} 不是合法的名称\n"
    "→ 只能包含字母、数字、`.`、`_` 和 `-`。取消设置即可获得新的 id。",
    "settings.shape": "{file}：{path} 不是 Claude Code 能读取的形式\n"
    "→ 文件未被改动。请修正该处后重试。",
    "settings.missing": "没有这个 settings 文件：{file}\n→ --settings 接受文件路径或 JSON 对象。",
    "settings.set_aside": "你的一个文件占用了 ccc 的文件名，已改名为 {file}",
    "slash.foreign": "{file} 不是 ccc 写的，保持原样：/{name} 运行的是你的版本\n"
    "→ 改名或删除它，即可使用 ccc 的 /{name}。",
    "supervisor.enabled": "Supervisor mode enabled（监督已开启）",
    "supervisor.resumed": "[SUPERVISOR] 本会话处于监督之下：每次停止都会审查。"
    "用 /supervisoroff 关闭。",
    "supervisor.replaced": "CCC_SUPERVISOR=1 已不起作用：请在会话中使用 /supervisor，"
    "或使用 ccc --supervisor。",
    "supervisor.logs": "{heading}\n"
    "  状态目录: {state_dir}\n"
    "  hook 调用日志: {hook_log}\n"
    "  supervisor 输出日志:\n    {output_log}",
    "supervisor.log_files": "[SUPERVISOR] 日志文件：",
    "supervisor.log_heading": "[Supervisor Mode] 日志文件:",
    "warn.hooks_off": "你的设置里有 `disableAllHooks`：ccc 的 Stop hook 不会运行。",
    "warn.project_env": "{file} 设置了 {names}。本次会话中 ccc 使用自己的值，"
    "项目不能把监督引到别处。",
    "warn.project_stops": "{file} 中有项目自己的 Stop hook。它们与 ccc 的 hook 一同运行，"
    "可能不顾审查者而结束被监督的一轮。查看：ccc doctor（此提示只出现一次）。",
    "warn.project_programs": "{file} 设置了 {names}：本次会话的每个程序（包括 ccc 的 Stop hook）"
    "都会加载项目指定的代码。",
    "warn.exit_code": "[SUPERVISOR] claude 的退出码不代表受监督会话的结果：请看 ccc status",
    "warn.no_credential": "ccc: 提供商 {provider} 设置了 ANTHROPIC_BASE_URL，但没有 "
    "ANTHROPIC_AUTH_TOKEN 或 ANTHROPIC_API_KEY；claude 会提示未登录（提供商不使用 apiKeyHelper）。",
    "warn.two_credentials": "ccc: 提供商 {provider} 同时设置了 {names}；只应有一个有值。",
    "mode.usage": """用法：ccc supervisor-mode [on|off|status] [--this-session]

开启或关闭 CCC_SUPERVISOR_ID 所指会话的监督；不带参数即为 on。

  on               审查该会话的每一次停止
  off              不再审查
  status           输出 on 或 off
  --this-session   命令所在的 claude 会话；/supervisor 和 /supervisoroff
                   就这样运行它，在任何 claude 中都可用""",
    "mode.on": "[SUPERVISOR] 监督已开启",
    "mode.off": "[SUPERVISOR] 监督已关闭",
    "mode.confirmed": "[SUPERVISOR] 已开启。{rules}",
    "mode.rules": "检查：{checks}。审查者：{reviewer}。最多 {rounds}。",
    "mode.no_checks": "无",
    "mode.none_detected": "无（{hint}）",
    "mode.detected": "此项目有 `{command}`：运行 ccc init 可将其设为检查",
    "mode.cannot_run": "{command}（无法运行：{reason}）",
    "mode.same_model": "与会话相同的模型",
    "mode.ask_task": "现在请输入任务。",
    "mode.new_session": "还没有会话 {session}：此开关将用于使用该 id 的新会话。",
    "mode.nearest": "你是不是指 {session}？",
    "mode.no_session": "CCC_SUPERVISOR_ID 未设置：没有可切换的会话\n"
    "→ 请在 claude 会话中输入 /supervisor 或 /supervisoroff，或加上 --this-session；在会话之外"
    "请指定会话：CCC_SUPERVISOR_ID=… ccc supervisor-mode on",
    "mode.sandboxed": "Claude 的沙箱不允许这条命令写入该处。请用 ccc 启动 claude，"
    "或在 ~/.claude/settings.json 里让沙箱排除它："
    '"sandbox": {{"excludedCommands": ["{command}"]}}',
    "mode.unknown": "supervisor-mode 只接受 on、off 或 status，而不是 {word}",
    "mode.hooks_off": "{file} 中有 `disableAllHooks`：任何停止都不会被监督\n"
    "→ 请从该文件中删除它，然后重新启动会话。",
    "record.full": "{file} 已达到 {size}，之后的内容不再保存",
    "state.corrupt": "会话状态无法读取，已另存为 {file}",
    "state.corrupt_off": "[SUPERVISOR] 会话状态无法读取，已另存为 {file}。"
    "监督已关闭；用 /supervisor 重新开启。",
    "stop.completed": "[SUPERVISOR] 任务已完成，允许停止"
    "（第 {iteration}/{limit} 轮，{seconds} 秒，{cost}）",
    "stop.still_completed": "[SUPERVISOR] 任务已完成；另一个 Stop hook 让会话继续"
    "（结论之后没有任何改动，不再审查）",
    "stop.not_completed": "[SUPERVISOR] 任务未完成（第 {iteration}/{limit} 轮）："
    "Agent 将根据反馈继续工作（{seconds} 秒，{cost}）",
    "stop.needs_user": "[SUPERVISOR] 需要你的回答，允许停止：{feedback}",
    "stop.stuck": "[SUPERVISOR] 陷入停滞，允许停止：反馈与上次相同，且没有任何改动。"
    "反馈：{feedback}",
    "stop.plan": "[SUPERVISOR] 计划模式：不审查，允许停止",
    "stop.wakeup": "定时任务（{time}）：{prompt}",
    "stop.not_waited": "[SUPERVISOR] 以下内容仍在进行，照常审查：{names}",
    "stop.background": "[SUPERVISOR] 仍在进行（{detail}）{checks}：不审查，允许停止",
    "stop.not_judged": "[SUPERVISOR] 无法审查，允许停止：{detail}\n"
    "日志：{log}。用 /supervisoroff 关闭监督。",
    "stop.asks": "[SUPERVISOR] claude 在等你：{detail}",
    "stop.failed_turn": "[SUPERVISOR] 这一轮对话因 API 错误而结束，未经审查：{detail}",
    "stop.no_event": "hook 的输入不是 claude 在停止时给出的内容",
    "stop.place": "在 Agent 工作的目录中审查：{directory}",
    "stop.other_places": "未审查：{directories} 中也有改动",
    "stop.switched_off": "[SUPERVISOR] 审查期间已被关闭，允许停止",
    "stop.not_by_you": "[SUPERVISOR] 监督在会话内部被关闭，但不是你关的：已重新开启。",
    "stop.rules": "[SUPERVISOR] 自启动或上次停止以来，检查、限制或 SUPERVISOR.md 有变化"
    "（{file}）。如果不是你改的，请查看。",
    "stop.cut_off": "[SUPERVISOR] 上一次审查被外部终止（{phase}）。",
    "stop.tree_changed": "[SUPERVISOR] 审查期间项目发生了变化。",
    "stop.tree_kept": "[SUPERVISOR] 被跟踪的文件原来的内容: git diff {commit}",
    "stop.too_large": "[SUPERVISOR] 文件太多，无法全部比较：{directories} 中的变化可能未被发现。",
    "stop.not_recorded": "[SUPERVISOR] 有记录未能写入：{problem}",
    "stop.cut": "[反馈未完，全文见 {file}]",
    "check.failed": "检查 `{command}` 失败，退出码 {code}。请让它通过。输出的末尾"
    "（全部输出见 {file}）：\n\n{output}",
    "check.no_end": "检查 `{command}` 在 {seconds} 秒后仍未结束，或无法启动。输出的末尾"
    "（全部输出见 {file}）：\n\n{output}",
    "check.failed_silent": "检查 `{command}` 失败，退出码 {code}，没有任何输出。请让它通过。",
    "check.no_end_silent": "检查 `{command}` 在 {seconds} 秒后仍未结束，或无法启动，没有任何输出。",
    "check.not_run": "检查 `{command}` 无法运行：{reason}",
    "check.cannot_run": "无法运行：{reason}",
    "check.no_directory": "目录 {directory} 不存在",
    "check.no_program": "找不到程序 `{name}`",
    "check.no_file": "缺少 {file}",
    "check.not_executable": "{file} 没有执行权限",
    "check.no_interpreter": "{file} 需要 {name}，但系统中没有",
    "check.no_target": "{file} 中没有 `{name}`",
    "review.too_slow": "审查超过了 {seconds} 秒（supervisor.timeout_seconds）",
    "review.no_verdict": "审查者没有给出结论，再次询问也没有",
    "review.no_feedback": "审查认为工作尚未完成，但没有说明缺少什么。请再次逐条核对用户的要求："
    "完成尚未完成的部分，实际运行以验证每一条，并给出证据。",
    "hook.usage": """用法：ccc supervisor-hook [--settings 文件] [--state-dir 目录]

Claude 在每次停止时运行的程序（Stop hook），停止的信息以 JSON 从标准输入传入：
未受监督的会话中不输出任何内容，否则检查、审查并答复。
由 ccc 写入 ~/.claude/settings.json；无需手动运行。""",
    "hook.status": "Supervisor: 检查中",
    "cost.total": "合计 {cost}",
    "time.seconds": "{n} 秒",
    "cost.reviews": "审查 {cost}",
    "cost.of_task": "本任务审查 {cost}",
    "hook.begun": "========== [SUPERVISOR HOOK] 开始执行 ==========\n"
    "session_id: {session}, 迭代次数: {iteration}/{limit}",
    "hook.reviewing": "[SUPERVISOR] 正在审查工作...\n请在新窗口查看日志文件了解详情: {file}",
    "hook.not_completed": "[SUPERVISOR] 任务未完成\n{feedback}\nAgent 将根据反馈继续工作",
    "hook.completed": "[SUPERVISOR] 任务已完成\n允许停止",
    "review.provider_gone": "提供商 {name} 已不在 {file} 中",
    "review.model": "（模型 {model} 来自 {file} 中的 supervisor.model：请在那里修改。）",
    "review.no_session": "claude 没有说明是哪个会话停止了",
    "review.no_sandbox": 'supervisor.sandbox 为 "require"，但此处无法运行沙箱'
    "（需要 bubblewrap 和 socat）",
    "review.no_prompt": "没有 SUPERVISOR.md：项目中没有，{file} 也不存在。"
    "请用 ccc prompt init 创建",
    "git.not_trusted": "{directory} 属于另一个用户，git 拒绝读取\n→ 如果你信任它：{command}",
}
