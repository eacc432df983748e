"""Clock-style rendering of split times for the results board."""


def clock(seconds):
    """M:SS, or H:MM:SS from one hour on, rounded to the nearest second."""
    if seconds < 0:
        raise ValueError("negative time")
    minutes, secs = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02d}:{secs:02d}"
    return f"{minutes}:{secs:02d}"


def gap(leader, other):
    """Time behind the leader, with a plus sign."""
    return "+" + clock(other - leader)
