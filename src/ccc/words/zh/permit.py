"""Messages about the permissions of an unattended agent, in Chinese."""

WORDS = {
    "permit.question": "`ccc run` 在无人值守时运行，没有人能回答权限询问。它的 Agent 可以做什么？",
    "permit.choice_sandbox": "编辑项目中的文件、运行你的检查，并在 claude 的沙箱中"
    "运行任何命令（推荐）",
    "permit.choice_edit": "编辑项目中的文件、运行你的检查",
    "permit.choice_all": "做任何事，不再询问",
    "permit.pick": "请选择 1、2 或 3",
    "permit.kept": "已保存到 {file}（run.permissions）",
    "permit.root": "claude 拒绝以 root 身份跳过权限检查\n"
    "→ 请换一个用户运行 ccc，或把 ccc.json 中的 run.permissions\n"
    '设为 "sandbox" 或 "edit"。在专用的容器里：export IS_SANDBOX=1',
    "permit.denied_one": "{counted}被拒绝：{calls}。",
    "permit.allow_one": "允许它：{options}",
    "permit.denied": "{counted}被拒绝：{calls}。",
    "permit.allow": "允许它们：{options}",
    "permit.no_rule": "claude 没有适用于这种命令的规则，只有允许一切的模式。",
    "permit.sentences": "{first}{second}",
    "permit.granted": "现在允许这些工具调用：{rules}。请继续完成任务。",
    "permit.note": "ccc 的说明：你的以下工具调用被拒绝，是因为这次无人值守的运行没有相应的权限。"
    "没有人否决它们，运行期间也没有人能批准：\n{calls}\n不要重复这些调用。{may}"
    "如果没有它们就无法完成任务，请说明需要哪一个、为什么，然后停下。",
    "permit.may_sandbox": "你可以编辑项目中的文件、运行项目的检查，"
    "并在没有网络的沙箱中运行任何命令。",
    "permit.may_edit": "你可以编辑项目中的文件、运行项目的检查。",
    "permit.may_all": "其他工具都可以使用。",
    "permit.level_sandbox": "Agent 可以编辑这里的文件、运行你的检查，"
    "并在 claude 的沙箱中运行命令。",
    "permit.level_edit": "Agent 可以编辑这里的文件、运行你的检查。",
    "permit.level_all": "Agent 可以做任何事，不再询问。",
    "permit.no_sandbox": "claude 的沙箱在这里无法运行，因此其他命令会被拒绝（见 ccc doctor）。",
}
