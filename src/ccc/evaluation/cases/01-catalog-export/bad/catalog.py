"""导出图书目录。"""

import json


def to_json(books):
    """导出为 JSON。"""
    return json.dumps(books, ensure_ascii=False)
