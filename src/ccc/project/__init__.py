"""The user's project: the checks that are run in it, and its working tree."""
