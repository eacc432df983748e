"""Messages of `ccc init` in Chinese."""

WORDS = {
    "init.usage": """用法：ccc init [预设] [选项]

设置 ccc：语言、提供商及其密钥、状态栏、项目的检查。在终端中会逐项询问
（选项已给出的不再询问），保存之前先试用提供商。可以反复运行，不会造成损坏。

  预设                  ccc 已知的提供商，如 kimi、glm（等同于 --preset 预设；
                        全部预设见 ccc provider list --presets）
  --language zh|en      ccc 使用的语言
  --base-url URL        使用你自己的接口地址，不用预设：
                        ccc init 名称 --base-url URL
  --name 名称           提供商的名称（默认与预设同名）
  --model、--env、--set、--credential、--key-stdin、--key-command、--key-env
                        与 ccc provider add 相同（见 ccc provider --help）
  --import              导入 Claude Code 自己的 settings.json 中的提供商
  --remove-keys         与 --import 一起：从 settings.json 中去掉导入的变量；
                        会保留一份副本
  --statusline          安装状态栏，即使已有别的状态栏
  --no-statusline       不安装状态栏
  --run-permissions sandbox|edit|all
                        ccc run 的 Agent 可以做什么（默认 sandbox）
  --no-validate         保存之前不试用提供商
  --yes                 不询问，不试用""",
    "init.no_terminal": "不是终端：请给出预设并加 --yes",
    "init.welcome": "正在设置 ccc。随时按 Ctrl-C，一切保持原样。",
    "init.ask_language": "语言 / Language: 1) 中文  2) English",
    "init.one_or_two": "请输入 1 或 2。 / Please answer 1 or 2.",
    "init.pick": "提供商：输入编号、名称或名称的一部分",
    "init.pick_optional": "提供商：输入编号、名称或名称的一部分（直接回车则不添加）",
    "init.other": "其他，使用你自己的接口地址",
    "init.no_match": "没有与 {typed} 匹配的预设。请输入编号、名称（如 kimi）、m 或 0。",
    "init.pick_empty": "请输入编号或名称，例如 1 或 kimi。Ctrl-C 离开。",
    "init.more": "更多：其余 {count} 个",
    "init.ask_name": "提供商的名称",
    "init.no_name": "提供商需要名称：--name 名称",
    "init.there_already": "提供商 {name} 已存在，保持原样（修改：ccc provider edit {name}）。",
    "init.nothing_to_import": "没有可导入的内容：Claude Code 的 settings.json 中没有提供商。",
    "init.imported_before": "settings.json 中的提供商已存在：{name}",
    "init.ask_import": "Claude Code 自己的 settings.json 中有一个提供商：\n  {url}\n导入吗？",
    "init.ask_remove": "可以从 settings.json 中去掉（会保留副本）：\n  {names}\n"
    "之后直接运行 claude 将使用你的登录。从 settings.json 中去掉吗？",
    "init.ask_status_line": "在 Claude Code 的状态栏中显示监督情况吗？",
    "init.ask_instead": "你已有自己的状态栏（会保留，`ccc uninstall` 时恢复）。\n换成 ccc 的吗？",
    "init.ask_checks": "{directory} 有自己的检查：\n{checks}\n"
    "在此目录中受监督的会话每次停止时运行它们吗？",
    "init.validating": "正在试用：密钥、连接、答复、工具调用（Ctrl-C 离开）…",
    "init.ask_key_again": "重新输入密钥吗？",
    "init.ask_keep": "仍然保存吗？",
    "init.declined": "没有保存任何内容\n→ 重试：ccc init。不试用：ccc init --no-validate",
    "init.taken_out": "已从 {file} 中去掉导入的变量；原文件副本：{copy}",
    "init.status_line": "状态栏已写入 {file}",
    "init.pieces": "Stop hook 已写入 {file}；/supervisor、/supervisoroff 和 SUPERVISOR.md 已就位",
    "init.next": "接下来：\n"
    "  试用密钥、连接、答复和工具调用：ccc validate {name}\n"
    "  用它启动 claude：               ccc {name}\n"
    "  在会话中，完成之前不停止：      /supervisor <任务>",
    "init.next_tried": "接下来：\n"
    "  用它启动 claude：         ccc {name}\n"
    "  在会话中，完成之前不停止：/supervisor <任务>\n"
    '  无人值守地完成任务：      ccc run "你的任务"',
}
