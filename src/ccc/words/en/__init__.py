"""The messages in English: one module per command with many messages."""
