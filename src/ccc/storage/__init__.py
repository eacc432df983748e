"""Files: where they are, how they are written, and which of them ccc owns."""
