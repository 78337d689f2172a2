"""What goes wrong with input: one base error, the offending value always in the message."""

from models.said import joined


class CompanionError(Exception):
    """Broken input or an impossible request; its text is one line a player can act on."""


class BadInput(CompanionError):
    """A file (or a value in it) that cannot be read: names file, place and value."""

    def __init__(self, source: str, place: str, problem: str) -> None:
        super().__init__(joined((part for part in (source, place, problem) if part), ": "))
        self.source = source
        self.place = place
        self.problem = problem


class UnknownName(CompanionError):
    """A name that no catalogue, table or game knows."""
