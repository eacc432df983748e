"""Messages of `ccc validate` in Chinese."""

WORDS = {
    "validate.usage": """用法：ccc validate [名称… | --all] [选项]

实际试用提供商（不指定则为当前提供商）：取得密钥、连接接口、模型答复、
模型调用一次工具。只发两个很小的请求，费用几乎为零。
如果 supervisor.provider 或 supervisor.model 指定了另外的审查者，也会一并试用。

  --all          同时试用 ccc.json 中的全部提供商
  --timeout 秒   每一步的时限（30）
  --json         输出一个 JSON 对象
  --no-color     不使用颜色

退出码：没有失败为 0，否则为 1""",
    "validate.reviewer": "{name}（审查者）",
    "validate.step_key": "密钥",
    "validate.step_endpoint": "连接",
    "validate.step_model": "答复",
    "validate.step_tool": "工具调用",
    "validate.not_tried": "{name}：未试用：{reason}",
    "validate.untried_login": "它使用你的登录（可试：ccc {name} -p hi）",
    "validate.untried_cloud": "它使用云平台自己的接口和凭据（可试：ccc {name} -p hi）",
    "validate.fetching": "{name}：正在用 `{program}` 取得密钥 …",
    "validate.both": "请给出名称，或使用 --all",
    "validate.bad_resolve": "无法解析主机名（{detail}）\n"
    "→ 请检查接口地址是否写错，以及网络和 DNS。",
    "validate.bad_refused": "连接被拒绝\n"
    "→ 该处没有服务在监听。请检查接口地址的主机和端口；本地服务需要先启动。",
    "validate.bad_unreachable": "无法连接到接口（{detail}）\n"
    "→ 请检查网络、VPN 或代理（HTTPS_PROXY）。",
    "validate.bad_proxy": "代理没有放行请求（{detail}）\n"
    "→ 请检查 HTTPS_PROXY、HTTP_PROXY 和 NO_PROXY。",
    "validate.bad_tls": "TLS 连接失败（{detail}）\n"
    "→ 若使用自有证书：请在 NODE_EXTRA_CA_CERTS 中指定其 CA。若服务没有 TLS：接口地址请用 "
    "http://。",
    "validate.bad_timeout": "未在时限内答复\n"
    "→ 请增加时限再试：--timeout 120。正在加载的模型需要较长时间。",
    "validate.bad_key": "密钥未被接受：{detail}\n"
    "→ 请更换密钥：ccc provider edit {name}。有的提供商使用另一个变量：--credential "
    "ANTHROPIC_API_KEY。",
    "validate.bad_forbidden": "提供商拒绝访问：{detail}\n"
    "→ 密钥有效，但没有这项权限：请检查套餐、地区和模型。有的套餐只允许编程工具使用，可试：ccc "
    "{name} -p hi",
    "validate.bad_balance": "余额不足：{detail}\n→ 请到提供商处充值。",
    "validate.bad_path": "没有这个路径：{detail}\n"
    "→ claude 会在接口地址后加上 /v1/messages：请不要写 /v1，并核对路径（通常是 /anthropic）。",
    "validate.bad_model": "该处没有这个模型：{detail}\n"
    "→ 请求的模型是 {model}。请更换：ccc provider edit {name} --model M",
    "validate.model_fix": "模型 {model} 来自 ccc.json 中的 supervisor.model：请在那里修改。",
    "validate.bad_rate": "请求过多，或额度已用完：{detail}\n"
    "→ 请稍后再试，或查看套餐。密钥和接口地址没有问题。",
    "validate.bad_server": "提供商故障：{detail}\n→ 请稍后再试；不是你的问题。",
    "validate.bad_request": "请求被拒绝：{detail}\n"
    "→ 请看上面的说明；可能与该提供商的变量（beta、附加请求头）有关。",
    "validate.bad_redirect": "接口重定向到别处：{detail}\n"
    "→ 请把该地址（去掉 /v1/messages）作为接口地址。",
    "validate.bad_error": "答复是错误：{detail}\n→ 请看上面的说明。",
    "validate.bad_form": "答复不是 Anthropic 的格式：{detail}\n"
    "→ 这是网页或别的 API。请在提供商处查找用于 Claude Code 的接口地址。",
    "validate.bad_cut": "答复中途断开\n→ 请再试一次；中间的代理可能会截断较长的答复。",
    "validate.bad_no_tool": "模型没有调用工具 {detail}\n"
    "→ 没有工具调用，Claude Code 无法工作：请选择支持工具的模型（ccc provider edit {name} "
    "--model M）。",
    "validate.bad_no_key": "有接口地址，但没有密钥\n→ 请设置密钥：ccc provider edit {name}",
    "validate.bad_address": "接口地址不可用\n"
    "→ 请写成 https://主机/路径：ccc provider edit {name} --base-url URL",
    "validate.bad_bug": "内部错误（{detail}）\n→ 这是 ccc 的 bug，欢迎反馈。",
}
