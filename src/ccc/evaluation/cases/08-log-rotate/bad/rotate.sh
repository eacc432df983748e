#!/bin/sh
# 用法：rotate.sh [-k 份数] [-s 字节数] 日志文件
usage() {
  echo "用法：rotate.sh [-k 份数] [-s 字节数] 日志文件" >&2
  exit 2
}

keep=3
limit=-1
while getopts k:s: opt; do
  case $opt in
    k) keep=$OPTARG ;;
    s) limit=$OPTARG ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
[ $# -eq 1 ] || usage
log=$1
if [ ! -f "$log" ]; then
  echo "rotate.sh: 找不到 $log" >&2
  exit 1
fi
[ "$(wc -c <"$log")" -gt "$limit" ] || exit 0

i=1
while [ "$i" -lt "$keep" ]; do
  next=$((i + 1))
  [ -f "$log.$i" ] && mv "$log.$i" "$log.$next"
  i=$next
done
mv "$log" "$log.1"
: >"$log"
