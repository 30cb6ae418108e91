"""What the reference refuses."""


class NotationError(ValueError):
    """A position text that can't be read: the line and the reason."""

    def __init__(self, line: str, reason: str) -> None:
        super().__init__(f"{line!r}: {reason}")
        self.line = line
        self.reason = reason


class IllegalMove(ValueError):
    """A token that is not legal now."""
