#!/bin/sh
# backup.sh 的测试
cd "$(dirname "$0")" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "失败: $1"; failed=1; }

mkdir "$work/data"
echo 你好 >"$work/data/a.txt"
sh backup.sh create "$work/data" "$work/b.tar" >/dev/null || fail "create"
sh backup.sh list "$work/b.tar" | grep -q a.txt || fail "list"

[ $failed = 0 ] && echo "全部通过"
exit $failed
