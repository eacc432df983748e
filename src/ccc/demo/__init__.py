"""The demo: a story that the real claude lives through with a scripted model."""
