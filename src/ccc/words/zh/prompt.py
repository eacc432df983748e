"""What `ccc prompt` says, in Chinese."""

WORDS = {
    "prompt.usage": "用法：ccc prompt init [--project]",
    "prompt.exists": "{file} 已存在，保持原样",
    "prompt.exists_hint": "请先改名或删除它。",
    "prompt.written": "已写入 {file}",
}
