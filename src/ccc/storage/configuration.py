"""ccc.json: read from its place."""

from ccc.domain import config
from ccc.storage import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from ccc.storage.paths import Paths


def load(paths: "Paths", reserved: "Collection[str]") -> config.Config | None:
    """The configuration, or None where there is no file yet."""
    text = files.read(paths.config)
    return None if text is None else config.parse(text, paths.config, reserved)
