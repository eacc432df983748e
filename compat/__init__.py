"""`make compat`: what works with which version of Claude Code."""
