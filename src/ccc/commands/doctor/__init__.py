"""`ccc doctor`."""
