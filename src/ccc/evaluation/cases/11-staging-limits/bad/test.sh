#!/bin/sh
set -eu
[ "$(sh run.sh production --print)" = "workers=16 timeout=30" ] || { echo "失败：production"; exit 1; }
grep -qx WORKERS=3 conf/staging.env || { echo "失败：staging"; exit 1; }
if sh run.sh nowhere 2>/dev/null; then echo "失败：未知环境"; exit 1; fi
echo "全部通过"
