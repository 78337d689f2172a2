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
