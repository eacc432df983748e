"""The language of a command that works without a good configuration."""

import os

from ccc import words
from ccc.cli import COMMANDS
from ccc.config import ccc_json
from ccc.storage import paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.storage.paths import Paths


def speak() -> "Paths":
    """Use the configured language; a broken configuration is no reason not to go on."""
    found = paths.find(os.environ)
    words.use(os.environ)
    config, _ = ccc_json.tried(found, COMMANDS)
    if config:
        words.use(os.environ, config.language)
    return found
