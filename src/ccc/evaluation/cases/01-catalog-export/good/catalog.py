"""导出图书目录。"""

import json
from datetime import date


def _default(value):
    """日期写成 ISO 格式，其他类型仍然报错。"""
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"无法导出 {type(value).__name__}")


def to_json(books):
    """导出为 JSON，保留中文。"""
    return json.dumps(books, ensure_ascii=False, default=_default)
