"""Processes, private files and the terminal: the operating system's side."""
