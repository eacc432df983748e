"""Sessions as users look at them: states, records and events."""
