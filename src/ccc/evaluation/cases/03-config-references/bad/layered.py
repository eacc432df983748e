"""Settings with references to other settings."""
import re

REFERENCE = re.compile(r"\$\{([\w.]+)\}")


class ConfigError(Exception):
    pass


def expand(values):
    """Return a copy of values with all ${key} references replaced, nested ones too."""

    def resolve(key):
        if key not in values:
            raise ConfigError(f"unknown key: {key}")
        return REFERENCE.sub(lambda match: resolve(match[1]), values[key])

    return {key: resolve(key) for key in values}
