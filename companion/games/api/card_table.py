"""The table of a card game as records: what lies before each player, and the contest between two.

A screen draws them as small cards; it knows no game. Texts may be lazy messages.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class CardLook:
    """How the cards of a faction look: ground and edge as `#rrggbb`, and the name of its mark."""

    ground: str
    edge: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class TableCard:
    """A card in play; `id` is that of its piece.

    `cost` and `strength` are as printed on its corners, with what changes them counted. `turned`
    cards lie across, `marked` ones take part in the contest; `copies` are the duplicates under it.
    """

    id: str
    title: str
    look: CardLook
    kind: str = ""
    cost: str = ""
    strength: int | None = None
    icons: tuple[str, ...] = ()
    turned: bool = False
    marked: bool = False
    power: int = 0
    copies: int = 0
    tokens: tuple[str, ...] = ()
    note: str = ""
    attached: tuple[TableCard, ...] = ()


@dataclass(frozen=True, slots=True)
class CountView:
    """A number with its icon and the word for it: "4 gold"."""

    icon: str
    count: int
    text: str


@dataclass(frozen=True, slots=True)
class PlotView:
    """A revealed plot: its name, and its numbers as they count now."""

    title: str
    numbers: tuple[CountView, ...]


@dataclass(frozen=True, slots=True)
class SeatCards:
    """What lies before one player.

    `detail` names faction and agenda, `note` the title with what it does; `places` are cards that
    share one pile. `piece` is selected by a tap on the player's name.
    """

    seat: str
    look: CardLook
    piece: str = ""
    detail: str = ""
    tag: str = ""
    title: str = ""
    note: str = ""
    numbers: tuple[CountView, ...] = ()
    piles: tuple[CountView, ...] = ()
    plot: PlotView | None = None
    cards: tuple[TableCard, ...] = ()
    places: tuple[TableCard, ...] = ()
    text: str = ""
    """What the pile of places is called."""
    lost: bool = False


@dataclass(frozen=True, slots=True)
class ContestSide:
    """One side of a contest: its total, what it is made of, and its cards by id."""

    seat: str
    total: int
    detail: str = ""
    tag: str = ""
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Contest:
    """What two players fight over: the defender first, then the attacker.

    `text` is the claim, `note` who lacks what, `lines` what it would win and who else has a say.
    """

    title: str
    icon: str
    text: str
    note: str
    sides: tuple[ContestSide, ContestSide]
    lines: tuple[str, ...] = ()

    def seen_from(self, above: Collection[str]) -> Contest:
        """With the sides as the players sit: whoever sits above comes first."""
        first, second = self.sides
        turned = second.seat in above and first.seat not in above
        return replace(self, sides=(second, first)) if turned else self


@dataclass(frozen=True, slots=True)
class TrackRow:
    """One thing of a turn: what it is, and whether it is open, running or done."""

    icon: str
    text: str
    note: str
    now: bool = False


@dataclass(frozen=True, slots=True)
class CardTable:
    """All players in seating order, the contest if there is one, and the course of the turn."""

    seats: tuple[SeatCards, ...]
    contest: Contest | None = None
    heading: str = ""
    track: tuple[TrackRow, ...] = ()
    active: str = ""
    """Whose turn it is."""
