"""检查 Markdown 文件中的相对链接是否存在。"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
broken = 0
for page in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        for target in re.findall(r"\]\(([^)#\s]+)", line):
            if "://" in target:
                continue
            if not (page.parent / target).exists():
                broken += 1
                print(f"{page.relative_to(root)}:{number}: 失效链接 {target}")
print(f"{broken} 个失效链接")
sys.exit(1 if broken else 0)
