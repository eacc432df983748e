"""What ccc stores: typed, each thing once. Nothing here reads a file or a clock."""
