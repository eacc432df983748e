"""Remove keys and the user's paths from what becomes part of a case."""

import functools
import re
from collections.abc import Callable, Iterable, Sequence

from ccc.text.redaction import Redactor, looks_like_a_key

HIDDEN = "REDACTED"  # plain letters, because it stands in source files and headers, too
_USER, _HOME = "user", "/home/user"
_KEY = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"sk-[\w-]{8,}"
    r"|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}"
    r"|xox[abeprs]-[\w-]{10,}|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{30,}|pypi-[\w-]{30,}"
    r"|A(?:KIA|SIA)[0-9A-Z]{16}|AIza[\w-]{30,}|ya29\.[\w-]{20,}"
    r"|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
    r")",
    re.DOTALL,
)
_NAME = (
    r"(?:(?:api|secret|access|auth|client|private|signing)[_-]?key|token|secret|password|passwd"
    r"|passphrase|credentials?|authorization|bearer)"
)
# a value in quotes, as in a source file; without digits it is rather a word
_QUOTED = re.compile(
    rf"(?i)({_NAME}[\"']?\s*[:=]+>?\s*[\"'](?:bearer |basic )?)([^\s\"']{{8,200}})"
)
# a value without quotes, as in a shell; an expression must stay as it is
_BARE = re.compile(rf"(?i)({_NAME}\s*(?:[:=]+\s*|\s)(?:bearer |basic )?)([\w+/=~-]{{16,200}})")
_IN_ADDRESS = re.compile(r"(://[^\s/:@{}$]{1,100}:)([^\s/:@{}$]{3,200})(?=@)")
_LINE = re.compile(r"^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$", re.MULTILINE)


class Scrubber:
    """Replaces the secrets, what looks like a key, and the paths of project, home and user."""

    def __init__(
        self, secrets: Iterable[str], projects: Sequence[str], homes: Sequence[str], user: str
    ) -> None:
        self._redactor = Redactor(secrets, HIDDEN)
        self._numbers: dict[str, int] = {}
        self._paths = [(_path(each), ".") for each in _longest_first(projects)]
        for home in _longest_first(homes):
            self._paths.append((_path(home), _HOME))
            in_claude = re.compile(rf"(?<=projects/){re.escape(_slug(home))}(?!\w)")
            self._paths.append((in_claude, _slug(_HOME)))
        if user:
            self._paths.append((_named(user), rf"\g<1>{_USER}"))

    def scrub(self, text: str) -> str:
        """Return the text without keys and without the user's paths."""
        text = _KEY.sub(lambda match: self._hide(match[0]), self._redactor.redact(text))
        text = _IN_ADDRESS.sub(lambda match: match[1] + self._hide(match[2]), text)
        for pattern, is_key in ((_QUOTED, _is_mixed), (_BARE, looks_like_a_key)):
            text = pattern.sub(functools.partial(self._hide_value, is_key), text)
        for pattern, replacement in self._paths:
            text = pattern.sub(replacement, text)
        return text

    def _hide_value(self, is_key: Callable[[str], bool], match: re.Match[str]) -> str:
        return match[1] + (self._hide(match[2]) if is_key(match[2]) else match[2])

    def _hide(self, value: str) -> str:
        """Return a placeholder: the same for the same value, so that a test means the same."""
        if value.startswith(HIDDEN):
            return value
        return f"{HIDDEN}-{self._numbers.setdefault(value, len(self._numbers) + 1)}"


def assignments(text: str) -> dict[str, str]:
    """Return the variables that a file such as `.env` sets."""
    return {name: value.strip("\"'") for name, value in _LINE.findall(text)}


def _is_mixed(value: str) -> bool:
    """Whether the value has letters and digits, and isn't a template."""
    is_mixed = any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
    return is_mixed and not set(value) & set("{}()$<>")


def _longest_first(paths: Sequence[str]) -> list[str]:
    return sorted({each for each in paths if len(each) > 1}, key=len, reverse=True)


def _path(path: str) -> re.Pattern[str]:
    """Match the path, but not one that only begins with the same letters."""
    return re.compile(rf"(?<!\w){re.escape(path)}(?![\w-]|\.\w)")


def _named(user: str) -> re.Pattern[str]:
    return re.compile(rf"(/home/|/Users/|/media/){re.escape(user)}(?![\w-])")


def _slug(path: str) -> str:
    """Return the path as claude writes it in the names of directories."""
    return re.sub(r"[^a-zA-Z0-9]", "-", path)
