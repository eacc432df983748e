"""The self-test: what a claude can do, found out with a scripted model."""
