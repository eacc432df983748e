"""What `ccc help` says, in Chinese."""

WORDS = {
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
