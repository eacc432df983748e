#!/bin/sh
# disk.sh [配置]：按配置检查各挂载点，超过阈值时报警，退出码 1
set -eu

conf=${1:-disk.conf}
log=${DISK_LOG:-disk.log}
status=0
while read -r mount limit; do
    case $mount in
        '' | \#*) continue ;;
    esac
    used=$(${DF:-df -P} "$mount" | awk 'NR == 2 { sub(/%/, "", $5); print $5 }')
    echo "$(date '+%Y-%m-%d %H:%M:%S') $mount $used%" >>"$log"
    if [ "$used" -ge "$limit" ]; then
        echo "警告 $mount 已用 $used%（阈值 $limit%）"
        status=1
    fi
done <"$conf"

if [ -f "$log" ]; then
    tail -n 1000 "$log" >"$log.new"
    mv "$log.new" "$log"
fi
exit $status
