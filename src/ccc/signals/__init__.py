"""Signals: facts about a change that need no model, read from the diff and the conversation."""
