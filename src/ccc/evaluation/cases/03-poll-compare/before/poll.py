"""poll.py FILE: print the result of a poll (one answer per line)."""

import collections
import pathlib
import sys


def percentages(counts):
    """Return the share of each count in whole percent."""
    total = sum(counts)
    return [round(100 * n / total) for n in counts]


def render(name, answers):
    tally = sorted(collections.Counter(answers).items(), key=lambda item: (-item[1], item[0]))
    shares = percentages([n for _, n in tally])
    lines = [f"Poll: {name}"]
    lines += [f"{answer:<12}{n:>4}{share:>5} %" for (answer, n), share in zip(tally, shares)]
    return "\n".join(lines) + "\n"


def main(argv):
    path = pathlib.Path(argv[0])
    print(render(path.stem, path.read_text().split()), end="")


if __name__ == "__main__":
    main(sys.argv[1:])
