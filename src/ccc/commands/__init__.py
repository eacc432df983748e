"""One module or package per command."""
