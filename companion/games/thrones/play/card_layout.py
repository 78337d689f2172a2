"""Where cards in play lie on a practice table: rows before their players, as hands lay them."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.api.camera_question import LyingPiece
from companion.games.thrones.play.state import FACTION_CARD, CardInPlay, ThronesState
from companion.games.thrones.rules.seat_place import SeatPlace
from models.pose import Pose

Size = tuple[float, float]
FRONT_IN, BACK_IN = 9.6, 4.4
"""How far from the player's edge the middles of the rows lie."""
APART_IN = 5.6
"""The most between the middles of two cards of a row."""
STICKS_OUT_IN = 1.15
"""How far an attachment sticks out over its host."""
KNEELING_DEG = 90.0


def spot(place: SeatPlace, far: float, along: float, size: Size) -> tuple[float, float]:
    """A place of the table: so far from the player's edge and so far along it."""
    width, depth = size
    match place.edge:
        case "south":
            return along, far
        case "north":
            return along, depth - far
        case "west":
            return far, along
        case "east":
            return width - far, along


def lying_cards(state: ThronesState, size: Size) -> Iterator[LyingPiece]:
    """Every card in play with its pose; attachments first, for they lie under their hosts."""
    for seat in state.living:
        place = state.place(seat)
        sharing = [one for one in state.living if state.place(one).edge == place.edge]
        long = size[0 if place.edge in ("south", "north") else 1] / len(sharing)
        start = long * sharing.index(seat)
        own = list(state.controlled(seat))
        for far, row in (
            (FRONT_IN, [one for one in own if one.type == "character"]),
            (BACK_IN, [one for one in own if one.type != "character" and not on_card(one)]),
        ):
            apart = min(APART_IN, long / max(1, len(row)))
            for at, card in enumerate(row):
                along = start + long / 2 + (at - (len(row) - 1) / 2) * apart
                for step, under in enumerate(state.attached(card.id), 1):
                    yield lying(under, place, far + STICKS_OUT_IN * step, along, size)
                yield lying(card, place, far, along, size)


def on_card(card: CardInPlay) -> bool:
    """Whether a card is attached to another card."""
    return bool(card.host) and not card.host.startswith(FACTION_CARD)


def lying(card: CardInPlay, place: SeatPlace, far: float, along: float, size: Size) -> LyingPiece:
    """A card at a place, turned to the side if it kneels (AGOT-CARD-2)."""
    x, y = spot(place, far, along, size)
    heading = place.away_deg + (KNEELING_DEG if card.kneeling else 0.0)
    return LyingPiece(card.id, card.tag, Pose(x, y, heading))
