"""Settings with references to other settings."""
import re

REFERENCE = re.compile(r"\$\{([\w.]+)\}")


class ConfigError(Exception):
    pass


def expand(values):
    """Return a copy of values with all ${key} references replaced."""

    def lookup(match):
        key = match[1]
        if key not in values:
            raise ConfigError(f"unknown key: {key}")
        return values[key]

    return {key: REFERENCE.sub(lookup, text) for key, text in values.items()}
