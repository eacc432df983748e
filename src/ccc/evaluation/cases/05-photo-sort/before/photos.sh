#!/bin/sh
# photos.sh SOURCE TARGET: move photos into one folder per month.
set -eu

[ $# -eq 2 ] || { echo "usage: photos.sh SOURCE TARGET" >&2; exit 2; }

for file in "$1"/*.jpg; do
    name=${file##*/}
    month=$(printf '%s\n' "$name" | sed -n 's/^IMG_\([0-9]\{4\}\)\([0-9]\{2\}\)[0-9]\{2\}_.*/\1-\2/p')
    [ -n "$month" ] || { echo "no date in $name" >&2; exit 1; }
    mkdir -p "$2/$month"
    mv "$file" "$2/$month/$name"
done
