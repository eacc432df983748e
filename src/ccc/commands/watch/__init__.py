"""`ccc watch`."""
