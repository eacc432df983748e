"""`ccc web`: a page on loopback that shows what happens, with the few actions a person needs."""
