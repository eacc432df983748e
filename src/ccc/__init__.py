"""Claude Code with any provider, and a supervisor that reviews its work."""

__version__ = "0.1.0"
