"""The line that a person types while the agent works: edited by us, since we draw it too."""

import codecs

_BACKSPACE = ("\x7f", "\b")
_CLEAR, _WORD, _ESCAPE = "\x15", "\x17", "\x1b"


class TypedLine:
    """What the keys so far have made of the line; the terminal itself shows nothing."""

    def __init__(self) -> None:
        self.text = ""
        self._bytes = codecs.getincrementaldecoder("utf-8")("replace")
        self._sequence = ""

    def feed(self, keys: bytes) -> list[str]:
        """The lines that the keys complete."""
        complete = []
        for key in self._bytes.decode(keys):
            if self._is_sequence(key):
                continue
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

    def _is_sequence(self, key: str) -> bool:
        """Whether the key belongs to an arrow key and the like, which mean nothing here."""
        if key == _ESCAPE:
            self._sequence = key
            return True
        if not self._sequence:
            return False
        self._sequence += key
        if len(self._sequence) > 2 or key not in "[O":
            over = "@" <= key <= "~"
            self._sequence = "" if over else self._sequence
        return True
