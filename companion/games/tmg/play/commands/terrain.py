"""Terrain before round 1: which piece is placed next, by whom, and where it lies."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import shapely

from companion.games.api.play import Refusal
from companion.games.tmg.play.context import CommandContext, CommandFields, ask, command, no
from companion.games.tmg.play.events import field_events
from companion.games.tmg.play.state.game_state import SET_UP, DeclaredMove, GameState, table_of
from companion.games.tmg.play.state.mode_play import mode_of, play_of
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.setup.placement import terrain_place
from companion.games.tmg.rules.setup.table_setup import pieces
from companion.geometry.plane.answer import Answer
from models import Pose, Table, Terrain, Unit, catalogue
from models.message import say
from models.unit import Tray, corners

USUAL_PIECES, MOST_PIECES = 4, 20  # TMG-SET-9
CASTLE_WALL = "castle-wall"
RANDOM_PIECES = {
    2: "corpse-pile",
    3: "corpse-pile",
    4: "bog",
    5: "palisade",
    6: "hedge",
    7: "choice",
    8: "low-wall",
    9: "stakes",
    10: "forest",
    11: "weirwood",
    12: "weirwood",
}
"""TMG-SET-11."""


@command(
    "terrain",
    "place a terrain piece, chosen or rolled",
    ask("piece", "word", "the kind of piece; what a rolled 7 is to be"),
    ask("random", "flag", "roll 2D6 for its kind (2021)"),
    ask("faces", "dice", "the 2D6; the companion rolls where left out"),
    ask("d3", "number", "the D3 for the number of pieces, with the first random piece"),
    ask("count", "number", "how many pieces the players agree on, where it is not 4"),
    ask("side", "side", "who places it; the sides alternate"),
    phases=("set-up",),
)
def terrain(context: CommandContext, given: CommandFields) -> Refusal | None:
    """TMG-SET-7, TMG-SET-9..11; on the map it lies where it may, until its player moves it."""
    state = context.state
    if state.step != "terrain":
        return no("TMG-SET-4", "terrain is not placed now")
    play = play_of(state)
    if not state.roll_off and not play.siege:
        return no("TMG-SET-7", "roll for who places first")
    side = given.text("side", placing(state))
    if side != placing(state):
        return no(
            "TMG-MODE-SOS-4" if play.siege else "TMG-SET-7",
            "{side} places now",
            side=placing(state),
        )
    if given.has("count"):
        count = given.whole("count", max(1, len(state.pieces)), MOST_PIECES)
        context.add(field_events.piece_count, count=count)
        if not given.has("piece") and not given.flag("random"):
            return None
        if count == len(state.pieces):
            return no("TMG-SET-9", "all {n} pieces are placed", n=count)
    random = given.flag("random")
    if random and not state.rules.random_terrain:
        return no("TMG-SET-10", "this edition has no random terrain")
    agreed = given.has("count") or state.piece_count != USUAL_PIECES  # TMG-SET-9
    if random and not state.pieces and not agreed:
        d3 = given.whole("d3", 1, 3) if given.has("d3") else context.dice(1, 3)[0]
        context.add(field_events.piece_count, count=d3 + 2, faces=[d3], what="number of pieces")
    piece = given.text("piece")
    if random:
        rolled = roll_piece(context, given)
        if isinstance(rolled, Refusal):
            return rolled
        piece = piece if rolled == "choice" and piece else rolled
        if piece == "choice":
            return no("TMG-SET-11", "a 7 is the player's choice: name the piece")
    if not piece:
        return no("TMG-SET-7", "name the piece")
    if refusal := piece_refused(context.state, piece):
        return refusal
    names = state.playing
    following = side if play.siege else names[(names.index(side) + 1) % len(names)]
    lies = proposed(state, piece)
    more: dict[str, Any] = {} if lies is None else {"lies": lies.to_json()}
    context.add(field_events.piece_placed, side=side, piece=piece, next=following, **more)
    return None


def placing(state: GameState) -> str:
    """Whose turn it is to place: the defender in a siege, else in turn from the winner."""
    if play_of(state).siege:
        return next((side.id for side in state.sides if side.role == "defender"), "")
    return (state.active if state.pieces else "") or state.chooser


def roll_piece(context: CommandContext, given: CommandFields) -> str | Refusal:
    """Roll a random piece; a Corpse Pile is rerolled if the mode forbids it (FFC-20)."""
    faces = given.faces()
    barred = mode_of(context.state).facts.terrain.barred
    while True:
        rolled = faces if faces is not None else context.dice(2)
        if len(rolled) != 2:
            return no("TMG-SET-11", "2D6 are rolled for a piece")
        piece = RANDOM_PIECES[sum(rolled)]
        if piece != barred:
            return piece
        if faces is not None:
            return no("TMG-MODE-FFC-20", "a {piece} is rolled again", piece=piece)


def piece_refused(state: GameState, piece: str) -> Refusal | None:
    """Why a piece may not be chosen in this mode."""
    known = placeable(state)
    if piece not in known:
        return no(
            "TMG-TER-1",
            "no piece {piece!r}; there are: {known}",
            piece=piece,
            known=", ".join(sorted(known)),
        )
    fact = mode_of(state).facts.terrain
    if fact.barred and (fact.barred == piece or fact.barred in known[piece]):
        return no(fact.barred_rule, "a {piece} may not be placed in this mode", piece=piece)
    return None


def allowed_pieces(state: GameState) -> list[str]:
    """The kinds of pieces that may be placed in this mode."""
    return [piece for piece in sorted(placeable(state)) if piece_refused(state, piece) is None]


def placeable(state: GameState) -> dict[str, frozenset[str]]:
    """The terrain that players place; castle walls are set up by the mode alone (TMG-PCE-1..8)."""
    known = catalogue(state.game).pieces
    return {piece: keywords for piece, keywords in known.items() if piece != CASTLE_WALL}


def terrain_waits(state: GameState) -> bool:
    """Whether more terrain must be placed; players may agree on more or fewer (TMG-SET-9)."""
    return len(state.pieces) < state.piece_count and not set(state.playing) <= set(state.done)


# -- where it lies ----------------------------------------------------------------------------

TOKEN_IN = 1.0
STEP_IN, STEPS = 3.0, 7
"""Where a new piece may be put: off the objectives, so many steps from the middle."""


def proposed(state: GameState, kind: str) -> Terrain | None:
    """A new piece as near to the middle as it may lie and nothing else does; None without a table.

    Its player moves it from there (TMG-SET-7, TMG-SET-8).
    """
    if not state.table:
        return None
    table, mode = table_of(state.table), mode_of(state)
    wide, deep = next(one.size_in for one in pieces(state.game, mode.key) if one.name == kind)
    taken = {one.id for one in table.terrain}
    name = next(f"t{n}" for n in range(1, 999) if f"t{n}" not in taken)
    steps = [number * STEP_IN for number in range(-STEPS, STEPS + 1)]
    spots = sorted(((x, y) for x in steps for y in steps), key=lambda spot: math.hypot(*spot))
    tray = Tray("", wide, deep)
    found = [
        lying(Unit(name, "", "", tray, Pose(table.width / 2 + x, table.depth / 2 + y, 90.0)), kind)
        for x, y in spots
    ]
    words = catalogue(state.game).pieces[kind]
    there = (replace(one, keywords=words) for one in found)
    return next((one for one in there if lies_free(state, table, one)), None) or replace(
        found[0], keywords=words
    )


def lying(shape: Unit, kind: str) -> Terrain:
    """A piece with the outline of a tray."""
    outline = tuple((round(x, 3), round(y, 3)) for x, y in corners(shape))
    return Terrain(shape.id, outline, frozenset(), kind)


def lies_free(state: GameState, table: Table, piece: Terrain) -> bool:
    """Whether a new piece may lie there, with nothing under it."""
    shape = shapely.Polygon(piece.outline)
    inside = shapely.box(0, 0, table.width, table.depth).contains(shape)
    others = [shapely.Polygon(one.outline) for one in table.terrain]
    others += [shapely.Point(one.x, one.y).buffer(TOKEN_IN) for one in table.tokens]
    if not inside or any(map(shape.intersects, others)):
        return False
    readings = Readings.parse(state.readings)
    return terrain_place(table, mode_of(state), piece, readings=readings).verdict == "yes"


def unplaced(state: GameState) -> Iterator[tuple[DeclaredMove, Terrain]]:
    """The pieces that their players have still to put where they want them."""
    if state.phase != SET_UP or not state.table:
        return
    lie = {one.id: one for one in table_of(state.table).terrain}
    yield from (
        (one, lie[one.unit])
        for one in state.declared
        if one.action == "terrain" and one.unit in lie
    )


def held(piece: Terrain, side: str) -> Unit:
    """A piece as players hold it: it is moved and turned like a tray."""
    (fx, fy), (bx, by), _, (rx, ry) = piece.outline
    x, y = (sum(one) / 4 for one in zip(*piece.outline, strict=True))
    tray = Tray("", math.dist((fx, fy), (rx, ry)), math.dist((fx, fy), (bx, by)))
    heading = math.degrees(math.atan2(fy - by, fx - bx))
    return Unit(piece.id, side, piece.piece, tray, Pose(x, y, heading))


def with_held(state: GameState, table: Table) -> Table:
    """The table with the pieces that players hold, to be moved there."""
    more = [held(piece, move.target) for move, piece in unplaced(state)]
    return replace(table, units=(*table.units, *more)) if more else table


def with_laid(state: GameState, table: Table) -> Table:
    """The table with those pieces where players have put them."""
    for _, piece in unplaced(state):
        if piece.id not in table:
            continue
        there = replace(lying(table.unit(piece.id), piece.piece), keywords=piece.keywords)
        kept = (one for one in table.terrain if one.id != piece.id)
        table = replace(table.without(piece.id), terrain=(*kept, there))
    return table


def lies_at(state: GameState, table: Table, name: str) -> Answer | None:
    """Whether a piece that players hold may lie where a table shows it (TMG-SET-6, TMG-SET-8)."""
    laid, readings = with_laid(state, table), Readings.parse(state.readings)
    piece = next((one for one in laid.terrain if one.id == name), None)
    if piece is None:
        return None
    return terrain_place(laid, mode_of(state), piece, readings=readings)


def remind_of_laid(context: CommandContext, before: GameState, table: Table) -> None:
    """Remind of pieces that were put where they may not lie."""
    for move, _ in unplaced(before):
        answer = lies_at(before, table, move.unit) if move.unit in table else None
        if answer is not None and answer.verdict == "no":
            rules = ", ".join(answer.why)
            words = say("{piece} may not lie there: {rules}", piece=move.unit, rules=rules)
            context.remind(words)
