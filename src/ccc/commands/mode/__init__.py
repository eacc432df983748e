"""`ccc supervisor-mode`."""
