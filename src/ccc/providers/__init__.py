"""Providers: presets, layers, secrets, prices and tests over HTTP."""
