"""Messages of `ccc help` in Chinese."""

WORDS = {
    "help.usage": """ccc {version}：让 Claude Code 使用任意提供商，并监督它的工作

用法：
  ccc [提供商] [claude 参数…]
  ccc --supervisor [提供商] [claude 参数…]
  ccc run [选项] "任务" [-- claude 参数…]
  ccc <命令> [选项]

第一个词决定做什么；提供商之后的内容原样交给 claude。
某个命令的用法：ccc help <命令>

设置：
  demo               看它怎么工作：无需账号和密钥
  init               设置语言、提供商、密钥和状态栏
  install            为普通的 claude 添加监督，无需提供商
  provider           列出、添加、修改、查看、切换或删除提供商
  validate           实际试用提供商：密钥、接口、模型、一次工具调用
  prompt             写入默认的 SUPERVISOR.md
  completion         输出 bash、zsh 或 fish 的补全脚本

会话：
  --supervisor       启动 claude，并开启监督
  run                无人值守地完成一个任务
  queue              许多任务：工作树、分支、限制和一个总预算
  supervisor-mode    开启或关闭当前会话的监督：on、off、status
  supervisor-hook    claude 每次停止时运行，无需手动使用

查看：
  status             每个会话一行
  watch              在另一个终端中实时查看审查
  web                一个显示当前情况的页面
  history            监督过哪些会话，结果如何
  show               一个会话的全部记录
  report             同样的内容，写成一个 HTML 页面
  statusline         供 Claude Code 状态栏使用的一行

维护：
  eval               衡量什么能发现没做完的工作
  doctor             检查 ccc 所需的一切，并说明该怎么做
  clean              删除旧会话的状态和日志
  uninstall          把 ccc 从你的文件中移除
  help, --help, -h   显示本帮助，或某个命令的用法
  --version, -V      显示版本

在会话中：
  /supervisor <任务>    开启监督并给出任务
  /supervisoroff        关闭监督

环境变量：
  CCC_CONFIG_DIR     ccc.json 所在目录（否则 CLAUDE_CONFIG_DIR，否则 ~/.claude）
  CCC_WORK_DIR       状态和日志放在它的 ccc 目录（否则与 ccc.json 同处）
  CCC_CLAUDE         PATH 中没有 claude 时使用的 claude
  CCC_LANG           zh 或 en
  CCC_SUPERVISOR_ID  会话 id；未设置时自动生成
  CCC_QUEUE_URL      Postgres 数据库：多台机器共用一个队列
  CCC_SELFTEST       off：不在后台测试未知的 claude
  CCC_DEBUG          1：内部错误时显示 traceback
  NO_COLOR           不使用颜色
""",
    "help.config": "配置文件：{file}（{how}）",
    "help.config_good": "可读",
    "help.config_missing": "尚不存在",
    "help.config_bad": "不可用：{problem}",
    "help.providers": "提供商（* 为当前）：",
    "help.provider": "{name} 是提供商：`ccc {name}` 用它启动 claude，其后的内容原样交给 claude。\n"
    "`ccc {name} --help` 是 claude 自己的帮助。查看它的设置：ccc provider show {name}",
    "help.unknown": "没有命令 {word}",
    "help.nearest": "你是不是想输入：ccc help {near}",
    "help.all": "全部命令：ccc help",
}
