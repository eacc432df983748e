"""排名。"""


def rank(scores):
    """scores 是 (学号, 姓名, 分数) 的列表；返回 (名次, 姓名, 分数)，分数高的在前。"""
    ordered = sorted(scores, key=lambda row: row[2], reverse=True)
    return [(place, name, score) for place, (_, name, score) in enumerate(ordered, 1)]
