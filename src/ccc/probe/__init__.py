"""Trying a provider over HTTP, as claude would talk to it."""
