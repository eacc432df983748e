"""`ccc queue`: a backlog of tasks, on one machine or on many."""
