"""Import the official client library without the parts that ccc doesn't use.

Four fifths of the import time goes to MCP classes, for servers inside the SDK's process. ccc has
no such servers, so it skips these classes unless a version of the SDK requires them.
"""

import sys
from types import ModuleType
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


def load(stub: type[ModuleType] = Stub) -> Any:
    """Import and return the SDK's module, with a `stub` in place of each MCP module."""
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
    except Exception:  # another version may do anything with the stubs
        for name in [n for n in sys.modules if n == _SDK or n.startswith(f"{_SDK}.")]:
            del sys.modules[name]
    finally:
        for name in _UNUSED:
            sys.modules.pop(name, None)
