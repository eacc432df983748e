"""Pure helpers for texts and values: JSON, names, amounts, redaction, shell words."""
