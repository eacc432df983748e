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

exit $failed
