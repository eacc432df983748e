"""Messages of `ccc uninstall` in Chinese."""

WORDS = {
    "uninstall.usage": """用法：ccc uninstall [--dry-run] [--yes] [--purge]

把 ccc 写入你文件的内容全部取出，并恢复原有内容。

  --dry-run   只显示将要移除的内容
  --yes       不询问（没有终端时必须给出）
  --purge     同时删除含有密钥的 ccc.json，以及全部状态和日志""",
    "uninstall.undone": "将移除：",
    "uninstall.left": "保留：",
    "uninstall.not_possible": "无法移除；请修正后再次运行 `{command}`：",
    "uninstall.hook": "ccc 的 Stop hook，其余字节不变",
    "uninstall.hook_and_status": "ccc 的 Stop hook 和状态栏，其余不变",
    "uninstall.created": "由 ccc 创建，且没有其他内容",
    "uninstall.removed": "整个文件",
    "uninstall.directory": "由 ccc 创建，为空时移除",
    "uninstall.put_back": "ccc 的文件；恢复你原来的（{other}）",
    "uninstall.yours": "你已修改过它",
    "uninstall.given_back": "放回 `ccc init --remove-keys` 取出的变量：{other}",
    "uninstall.copy": "`ccc init --remove-keys` 之前的设置副本，含有密钥；不再需要，由你保留或删除",
    "uninstall.copy_needed": "含有 `ccc init --remove-keys` 取出的提供商和密钥；没有它们，直接运行 "
    "claude 就没有提供商。恢复：{other}",
    "uninstall.config": "整个文件，包括你的密钥",
    "uninstall.state": "状态和日志（{files}）",
    "uninstall.cases": "你自己的 ccc eval 案例",
    "uninstall.queue": "ccc queue 的任务；其分支和工作树（~/.local/state/ccc/queue）保留",
    "uninstall.workers": "ccc queue 的 worker 正在运行（pid {pids}）\n→ 请先停止它：kill {pids}",
    "uninstall.queue_logs": "ccc queue 的日志",
    "uninstall.ledger": "整个文件，连同锁文件",
    "uninstall.unreadable": "{other}",
    "uninstall.config_stays": "你的配置和密钥（{how} 会删除它）",
    "uninstall.state_stays": "状态和日志（{how} 会删除它们）",
    "uninstall.running": "仍在运行：{sessions}，之后不再受监督。",
    "uninstall.process": "仍在运行：{command}（pid {pids}）。停止它：kill {pids}",
    "uninstall.ask_purge": "移除，并一并删除配置和密钥吗？",
    "uninstall.nothing": "你的文件中没有 ccc 的内容。",
    "uninstall.done": "完成。",
    "uninstall.not_all": "未能全部移除；请处理后再次运行 `{command}`。",
    "uninstall.package": "卸载程序本身：{command}",
}
