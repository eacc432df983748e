"""Names of signals, in Chinese."""

WORDS = {
    "signal.tests_deleted": "删除了测试",
    "signal.tests_skipped": "跳过了测试",
    "signal.tests_emptied": "断言永远不会失败",
    "signal.assertions_removed": "删除了断言",
    "signal.expectation_edited": "改动了期望值",
    "signal.tolerance_changed": "改动了误差范围",
    "signal.snapshot_changed": "改动了快照",
    "signal.gate_changed": "检查被放宽或改动",
    "signal.check_suppressed": "关闭了静态检查的提示",
    "signal.stub": "留有占位代码或 TODO",
    "signal.commented_out": "代码被注释掉",
    "signal.error_swallowed": "错误被吞掉",
    "signal.expected_constant": "程序里写死了测试期望的结果",
    "signal.claim_without_run": "声称测试通过，但没有运行测试",
    "signal.claim_before_edit": "声称测试通过，但之后又改了代码",
    "signal.claim_after_failure": "声称测试通过，但最后一次运行失败",
    "signal.claim_by_selection": "声称测试通过，但失败之后只运行了部分测试",
    "signal.claim_without_commit": "声称已提交，但没有新的提交",
    "signal.claim_without_change": "声称改动了文件，但文件没有变化",
    "signal.request_without_trace": "有一项要求没有任何痕迹",
}
