"""Providers: presets, layers, secrets, prices, and trying one."""
