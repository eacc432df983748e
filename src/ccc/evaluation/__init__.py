"""`ccc eval`: how well a reviewer judges, measured on cases whose truth is proved."""
