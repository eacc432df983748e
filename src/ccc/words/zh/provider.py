"""Messages of `ccc provider` and about providers, in Chinese."""

WORDS = {
    "provider.usage": """用法：ccc provider <动作> …

  list [--presets]      列出 ccc.json 中的提供商；或 ccc 内置的预设
  add 预设|名称 …       添加提供商
  edit 名称 [选项]      修改它的部分变量
  show [名称]           显示它设置的全部变量（密钥隐藏）及各值的来源
  show --preset 预设    显示预设的内容和来源
  use 名称              设为当前提供商
  use 名称 --here       在此目录及子目录中使用它；撤销：--none --here
  remove 名称 [--yes]   删除

add 和 edit 的选项：
  --preset 预设         使用预设（省略时使用同名预设）
  --base-url URL        接口地址，不带 /v1
  --model M             所有档位使用同一模型；单独设置请用 --env
  --env 变量=值         设置变量（可重复）；不能用于密钥
  --set 名称=值         预设需要的你自己的信息：account、workspace、region 等
  --unset 变量          去掉一个变量（edit）
  --credential 变量     密钥变量：ANTHROPIC_AUTH_TOKEN 或 ANTHROPIC_API_KEY
密钥会以隐藏输入的方式询问；也可以来自：
  --key-stdin           标准输入的第一行
  --key-command "命令"  每次启动时运行的命令，例如 "pass show kimi"
  --key-env 变量        你的一个环境变量
密钥不能作为参数：参数会留在 shell 历史和进程列表里。""",
    "provider.name": "提供商名称只能包含字母、数字、`.`、`_` 和 `-`，最多 64 个字符\n→ 请改名。",
    "provider.name_given": "{name} 不能作为提供商名称：{reason}\n→ 请换一个名称。",
    "provider.reserved": "{name} 是 ccc 的命令\n→ 请给提供商改名。",
    "provider.suffix": "提供商名称不能以 -supervisor 结尾（该文件属于审查者）\n→ 请改名。",
    "provider.twice": "与 {other} 只有大小写不同\n→ 请给其中一个改名。",
    "provider.unknown": "未知的提供商：{name}",
    "provider.gone": "ccc: 当前提供商 {name} 已不在 ccc.json 中，改用 {chosen}",
    "provider.not_set_up": "提供商 {name} 尚未设置（ccc 有它的预设）\n"
    "→ 请设置：ccc provider add {name}",
    "provider.nearest": "你是不是要找 {near}？可用的提供商：{known}",
    "provider.known": "可用的提供商：{known}",
    "provider.subcommand": "`{name}` 是 claude 的命令；请指明提供商：ccc {current} {name}\n"
    "可用的提供商：{known}",
    "provider.none": "还没有提供商\n"
    "→ 请设置一个：ccc init，或 ccc provider add 名称（预设见 ccc provider list --presets）",
    "provider.head_name": "提供商",
    "provider.head_url": "接口地址",
    "provider.head_model": "模型",
    "provider.head_key": "密钥来源",
    "provider.head_preset": "预设",
    "provider.head_title": "说明",
    "provider.head_needs": "需要",
    "provider.head_variable": "变量",
    "provider.head_value": "值",
    "provider.head_from": "来自",
    "provider.from_file": "ccc.json{detail}",
    "provider.from_command": "命令：{detail} …",
    "provider.from_variable": "变量 {detail}",
    "provider.from_unset": "（未设置）",
    "provider.from_base": "，基础模板",
    "provider.from_login": "你的登录{detail}",
    "provider.from_cloud": "云平台自身{detail}",
    "provider.from_none": "无{detail}",
    "provider.presets_age": "读取日期 {date}；模型几周就会变化，你自己设置的值始终优先。\n"
    "预设的内容和来源：ccc provider show --preset 预设\n"
    "使用预设：ccc provider add 名称 --preset 预设",
    "provider.preset_source": "来源：{source}，读取日期 {date}",
    "provider.exists": "提供商 {name} 已存在\n→ 修改它：ccc provider edit {name}",
    "provider.preset_unknown": "未知的预设：{name}",
    "provider.ask_preset": "没有预设 {name}。使用 {near} 吗？",
    "provider.preset_near": "你是不是要找 {near}？全部预设：ccc provider list --presets",
    "provider.preset_list": "请指定预设（见 ccc provider list --presets）或接口地址："
    "--preset 预设、--base-url URL",
    "provider.no_endpoint": "{name} 不是预设，也没有 --base-url",
    "provider.url_form": "接口地址必须以 http:// 或 https:// 开头，且不含用户名、密码和空白\n"
    "→ 例如 https://api.moonshot.cn/anthropic",
    "provider.need": "预设 {name} 需要你自己的信息：{what}\n→ 请用 {flag}… 给出",
    "provider.need_odd": "{what}：这个值不可用，不能含空白，也不能含 / ? # @ % \\ 引号或括号",
    "provider.model_odd": "这不能是模型名称：其中有空白",
    "provider.need_workspace": "业务空间 ID（workspace）",
    "provider.need_region": "区域（region）",
    "provider.need_account": "账户 ID（account）",
    "provider.need_gateway": "网关名称（gateway）",
    "provider.need_project": "项目 ID（project）",
    "provider.need_resource": "资源名称（resource）",
    "provider.need_model": "模型",
    "provider.ask_url": "接口地址（不带 /v1）",
    "provider.ask_model": "模型（直接回车则不设置）",
    "provider.ask_key": "密钥（不显示；直接回车可改用命令或环境变量）",
    "provider.get_key": "获取密钥：{url}",
    "provider.key_got": "已收到密钥：{count} 个字符，结尾为 …{end}",
    "provider.key_short": "已收到密钥：{count} 个字符",
    "provider.ask_stdin": "密钥（不显示）",
    "provider.ask_source": "输出密钥的命令，或 $环境变量",
    "provider.ask_remove": "从 {file} 中删除 {name}？",
    "provider.key_argument": "密钥不能作为参数：它会留在 shell 历史和进程列表里。如果刚才是真实的"
    "密钥，请到提供商处更换。",
    "provider.key_ways": '给出密钥的方式：在终端中隐藏输入、--key-stdin、--key-command "pass show '
    'kimi"、--key-env KIMI_KEY',
    "provider.env_form": "--env 和 --set 的形式是 名称=值",
    "provider.env_secret": "{name} 可能含有密钥，密钥不能作为参数（此处不显示）",
    "provider.key_command": "这不是命令：引号没有闭合，或者是空的",
    "provider.key_variable": "这里需要变量名（字母、数字、_），而不是密钥本身",
    "provider.key_empty": "标准输入中没有密钥",
    "provider.key_odd": "这不是密钥：只能是不含空格的普通字符",
    "provider.no_key": "{name} 需要密钥",
    "provider.added": "已把 {name} 添加到 {file}",
    "provider.note": "注意：{note}",
    "provider.try": "试用：ccc validate {name}   启动：ccc {name}",
    "provider.edited": "已修改 {file} 中的 {name}",
    "provider.window": "已去掉（只适用于预设自带的模型）：{names}\n如果你的模型需要：--env 变量=值",
    "provider.key_again": "使用预设 {preset} 后密钥不再放在 {name} 中："
    "请用 --key-stdin、--key-command 或 --key-env 重新给出",
    "provider.confirm": "删除 {name} 需要用 --yes 确认\n"
    "→ 不在终端中：ccc provider remove {name} --yes",
    "provider.removed": "已删除 {name}",
    "provider.removed_file": "已删除它的文件 {file}",
    "provider.next": "{name} 曾是当前提供商；现在是 {chosen}",
    "provider.login": "它不设置任何变量：claude 使用你的登录。",
    "provider.settings": "其他设置：{names}",
    "provider.prices": "价格（美元 / 百万 token）：",
    "provider.head_input": "输入",
    "provider.head_output": "输出",
    "provider.head_cache_read": "缓存命中",
    "provider.head_cache_write": "缓存写入",
    "provider.used": "当前提供商现在是 {name}",
    "provider.use_form": "use 的写法：NAME、NAME --here 或 --none --here",
    "provider.bound": "在此目录中 ccc 使用 {name}：{key}",
    "provider.bound_now": "在 {directory} 及其子目录中，ccc 现在默认使用 {name}"
    "（命令行上指定的优先）。\n撤销：ccc provider use --none --here",
    "provider.unbound": "{directory} 不再有自己的提供商",
}
