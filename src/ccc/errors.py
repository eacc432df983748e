"""One error for people: what is wrong, where, and what to do about it."""

from ccc import words


class CccError(Exception):
    """A problem that the user can solve; `message` names an entry of the catalogues.

    What to do about it is part of that entry, unless `hint` names another one.
    """

    def __init__(
        self, message: str, *, hint: str = "", exit_code: int = 1, **params: object
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.exit_code = exit_code
        self.params = params

    def __str__(self) -> str:
        return words.say(self.message, **self.params)

    @property
    def explanation(self) -> str:
        """The problem, and what to do about it."""
        return "\n".join(filter(None, (str(self), self.remedy)))

    @property
    def remedy(self) -> str:
        """What to do about it, or ""."""
        if self.hint:
            return words.advice(self.hint, **self.params)
        return words.remedy(self.message, **self.params)
