"""`ccc supervisor-hook`."""
