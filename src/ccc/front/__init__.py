"""What runs in all of the user's claude sessions: the hook without supervision, the status line.

Measured: importing json, re, enum and dataclasses takes twice as long as a bare interpreter, at
every stop and every redraw. So these modules import `os` and what is built in, nothing else of
ccc but the messages, and nothing imports them but `cli`. They read what `model` writes;
tests/contract/test_front.py holds that both read the same.
"""
