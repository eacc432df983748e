#!/bin/sh
# human.sh BYTES - print a byte count with a unit
set -eu

if [ $# -ne 1 ]; then
    echo "usage: human.sh BYTES" >&2
    exit 2
fi

case $1 in
    ''|*[!0-9]*) echo "human.sh: not a number: $1" >&2; exit 2 ;;
esac

awk -v n="$1" 'BEGIN {
    split("B kB MB GB TB", unit, " ")
    i = 1
    while (n >= 1000 && i < 5) { n /= 1000; i++ }
    if (i == 1) printf "%d %s\n", n, unit[i]
    else printf "%.1f %s\n", n, unit[i]
}'
