#!/bin/sh
# run.sh 环境 [--print]：读取该环境的配置并启动服务
set -eu

cd "$(dirname "$0")"
case ${1:-} in
    production) conf=conf/production.env ;;
    staging) conf=conf/pre.env ;;
    *) echo "用法: run.sh production|staging [--print]" >&2; exit 2 ;;
esac
. "./$conf"
if [ "${2:-}" = --print ]; then
    echo "workers=$WORKERS timeout=$TIMEOUT"
    exit 0
fi
exec ./server --workers "$WORKERS" --timeout "$TIMEOUT"
