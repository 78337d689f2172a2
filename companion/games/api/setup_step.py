"""The steps of a new game, as the wizard asks them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.games.api.prompt import Entry

StepKind = Literal["form", "seats", "list", "board", "terrain", "tokens", "tags", "place", "begin"]
"""What the wizard shows: values to choose, the players, a list of pieces or cards for each seat
(pasted, opened or built), the board, terrain on it, tokens on it, the tags of the pieces, the
places of the pieces, and the summary."""


@dataclass(frozen=True, slots=True)
class SetupProblem:
    """What a step still lacks, or what breaks a rule; `seat` names whose list it concerns."""

    text: str
    rule: str = ""
    seat: str = ""
    stops: bool = True
    """Whether the game cannot begin with it."""


@dataclass(frozen=True, slots=True)
class SetupLine:
    """A line of a list: how it is written, and how players see it.

    `edge` is short, at the right edge of its row (a cost); `group` is the heading it stands under.
    A line that cannot be added now has a `reason`, with its `rule` if there is one.
    """

    line: str
    text: str
    detail: str = ""
    edge: str = ""
    group: str = ""
    reason: str = ""
    rule: str = ""
    replaces: str = ""
    """The line that it replaces, for an addition to it; else it is added at the end."""
    fewer: str = ""
    """How it is written with one copy fewer; empty if it cannot be taken off one by one."""
    card: tuple[str, str] | None = None
    """The card whose form enters what is missing: its form's kind and its id."""


@dataclass(frozen=True, slots=True)
class SeatList:
    """One seat's list as the wizard shows it: what is in it, and what may be added.

    Tapping one of `picks` adds its line at the end, tapping one of `lines` removes it. `ready` are
    whole lists to begin with: a name and the text. `total` sums up: "2 of 3 gold dragons".
    """

    seat: str
    total: str = ""
    lines: tuple[SetupLine, ...] = ()
    picks: tuple[SetupLine, ...] = ()
    ready: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class NewGameStep:
    """One page of the wizard. Its answers stand in the draft under its `id`, as plain values.

    | kind | answer |
    |---|---|
    | form | an object: each entry's value under its `field` |
    | seats | a list of objects in seating order: `id`, `name`, `colour`, `mark`, `team` |
    | list | an object: each seat's list as text, under the seat's id |
    | board, terrain, tokens, place | the table as in a table file; each continues the one before |
    | tags | an object: the tags of each piece, under the piece's id |
    | begin | nothing |
    """

    id: str
    kind: StepKind
    title: str
    text: str = ""
    entries: tuple[Entry, ...] = ()
    problems: tuple[SetupProblem, ...] = ()
    optional: bool = False
    short: str = ""
    """One word for the list of steps; without it the title."""
    lists: tuple[SeatList, ...] = ()
    """For a step of kind "list": what each seat's list holds and may hold."""
    searches: bool = False
    """Whether what may be added is searched by name: the text stands in the draft under the step's
    id with "-search", an object by seat."""
