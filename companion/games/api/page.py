"""Pages: a game's own views beside the table, such as cards, a board or a track."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.games.api.prompt import Choice, Tone


@dataclass(frozen=True, slots=True)
class PageCard:
    """One box: a zone, a card, a pile, a player.

    `count` is drawn large (a pile's size). `turned` draws it lying on its side (a kneeling card),
    `marked` with an outline (it takes part in something), `icons` are small signs at its foot.
    `secret` holds texts for the owner's eyes: shown only while the owner holds the button.
    """

    id: str
    title: str
    lines: tuple[str, ...] = ()
    seat: str = ""
    icon: str = ""
    tone: Tone = ""
    count: int | None = None
    spent: bool = False
    turned: bool = False
    choices: tuple[Choice, ...] = ()
    secret: bool = False
    piece: str = ""
    icons: tuple[str, ...] = ()
    marked: bool = False
    badge: str = ""
    """A short sign on its corner: a count of tokens."""
    note: str = ""
    """One word about its state, such as "kneels"."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its boxes, in a grid, in a row, or along a track."""

    title: str
    cards: tuple[PageCard, ...]
    shape: Literal["grid", "row", "list", "track"] = "grid"
    seat: str = ""
    text: str = ""
    piece: str = ""
    """The piece that a tap on its heading selects, such as a player's own board."""
    tag: str = ""
    """One word about its player now, such as "attacks"."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the dock under the card: its short name, its icon and its sections."""

    id: str
    title: str
    icon: str
    sections: tuple[Section, ...]
    badge: str = ""
    """A short sign on its button, such as a count."""
