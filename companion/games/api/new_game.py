"""A new game: where it is played, by whom, the steps of its set-up, and the game's objections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from companion.games.api.play import Plain, Play, Refusal
from companion.games.api.prompt import Entry
from companion.text.translation import unnumbered
from models.field import Field
from models.message import CompanionError, PlayerName


@dataclass(frozen=True, slots=True)
class SeatView:
    """A player at the table.

    `colour` (1 to 6) chooses the colour and the shape of the seat; `mark` its drawn sign. `team`
    is shared by players who win together.
    """

    id: str
    name: str
    colour: int
    mark: str = ""
    team: str = ""
    faction: str = ""
    allies: tuple[str, ...] = ()
    """The factions of the others who play for this seat."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", PlayerName.of(self.name))


@dataclass(frozen=True, slots=True)
class SeatRange:
    """How many may play a game in a mode, and the ids of its seats in order."""

    least: int
    most: int
    ids: tuple[str, ...]
    teams: int = 0
    """Into how many teams the players may join; 0 where everyone plays alone."""
    names: tuple[str, ...] = ()
    """How players who type no name are called, in the order of `ids`; else they have numbers."""

    def read(self, field: Field) -> tuple[SeatView, ...]:
        """The players of a `set-up` command: its member `seats`, a list as the wizard writes it.

        Each object may hold `id` (the next free one without it), `name` (the id without it),
        `colour`, `mark`, `team` and `faction`. Without the member, the fewest players there may be.
        """
        objects = (
            list(field.member("seats").items(self.most, self.least))
            if "seats" in field.raw
            else [Field({}) for _ in range(self.least)]
        )
        found: list[SeatView] = []
        for item in objects:
            raw = item.keys({"id", "name", "colour", "mark", "team", "faction"})
            free = [one for one in self.ids if one not in (seat.id for seat in found)]
            seat = item.member("id").choice(free) if "id" in raw else free[0]
            texts: dict[str, Any] = {
                key: item.member(key).text(60)
                for key in ("name", "mark", "team", "faction")
                if raw.get(key)
            }
            colour = item.member("colour").whole(1, 6) if "colour" in raw else len(found) + 1
            found.append(SeatView(id=seat, colour=colour, **{"name": seat, **texts}))
        return tuple(found)


def plain_seat(seat: SeatView) -> Mapping[str, Any]:
    """A player as a JSON object; `SeatRange.read` reads it back."""
    texts = {key: getattr(seat, key) for key in ("name", "mark", "team", "faction")}
    return {"id": seat.id, "colour": seat.colour, **{k: v for k, v in texts.items() if v}}


SpaceKind = Literal["open", "square", "hex", "none"]


@dataclass(frozen=True, slots=True)
class PieceKind:
    """A kind of piece: its footprint in inches, or in cells on a board, and how it may be tagged.

    `tags_mm` are the tag sizes that fit, the recommended one first; `stand_mm` is the height of the
    stand that carries the tag. Without tags the players tap its place.
    """

    id: str
    text: str
    shape: Literal["tray", "round", "oblong", "cells", "card"]
    size: tuple[float, float]
    tags_mm: tuple[float, ...] = ()
    stand_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Space:
    """An open table in inches, a board of cells, or none.

    `size` is the usual size: inches on an open table, columns and rows on a board.
    """

    kind: SpaceKind
    size: tuple[float, float] = (0.0, 0.0)
    cell_in: float = 0.0
    pieces: tuple[PieceKind, ...] = ()

    @property
    def smallest_tag_mm(self) -> float:
        """The smallest tag that a piece of the game may carry; 0 if none carries one."""
        return min((size for kind in self.pieces for size in kind.tags_mm), default=0.0)


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
    about: str = ""
    """The id of the card that it adds."""


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
    text: str = ""
    """The list line by line, where it was given in another form: a change is made in this."""


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
    enters: tuple[tuple[str, str, str], ...] = ()
    """Forms of own cards that the step offers: the form's kind, the card ("" for a new one) and the
    button's text. The kind "board" is a board to draw."""
    lists: tuple[SeatList, ...] = ()
    """For a step of kind "list": what each seat's list holds and may hold."""
    searches: bool = False
    """Whether what may be added is searched by name: the text stands in the draft under the step's
    id with "-search", an object by seat."""


def refused_setup(play: Play[Any], game: str, command: Plain) -> tuple[SetupProblem, ...]:
    """Why the game does not accept this `set-up` command; empty if it does."""
    try:
        found = play.prepare(game, {**command, "seed": 0})
    except CompanionError as error:
        return (SetupProblem(str(error)),)
    if isinstance(found, Refusal):
        return (SetupProblem(unnumbered(found.say), found.why),)
    return ()
