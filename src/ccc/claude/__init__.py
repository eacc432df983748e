"""The edge to claude: which binary, with which arguments and environment."""
