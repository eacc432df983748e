"""The report: one self-contained page, drawn with nothing but the standard library."""
