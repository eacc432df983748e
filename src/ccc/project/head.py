"""The commit that is checked out, read from git's files: a launch has no time to start git."""

import os


def read(directory: str) -> str:
    """The commit's id, or nothing where there is no repository or no commit yet."""
    try:
        git = _git_directory(os.path.abspath(directory))
        if not git:
            return ""
        head = _first_line(os.path.join(git, "HEAD"))
        if head.startswith("ref: "):
            head = _commit(git, head.removeprefix("ref: "))
    except (OSError, UnicodeDecodeError):
        return ""
    # it becomes an argument of git's: nothing but an id may
    return head if head and all(c in "0123456789abcdef" for c in head) else ""


def _git_directory(directory: str) -> str:
    while not os.path.lexists(os.path.join(directory, ".git")):
        parent = os.path.dirname(directory)
        if parent == directory:
            return ""
        directory = parent
    git = os.path.join(directory, ".git")
    if os.path.isdir(git):
        return git
    # a worktree or submodule: a file that says where the directory is
    return os.path.join(directory, _first_line(git).removeprefix("gitdir: "))


def _commit(git: str, ref: str) -> str:
    shared = os.path.join(git, "commondir")
    places = [git]
    if os.path.exists(shared):
        places.append(os.path.join(git, _first_line(shared)))
    for place in places:
        if os.path.exists(os.path.join(place, ref)):
            return _first_line(os.path.join(place, ref))
        packed = os.path.join(place, "packed-refs")
        if os.path.exists(packed):
            with open(packed, encoding="utf-8") as lines:
                for line in lines:
                    if line.rstrip("\n").endswith(f" {ref}"):
                        return line.split()[0]
    return ""


def _first_line(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.readline().strip()
