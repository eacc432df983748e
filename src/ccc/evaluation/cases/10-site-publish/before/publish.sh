#!/bin/sh
# usage: publish.sh SRC DEST
src=$1 dest=$2
here=$(dirname "$0")
rm -rf "$dest"
mkdir -p "$dest"
for page in "$src"/pages/*.txt; do
  sh "$here/render.sh" "$page" >"$dest/$(basename "$page" .txt).html"
done
