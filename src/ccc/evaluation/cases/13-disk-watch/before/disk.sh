#!/bin/sh
# disk.sh：根分区用量超过 90% 时报警，退出码 1
set -eu

used=$(${DF:-df -P} / | awk 'NR == 2 { sub(/%/, "", $5); print $5 }')
if [ "$used" -ge 90 ]; then
    echo "警告 / 已用 $used%（阈值 90%）"
    exit 1
fi
