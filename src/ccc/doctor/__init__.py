"""What `ccc doctor` examines, and the self-test of claude."""
