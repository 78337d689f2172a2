"""Setting up: whether the table's size, a terrain piece or a token's position is legal."""

from __future__ import annotations

import math

from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from companion.games.tmg.rules.margins import (
    allow,
    beside_in,
    clearance,
    footprint,
    ground,
    measured,
    rim_in,
)
from companion.games.tmg.rules.modes import (
    BattleArea,
    Limit,
    Mode,
    TokenSpot,
    piles,
    spots,
    walls,
    zone,
)
from companion.games.tmg.rules.modes.mode_layout import inside_in
from companion.games.tmg.rules.readings import DEFAULT, Readings
from companion.games.tmg.rules.rulebook import STOPS
from companion.geometry.plane.answer import YES, Answer, both, no
from models import Table, TableToken, Terrain, Unit

NORMAL_IN = 48.0  # TMG-SET-3
LARGEST_IN = 72.0  # TMG-SET-3
METRIC_SPARE_IN = 1.0
"""The rulebook's "about 120 cm" is three quarters of an inch short of 48 inches."""
SPOT_SPARE_IN = 0.25
"""A token placed by hand is on its position if its centre is this close."""


def battlefield(table: Table, readings: Readings = DEFAULT) -> Answer:
    """Whether the table has a legal size, with the players at the right edges."""
    along, across = table.width, table.depth
    rules: tuple[str, ...] = ("TMG-SET-3",)
    if readings.player_edges == "short":
        along, across = across, along
    if across > along + METRIC_SPARE_IN:
        rules = ("TMG-SET-3", "OR-37")
    return both(
        allow(along - NORMAL_IN + METRIC_SPARE_IN, *rules),
        allow(LARGEST_IN + METRIC_SPARE_IN - along, *rules),
        allow(METRIC_SPARE_IN - abs(across - NORMAL_IN), *rules),
    )


# -- terrain ----------------------------------------------------------------------------------


def terrain_place(
    table: Table,
    mode: Mode,
    piece: Terrain,
    defender: int = 1,
    readings: Readings = DEFAULT,
) -> Answer:
    """Whether a piece, chosen or rolled (TMG-SET-12), may lie there; it may already be there."""
    fact = mode.facts.terrain
    field = BattleArea.of(table, defender)
    shape = ground(piece)
    others = [other for other in table.terrain if other.id != piece.id]
    given = [ground(other) for other in others if is_given(other, mode)]
    chosen = [ground(other) for other in others if not is_given(other, mode)]
    answers = []
    if fact.barred and (fact.barred == piece.piece or fact.barred in piece.keywords):
        answers.append(no(fact.barred_rule))
    if fact.zone is not None:
        answers.extend(
            kept(clearance(shape, zone(mode, field, player, readings).shape), fact.zone)
            for player in (1, 2)
            if fact.zone_of in ("", field.role(player))
        )
    answers.extend(kept(clearance(shape, other), fact.piece) for other in chosen)
    if fact.edge is not None:
        answers.append(kept(inside_in(piece.outline, field.whole), fact.edge))
    if fact.layout is not None:
        nominal = given or layout_shapes(mode, field, readings)
        answers.extend(kept(clearance(shape, other), fact.layout) for other in nominal)
    if fact.token_rule and piece.keywords & STOPS:
        answers.extend(
            allow(rim_in(token, shape), fact.token_rule)
            for token in set_tokens(table, mode, field, readings)
        )
    return both(*answers) if answers else YES


def is_given(piece: Terrain, mode: Mode) -> bool:
    """Whether a piece is one of those the mode itself puts on the table."""
    return bool(piece.piece) and piece.piece == mode.facts.terrain.layout_piece


def kept(distance_in: float, limit: Limit) -> Answer:
    """Whether a distance limit is met."""
    return allow(distance_in - limit.inches, limit.rule, beyond=limit.beyond)


def layout_shapes(mode: Mode, field: BattleArea, readings: Readings) -> list[Polygon]:
    """The areas of the pieces the mode itself puts on the table."""
    return [
        *(Polygon(wall.outline) for wall in walls(mode, field, readings)),
        *(ground(pile) for pile in piles(mode, field, readings)),
    ]


def set_tokens(
    table: Table, mode: Mode, field: BattleArea, readings: Readings
) -> tuple[TableToken, ...]:
    """The tokens on the table or, before they are placed, those the mode will place."""
    return table.tokens or tuple(spot.token() for spot in spots(mode, field, readings))


def terrain_places(
    table: Table, mode: Mode, defender: int = 1, readings: Readings = DEFAULT
) -> dict[str, Answer]:
    """The answer for every chosen piece of the table, without the mode's own pieces."""
    return {
        piece.id: terrain_place(table, mode, piece, defender, readings)
        for piece in table.terrain
        if not is_given(piece, mode)
    }


# -- tokens -----------------------------------------------------------------------------------


