#!/bin/sh
# disk.sh [配置]：按配置检查各挂载点，超过阈值时报警，退出码 1
set -eu

conf=${1:-disk.conf}
status=0
while read -r mount limit; do
    case $mount in
        '' | \#*) continue ;;
    esac
    used=$(${DF:-df -P} "$mount" | awk 'NR == 2 { sub(/%/, "", $5); print $5 }')
    if [ "$used" -ge "$limit" ]; then
        echo "警告 $mount 已用 $used%（阈值 $limit%）"
        status=1
    fi
done <"$conf"
exit $status
