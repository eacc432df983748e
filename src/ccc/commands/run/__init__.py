"""`ccc run`."""
