"""Supervision: the engines, and the ports they see the world through."""
