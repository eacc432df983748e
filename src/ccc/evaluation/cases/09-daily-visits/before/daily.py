"""daily.py 文件：按天统计访问次数。"""

import sys
from collections import Counter
from datetime import datetime, timezone


def day(stamp):
    return datetime.fromtimestamp(stamp, timezone.utc).strftime("%Y-%m-%d")


def count(lines, key=day):
    return Counter(key(int(line)) for line in lines if line.strip())


def main(argv):
    with open(argv[0]) as file:
        for name, n in sorted(count(file).items()):
            print(name, n)


if __name__ == "__main__":
    main(sys.argv[1:])
