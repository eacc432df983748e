"""The report: one self-contained page, made with the standard library alone."""
