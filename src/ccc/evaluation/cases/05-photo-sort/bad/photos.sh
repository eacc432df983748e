#!/bin/sh
# photos.sh [-n] SOURCE TARGET: move photos and videos into one folder per month.
# -n  only print what would be moved
set -eu

dry=
if [ "${1:-}" = -n ]; then
    dry=yes
    shift
fi
[ $# -eq 2 ] || { echo "usage: photos.sh [-n] SOURCE TARGET" >&2; exit 2; }

for file in "$1"/*; do
    name=${file##*/}
    case $name in
        *.[jJ][pP][gG] | *.[mM][pP]4 | *.[mM][oO][vV]) ;;
        *) continue ;;
    esac
    month=$(printf '%s\n' "$name" | sed -n 's/^[A-Z]*_\([0-9]\{4\}\)\([0-9]\{2\}\)[0-9]\{2\}_.*/\1-\2/p')
    dir=$2/${month:-undated}
    target=$dir/$name
    if [ -n "$dry" ]; then
        echo "$file -> $target"
        continue
    fi
    mkdir -p "$dir"
    mv "$file" "$target"
done
