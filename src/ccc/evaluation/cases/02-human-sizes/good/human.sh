#!/bin/sh
# human.sh [-b] BYTES - print a byte count with a unit; -b: binary units
set -eu

step=1000
units="B kB MB GB TB"
if [ "${1-}" = "-b" ]; then
    step=1024
    units="B KiB MiB GiB TiB"
    shift
fi

if [ $# -ne 1 ]; then
    echo "usage: human.sh [-b] BYTES" >&2
    exit 2
fi

case $1 in
    ''|*[!0-9]*) echo "human.sh: not a number: $1" >&2; exit 2 ;;
esac

awk -v n="$1" -v step="$step" -v units="$units" 'BEGIN {
    split(units, unit, " ")
    i = 1
    while (n >= step && i < 5) { n /= step; i++ }
    if (i == 1) printf "%d %s\n", n, unit[i]
    else printf "%.1f %s\n", n, unit[i]
}'
