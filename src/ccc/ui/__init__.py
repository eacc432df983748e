"""What people read and type: the terminal, tables, words, pages."""
