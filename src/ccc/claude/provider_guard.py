"""Keep settings files from overriding the provider, where claude lets them."""

from ccc.claude import answers
from ccc.claude.formats import environment, foreign
from ccc.errors import CccError
from ccc.storage.paths import display_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccc.claude.formats.foreign import Files
    from ccc.providers.layers import Layers
    from ccc.storage.paths import Paths


def overriding_env(
    paths: "Paths", program: str, environ: "Mapping[str, str]", merged: "Layers", files: "Files"
) -> dict[str, str]:
    """Return the variables for ccc's settings file that override those of other files.

    Measured: claude 2.1.81 sends the provider's key to an ANTHROPIC_BASE_URL in settings.json.
    Raises CccError if such a variable can't be overridden.
    """
    if not environment.has_access(merged.env):
        return {}  # ccc's settings file has all of the user's login's variables anyway
    neutral, refused = foreign.neutralize(merged.env, merged.plain, files)
    if not neutral and not refused:
        return {}
    known = answers.find_cautiously(paths, program, environ)
    if known is None or not known.lacks("provider_wins"):
        return {}
    if refused:
        found = "; ".join(f"{display_path(file)}: {', '.join(refused[file])}" for file in refused)
        raise CccError(
            "client.overridden", hint="client.overridden_hint", client=known.version, found=found
        )
    return neutral
