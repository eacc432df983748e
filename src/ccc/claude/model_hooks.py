"""Find hooks that ask a model themselves: claude hides the provider's key from them."""

import os
import re
from collections.abc import Iterator, Mapping

from ccc.claude.formats import settings
from ccc.claude.settings_files import SettingsFile
from ccc.storage import files
from ccc.text import lenient_json

_ASKS = re.compile(
    r"ANTHROPIC_(?:API_KEY|AUTH_TOKEN)|api\.anthropic\.com|/v1/messages\b|claude_agent_sdk|"
    r"@anthropic-ai/(?:sdk|claude)|^\s*(?:import|from) anthropic\b|"
    r"""\bclaude["']?,?\s+["']?(?:-p|--print)\b""",
    re.MULTILINE,
)
_MAX_FILES = 100
_NOT_CODE = (".md", ".json", ".txt")


def asks_model(source: SettingsFile) -> bool:
    """Return whether a hook of these settings seems to ask a model, by its program's text."""
    commands = [*_commands(source.settings)]
    if any(map(_ASKS.search, commands)):
        return True
    if source.kind == "plugin":
        paths = _files(os.path.dirname(source.file)) if commands else iter(())
    else:
        paths = (path for command in commands for path in _programs(command))
    return any(_ASKS.search(files.read_or_none(path) or "") for path in paths)


def _commands(content: Mapping[str, object]) -> Iterator[str]:
    """Yield the commands of all hooks except ccc's own."""
    for event in lenient_json.mapping(content, "hooks"):
        for group in lenient_json.mappings(content, "hooks", event):
            for hook in lenient_json.mappings(group, "hooks"):
                if not settings.is_ours(hook):
                    yield lenient_json.text(hook, "command")


def _programs(command: str) -> Iterator[str]:
    """Yield the files that a command names by an absolute path."""
    for word in re.split(r"[\s\"';&|]+", command):
        path = os.path.expanduser(word.replace("$HOME", "~", 1))
        if os.path.isabs(path) and os.path.isfile(path):
            yield path


def _files(directory: str) -> Iterator[str]:
    """Yield the program files in a plugin's directory of hooks."""
    count = 0
    for root, directories, names in os.walk(directory):
        directories[:] = sorted(each for each in directories if each not in ("test", "tests"))
        for name in sorted(names):
            if not name.endswith(_NOT_CODE) and (count := count + 1) <= _MAX_FILES:
                yield os.path.join(root, name)
