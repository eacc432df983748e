"""Messages of `ccc report` in Chinese."""

WORDS = {
    "report.usage": """用法：ccc report [会话] [-o 文件]

把一个受监督的会话写成一个独立的 HTML 页面：任务，每一轮的结论、反馈和检查，
审查者运行和看到了什么，费用，缓存占比，以及改动的大小。
会话可以只写 id 的开头；不写则为当前目录最近有变化的受监督会话，
没有时取所有目录中最近的。

  -o 文件     写到哪里（ccc-report-<会话>.html）；- 表示标准输出""",
    "report.written": "{file}\n只有你能读取。其中包含你的工作内容：分享前请先看一遍。",
    "report.no_place": "无法写入 {file}：它是目录，或所在目录不存在",
    "report.duration": "用时",
    "report.with_agent": "其中 Agent {cost}",
    "report.cached": "缓存占比（审查）",
    "report.diff": "改动行数",
    "report.cost_chart": "每次审查的费用（美元）",
    "report.cached_chart": "提示缓存占比（%）",
    "report.diff_chart": "自开始以来的改动行数",
    "report.none": "还没有任何一轮。",
    "report.worked": "Agent 工作了 {time}",
    "report.checks": "检查",
    "report.by_check": "已附上检查的输出退回，未请模型审查。",
    "report.made": "由 ccc {version} 根据会话 {session} 的记录生成。",
}
