"""Providers and presets by name, and what to say where there is none by that name."""

from ccc.domain import names
from ccc.errors import CccError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccc.domain.config import Config
    from ccc.domain.presets import Preset


def unknown(name: str, config: "Config", hint: str = "") -> CccError:
    """The error for a provider that is not there, with the one that was probably meant."""
    known = list(config.providers)
    near = names.nearest(name, known)
    return CccError(
        "provider.unknown",
        hint=hint or ("provider.nearest" if near else "provider.known"),
        name=name,
        near=near,
        known=", ".join(known),
        current=config.choose(),
    )


def none() -> CccError:
    """The error where there is no provider yet."""
    return CccError("provider.none", hint="provider.none_hint")


def provider(name: str, config: "Config | None") -> "Config":
    """The configuration, once it has a provider by that name."""
    if config is None:
        raise none()
    if name not in config.providers:
        raise unknown(name, config)
    return config


def preset(name: str, presets: "Mapping[str, Preset]") -> "Preset":
    """The preset by that name."""
    if name in presets:
        return presets[name]
    near = names.nearest(name, list(presets))
    hint = "provider.preset_near" if near else "provider.preset_list"
    raise CccError("provider.preset_unknown", hint=hint, name=name, near=near)
