"""How a piece that a hand has moved came to its cell: the actions that explain it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.games.api.play import Plain
from companion.games.api.prompt import ActionOffer, TargetCell
from models.board import Cell
from models.message import joined, say

MOVES = ("maneuver", "move")
"""The kinds of offers that carry their piece to the tapped cell: it is seen there first."""
AT_ONCE = "march"
"""The kind of an offer that is several actions in one go."""
UNDO: Plain = {"do": "undo"}


@dataclass(frozen=True, slots=True)
class Way:
    """An action that brings a piece to a cell; `text` is said by its button, else it is plain."""

    target: TargetCell
    text: str = ""
    name: str = ""
    """What makes it the same as the offer that the players have picked."""
    begins: bool = False
    """Whether something lets the piece act first."""
    price: str = ""
    """What it costs, as the row of its action tells it."""
    harm: str = ""
    """What harms the piece on its way, where its button does not say it."""

    @property
    def cell(self) -> Cell:
        """Where it leads."""
        return self.target.cell

    @property
    def commands(self) -> tuple[Plain, ...]:
        """What carries it out."""
        return self.target.commands

    @property
    def silent(self) -> bool:
        """Whether it needs no question: a mere move that harms nobody."""
        return not self.text and self.target.mark != "danger"


def way_name(offer: ActionOffer) -> str:
    """What makes an offer that carries its piece the same before and after it was moved; empty
    for others. One against another piece that is aimed at cells goes to one of them."""
    against = offer.target not in ("", offer.piece)
    carries = offer.cells and (against or offer.kind in (*MOVES, AT_ONCE))
    return ":".join((offer.kind, offer.target, str(offer.text))) if carries else ""


def ways_to(offers: Sequence[ActionOffer], piece: str, cell: Cell) -> tuple[Way, ...]:
    """How a piece comes to a cell: its move, a charge there, or whatever may let it act first.

    An action that is worth less than nothing explains only what nothing else does.
    """
    found = [
        (offer, target)
        for offer in offers
        if offer.piece == piece and offer.possible and offer.dice is None and way_name(offer)
        if (target := offer.at(cell)) is not None
    ]
    if now := [one for one in found if not one[0].begins]:
        found = now
    useful = [one for one in found if one[0].value >= 0] or found
    moves = [one for one in useful if one[0].kind in MOVES]
    if now:  # the plain one, by any of its ways
        moves = [
            one for one in moves if one is moves[0] or one[0].family == moves[0][0].family != ""
        ]
    kept = (*moves, *(one for one in useful if one[0].kind not in MOVES))
    named = len({str(offer.text) for offer, _ in kept}) > 1
    return tuple(way_of(offer, target, named) for offer, target in kept)


def way_of(offer: ActionOffer, target: TargetCell, named: bool) -> Way:
    """One way; what lets the piece act first is told, and the action itself where it is no mere
    move or is `named`."""
    named |= offer.kind not in MOVES
    parts = (target.detail if offer.begins else "", offer.text if named else "")
    text = joined(filter(None, parts))
    harms = target.mark == "danger" and not offer.begins and offer.kind in MOVES
    harm = target.detail if harms else ""
    return Way(target, text, way_name(offer), offer.begins, offer.detail, harm)


def gone_on(
    ways: Sequence[Way], taken: Sequence[Plain], cell: Cell, start: Cell | None
) -> tuple[Way, ...]:
    """How a move goes on, or back, instead of the one just `taken`, which is undone.

    `ways` are those from where it began. None of them is the same action: it does not go on.
    """
    if cell == start:
        return (Way(TargetCell(cell, (UNDO,))),)
    if not any(manner(way.commands) == manner(taken) for way in ways):
        return ()
    same = [way for way in ways if not way.begins or manner(way.commands) == manner(taken)]
    return tuple(
        replace(way, target=replace(way.target, commands=(UNDO, *way.commands))) for way in same
    )


def told_apart(further: Sequence[Way], more: Sequence[Way]) -> tuple[Way, ...]:
    """The ways in which a move goes on or back, and those that are one action more: only the
    players know which it was."""
    # It goes on for the price that is paid already.
    went = [
        replace(way, text=way.text or gone_words(way), name="", price="", harm="")
        for way in further
    ]
    again = (replace(way, text=labelled(say("One action more"), way), harm="") for way in more)
    return (*went, *again)


def gone_words(way: Way) -> str:
    """How a move goes on, or that it is taken back."""
    if not way.name:
        return say("The move is taken back")
    return labelled(say("The same action goes on"), way)


def labelled(label: str, way: Way) -> str:
    """The button of a way, with what it is and what it costs."""
    what = joined(filter(None, (way.text, way.target.detail)))
    return joined(filter(None, (label, what)), ": ")


def manner(commands: Sequence[Plain]) -> list[Plain]:
    """Commands without where they lead."""
    return [
        {
            key: manner(value) if key == "commands" else value
            for key, value in one.items()
            if key not in ("to", "path")
        }
        for one in commands
    ]
