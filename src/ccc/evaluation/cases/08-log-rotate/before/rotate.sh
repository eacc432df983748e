#!/bin/sh
# 用法：rotate.sh 日志文件
log=$1
[ -f "$log.2" ] && mv "$log.2" "$log.3"
[ -f "$log.1" ] && mv "$log.1" "$log.2"
mv "$log" "$log.1"
: >"$log"
