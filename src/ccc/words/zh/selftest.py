"""Messages of the self-test in Chinese."""

WORDS = {
    "selftest.begin": "正在用脚本模型测试 {file}",
    "selftest.working": "已回答 {done}/{all}",
    "selftest.provider_wins": "提供商的接口地址、密钥和模型优先于 settings.json",
    "selftest.slash_command": "/supervisor 会在本轮开始前执行命令",
    "selftest.stop_hook": "Stop hook 可以让 Agent 继续工作",
    "selftest.fork": "可以从对话分叉出审查",
    "selftest.read_only": "审查者无法写入项目",
    "selftest.streamed_input": "ccc run 可以与 Agent 对话并中断它",
    "selftest.reviewer_bash": "审查者的命令可以在 claude 的沙箱中运行",
    "selftest.private_fork": "审查不会出现在 /resume 中",
    "selftest.prompt_id": "停止事件会标明所属的提示",
    "selftest.message_in_stream": "claude -p 会输出 hook 的消息",
    "selftest.lenient_settings": "设置文件中有未知的 hook 事件时仍然有效",
    "selftest.key_hidden": "命令和 hook 拿不到提供商的密钥",
    "selftest.print_cache": "claude -p 的审查会使用 Agent 的提示缓存",
    "selftest.interactive_cache": "终端会话的审查会使用 Agent 的提示缓存",
    "selftest.not_tested": "{what}：未测试",
    "selftest.not_tested_interactive": "要测试它：ccc doctor --deep --interactive",
    "selftest.not_tested_sandbox": "claude 的沙箱无法在此运行。",
    "selftest.well": "claude {version} 具备 ccc 需要的一切（{seconds} 秒）。",
    "selftest.lacks": "claude {version} 缺少 {all} 项中的 {missing} 项（{seconds} 秒）。{advice}",
    "selftest.part": "claude {version} 通过了测试（{all} 项中的 {known} 项，{seconds} 秒）。",
    "selftest.fails": "claude {version} 没有连接到脚本模型：{output}\n"
    "→ 请单独运行 claude，并查看：ccc doctor",
    "selftest.busy": "另一个测试正在运行\n→ 请稍后再试。",
}
