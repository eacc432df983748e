"""The line that a person types while the agent works: edited by us, since we draw it too."""

import codecs
import re

_BACKSPACE = ("\x7f", "\b")
_CLEAR, _WORD = "\x15", "\x17"
# arrow keys and the like, which mean nothing here; Esc alone is only dropped
_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~])|\x1b(?!\[[0-?]*[ -/]*$)")
_OPEN = re.compile(r"\x1b\[[0-?]*[ -/]*$")


class TypedLine:
    """What the keys so far have made of the line; the terminal itself shows nothing."""

    def __init__(self) -> None:
        self.text = ""
        self._bytes = codecs.getincrementaldecoder("utf-8")("replace")
        self._open = ""

    def feed(self, keys: bytes) -> list[str]:
        """The lines that the keys complete."""
        text = _SEQUENCE.sub("", self._open + self._bytes.decode(keys))
        unfinished = _OPEN.search(text)
        self._open = unfinished.group() if unfinished else ""
        complete = []
        for key in text.removesuffix(self._open):
            if key in "\r\n":
                complete.append(self.text)
                self.text = ""
            else:
                self._edit(key)
        return complete

    def _edit(self, key: str) -> None:
        if key in _BACKSPACE:
            self.text = self.text[:-1]
        elif key == _CLEAR:
            self.text = ""
        elif key == _WORD:
            self.text = self.text.rstrip().rpartition(" ")[0]
        elif key.isprintable() or key == "\t":
            self.text += key
