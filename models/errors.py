"""Errors about input: one base class; the message always includes the offending value."""

from models.lazy_message import joined


class CompanionError(Exception):
    """Invalid input or an impossible request; its text is one line a player can act on."""


class BadInput(CompanionError):
    """A file (or a value in it) that cannot be read: names file, place and value."""

    def __init__(self, source: str, place: str, problem: str) -> None:
        super().__init__(joined((part for part in (source, place, problem) if part), ": "))
        self.source = source
        self.place = place
        self.problem = problem


class UnknownName(CompanionError):
    """A name that is not in a catalogue, table or game."""


LONGEST_CAUSE = 120


def cause(error: BaseException) -> str:
    """An exception's message as part of one line.

    >>> cause(FileNotFoundError(2, "No such file or directory"))
    'No such file or directory'
    >>> cause(ValueError())
    'ValueError'
    """
    if isinstance(error, CompanionError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    text = " ".join(str(error).split())[:LONGEST_CAUSE]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
