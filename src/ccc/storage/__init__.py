"""Files: where they are, how they are written, what we own."""
