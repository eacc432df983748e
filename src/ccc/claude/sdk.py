"""The official client library, imported without what ccc doesn't use.

Four fifths of its import are the classes of MCP, for servers inside the SDK's own process; ccc has
none. They are left out, unless a version of the SDK can't do without them.
"""

import sys
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_UNUSED = (
    *("mcp", "mcp.types", "mcp.server"),
    *("mcp.shared", "mcp.shared.memory", "mcp.shared.message"),
)
_SDK = "claude_agent_sdk"


class Stub(ModuleType):
    """A module in which everything is an empty class."""

    __path__ = ()  # type: ignore[assignment]

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (_Anything,), {})


class _Anything:
    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__()


def load(stub: type[ModuleType] = Stub) -> "Any":
    """The SDK's module, with a `stub` in place of each module of MCP."""
    if _SDK not in sys.modules and not any(name in sys.modules for name in _UNUSED):
        _import_with_stubs(stub)
    import claude_agent_sdk

    return claude_agent_sdk


def _import_with_stubs(stub: type[ModuleType]) -> None:
    try:
        for name in _UNUSED:
            module = sys.modules[name] = stub(name)
            parent, _, own = name.rpartition(".")
            if parent:
                setattr(sys.modules[parent], own, module)
        import claude_agent_sdk  # noqa: F401
    except Exception:  # whatever another version does with them
        for name in [n for n in sys.modules if n == _SDK or n.startswith(f"{_SDK}.")]:
            del sys.modules[name]
    finally:
        for name in _UNUSED:
            sys.modules.pop(name, None)
