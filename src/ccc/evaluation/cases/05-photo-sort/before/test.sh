#!/bin/sh
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/in"
echo a >"$tmp/in/IMG_20240517_101112.jpg"
sh photos.sh "$tmp/in" "$tmp/out"
[ "$(cat "$tmp/out/2024-05/IMG_20240517_101112.jpg")" = a ] || { echo "FAIL month"; exit 1; }
echo "all tests passed"
