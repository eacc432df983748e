"""The end of a supervised `claude -p`, in Chinese."""

WORDS = {
    "print.because": "{label}：{reason}",
    "print.ended": "[SUPERVISOR] {label}。详情：ccc show {session}",
    "print.not_on": "[SUPERVISOR] 无法审查：claude 没有运行 /supervisor，监督从未开启",
    "print.no_state": "[SUPERVISOR] 无法审查：{file} 中的会话状态已不存在",
    "print.no_stop": "[SUPERVISOR] 无法审查：claude 结束时没有运行 ccc 的 Stop hook",
}
