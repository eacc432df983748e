"""Split a shell command into the parts that matter for claude's permission rules."""

import re
import shlex
from collections.abc import Iterator

from msgspec import Struct

ANY = re.compile(r"&&|\|\||[;|\n]|&(?!\d|>)")  # the separators between simple commands
PIPE = re.compile(r"(?<!\|)\|&?(?!\|)")  # the separators between the commands of a pipeline

_OPERATORS = "();<>|&"
_INTO = (">", ">>", ">|", "&>", "&>>", ">&")
# claude checks the paths of these programs before it applies the rules for the command
_WRITERS = ("cp", "ln", "mkdir", "mv", "rm", "rmdir", "sed", "tee", "touch")
_READERS = (
    *("awk", "cat", "cd", "cut", "diff", "file", "find", "grep", "head", "jq", "ls", "nl", "od"),
    *("rg", "sort", "stat", "strings", "tail", "uniq", "wc"),
)


def parts(command: str, separator: re.Pattern[str] = ANY) -> list[str]:
    """Split the command at the separators; empty if the quotes don't match."""
    pieces, start, quote, at = [], 0, "", 0
    while at < len(command):
        character = command[at]
        if character == "\\" and quote != "'":
            at += 2
            continue
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif match := separator.match(command, at):
            if command[max(0, at - 1)] != ">":
                pieces.append(command[start:at])
                start = match.end()
            at = match.end()
            continue
        at += 1
    pieces.append(command[start:])
    return [] if quote else [text for part in pieces if (text := _bare(part))]


class NamedFile(Struct, frozen=True):
    """A file that a command names: the program, and the tool whose rules apply."""

    program: str
    tool: str
    path: str


def files(command: str) -> Iterator[NamedFile]:
    """Yield the files that the command names."""
    program, before = "", ""
    named: list[str] = []
    for word in [*_words(command), ";"]:
        is_operator = set(word) <= set(_OPERATORS)
        if before in _INTO:
            yield NamedFile("", "Edit", word)
        elif is_operator and not set(word) & set("<>"):
            yield from _arguments(program, named)
            program, named = "", []
        elif not program:
            program = word
        elif not is_operator and "<<" not in before and not word.startswith("-"):
            named.append(word)
        before = word


def is_unnamable(command: str) -> bool:
    """Return whether it has a subshell or a background command, which no claude rule can match."""
    before = ";"
    for word in _words(command):
        if word == "&" or ("(" in word and set(before + word) <= set(_OPERATORS)):
            return True
        before = word
    return False


def _arguments(program: str, named: list[str]) -> Iterator[NamedFile]:
    writes = named[-1:] if program == "cp" else named if program in _WRITERS else []
    reads = named[:-1] if program == "cp" else named if program in _READERS else []
    yield from (NamedFile(program, "Read", path) for path in reads)
    yield from (NamedFile(program, "Edit", path) for path in writes)


def _words(command: str) -> list[str]:
    """Split the command into words and operators, without the text of a here-document."""
    text = command.partition("\n")[0] if "<<" in command else command.replace("\n", ";")
    lexer = shlex.shlex(text, posix=True, punctuation_chars=_OPERATORS)
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        return [word for word in lexer if word]
    except ValueError:
        return []


def _bare(part: str) -> str:
    """Remove the parentheses of a group that starts or ends outside the part."""
    text = part.strip()
    while text.startswith("(") and text.count("(") > text.count(")"):
        text = text[1:].lstrip()
    while text.endswith(")") and text.count(")") > text.count("("):
        text = text[:-1].rstrip()
    return text
