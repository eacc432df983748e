"""Messages of `ccc doctor` in Chinese."""

WORDS = {
    "doctor.usage": """用法：ccc doctor [PROVIDER] [--fix] [--try] [--all] [--json]
       ccc doctor --deep [--interactive] [--json]

检查 ccc 所需的一切，并说明有问题时该怎么做。输出不含任何机密，
可以直接贴进问题报告。

  PROVIDER   检查哪个提供商的变量（否则为当前提供商）
  --fix      修复属于 ccc 的部分：hook、斜杠命令、SUPERVISOR.md、权限、残留文件
  --try      若 Agent 在 claude 的沙箱中运行：在临时目录里用脚本模型实际开关一次
             监督（几秒钟）
  --all      显示每个变量的来源，而不只是多处设置的变量
  --json     输出一个 JSON 对象
  --deep     在临时目录里用脚本模型测试已安装的 claude 能做什么
             （几秒钟，不需要密钥），并记住结果
  --interactive
             与 --deep 一起使用：再测试一个终端会话

退出码：0 没有问题，1 有问题""",
    "doctor.interactive_alone": "--interactive 需要与 --deep 一起使用",
    "doctor.ccc": "ccc {version}（{file}），Python {python}，{system}",
    "doctor.other_ccc": "PATH 中的 `ccc` 是另一个：{file}\n→ 请卸载其中一个，或调整 PATH。",
    "doctor.claude": "claude {version}：{file}（{rule}）",
    "doctor.bundled": "自带",
    "doctor.claude_fails": "{file} --version 运行失败",
    "doctor.config": "{file}：{count} 个提供商，当前为 {provider}",
    "doctor.config_not_needed": "没有 {file}：会话在其自己的账号上接受监督",
    "doctor.config_missing_remedy": "请运行：ccc init（不需要提供商时：ccc install）",
    "doctor.modes": "他人可以读取只属于你的内容（{count} 个）：{files}",
    "doctor.modes_good": "ccc.json、状态和日志只有你能读取",
    "doctor.fix": "请运行：ccc doctor --fix",
    "doctor.settings_remedy": "请修正该处；这样的文件 ccc 和 claude 都无法使用。",
    "doctor.hook": "{file} 中有 Stop hook",
    "doctor.hook_missing": "{file} 中没有 ccc 的 Stop hook：不会进行任何审查",
    "doctor.hook_other": "{file} 中的 Stop hook 不是这个 ccc 的：{command}\n"
    "→ 请运行：ccc doctor --fix（每个启动 claude 的 ccc 都会写入自己的 hook）",
    "doctor.hook_gone": "{file} 中的 Stop hook 指向已不存在的 ccc：{program}。"
    "直接启动的 claude 不受监督",
    "doctor.hook_same": "{file} 中的 hook 与之相同",
    "doctor.hook_not_yet": "{file} 会在首次启动时写入",
    "doctor.hook_differs": "{file} 中的 hook 与之不同：两个都会运行\n"
    "→ 下一次 `ccc {provider}` 会重新写入它。",
    "doctor.hook_runs": "hook 可以运行（{milliseconds} 毫秒）",
    "doctor.hook_fails": "hook 无法运行",
    "doctor.hook_talks": "hook 在无需输出时输出了内容",
    "doctor.command": "/{name}：{file}",
    "doctor.command_missing": "缺少 /{name}：{file}",
    "doctor.command_old": "/{name} 属于另一个 ccc：{file}",
    "doctor.prompt_project": "本项目的 SUPERVISOR.md：{file}（{kind}）",
    "doctor.prompt_user": "SUPERVISOR.md：{file}（{kind}）",
    "doctor.prompt_default": "默认内容",
    "doctor.prompt_changed": "你自己的内容",
    "doctor.prompt_missing": "没有 SUPERVISOR.md，这里没有，{file} 也没有：无法进行审查\n"
    "→ 请运行：ccc prompt init",
    "doctor.state": "状态和日志：{directory}，{size}\n→ 请运行：ccc clean",
    "doctor.state_not_yet": "状态和日志：{directory} 会在首次启动时创建",
    "doctor.state_bad": "{directory} 无法写入",
    "doctor.leftovers": "{directory} 中有{files}",
    "doctor.no_leftovers": "没有残留文件",
    "doctor.corrupt": "{directory} 中有 {count} 个无法读取而被移开的状态文件\n"
    "→ 看过之后可以删除；`ccc clean` 以后也会清理。",
    "doctor.hooks_off": "{file} 中设置了 `{key}`：不会进行任何审查\n→ 请从 {file} 中去掉 `{key}`。",
    "doctor.hooks_off_here": "{file} 中设置了 `{key}`：在这里只有由 ccc 启动的会话受到监督",
    "doctor.other_hooks": "{file} 中还有其他 Stop hook：{programs}\n"
    "→ 它们与 ccc 的 hook 一同运行，每一个都可能让 Agent 继续工作。",
    "doctor.hooks_unread": "没有检查是否有其他 Stop hook：无法读取 {files}",
    "doctor.no_other_hooks": "没有其他 Stop hook（会话中的 /goal 也是一个，但从这里看不到）",
    "doctor.hidden_key": "{files} 中的 hook 看来要请求模型，但 claude 不把 {provider} 的密钥交给 "
    "hook，所以它们多半不起作用\n"
    "→ 要让所有 hook 和 shell（包括 Agent 的）得到密钥，请在 ccc.json 中设置 "
    '"share_key_with_hooks": true；否则请去掉这些 hook。',
    "doctor.manual_mode": "{provider} 上的会话以手动模式开始：claude 的自动模式会把需要许可的命令"
    "发给提供商判断，每次请求 146,000 个字符\n"
    '→ 要用其他模式，请在 settings.json 中设置 "permissions": {{"defaultMode": "acceptEdits"}}'
    '（或 "auto"），或在 ccc.json 中为 {provider} 设置。',
    "doctor.sandbox": "claude 的沙箱可以运行：审查者无法写入",
    "doctor.sandbox_off": "supervisor.sandbox 为 off：审查者启动的程序可以写入项目，"
    "若有变化 ccc 会告诉你",
    "doctor.sandbox_missing": "claude 的沙箱需要 {programs}：没有它，审查者启动的程序可以写入项目"
    "，若有变化 ccc 会告诉你\n"
    "→ 请安装，Debian 上为：apt install bubblewrap socat",
    "doctor.sandbox_fails": "claude 的沙箱无法在此运行（没有命名空间）：审查者启动的程序可以写入项"
    "目，若有变化 ccc 会告诉你\n"
    '→ 请允许用户命名空间，或在 supervisor 中设置 `"sandbox": "off"` 表示接受。',
    "doctor.agent_sandbox": "Agent 在 claude 的沙箱中运行，/supervisor 在沙箱之外运行",
    "doctor.agent_sandbox_launched": "Agent 在 claude 的沙箱中运行：/supervisor 和 /supervisoroff "
    "只在由 ccc 启动的会话中有效，直接启动的 claude 中无效\n"
    '→ 若要在直接启动的 claude 中使用，请在 settings.json 中加入："sandbox": {{'
    '"excludedCommands": ["{command}"]}}',
    "doctor.try_nothing": "没有需要尝试的：Agent 不在 claude 的沙箱中运行",
    "doctor.try_impossible": "未尝试：claude 的沙箱无法在此运行",
    "doctor.try_launched": "由 ccc 启动的会话",
    "doctor.try_plain": "直接启动的 claude",
    "doctor.try_works": "已尝试（{where}）：/supervisor 和 /supervisoroff 在 claude 的沙箱中有效"
    "（{seconds} 秒）",
    "doctor.try_fails": "已尝试（{where}）：/{name} 在 claude 的沙箱中失败：{detail}\n"
    "→ 请在另一个终端中开关：CCC_SUPERVISOR_ID=<会话> ccc supervisor-mode on（或 off）",
    "doctor.try_slow": "{seconds} 秒后仍未结束",
    "doctor.statusline": "状态栏会显示审查情况",
    "doctor.statusline_gone": "状态栏指向已不存在的 ccc：{program}",
    "doctor.no_statusline": "状态栏不显示审查情况\n→ 如需显示：ccc init --statusline",
    "doctor.contested": "{file} 中的 {name} 会盖过 ccc.json 的值\n→ 请从 {file} 中去掉 {name}。",
    "doctor.variables_good": "每个变量都与 ccc.json 一致",
    "doctor.variables_unread": "没有检查变量是否与 ccc.json 一致：无法读取 {files}",
    "doctor.variable": "{name} = {value}，来自 {place}",
    "doctor.variable_out": "{name} 不采用，来自 {others}",
    "doctor.variable_over": "{name} = {value}，来自 {place}，盖过 {others}",
    "doctor.from_process": "环境变量",
    "doctor.from_provider": "ccc.json，提供商",
    "doctor.from_base": "ccc.json，settings",
    "doctor.value_hidden": "（隐藏）",
    "doctor.value_empty": "（空）",
    "doctor.value_none": "（不采用）",
    "doctor.value_elsewhere": "（不在文件中）",
    "doctor.fixed": "{what}（已修复）",
    "doctor.well": "一切正常。",
    "doctor.next": "接下来：启动 {program}，然后输入 /supervisor <任务>",
    "doctor.sum": "{problems} 个问题，{warnings} 个警告。",
}
