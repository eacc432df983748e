"""Processes and private files: the operating system's side."""
