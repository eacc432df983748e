"""The presets that come with ccc."""

import os

import ccc
from ccc.domain import jsontext, presets
from ccc.storage import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.domain.presets import Preset

_FILE = os.path.join(os.path.dirname(ccc.__file__), "presets.json")


def load() -> "dict[str, Preset]":
    """All presets, by name."""
    raw = jsontext.parse(files.read(_FILE) or "")
    assert isinstance(raw, dict)
    return presets.parse(raw)
