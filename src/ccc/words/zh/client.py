"""Messages about what a claude lacks, in Chinese."""

WORDS = {
    "client.provider_wins": "设置文件会覆盖提供商的接口地址、密钥和模型",
    "client.slash_command": "`/supervisor` 在 -p 下不起作用。请用 `ccc run` 或 `ccc --supervisor`",
    "client.stop_hook": "Stop hook 不运行，或无法让 Agent 继续工作：ccc 无法监督它",
    "client.fork": "无法为审查分叉对话：任何停止都无法审查",
    "client.read_only": "审查者可能改动项目：任何停止都无法审查",
    "client.streamed_input": "`ccc run` 无法与它通信。请使用交互式会话",
    "client.reviewer_bash": "审查者的命令在 claude 的沙箱中全部失败。审查改为不用沙箱；"
    "审查者启动的程序可能写入项目，若有变化 ccc 会告诉你",
    "client.reviewer_bash_required": "审查者的命令在 claude 的沙箱中全部失败，而 "
    "`supervisor.sandbox` 为 `require`：任何停止都无法审查",
    "client.lenient_settings": "设置文件中有它不认识的 hook（例如 ccc 的）时，整个文件会被忽略",
    "client.private_fork": "每次审查都会出现在 /resume 的列表中",
    "client.prompt_id": "停止事件不说明属于哪条提示。轮次跨提示累计",
    "client.message_in_stream": "在 -p 下，stream-json 不包含停止的审查结果。请看 `ccc status`",
    "client.key_hidden": "Agent 的命令和 hook 可以读到提供商的密钥",
    "client.print_cache": "在 -p 下，审查用不上 Agent 的提示缓存，要为整个对话付费",
    "client.interactive_cache": "在交互式会话中，审查用不上 Agent 的提示缓存，要为整个对话付费",
    "client.lacks": "claude {client}：{what}。",
    "client.update": "请将 claude 更新到 {version} 或更高版本。",
    "client.use_other": "这个 claude 比这个 ccc 新。请更新 ccc，或改用 claude {version}。",
    "client.changed": "claude {version} 本身什么都不缺：请检查本机上是否有脚本或设置改变了它。",
    "client.refusal": "claude {client}：{what}。{advice}",
    "client.test_again": "重新测试这个 claude：ccc doctor --deep",
    "client.paid_again": "这次审查为 {tokens} 个 token 重复付费，它们本来已在 Agent 的提示缓存中："
    "用 claude {client} 时，审查不共享缓存。{advice}也可以选用更便宜的 `supervisor.model`。",
    "client.blind": "审查者的每条命令都在 claude 的沙箱中失败：{detail}",
    "client.blind_retry": "审查者的每条命令都在 claude 的沙箱中失败，因此 ccc 不用沙箱"
    "重新审查了一次。审查者启动的程序可能写入了项目，若有变化 ccc 会告诉你。",
    "client.unknown": "这个 claude 还没有与 ccc 一起测试过\n→ 离线测试它：ccc doctor --deep",
    "client.part": "claude {client} 具备已测试的一切\n"
    "→ 测试其余部分：ccc doctor --deep --interactive",
    "client.complete": "claude {client} 具备 ccc 需要的一切",
}
