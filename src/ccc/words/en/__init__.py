"""What ccc says to a person, in English: a room for each command that says much."""
