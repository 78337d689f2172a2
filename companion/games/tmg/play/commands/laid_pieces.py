"""Tokens and Corpse Piles that are laid down during the game: where they may lie, and how players
hold them until they do."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

import shapely

from companion.games.api.play import Refusal
from companion.games.tmg.play.commands.positions import (
    ON_PILE,
    free_piles,
    linked_pile,
    with_tray,
)
from companion.games.tmg.play.commands.terrain import lying
from companion.games.tmg.play.context import CommandContext, CommandFields, no
from companion.games.tmg.play.state.game_state import GameState, PendingTask, table_of
from companion.games.tmg.play.state.mode_play import mode_of
from companion.games.tmg.rules.margins import beside_in, footprint, ground, rim_in
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.setup.placement import (
    SPOT_SPARE_IN,
    new_pile_place,
    token_beside,
    token_on_pile,
)
from companion.geometry.plane.answer import Answer
from models import Pose, Table, TableToken, Terrain, Unit, catalogue
from models.frozen_records import IdentityCache
from models.message import say
from models.unit import Point, Tray

LAID = ("token", "pile")
"""The tasks in which something is laid down."""
STEP_IN = 1.0
BESIDE_IN, BESIDE_POINTS = 0.6, 24
"""Where a token is proposed: so far from a tray, one of so many places around it."""


def place_refused(state: GameState, task: PendingTask, given: CommandFields) -> Refusal | None:
    """Why something may not be placed where the players say; None without a table."""
    x, y = given.number("x", 0, 144), given.number("y", 0, 144)
    if x is None or y is None or not state.table or task.kind not in LAID:
        return None
    answer = laid_answer(state, task, table_of(state.table), shape_at(state, task, x, y))
    if answer is None or answer.verdict != "no":
        return None
    what = "Corpse Pile" if task.kind == "pile" else task.other
    rules = ", ".join(answer.why)
    return no(answer.why[0], "{piece} may not lie there: {rules}", piece=what, rules=rules)


def laid_answer(state: GameState, task: PendingTask, table: Table, shape: Unit) -> Answer | None:
    """Whether what waits may lie there; None if the table cannot show it."""
    if task.kind == "token":
        return token_answer(state, task, laid_token(shape), table)
    x, y = shape.pose.x, shape.pose.y
    shown = (one for one in free_piles(state, table) if beside_in(x, y, ground(one)) <= 0)
    return pile_answer(state, task, next(shown, None) or laid_pile(state, shape), table)


def token_answer(
    state: GameState, task: PendingTask, token: TableToken, table: Table
) -> Answer | None:
    """Whether a pending token may be placed there; None if the table cannot show it."""
    mode, readings = mode_of(state), Readings.parse(state.readings)
    if task.number == ON_PILE:
        pile = linked_pile(state.token(task.other), table, mode, state.readings)
        return None if pile is None else token_on_pile(mode, token, pile, readings)
    if task.unit not in table:
        return None
    return token_beside(table, mode, table.unit(task.unit), token, readings)


def pile_answer(state: GameState, task: PendingTask, pile: Terrain, table: Table) -> Answer | None:
    """Whether a new pile may be placed there; None if the destroyed tray is not on the table."""
    if task.unit not in table:
        return None
    return new_pile_place(table, mode_of(state), table.unit(task.unit), pile)


def remind_of_placed(context: CommandContext, before: GameState, found: Table) -> None:
    """Remind of pending tokens and piles that the table shows at illegal places."""
    if not before.table:
        return
    old = table_of(before.table)
    for task in before.tasks:
        answers: list[tuple[str, Answer | None]] = []
        if task.kind == "token":
            answers = [
                (token.id, token_answer(before, task, token, with_tray(found, old, task.unit)))
                for token in found.tokens
                if token.id == task.other and put_down(token, old)
            ]
        elif task.kind == "pile":
            known = {piece.id for piece in old.terrain}
            table = with_tray(found, old, task.unit)
            answers = [
                (pile.id, pile_answer(before, task, pile, table))
                for pile in found.terrain
                if pile.piece == "corpse-pile" and pile.id not in known
            ]
        for name, answer in answers:
            if answer is not None and answer.verdict == "no":
                rules = ", ".join(answer.why)
                context.remind(say("{piece} may not lie there: {rules}", piece=name, rules=rules))


def put_down(token: TableToken, old: Table) -> bool:
    """Whether a token was moved."""
    earlier = next((one for one in old.tokens if one.id == token.id), None)
    return earlier is None or math.dist((token.x, token.y), (earlier.x, earlier.y)) > SPOT_SPARE_IN


# -- what players hold ------------------------------------------------------------------------


def held_pieces(state: GameState) -> tuple[tuple[PendingTask, Unit], ...]:
    """What waits to be laid down, as players hold it: where it is proposed, to be moved."""
    return HELD(state) if state.table else ()


def held_of(state: GameState) -> tuple[tuple[PendingTask, Unit], ...]:
    found = []
    for task in state.tasks:
        spot = proposed(state, task) if task.kind in LAID else None
        if spot is not None and not (task.kind == "pile" and pile_shown(state, task)):
            found.append((task, shape_at(state, task, *spot)))
    return tuple(found)


HELD = IdentityCache(held_of, at_most=8)


def pile_shown(state: GameState, task: PendingTask) -> bool:
    """Whether the table shows the new Corpse Pile already."""
    earlier = task.other.split(",")
    return any(one.id not in earlier for one in free_piles(state, table_of(state.table)))


def shape_at(state: GameState, task: PendingTask, x: float, y: float) -> Unit:
    """What waits with its middle there: it is moved like a tray, a pile is turned like one."""
    side = task.side or state.side_names[0]
    if task.kind == "token":
        wide = 2 * radius(state, task.other)
        return Unit(task.other, side, "objective", Tray("", wide, wide), Pose(x, y, 90.0))
    wide, deep = mode_of(state).facts.sizes.pile
    taken = {one.id for one in table_of(state.table).terrain} if state.table else set()
    taken |= {token.pile for token in state.tokens}
    name = next(f"pile{n}" for n in range(state.piles + 1, 999) if f"pile{n}" not in taken)
    return Unit(name, side, "corpse-pile", Tray("", wide, deep), Pose(x, y, 90.0))


def radius(state: GameState, token: str) -> float:
    """The radius of a token as the table has it."""
    tokens = table_of(state.table).tokens if state.table else ()
    return next((one.radius for one in tokens if one.id == token), TableToken(token, 0, 0).radius)


def laid_token(shape: Unit) -> TableToken:
    """The token that was held so."""
    x, y = round(shape.pose.x, 3), round(shape.pose.y, 3)
    return TableToken(shape.id, x, y, shape.tray.width / 2)


def laid_pile(state: GameState, shape: Unit) -> Terrain:
    """The Corpse Pile that was held so."""
    words = catalogue(state.game).pieces["corpse-pile"]
    return replace(lying(shape, "corpse-pile"), keywords=words)


def proposed(state: GameState, task: PendingTask) -> Point | None:
    """A legal place with nothing on it, if there is one; None where the table shows none."""
    table = table_of(state.table)
    legal = []
    for x, y in spots_near(state, task, table):
        answer = laid_answer(state, task, table, shape_at(state, task, x, y))
        if answer is None or answer.verdict != "yes" or not on_table(table, x, y):
            continue
        if lies_clear(state, task, table, x, y):
            return x, y
        legal.append((x, y))
    return legal[0] if legal else None


def on_table(table: Table, x: float, y: float) -> bool:
    return 0 < x < table.width and 0 < y < table.depth


def lies_clear(state: GameState, task: PendingTask, table: Table, x: float, y: float) -> bool:
    """Whether no tray and no other token is under it."""
    shape = shape_at(state, task, x, y)
    others = (one for one in table.tokens if one.id != task.other)
    if task.kind == "pile":
        return all(rim_in(one, footprint(shape)) > 0 for one in others)
    token = laid_token(shape)
    beside = (math.dist((x, y), (one.x, one.y)) > token.radius + one.radius for one in others)
    return all(beside) and all(rim_in(token, footprint(unit)) > 0 for unit in table.units)


def spots_near(state: GameState, task: PendingTask, table: Table) -> Iterator[Point]:
    """Places to try, the likeliest first: on the token's pile, or around the unit's tray."""
    if task.number == ON_PILE and task.kind == "token":
        pile = linked_pile(state.token(task.other), table, mode_of(state), state.readings)
        yield from inside(ground(pile)) if pile is not None else ()
    elif task.unit in table and task.kind == "token":
        tray = footprint(table.unit(task.unit))
        yield from around(tray.buffer(radius(state, task.other) + BESIDE_IN))
    elif task.unit in table:
        facts = mode_of(state).facts
        tray, half = footprint(table.unit(task.unit)), max(facts.sizes.pile) / 2
        for ring in range(1, 1 + int(facts.new_pile.within if facts.new_pile is not None else 0)):
            yield from around(tray.buffer(ring * STEP_IN + half))


def around(shape: shapely.Polygon) -> Iterator[Point]:
    """Points along an outline."""
    for number in range(BESIDE_POINTS):
        point = shape.exterior.interpolate(number / BESIDE_POINTS, normalized=True)
        yield round(point.x, 3), round(point.y, 3)


def inside(shape: shapely.Polygon) -> Iterable[Point]:
    """Points of a shape, the middle first."""
    middle = shape.centroid.x, shape.centroid.y
    left, near, right, far = shape.bounds
    wide, deep = int((right - left) / STEP_IN * 2), int((far - near) / STEP_IN * 2)
    grid = [
        (left + x * STEP_IN / 2, near + y * STEP_IN / 2)
        for x in range(wide + 1)
        for y in range(deep + 1)
    ]
    return (middle, *sorted(grid, key=lambda one: math.dist(one, middle)))


def with_pieces(state: GameState, table: Table) -> Table:
    """The table with what players hold, to be moved there."""
    held = held_pieces(state)
    if not held:
        return table
    names = {shape.id for _, shape in held}
    tokens = tuple(one for one in table.tokens if one.id not in names)
    return replace(table, units=(*table.units, *(shape for _, shape in held)), tokens=tokens)


def without_pieces(
    state: GameState, table: Table, placed: Iterable[str]
) -> tuple[Table, tuple[tuple[PendingTask, Unit], ...]]:
    """The table as the game has it, and what players have put down there."""
    held = [(task, shape) for task, shape in held_pieces(state) if shape.id in table]
    down = tuple((task, table.unit(shape.id)) for task, shape in held if shape.id in placed)
    lie = {one.id: one for one in table_of(state.table).tokens} if state.table else {}
    back = [lie[shape.id] for _, shape in held if shape.id in lie]
    for _, shape in held:
        table = table.without(shape.id)
    shown = {one.id for one in table.tokens}
    more = (one for one in back if one.id not in shown)
    return replace(table, tokens=(*table.tokens, *more)), down


def piece_lies_at(state: GameState, table: Table, name: str) -> Answer | None:
    """Whether what players hold may lie where a table shows it."""
    task = next((task for task, shape in held_pieces(state) if shape.id == name), None)
    if task is None:
        return None
    shape, old = table.unit(name), table_of(state.table)
    found, _ = without_pieces(state, table, ())
    return laid_answer(state, task, with_tray(found, old, task.unit), shape)
