"""A provider's environment with its secrets fetched from where the user keeps them."""

from ccc.config.schema import Secret
from ccc.errors import CccError
from ccc.system import capture

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccc.config.schema import Config, Value


def resolve(env: "Mapping[str, Value]", users: "Mapping[str, str]") -> dict[str, str]:
    """Each variable's text; a secret that can't be had is an error that names its key."""
    return {name: _text(value, users) for name, value in env.items() if value is not None}


def variables_of(config: "Config") -> set[str]:
    """The variables of the person's shell that keys are taken from."""
    layers = (config.base, *config.providers.values())
    values = [value for layer in layers for value in layer.env.values()]
    return {value.variable for value in values if isinstance(value, Secret) and value.variable}


def _text(value: "Value", users: "Mapping[str, str]") -> str:
    if not isinstance(value, Secret):
        return value or ""
    if value.variable:
        text = users.get(value.variable, "")
        if not text:
            raise CccError(
                "secret.variable_missing",
                hint="secret.variable_hint",
                path=value.where,
                variable=value.variable,
            )
        return text
    text = capture.secret_from(value.command, users, value.where)
    if not text or "\0" in text:
        raise CccError(
            "secret.empty",
            hint="secret.hint",
            path=value.where,
            program=(value.command[0].split() or ["?"])[0],
        )
    return text
