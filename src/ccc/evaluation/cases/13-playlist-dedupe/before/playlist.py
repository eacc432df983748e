"""Playlists: one `artist<TAB>title<TAB>seconds` per line."""
import sys


def load(path):
    with open(path, encoding="utf-8") as f:
        return [line.rstrip("\n").split("\t") for line in f if line.strip()]


def total(tracks):
    return sum(int(seconds) for _, _, seconds in tracks)


def main(argv):
    tracks = load(argv[1])
    if argv[0] == "total":
        minutes, seconds = divmod(total(tracks), 60)
        print(f"{minutes}:{seconds:02}")
    else:
        sys.exit(f"unknown command {argv[0]}")


if __name__ == "__main__":
    main(sys.argv[1:])
