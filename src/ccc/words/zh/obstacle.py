"""Options and variables of claude's that prevent supervision, in Chinese."""

WORDS = {
    "obstacle.refused": "使用 {word} 时无法监督：{reason}\n→ 请去掉它，或不开启监督。",
    "obstacle.warning": "ccc: 设置了 {word}，因此本会话不受监督：{reason}",
    "obstacle.hooks": "claude 不运行任何 hook，停止时无法审查",
    "obstacle.command": "claude 不会运行 /supervisor",
    "obstacle.record": "claude 不保存会话记录，审查者无从读取",
}
