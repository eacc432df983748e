"""The recipe card as text."""
from amounts import show


def card(recipe, portions):
    factor = portions / recipe["portions"]
    lines = [recipe["name"], "=" * len(recipe["name"])]
    for amount, unit, name in recipe["ingredients"]:
        lines.append(f"{show(amount * factor)} {unit} {name}")
    return "\n".join(lines) + "\n"
