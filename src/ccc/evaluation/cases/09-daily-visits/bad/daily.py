"""daily.py [--hour] 文件：按天或按小时统计访问次数，使用本机时区。"""

import argparse
import sys
from collections import Counter
from datetime import datetime


def day(stamp):
    return datetime.fromtimestamp(stamp).strftime("%Y-%m-%d")


def hour(stamp):
    return f"{day(stamp)} {stamp % 86400 // 3600:02d}"


def count(lines, key=day):
    return Counter(key(int(line)) for line in lines if line.strip())


def main(argv):
    parser = argparse.ArgumentParser(description="统计访问次数")
    parser.add_argument("file")
    parser.add_argument("--hour", action="store_true", help="按小时统计")
    args = parser.parse_args(argv)
    with open(args.file) as file:
        for name, n in sorted(count(file, hour if args.hour else day).items()):
            print(name, n)


if __name__ == "__main__":
    main(sys.argv[1:])
