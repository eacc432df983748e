"""`make bench`: what ccc costs in time, money and memory, against something of the same run."""
