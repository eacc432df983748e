"""Keep settings files from overriding the provider, where claude lets them."""

from ccc.claude.formats import environment, foreign
from ccc.errors import CccError
from ccc.storage.paths import display_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.claude.capabilities import Answers
    from ccc.claude.formats.foreign import Files
    from ccc.providers.layers import Layers


def overriding_env(
    client: "Answers | None", merged: "Layers", files: "Files", managed: "Files"
) -> dict[str, str]:
    """Return the variables for ccc's settings file that override those of other files.

    Measured: claude 2.1.81 sends the provider's key to an ANTHROPIC_BASE_URL in settings.json.
    Raises CccError if such a variable can't be overridden, as none of the administrator's
    (`managed`) can.
    """
    # without access of its own, the provider's file overrides everything anyway
    if not client or not client.lacks("provider_wins") or not environment.has_access(merged.env):
        return {}
    neutral, refused = foreign.neutralize(merged.env, merged.plain, files)
    refused |= foreign.conflicts(merged.env, managed)
    if refused:
        found = "; ".join(f"{display_path(file)}: {', '.join(refused[file])}" for file in refused)
        raise CccError(
            "client.overridden", hint="client.overridden_hint", client=client.version, found=found
        )
    return neutral
