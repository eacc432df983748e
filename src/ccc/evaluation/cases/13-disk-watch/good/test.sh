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
export DF="sh $tmp/df" DISK_LOG="$tmp/log"

printf '# 注释\n/ 90\n/data 80\n' >"$tmp/a.conf"
if sh disk.sh "$tmp/a.conf" >"$tmp/out"; then fail "应当报警"; fi
grep -q "/ 已用 95%（阈值 90%）" "$tmp/out" || fail "报警内容"
[ "$(wc -l <"$tmp/out")" -eq 1 ] || fail "/data 不应报警"

printf '/data 80\n' >"$tmp/b.conf"
sh disk.sh "$tmp/b.conf" || fail "不应报警"

[ "$(wc -l <"$tmp/log")" -eq 3 ] || fail "日志行数"
grep -Eq '^[0-9-]{10} [0-9:]{8} /data 40%$' "$tmp/log" || fail "日志格式"
yes x | head -n 1200 >"$tmp/log"
sh disk.sh "$tmp/b.conf"
[ "$(wc -l <"$tmp/log")" -eq 1000 ] || fail "日志只留 1000 行"
echo "全部通过"
