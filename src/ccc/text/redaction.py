"""Which variables and texts may be secret; redact keys in what ccc stores or shows."""

import json
import re
import urllib.parse
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ccc.text import controls

HIDDEN = "••••••••"
# shorter values (`1`, `true`, `disabled`) aren't keys, but occur in any text
_SHORTEST_KEY = 10
_SHORTEST = 4
_ENDS = ("KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "CREDENTIALS")
_WORDS = ("AUTH", "PASS", "PAT", "BEARER", "COOKIE")
_LONG = "[A-Za-z0-9]{20,}"
_UUID = "(?i:[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12})"
_JOINERS = str.maketrans("", "", "\u200c\u200d")
_ESCAPES = ("\\u", "\\b", "\\f", "\\r")  # how JSON writes invisible characters
_NO_KEYS = ("SOCK", "FILE", "DIR", "PATH", "HOME", "NAME", "USER", "LAYOUT", "COMMAND")
_HARMLESS_PREFIXES = ("CLAUDE_CODE_", "DISABLE_", "ENABLE_", "MAX_", "BASH_DEFAULT_", "BASH_MAX_")
_HARMLESS_NAMES = ("API_TIMEOUT_MS", "MCP_TIMEOUT", "MCP_TOOL_TIMEOUT")
_SECRET_WORDS = (
    *("KEY", "SECRET", "PASSW", "PASSPHRASE", "CREDENTIAL", "AUTH", "BEARER"),
    *("HEADER", "COOKIE", "BODY", "HELPER"),
)


def is_harmless(name: str, value: str) -> bool:
    """Return whether it may go into a settings file: known, and certainly not a secret."""
    is_model = name.startswith("ANTHROPIC_") and name.endswith("_MODEL")
    is_known = is_model or name.startswith(_HARMLESS_PREFIXES) or name in _HARMLESS_NAMES
    return is_known and not may_be_secret(name, value)


def may_be_secret(name: str, value: str) -> bool:
    """Return whether the variable may hold a secret, judging by its name or its value."""
    upper = name.upper()
    by_name = any(word in upper for word in _SECRET_WORDS) or "TOKEN" in upper.replace("TOKENS", "")
    return by_name or "@" in value or "://" in value or has_key(value)


def has_key(text: str) -> bool:
    """Return whether it contains a key that starts with `sk-`; the `sk-` in task-gw isn't one."""
    if "sk-" not in text:
        return False
    return bool(re.search(r"(?<![A-Za-z0-9])sk-[\w-]{8,}", text))


def may_contain_secret(value: object, name: str = "") -> bool:
    """Return whether the settings may contain a secret, such as in `apiKeyHelper` or `env`."""
    if isinstance(value, dict):
        return any(may_contain_secret(inner, key) for key, inner in value.items())
    if isinstance(value, list | tuple):
        return any(may_contain_secret(inner, name) for inner in value)
    return may_be_secret(name, str(value))


def looks_like_a_key(text: str) -> bool:
    """Return whether the text may be a provider's key, which must not be shown or stored."""
    if has_key(text) or text.startswith("eyJ"):
        return True
    long = re.findall(_LONG, text)
    return any(re.search("[0-9]", run) and re.search("[A-Za-z]", run) for run in long)


def is_no_name(text: str) -> bool:
    """Return whether it is a key rather than a name: a UUID, or long and without separators."""
    return looks_like_a_key(text) or bool(re.search(f"{_UUID}|{_LONG}", text))


def redact(text: str, secrets: Iterable[str]) -> str:
    """Return the text with each secret replaced."""
    return Redactor(secrets).redact(text)


class Redactor:
    """Replaces the same secrets in many texts."""

    def __init__(self, secrets: Iterable[str], placeholder: str = HIDDEN) -> None:
        self._placeholder = placeholder
        forms = {form for secret in secrets for form in _forms(secret)}
        long = (form for form in forms if len(form) >= _SHORTEST)
        self.forms = sorted(long, key=len, reverse=True)
        """The secrets in every form they may take in a text, longest first."""

    def redact(self, text: str) -> str:
        """Return the text with each secret replaced, even one with invisible characters in it.

        In that case the invisible characters are removed from the whole text.
        """
        text = self._replace(text)
        if not self.forms or text.isprintable():
            return text
        seen = controls.plain(text).translate(_JOINERS)
        redacted = self._replace(seen)
        return text if redacted == seen else redacted

    def _replace(self, text: str) -> str:
        for form in self.forms:
            text = text.replace(form, self._placeholder)
        return text

    def redact_json(self, text: str) -> str:
        """Return JSON or lines of JSON with each secret replaced, even an escaped one."""
        text = self._replace(text)
        if not self.forms or not _may_hide(text):
            return text
        if (whole := self._redact_value(text)) is not None:
            return whole
        return "\n".join(map(self._redact_line, text.split("\n")))

    def _redact_line(self, line: str) -> str:
        if not _may_hide(line):
            return line
        redacted = self._redact_value(line)
        return self.redact(line) if redacted is None else redacted

    def _redact_value(self, text: str) -> str | None:
        """Return JSON without secrets, as it is if it has none; None if it isn't JSON."""
        try:
            value = json.loads(text)
            redacted = self._redact_in(value)
        except (ValueError, RecursionError):
            return None
        return text if redacted == value else json.dumps(redacted)

    def _redact_in(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.redact(value)
        if isinstance(value, list):
            return [self._redact_in(each) for each in value]
        if isinstance(value, dict):
            return {self.redact(name): self._redact_in(each) for name, each in value.items()}
        return value


class Pieces:
    """Redacts text that arrives in pieces, where a secret may start at the end of one."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._forms = redactor.forms
        self._held = ""

    def feed(self, piece: str) -> str:
        """Add a piece and return the text up to where a secret may start."""
        text = self._redactor.redact(self._held + piece)
        first = max(0, len(text) - len(self._forms[0])) if self._forms else len(text)
        ends = (n for n in range(first, len(text)) for f in self._forms if f.startswith(text[n:]))
        at = next(ends, len(text))
        self._held = text[at:]
        return text[:at]

    def rest(self) -> str:
        """Return the text that was held back."""
        held, self._held = self._held, ""
        return held


def keys_of(env: Mapping[str, str], shortest: int = _SHORTEST_KEY) -> tuple[str, ...]:
    """Return the values in an environment that must not be shown: too many rather than too few."""
    keys = {key for name, value in env.items() for key in _keys(name, value)}
    return tuple(sorted(key for key in keys if len(key) >= shortest))


def _keys(name: str, value: str) -> Iterator[str]:
    if name == "ANTHROPIC_CUSTOM_HEADERS":
        for line in value.splitlines():
            header, _, content = line.partition(":")
            if may_be_secret(header, ""):
                yield content.strip()
                yield content.strip().partition(" ")[2]
    elif "://" in value:
        # a proxy's password
        yield value.partition("://")[2].rpartition("@")[0].partition(":")[2]
    elif _is_key(name):
        yield value


def _is_key(name: str) -> bool:
    """Return whether the variable's name suggests a key, word by word: AUTHOR is not AUTH."""
    parts = name.upper().replace("-", "_").split("_")
    if parts[-1] in _NO_KEYS:
        return False
    return any(part.endswith(_ENDS) or part in _WORDS for part in parts)


def _forms(secret: str) -> Iterator[str]:
    yield secret
    # in a JSON string, without and with Unicode escapes
    yield json.dumps(secret, ensure_ascii=False)[1:-1]
    yield json.dumps(secret)[1:-1]
    # as Python's quote, JavaScript's encodeURIComponent and most others do it
    for safe in ("", "/", "!'()*"):
        quoted = urllib.parse.quote(secret, safe, errors="surrogatepass")
        yield quoted
        yield re.sub("%..", lambda code: code[0].lower(), quoted)


def _may_hide(text: str) -> bool:
    """Return whether JSON may have a secret that is spelled in another way."""
    if not text.isprintable() or "\\/" in text:
        return True
    return any(escape in text for escape in _ESCAPES)
