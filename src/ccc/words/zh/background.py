"""What claude's background service can't do, in Chinese."""

WORDS = {
    "background.provider": "{word}：后台会话无法使用提供商 {provider}\n"
    "→ claude 的后台服务不会把接口地址和密钥传给会话。请使用 `ccc run` 或另开一个终端，或用你自"
    "己的登录直接运行 `claude`。",
    "background.supervisor": "{word}：会话 id 由 claude 自己决定，--supervisor 无法开启监督\n"
    '→ 请让任务以 /supervisor 开头：ccc {word} "/supervisor …"',
}