def token_place(
    table: Table,
    mode: Mode,
    token: TableToken,
    defender: int = 1,
    readings: Readings = DEFAULT,
) -> Answer:
    """Whether a token may lie there at the start: on its fixed position, or far enough from all."""
    field = BattleArea.of(table, defender)
    placing = mode.facts.placing
    fixed = spots(mode, field, readings, token.radius)
    near = min(fixed, key=lambda spot: off_in(spot, token), default=None)
    if placing is None:
        if near is None:
            return no("TMG-SET-4")
        return allow(SPOT_SPARE_IN - off_in(near, token), near.rule)
    dry = [
        allow(rim_in(token, ground(piece)), placing.impassable_rule)
        for piece in table.terrain
        if piece.keywords & STOPS
    ]
    lying = [other for other in table.tokens if other.id != token.id]
    on_spot = [one for one in (token, *lying) if near and off_in(near, one) <= SPOT_SPARE_IN]
    if on_spot == [token]:
        return both(YES, *dry)
    zones = (zone(mode, field, player, readings).shape for player in (1, 2))
    apart = [token_gap_in(token, shape, readings) - placing.from_zones for shape in zones]
    others = [*lying, *(spot.token(token.radius) for spot in fixed)]
    apart += [tokens_apart_in(token, other, readings) - placing.from_tokens for other in others]
    return both(*(allow(spare, placing.rule) for spare in apart), *dry)


def off_in(spot: TokenSpot, token: TableToken) -> float:
    """The distance of a token from a fixed position."""
    return math.dist((spot.x, spot.y), (token.x, token.y))


def token_gap_in(token: TableToken, shape: BaseGeometry, readings: Readings) -> float:
    """A token's distance from a shape, from its centre or its rim (OR-36)."""
    return beside_in(token.x, token.y, shape) - counted_radius(token, readings)


def tokens_apart_in(token: TableToken, other: TableToken, readings: Readings) -> float:
    """The distance between two tokens, between centres or rims (OR-36)."""
    apart = math.dist((token.x, token.y), (other.x, other.y))
    return apart - counted_radius(token, readings) - counted_radius(other, readings)


def counted_radius(token: TableToken, readings: Readings) -> float:
    """The radius to subtract from a token's distances."""
    return token.radius if readings.token_from == "rim" else 0.0


def token_places(
    table: Table, mode: Mode, defender: int = 1, readings: Readings = DEFAULT
) -> dict[str, Answer]:
    return {token.id: token_place(table, mode, token, defender, readings) for token in table.tokens}


# -- during the game --------------------------------------------------------------------------


def new_pile_place(table: Table, mode: Mode, destroyed: Unit, pile: Terrain) -> Answer:
    """Whether the corpse pile of a destroyed infantry unit may lie there.

    The pile is placed before the tray is removed: a tray still on the table counts.
    """
    fact = mode.facts.new_pile
    if fact is None:
        return no("TMG-MODE-FFC-14")
    others = [piece for piece in table.terrain if piece.id != pile.id]
    in_play = sum(piece.piece == "corpse-pile" for piece in others)
    if fact.at_most and in_play >= fact.at_most:
        return no(fact.rule)
    if destroyed.tray.standard and destroyed.tray.name != "infantry":
        return no(fact.rule)
    shape = ground(pile)
    near = measured(
        lambda unit: fact.within - max(0.0, clearance(footprint(unit), shape)),
        destroyed,
        why=(fact.rule,),
    )
    return both(
        near,
        *(allow(clearance(shape, ground(piece)) - fact.clear, fact.rule) for piece in others),
        *(
            measured(
                lambda unit: clearance(footprint(unit), shape) - fact.clear,
                unit,
                why=(fact.rule,),
            )
            for unit in table.units
        ),
    )


def new_pile_token(mode: Mode, pile: Terrain, token_id: str) -> TableToken | None:
    """The token in the middle of a new pile; None where the mode has none."""
    fact = mode.facts.new_pile
    if fact is None or not fact.token_rule:
        return None
    middle = ground(pile).centroid
    return TableToken(token_id, float(middle.x), float(middle.y))


def token_on_pile(
    mode: Mode, token: TableToken, pile: Terrain, readings: Readings = DEFAULT
) -> Answer:
    """Whether a token that returns to its corpse pile lies on it (its centre, or all: OR-36)."""
    fact = mode.facts.objective
    deep_in = -beside_in(token.x, token.y, ground(pile))
    return allow(deep_in - counted_radius(token, readings), fact.second_rule, fact.leave_rule)


def token_beside(
    table: Table, mode: Mode, unit: Unit, token: TableToken, readings: Readings = DEFAULT
) -> Answer:
    """Whether the opponent may put this unit's token there: near its tray and on nothing."""
    fact = mode.facts.objective
    if not fact.drop_within:
        return no(fact.drop_rule or "TMG-MODE-DWD-9")
    rules = drop_rules(mode)
    near = measured(
        lambda one: fact.drop_within - max(0.0, token_gap_in(token, footprint(one), readings)),
        unit,
        why=rules,
    )
    return both(
        near,
        *(
            allow(rim_in(token, ground(piece)), *rules)
            for piece in table.terrain
            if piece.keywords & STOPS
        ),
        *(
            measured(lambda one: rim_in(token, footprint(one)), other, why=rules)
            for other in table.units
            if other.id != unit.id
        ),
    )


def drop_rules(mode: Mode) -> tuple[str, ...]:
    """The rules for a token beside a tray: dropped, or touched while carrying another."""
    fact = mode.facts.objective
    second = () if fact.leave_rule else (fact.second_rule,)
    return (fact.drop_rule, *second)
