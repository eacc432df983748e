#!/bin/sh
# Runs human.sh on known values.
cd "$(dirname "$0")" || exit 1
failed=0

check() {
    want=$1; shift
    got=$(sh human.sh "$@" 2>&1)
    if [ "$got" != "$want" ]; then
        echo "FAIL human.sh $*: got '$got', wanted '$want'"
        failed=1
    fi
}

check "0 B" 0
check "999 B" 999
check "1.5 MB" 1500000
check "2.0 GB" 2000000000
check "512 B" -b 512
check "1.0 KiB" -b 1024
check "1.5 KiB" -b 1536
check "1.0 MiB" -b 1048576
check "2.5 GiB" -b 2684354560

[ $failed = 0 ] && echo "all passed"
exit $failed
