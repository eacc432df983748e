#!/bin/sh
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
fail() { echo "FAIL $1"; exit 1; }

mkdir "$tmp/in"
echo a >"$tmp/in/IMG_20240517_101112.jpg"
echo b >"$tmp/in/VID_20240601_090000.MP4"
echo c >"$tmp/in/holiday.JPG"
echo d >"$tmp/in/notes.txt"

sh photos.sh -n "$tmp/in" "$tmp/out" >"$tmp/list"
[ "$(wc -l <"$tmp/list")" -eq 3 ] || fail "dry run lists three files"
[ ! -e "$tmp/out" ] || fail "dry run moves nothing"

sh photos.sh "$tmp/in" "$tmp/out"
[ "$(cat "$tmp/out/2024-05/IMG_20240517_101112.jpg")" = a ] || fail "month"
[ "$(cat "$tmp/out/2024-06/VID_20240601_090000.MP4")" = b ] || fail "video"
[ "$(cat "$tmp/out/undated/holiday.JPG")" = c ] || fail "undated"
[ -e "$tmp/in/notes.txt" ] || fail "other files stay"

echo second >"$tmp/in/IMG_20240517_101112.jpg"
sh photos.sh "$tmp/in" "$tmp/out"
[ "$(cat "$tmp/out/2024-05/IMG_20240517_101112.jpg")" = a ] || fail "first file kept"
[ "$(cat "$tmp/out/2024-05/IMG_20240517_101112-1.jpg")" = second ] || fail "second file numbered"
echo "all tests passed"
