#!/bin/sh
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
fail() { echo "失败：$1"; exit 1; }

# 假的 df：/ 为 95%，/data 为 40%
cat >"$tmp/df" <<'END'
echo "Filesystem 1024-blocks Used Available Capacity Mounted on"
case $1 in
    /) echo "/dev/sda1 100 95 5 95% /" ;;
    *) echo "/dev/sdb1 100 40 60 40% $1" ;;
esac
END
export DF="sh $tmp/df"

if sh disk.sh >"$tmp/out"; then fail "应当报警"; fi
grep -q "/ 已用 95%" "$tmp/out" || fail "报警内容"
echo "全部通过"
