"""The nightly digest mail."""
