"""Counting articles."""


def add(stock, name, count):
    if count <= 0:
        raise ValueError("count must be positive")
    stock[name] = stock.get(name, 0) + count


def take(stock, name, count):
    if stock.get(name, 0) < count:
        raise ValueError(f"not enough {name}")
    stock[name] -= count
