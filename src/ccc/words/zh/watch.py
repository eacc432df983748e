"""Messages of `ccc watch` in Chinese."""

WORDS = {
    "watch.usage": """用法：ccc watch [会话] [--plain]

实时查看本机的会话，以及其中一个会话正在进行的一轮：检查、审查者说的话和
所做的操作、结论。会话可以只写 id 的开头；不写则为正在审查的会话，
否则为最新的会话。
按键：↑ ↓（或 k j）选择会话并滚动列表，1-9 选择列出的会话，PgUp、PgDn 滚动
它的记录，q 退出。
在浏览器中查看：ccc web

  --plain     每个事件一行，供程序读取；输出到管道时总是如此
  --no-color""",
    "watch.none": "没有正在进行的会话，最近一天也没有受监督的会话。新的会话会显示在这里。",
    "watch.keys": "↑↓ 1-9 选择 · PgUp PgDn 翻页 · q 退出",
    "watch.above": "↑ 上面还有 {n} 个",
    "watch.below": "↓ 下面还有 {n} 个",
    "watch.older": "更早的会话：ccc history",
    "watch.on": "监督已开启",
    "watch.off": "监督已关闭",
    "watch.stop": "第 {count} 轮：Agent 已停止",
    "watch.check": "正在检查：{command}",
    "watch.review": "第 {count} 轮：正在审查",
    "watch.ended": "会话已结束",
}
