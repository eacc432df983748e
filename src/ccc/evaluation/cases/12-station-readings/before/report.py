"""Warmest station of a day."""
import sys

from utils import read


def warmest(rows):
    station, time, degrees = max(rows, key=lambda row: row[2])
    return f"{station} {time} {degrees:.1f}"


if __name__ == "__main__":
    print(warmest(read(sys.argv[1])))
