"""What is said about evidence of another version of ccc."""

from ccc import words
from ccc.config.schema import SIGNAL_NAMES
from ccc.model.evidence import from_record
from ccc.ui import formatting


def test_signals_of_a_later_ccc() -> None:
    """A signal that this version doesn't know is shown by its name."""
    known, unknown = (
        {"name": name, "severity": "high", "file": "a.py", "line": 3, "passed": True}
        for name in (sorted(SIGNAL_NAMES)[0], "from_the_future")
    )
    shown = [formatting.evidence_name(each) for each in map(from_record, (known, unknown))]
    assert shown == [words.say(f"signal.{known['name']}"), "from_the_future"]
