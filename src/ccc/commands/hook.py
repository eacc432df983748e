"""`ccc supervisor-hook`: claude's Stop hook. Exit code 0, whatever happens."""


def main(line: list[str]) -> int:
    """Allow the stop: reviews come with a later version, nothing is said before."""
    return 0
