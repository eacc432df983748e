"""What ccc says to a person, in Chinese: a room for each command that says much."""
