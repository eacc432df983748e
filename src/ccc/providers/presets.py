"""The presets that come with ccc."""

import os

import ccc
from ccc.providers import preset
from ccc.storage import files
from ccc.text import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.providers.preset import Preset

_FILE = os.path.join(os.path.dirname(ccc.__file__), "presets.json")


def load() -> "dict[str, Preset]":
    """All presets, by name."""
    raw = jsontext.parse(files.read(_FILE) or "")
    assert isinstance(raw, dict)
    return preset.parse(raw)
