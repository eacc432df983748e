"""The demo: a story that the real claude plays with a scripted model."""
