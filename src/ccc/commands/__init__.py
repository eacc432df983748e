"""One verb a file; the only place that wires things together."""
