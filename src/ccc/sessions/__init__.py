"""Looking back at sessions: states, records, events."""
