"""Pure: the texts and files that Claude Code reads and writes."""
