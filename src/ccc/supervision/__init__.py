"""Supervision, from a stop to a decision: the pure rules, the engines and their wiring."""
