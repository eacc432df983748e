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

for n in 1 2 3 4 5 6; do
  echo "$n" >b.log
  sh "$here/rotate.sh" -k 4 b.log
done
is "-k 4 最新" "$(cat b.log.1)" 6
is "-k 4 最旧" "$(cat b.log.4)" 3
is "-k 4 没有第五份" "$(ls b.log.5 2>/dev/null)" ""

printf 12345 >c.log
sh "$here/rotate.sh" -s 5 c.log
is "未超过大小不轮转" "$(cat c.log)" 12345
sh "$here/rotate.sh" -s 4 c.log
is "超过大小才轮转" "$(cat c.log.1)" 12345

sh "$here/rotate.sh" none.log 2>err
is "文件不存在的退出码" "$?" 1
is "文件不存在的提示" "$(cat err)" "rotate.sh: 找不到 none.log"

[ $failed = 0 ] && echo 全部通过
exit $failed
