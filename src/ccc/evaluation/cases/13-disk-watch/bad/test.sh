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

printf '# 注释\n/ 90\n/data 80\n' >"$tmp/a.conf"
if sh disk.sh "$tmp/a.conf" >"$tmp/out"; then fail "应当报警"; fi
grep -q "/ 已用 95%（阈值 90%）" "$tmp/out" || fail "报警内容"
[ "$(wc -l <"$tmp/out")" -eq 1 ] || fail "/data 不应报警"

printf '/data 80\n' >"$tmp/b.conf"
sh disk.sh "$tmp/b.conf" || fail "不应报警"
echo "全部通过"
