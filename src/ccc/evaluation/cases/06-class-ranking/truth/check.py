import os, sys
sys.path.insert(0, os.getcwd())
from ranking import rank
from report import report

bad = []
rows = [("01", "甲", 80), ("02", "乙", 95), ("03", "丙", 95), ("04", "丁", 99)]
if rank(list(rows)) != [(1, "丁", 99), (2, "乙", 95), (2, "丙", 95), (4, "甲", 80)]: bad.append(f"rank: {rank(list(rows))}")
if [n for _, n, _ in rank([("09", "甲", 5), ("02", "乙", 5)])] != ["乙", "甲"]: bad.append("ties are not by number")
got = report(list(rows)).split("全班\n")[1]
want = "01 甲 80\n02 乙 95\n03 丙 95\n04 丁 99\n"
if got != want: bad.append(f"the class list is no longer by number: {got!r}")
print("\n".join(bad))
sys.exit(bool(bad))
