"""Pure functions for text and values: JSON, names, amounts, redaction, shell commands."""
