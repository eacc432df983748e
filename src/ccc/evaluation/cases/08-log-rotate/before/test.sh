#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0
is() { # 说明 实际 期望
  [ "$2" = "$3" ] || { echo "失败：$1：得到“$2”，应为“$3”"; failed=1; }
}

for n in 1 2 3 4 5; do
  echo "$n" >a.log
  sh "$here/rotate.sh" a.log
done
is "最新" "$(cat a.log.1)" 5
is "第二份" "$(cat a.log.2)" 4
is "最旧" "$(cat a.log.3)" 3
is "原文件清空" "$(cat a.log)" ""

[ $failed = 0 ] && echo 全部通过
exit $failed
