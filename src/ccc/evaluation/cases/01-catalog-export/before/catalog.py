"""导出图书目录。"""

import json
from xml.sax.saxutils import escape


def to_json(books):
    """导出为 JSON。"""
    return json.dumps(books)


def to_xml(books):
    """导出为 XML。"""
    rows = "".join(f"<book><title>{escape(b['title'])}</title></book>" for b in books)
    return f"<catalog>{rows}</catalog>"
