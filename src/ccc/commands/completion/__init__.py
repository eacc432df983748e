"""`ccc completion`."""
