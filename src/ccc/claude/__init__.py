"""The interface to claude: its binary, arguments, environment and processes."""
