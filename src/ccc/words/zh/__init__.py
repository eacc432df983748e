"""The messages in Chinese: one module per command with many messages."""
