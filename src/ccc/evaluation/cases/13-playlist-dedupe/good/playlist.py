"""Playlists: one `artist<TAB>title<TAB>seconds` per line."""
import re
import sys


def load(path):
    with open(path, encoding="utf-8") as f:
        return [line.rstrip("\n").split("\t") for line in f if line.strip()]


def total(tracks):
    return sum(int(seconds) for _, _, seconds in tracks)


def _key(track):
    artist, title, _ = track
    title = re.sub(r"\s*[(\[]?\bfeat\.? .*", "", title, flags=re.I)
    return artist.strip().casefold(), title.strip().casefold()


def dedupe(tracks):
    """Each track once, the longest version, where its first version stood."""
    best = {}
    for track in tracks:
        key = _key(track)
        if key not in best or int(track[2]) > int(best[key][2]):
            best[key] = track
    return list(best.values())


def save(path, tracks):
    with open(path, "w", encoding="utf-8") as f:
        f.writelines("\t".join(track) + "\n" for track in tracks)


def main(argv):
    tracks = load(argv[1])
    if argv[0] == "total":
        minutes, seconds = divmod(total(tracks), 60)
        print(f"{minutes}:{seconds:02}")
    elif argv[0] == "dedupe":
        kept = dedupe(tracks)
        save(argv[1], kept)
        print(f"{len(tracks) - len(kept)} removed")
    else:
        sys.exit(f"unknown command {argv[0]}")


if __name__ == "__main__":
    main(sys.argv[1:])
