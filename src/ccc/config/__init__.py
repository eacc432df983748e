"""Parse, read and edit ccc.json."""
