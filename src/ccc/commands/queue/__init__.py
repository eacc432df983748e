"""`ccc queue`: many tasks, one after another or at once."""
