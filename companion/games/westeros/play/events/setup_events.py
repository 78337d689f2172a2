"""Events of the skirmish set-up: commanders, forces, overlays, placing."""

from __future__ import annotations

from dataclasses import replace

from companion.games.westeros.play.events.event_kinds import SILENT, Data, kind
from companion.games.westeros.play.setup import unit_in_battle
from companion.games.westeros.play.state import FIELD, OVERLAYS, PLACE, WesterosState
from companion.games.westeros.rules.fire import with_words
from models.cell import parse_cell


@kind("commanders-chosen", "{player} has chosen commanders")
def commanders_chosen(state: WesterosState, data: Data) -> WesterosState:
    house = replace(state.house(data["side"]), chosen=tuple(data["chosen"]))
    return state.with_house(house)


@kind("forces", "the commanders are revealed and the forces drawn")
def forces(state: WesterosState, data: Data) -> WesterosState:
    """The drawn units and overlays of both houses; command decks by their commanders."""
    units = tuple(unit_in_battle(one) for one in data["units"])
    houses = tuple(
        replace(one, overlays=tuple(data["overlays"][one.side]), deck=data["decks"][one.side])
        for one in state.houses
    )
    return replace(
        state,
        units=units,
        houses=houses,
        mace=data["mace"],
        phase=OVERLAYS,
        active=data["mace"],
        first=data["mace"],
    )


@kind("overlay", "{what} on {cell}")
def overlay(state: WesterosState, data: Data) -> WesterosState:
    house = state.house(data["side"])
    left = list(house.overlays)
    left.remove(data["terrain"])
    board = with_words(state.board, parse_cell(data["cell"]), (data["terrain"],))
    return replace(state.with_house(replace(house, overlays=tuple(left))), board=board)


@kind("placing", "the units are placed")
def placing(state: WesterosState, data: Data) -> WesterosState:
    return replace(state, phase=PLACE, active=state.mace)


@kind("placed", "{name} stands on {cell}")
def placed(state: WesterosState, data: Data) -> WesterosState:
    unit = replace(state.unit(data["unit"]), cell=parse_cell(data["cell"]), fate=FIELD)
    return state.with_unit(unit)


@kind("next-player", SILENT)
def next_player(state: WesterosState, data: Data) -> WesterosState:
    return replace(state, active=data["side"])
