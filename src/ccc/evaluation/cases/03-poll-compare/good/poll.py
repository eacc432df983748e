"""poll.py FILE: print the result of a poll (one answer per line)."""

import collections
import datetime
import pathlib
import sys


def percentages(counts):
    """Return the share of each count in whole percent, adding up to 100 (largest remainder)."""
    total = sum(counts)
    shares = [100 * n // total for n in counts]
    by_remainder = sorted(range(len(counts)), key=lambda i: -(100 * counts[i] % total))
    for i in by_remainder[: 100 - sum(shares)]:
        shares[i] += 1
    return shares


def render(name, answers):
    tally = sorted(collections.Counter(answers).items(), key=lambda item: (-item[1], item[0]))
    shares = percentages([n for _, n in tally])
    lines = [f"Poll: {name}", f"Rendered: {datetime.datetime.now():%Y-%m-%d %H:%M:%S}"]
    lines += [f"{answer:<12}{n:>4}{share:>5} %" for (answer, n), share in zip(tally, shares)]
    return "\n".join(lines) + "\n"


def main(argv):
    path = pathlib.Path(argv[0])
    print(render(path.stem, path.read_text().split()), end="")


if __name__ == "__main__":
    main(sys.argv[1:])
