class RefNotationError(ValueError):
    """A position text that can't be read: the line and the reason."""

    def __init__(self, line, reason):
        super().__init__(f"{line!r}: {reason}")
        self.line = line
        self.reason = reason


class RefIllegalMove(ValueError):
    """A token that is not legal now."""


class RefSetupError(ValueError):
    """A ruleset, frame, list or match that doesn't exist, or a text asked for before there is a position."""
