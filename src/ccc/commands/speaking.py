"""The language of a command that works without a good configuration."""

import os

from ccc import words
from ccc.cli import COMMANDS
from ccc.errors import CccError
from ccc.storage import configuration

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.storage.paths import Paths


def speak(paths: "Paths") -> None:
    """Use the configured language; a broken configuration is no reason not to go on."""
    words.use(os.environ)
    try:
        config = configuration.load(paths, COMMANDS)
    except CccError:
        return
    if config:
        words.use(os.environ, config.language)
