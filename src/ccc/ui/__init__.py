"""What people read and type: prompts, arguments, tables and pages."""
