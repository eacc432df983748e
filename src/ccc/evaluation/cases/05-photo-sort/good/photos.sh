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

# free DIR NAME: NAME, or the first of NAME-1, NAME-2, … that isn't taken in DIR
free() {
    candidate=$2
    count=0
    while [ -e "$1/$candidate" ]; do
        count=$((count + 1))
        candidate=${2%.*}-$count.${2##*.}
    done
    printf '%s\n' "$candidate"
}

for file in "$1"/*; do
    name=${file##*/}
    case $name in
        *.[jJ][pP][gG] | *.[mM][pP]4 | *.[mM][oO][vV]) ;;
        *) continue ;;
    esac
    month=$(printf '%s\n' "$name" | sed -n 's/^[A-Z]*_\([0-9]\{4\}\)\([0-9]\{2\}\)[0-9]\{2\}_.*/\1-\2/p')
    dir=$2/${month:-undated}
    target=$dir/$(free "$dir" "$name")
    if [ -n "$dry" ]; then
        echo "$file -> $target"
        continue
    fi
    mkdir -p "$dir"
    mv "$file" "$target"
done
