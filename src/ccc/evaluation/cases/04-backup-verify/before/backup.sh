#!/bin/sh
# backup.sh create 目录 归档 | list 归档
set -eu

usage() {
    echo "用法: backup.sh create 目录 归档 | list 归档" >&2
    exit 2
}

create() {
    tar -cf "$2" -C "$1" .
    echo "已写入 $2"
}

list() {
    tar -tf "$1"
}

case ${1-} in
    create) [ $# -eq 3 ] || usage; create "$2" "$3" ;;
    list) [ $# -eq 2 ] || usage; list "$2" ;;
    *) usage ;;
esac
