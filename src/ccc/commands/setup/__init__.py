"""A new provider: the questions, its parts, where its key comes from."""
