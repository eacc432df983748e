"""The user's project: its checks and its working tree."""
