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
  sh "$here/render.sh" "$page" >"$new/$(basename "$page" .txt).html"
done
if [ -d "$src/assets" ]; then
  cp -R "$src/assets" "$new/assets"
fi

if [ -e "$dest" ]; then
  mv "$dest" "$old"
fi
mv "$new" "$dest"
# The new site is up; a leftover of the old one is worth a warning, not a failure.
rm -rf "$old" || echo "publish.sh: could not remove $old" >&2
