"""Warmest station of a day."""
import sys

from sensors import read


def warmest(rows):
    top = max(rows, key=lambda reading: reading.celsius)
    return f"{top.station} {top.time} {top.celsius:.1f}"


if __name__ == "__main__":
    print(warmest(read(sys.argv[1])))
