"""An unattended run: agent and reviewer take turns, without a person."""
