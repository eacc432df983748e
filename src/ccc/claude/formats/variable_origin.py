"""Where each of claude's variables comes from, and which sources it overrides."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from ccc.claude.formats import environment
from ccc.text import redaction

_ADDRESS = "ANTHROPIC_BASE_URL"
_WATCHED = ("ANTHROPIC_", "CLAUDE_", "DISABLE_", "MCP_", "BASH_", "API_TIMEOUT_MS")
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")

OURS, PROVIDER, BASE = "ours", "provider", "base"
ADDED, PROCESS, NOBODY = "added", "process", "nobody"
_CONFIGURED = (PROVIDER, BASE)


class Source(Struct, frozen=True):
    """A place that sets variables. An unknown value is None."""

    kind: str
    file: str
    env: Mapping[str, str | None]


class Origin(Struct, frozen=True):
    """A variable: its source, the sources it overrides, and whether that matches ccc.json."""

    name: str
    value: str | None
    source: Source
    beaten: tuple[Source, ...] = ()
    as_configured: bool = True


def trace(
    files: Sequence[Source], started: Sequence[Source], managed_by_host: bool
) -> list[Origin]:
    """Find the origin of each variable. Both lists have the strongest source first.

    `files` are the settings files, `started` the sources of the environment claude starts with.
    """

    def is_shown(name: str, source: Source) -> bool:
        is_claudes = name.startswith(_WATCHED) or name.upper() in _PROXIES
        return is_claudes or source in files or source.kind in _CONFIGURED

    sources = (*files, *started)
    names = {name for source in sources for name in source.env if is_shown(name, source)}
    return [_origin(name, files, started, managed_by_host) for name in sorted(names)]


def _origin(
    name: str, files: Sequence[Source], started: Sequence[Source], managed_by_host: bool
) -> Origin:
    setting = [source for source in (*files, *started) if name in source.env]
    able = setting
    if managed_by_host and environment.is_guarded(name):
        able = [source for source in able if source in started]
    if environment.is_providers(name):
        # ccc removes provider variables that come from the shell
        able = [source for source in able if source.kind != PROCESS]
    winner = able[0] if able else Source(NOBODY, "", {name: ""})
    # ccc's settings file only repeats what ccc.json says
    same = (OURS,) if winner.kind in _CONFIGURED else _CONFIGURED if winner.kind == OURS else ()
    beaten = tuple(s for s in setting if s is not winner and s.kind not in same)
    is_configured = _as_configured(name, winner, setting)
    return Origin(name, winner.env[name], winner, beaten, as_configured=is_configured)


def _as_configured(name: str, winner: Source, setting: Sequence[Source]) -> bool:
    """Return whether the value in ccc.json applies, and no file switches to a cloud provider."""
    if winner.kind in (OURS, PROVIDER, BASE, ADDED, PROCESS, NOBODY):
        return True
    value = winner.env[name]
    if environment.is_cloud(name) and value:
        return False
    wanted = [source.env[name] for source in setting if source.kind in _CONFIGURED]
    return not wanted or wanted[0] == value


def displayable(name: str, value: str | None) -> str:
    """Return the part of the value that is certainly not a secret."""
    if value is None:
        return ""
    if name == _ADDRESS:
        scheme, _, rest = value.partition("://")
        host = rest.replace("\\", "/").partition("/")[0].partition("?")[0].partition("#")[0]
        return f"{scheme}://{host.rpartition('@')[2]}" if rest else ""
    return value if redaction.is_harmless(name, value) else ""
