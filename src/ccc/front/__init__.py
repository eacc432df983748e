"""What runs in all of the user's claude sessions: the hook without supervision, the status line.

At every stop and redraw, json, re, enum and dataclasses would take twice as long as a bare
interpreter. So these modules import `os` and what is built in, nothing of ccc but the messages, and
nothing imports them but `cli`. tests/contract/test_front.py holds that they read what `model` does.
"""
