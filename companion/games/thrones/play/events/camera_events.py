"""Events of the camera: which tag is clipped to which card, and where players sit."""

from __future__ import annotations

from dataclasses import replace

from companion.games.thrones.play.events.event_kinds import Data, kind
from companion.games.thrones.play.state import ThronesState
from companion.games.thrones.rules.seat_place import SeatPlace


@kind("tagged", "tag {tag} is on {name}")
def tagged(state: ThronesState, data: Data) -> ThronesState:
    """A tag is on one card only."""
    cards = tuple(
        replace(one, tag=data["tag"])
        if one.id == data["card"]
        else (replace(one, tag=None) if one.tag == data["tag"] else one)
        for one in state.cards
    )
    return replace(state, cards=cards)


@kind("untagged", "no tag is on {name}")
def untagged(state: ThronesState, data: Data) -> ThronesState:
    return state.with_card(replace(state.card(data["card"]), tag=None))


@kind("sat-down", "{player} sits elsewhere")
def sat_down(state: ThronesState, data: Data) -> ThronesState:
    place = SeatPlace(data["edge"], data["line"])
    rest = tuple(one for one in state.places if one[0] != data["seat"])
    return replace(state, places=(*rest, (data["seat"], place)))
