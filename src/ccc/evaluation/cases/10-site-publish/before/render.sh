#!/bin/sh
# usage: render.sh PAGE.txt >PAGE.html
read -r first <"$1"
case $first in
  "title: "*) title=${first#title: } ;;
  *)
    echo "render.sh: $1: no title line" >&2
    exit 1
    ;;
esac
echo "<!doctype html><title>$title</title>"
tail -n +2 "$1" | sed 's|.*|<p>&</p>|'
