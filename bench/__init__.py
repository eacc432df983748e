"""`make bench`: measure the time, money and memory that ccc costs, as ratios within one run."""
