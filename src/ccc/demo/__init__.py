"""The demo: the real claude acts out a story with a scripted model."""
