"""The weekly order, one line per ingredient, as the grocer's import reads it."""
import sys

from amounts import show


def order(recipes):
    total = {}
    for recipe in recipes:
        for amount, unit, name in recipe["ingredients"]:
            total[name, unit] = total.get((name, unit), 0) + amount
    return "".join(f"{name};{show(amount)};{unit}\n" for (name, unit), amount in sorted(total.items()))


if __name__ == "__main__":
    import json
    sys.stdout.write(order(json.load(sys.stdin)))
