"""`ccc provider`."""
