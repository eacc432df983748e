"""排名。"""


def rank(scores):
    """scores 是 (学号, 姓名, 分数) 的列表；返回 (名次, 姓名, 分数)，分数高的在前。

    同分者名次相同，后面的名次顺延（1、1、3）；同分者之间按学号。
    """
    scores.sort(key=lambda row: (-row[2], row[0]))
    result = []
    for position, (_, name, score) in enumerate(scores, 1):
        place = result[-1][0] if result and result[-1][2] == score else position
        result.append((place, name, score))
    return result
