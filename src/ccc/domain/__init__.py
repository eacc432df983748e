"""Pure decisions: no file, no process, no clock."""
