"""ccc.json: its schema, reading and editing."""
