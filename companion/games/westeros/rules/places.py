"""Hexes in the words of players: the ford, where Kevan stands, the hex left of the tower."""

from __future__ import annotations

from functools import lru_cache

from companion.games.shared.places import PARTS, Landmark, Landmarks, cells_near, place_words
from companion.games.westeros.rules.hex_field import DEVASTATION, HexField
from companion.games.westeros.rules.position import HexPosition
from models.board import Cell
from models.board_table import BOTTOM, LEFT, RIGHT, TOP
from models.message import say

LANDMARKS = {
    "hill": Landmark(say("the hill"), say("of the hill")),
    "forest": Landmark(say("the forest"), say("of the forest")),
    "river": Landmark(say("the river"), say("of the river")),
    "forest-river": Landmark(say("the river in the forest"), say("of the river in the forest")),
    "building": Landmark(say("the building"), say("of the building")),
    "road": Landmark(say("the road"), say("of the road")),
    "forest-road": Landmark(say("the forest road"), say("of the forest road")),
    "wooden-bridge": Landmark(say("the wooden bridge"), say("of the wooden bridge")),
    "stone-bridge": Landmark(say("the stone bridge"), say("of the stone bridge")),
    "palisade": Landmark(say("the palisade"), say("of the palisade")),
    "tent": Landmark(say("the tent"), say("of the tent")),
    "siege-tower": Landmark(say("the siege tower"), say("of the siege tower")),
    "ford": Landmark(say("the ford"), say("of the ford")),
    DEVASTATION: Landmark(say("the devastated hex"), say("of the devastated hex")),
}


def place(position: HexPosition, cell: Cell, without: str = "") -> str:
    """What players call a hex; `without` is the unit that comes or goes."""
    board = position.field.board
    units = {
        one: position.occupied[one].name
        for one in cells_near(board.space, cell)
        if one in position.occupied and position.occupied[one].id != without
    }
    return place_words(board, landmarks(position.field), units, cell)


MAP_SIDES = {BOTTOM: "near", TOP: "far", LEFT: "left", RIGHT: "right"}


def edge_place(house: str, edge: str) -> str:
    """Where on the map the board edge of a house is (BOW-GEN-7)."""
    return say(PARTS[MAP_SIDES[edge]][:], place=say("board edge of {house}:", house=house))


@lru_cache(maxsize=16)
def landmarks(field: HexField) -> Landmarks:
    """What lies on the hexes, by which they and those near them are named."""
    marks = {
        one: LANDMARKS[terrain.word]
        for one, terrain in field.terrain.items()
        if terrain.word in LANDMARKS
    }
    devastated = {
        one: LANDMARKS[DEVASTATION]
        for one, words in field.board.ground.items()
        if DEVASTATION in words
    }
    return Landmarks(marks | devastated)
