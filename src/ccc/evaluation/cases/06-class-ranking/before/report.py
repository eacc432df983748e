"""打印成绩单：先是前三名，再是按学号排列的全班名单。"""
import csv
import sys

from ranking import rank


def report(scores):
    lines = ["前三名"]
    for place, name, score in rank(scores)[:3]:
        lines.append(f"{place}. {name} {score}")
    lines.append("全班")
    for number, name, score in scores:
        lines.append(f"{number} {name} {score}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    rows = [(n, name, int(s)) for n, name, s in csv.reader(sys.stdin)]
    sys.stdout.write(report(sorted(rows)))
