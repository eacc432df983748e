"""Set up a new provider: the questions, its parts and its key."""
