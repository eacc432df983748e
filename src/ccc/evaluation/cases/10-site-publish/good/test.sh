#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0
check() { # NAME COMMAND...
  name=$1
  shift
  if "$@"; then echo "ok   $name"; else echo "FAIL $name"; failed=1; fi
}

mkdir -p src/pages
printf 'title: Home\nWelcome.\n' >src/pages/index.txt
sh "$here/publish.sh" src site
check "page is rendered" grep -q '<title>Home</title>' site/index.html

mkdir src/assets
echo 'body {}' >src/assets/site.css
sh "$here/publish.sh" src site
check "assets are copied" test -f site/assets/site.css
check "nothing left over" test "$(ls -d site*)" = site

echo 'No title here.' >src/pages/news.txt
check "a failing page fails the run" sh -c "! sh '$here/publish.sh' src site 2>err"
check "the page is named" grep -q news.txt err
check "the old site is still there" grep -q '<title>Home</title>' site/index.html
check "and is complete" test ! -e site/news.html
check "nothing left over after a failure" test "$(ls -d site*)" = site

exit $failed
