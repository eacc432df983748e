"""Messages of `ccc web` in Chinese."""

WORDS = {
    "web.usage": """用法：ccc web [--port N] [--open]
      ccc web --host 地址 --token-file 文件 [--port N]

在本机提供一个网页，实时显示进行中的会话和无人值守运行、任务队列，
以及过去的会话和报告。你可以开启或关闭监督、回答问题、停止运行、调整队列。
按 Ctrl-C 结束。

它会输出一个只能用一次的链接；用过之后会输出下一个。

  --port N            端口（默认 8765，被占用时用下一个空闲端口）
  --open              在浏览器中打开链接
  --host 地址         监听 127.0.0.1 以外的地址。有令牌的人都能看到你的工作并
                      进行操作，而且没有 TLS。隧道更安全：
                      ssh -L 8765:127.0.0.1:8765 主机
  --token-file 文件   使用该文件中的令牌，文件只能由你读取
  --no-color""",
    # the terminal
    "web.link": "请在浏览器中打开此链接，只能使用一次。按 Ctrl-C 结束。",
    "web.link_fixed": "请在浏览器中打开，并输入 {file} 中的令牌。按 Ctrl-C 结束。",
    "web.port_moved": "端口 {usual} 已被占用，页面改用端口 {port}。",
    "web.next_link": "供另一个浏览器使用的链接：{link}",
    "web.warning": "警告：其他机器可以访问此页面，而且没有 TLS：能看到网络流量的人就能看到你的"
    "工作和令牌。如有可能，请改用隧道。",
    "web.port": "无法监听 {host} 的端口 {port}：{cause}\n"
    "→ 请换一个端口：ccc web --port N，或不写此选项。",
    "web.host_hint": "请使用本机的地址，或不写 --host。",
    "web.needs_token": "--host {host} 需要 --token-file，因为其他机器可以访问此页面\n"
    "→ 生成一个：(umask 077; openssl rand -hex 24 > 文件)，再加上 --token-file 文件。或者不写 "
    "--host，使用隧道。",
    "web.token_public": "其他人可以读取 {file} 中的令牌\n→ 请限制权限：chmod 600 {file}",
    "web.token_short": "{file} 中的令牌至少需要 {least} 个字符，且只能是字母、数字、- 和 _",
    "web.token_foreign": "令牌文件 {file} 属于另一个用户，那个用户可以修改它",
    "web.token_hint": "生成一个：(umask 077; openssl rand -hex 24 > {file})",
    # every page
    "web.now": "现在",
    "web.board": "看板",
    "web.history": "历史",
    "web.pages": "页面",
    "web.skip": "跳到正文",
    "web.keys": "切换页面",
    "web.lost": "连接已断开，正在重试……",
    "web.restarted": "ccc web 已重新启动。请打开其终端中显示的新链接。",
    # what happens now
    "web.not_opened": "无法打开浏览器，请自行打开链接。",
    "web.waiting": "等你处理",
    "web.in_terminal": "该会话还在终端中打开，请在那里回答。",
    "web.in_shell": "在命令行中回答",
    "web.resume_session": "打开会话",
    "web.session": "会话 id",
    "web.copy": "复制",
    "web.copied": "已复制",
    "web.answer_run": "你的回答（发送后，运行会在后台继续）",
    "web.no_answer": "没有填写回答",
    "web.you_wrote": "你写的内容",
    "web.stale": "这个问题已经变了，或者已有回答。"
    "你输入的内容会留在这里，直到你删除它，但不能再发送。",
    "web.task_changed": "#{id} 在页面显示之后有了变化：{reason}\n"
    "→ 没有执行任何操作。请看它现在的情况。",
    "web.not_asked": "这次运行不再等待回答",
    "web.not_continued": "无法继续这次运行：\n{cause}",
    "web.is_starting": "运行正在启动，需要一些时间\n"
    "→ 它会自行继续。如果无法继续，下一个页面会说明原因。",
    "web.is_answered": "这次运行已有回答，正在启动",
    "web.of_queue": "这次运行属于队列中的任务\n→ 请在看板上操作该任务。",
    "web.later_run": "ccc run --continue 会继续另一次运行\n"
    "→ 该目录中还有一次更晚的运行尚未完成。要回答，请打开这个会话。",
    "web.answer_to": "对 #{id} 的回答",
    "web.answer": "发送回答",
    "web.sent": "已发送",
    "web.of_limit": "上限 {limit}",
    "web.is_run": "无人值守运行",
    "web.log": "最近动态",
    "web.turn_on": "开启监督",
    "web.turn_off": "关闭监督",
    "web.stop": "停止运行",
    "web.ask_stop": "停止这次运行？已完成的工作会保留，可用 ccc run --continue 继续。",
    "web.no_run": "这次运行已经结束\n→ 结果见它的页面。",
    "web.gone": "该会话的记录已被删除。",
    # the board
    "web.more": "…… 另外还有 {n} 个：",
    "web.mark": "标记",
    "web.actions": "操作",
    "web.pause": "暂停队列",
    "web.resume": "恢复队列",
    "web.move": "调整顺序",
    "web.first": "移到最前",
    "web.last": "移到最后",
    "web.priority": "优先级（数字大的先开始）",
    "web.set": "设置",
    "web.do_cancel": "取消任务",
    "web.ask_cancel": "取消任务 #{id}？",
    "web.retry": "重试",
    "web.no_queue": '没有任务队列\n→ 还没有任务队列。添加任务：ccc queue add "任务"',
    "web.queue_silent": "队列没有响应\n"
    "→ 可能有另一个程序正在使用它，或无法连接到它的数据库。页面会继续重试。",
    "web.not_done": "没有做任何更改。请稍后重试。",
    "web.queue_unknown": "还不知道更改是否已完成。队列恢复响应后，请查看看板。",
    "web.queue_old": "这是队列在 {time} 的状态。",
    "web.locked": "另一个程序持有 ccc 记录的锁\n→ 更改会等待它，最多 30 秒。之后请查看页面。",
    "web.go_back": "返回",
    # history
    "web.search": "搜索",
    "web.not_found": "没有匹配的会话。",
    "web.turn_pages": "历史翻页",
    "web.page_of": "第 {n} 页，共 {last} 页",
    "web.newer": "较新的",
    "web.older": "较早的",
    # refusals
    "web.enter_title": "此页面需要令牌",
    "web.enter": "请打开 ccc web 在终端中输出的链接。每个链接只能使用一次，"
    "用过之后终端会显示下一个。",
    "web.used": "此令牌无效或已经用过。请打开 ccc web 终端中最新的链接。",
    "web.token": "链接或令牌",
    "web.in_history": "更早的会话见“历史”",
    "web.close": "关闭",
    "web.go_in": "打开页面",
    "web.enter_button": "进入",
    "web.refused_title": "已拒绝",
    "web.refused": "此请求不是来自本页面，或页面已过期。\n请返回并刷新页面，然后重试。",
    "web.host": "此页面使用另一个地址。请打开终端中的链接。",
    "web.missing_title": "找不到",
    "web.missing": "没有这个页面，或该会话已被删除。",
    "web.bad_title": "操作失败",
    "web.bad": "无法处理此请求。",
    "web.too_large": "内容太长。",
    "web.failed": "这是 ccc 的 bug。用 CCC_DEBUG=1 ccc web 启动可以看到详细信息。",
}
