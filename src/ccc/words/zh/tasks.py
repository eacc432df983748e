"""Messages about files with tasks, in Chinese."""

WORDS = {
    "tasks.wrong": "{file}{where}：{reason}",
    "tasks.line": "，第 {n} 行",
    "tasks.entry": "，任务 {n}",
    "tasks.no_file": "没有这个文件\n"
    "→ 查找的目录是 {directory}。请检查文件名，或从标准输入给出任务：ccc queue add --from -",
    "tasks.directory": "这是一个目录\n→ 请指定其中一个含有任务的文件。",
    "tasks.empty": "没有任务\n→ 写一个列表，每行一个任务，例如“- 修复失败的测试”。",
    "tasks.large": "大于 {size}\n"
    "→ 请拆成几个文件，或把长文本放进仓库的文件里，在任务中写出文件名。",
    "tasks.many": "任务超过 {n} 个\n→ 请拆成几个文件。",
    "tasks.not_utf8": "不是 UTF-8\n→ 请保存为 UTF-8。",
    "tasks.syntax": "既不是 YAML 也不是 JSON：{detail}\n"
    "→ 含有 “: ”、“#” 或引号的文本要加引号：- 'fix this: all of it'。",
    "tasks.alias": "不支持锚点（&）和别名（*）\n"
    "→ 所有任务共有的内容请写在 defaults 里。以 & 或 * 开头的文本要加引号。",
    "tasks.deep": "嵌套太深\n→ 文件是一个任务列表，或者含有 tasks 和 defaults 两个键。",
    "tasks.twice": "这个键出现了两次\n→ 请删去一个。新任务以短横线开头。",
    "tasks.not_key": "键必须是一个词\n→ 以 {{、[ 或 ? 开头的文本要加引号。",
    "tasks.not_tasks": "必须是任务列表\n→ 每行一个任务，前面加短横线：“- 修复测试”。",
    "tasks.not_task": "必须是文本，或者键和值\n"
    "→ 例如“- 修复测试”，或“- task: 修复测试”。数字和日期要加引号。",
    "tasks.not_mapping": "必须是键和值\n→ 例如 “defaults: {{repo: ~/shop}}”。",
    "tasks.unknown": "没有这个键\n→ 可用的键：{known}。含有冒号的文本要加引号。",
    "tasks.unknown_near": "没有这个键\n→ 是指 {near} 吗？含有冒号的文本要加引号。",
    "tasks.both": "同时还给出了 {other}\n→ 两者意思相同，请删去一个。",
    "tasks.no_text": "缺少任务\n→ 请写出要做什么：“task: 修复失败的测试”。",
    "tasks.no_such_task": "这个文件前面没有 id 为 “{name}” 的任务\n"
    "→ 请写前面某个任务的 id，或队列中任务的编号（ccc queue list）。",
    "tasks.id_twice": "前面已有任务的 id 是 “{id}”\n→ 每个任务的 id 要各不相同，也可以不写。",
    "tasks.not_text": "必须是文本\n→ 请加引号。",
    "tasks.not_texts": '必须是文本或文本列表\n→ 例如 "make test"，或 ["make lint", "make test"]。',
    "tasks.not_name": "必须是分支或提交的名字\n→ 例如 main：不含空格，也不以短横线开头。",
    "tasks.not_repo": "必须是目录或 URL\n→ 例如 ~/shop，或 git@example.com:team/shop.git。",
    "tasks.not_provider": "提供商不能叫 “{name}”\n"
    "→ 请用 ccc.json 中的名字：ccc provider list 会列出它们。",
    "tasks.not_rule": '不是权限规则：{rule}\n→ 例如 "Bash(npm install *)"，或这样的规则列表。',
    "tasks.not_id": "必须是短文本或数字\n→ 例如：schema。",
    "tasks.not_number": "必须是 issue 的编号\n→ GitHub：gh issue list --json number,title,body",
}
