"""Pure functions for the formats that Claude Code reads and writes."""
