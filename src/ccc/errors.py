"""One error for people: what is wrong, where, and what to do about it."""


class CccError(Exception):
    """A problem that the user can solve; `message` and `hint` name entries of the catalogues."""

    def __init__(
        self, message: str, *, hint: str = "", exit_code: int = 1, **params: object
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.exit_code = exit_code
        self.params = params

    def __str__(self) -> str:
        from ccc import words

        return words.say(self.message, **self.params)
