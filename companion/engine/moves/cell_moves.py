"""A piece that was moved on a board: the cells on which it may stand, and what that means."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from companion import games
from companion.engine.moves.cell_ways import AT_ONCE, Way, ways_to
from companion.engine.moves.move_verdict import MoveVerdict, out_of_turn
from companion.engine.snapshot import CellMove, Snapshot
from companion.engine.turn.selection import in_turn
from companion.games.api.play import Plain
from companion.games.api.prompt import ActionOffer, TargetCell
from companion.geometry.grid.placing import likely_cells
from models import CompanionError, Pose
from models.board import Cell, cell_text
from models.board_table import HAND_SHARE, BoardPiece, BoardTable, Measured
from models.message import joined, say


def chances(table: BoardTable, piece: BoardPiece, pose: Pose) -> dict[Cell, float]:
    """The cells on which a piece seen at a pose may stand, the most probable first."""
    sigma = math.hypot(pose.sigma.xy_in, HAND_SHARE * table.board.cell_in)
    seen = replace(piece, cell=None, measured=Measured(pose.x, pose.y, sigma))
    found = likely_cells(table.board, seen)
    return dict(sorted(found.items(), key=lambda one: -one[1]))


def cell_move(
    snapshot: Snapshot,
    table: BoardTable,
    piece: str,
    pose: Pose,
    offers: Sequence[ActionOffer],
    readings: Any = None,
) -> CellMove | None:
    """What a settled move of a piece means; None if it stands where the game has it.

    `offers` are those of the piece, `readings` those of the game.
    """
    here = table.piece(piece)
    found = chances(table, here, pose)
    if found and next(iter(found)) == here.cell:
        return None
    name = snapshot.name(piece)
    if not found:
        return CellMove(piece, name, say("It stands beside the board. Put it back."))
    asked = prompted(snapshot, piece)
    every = [
        (Way(TargetCell(cell, asked[cell])),) if cell in asked else ways_to(offers, piece, cell)
        for cell in found
    ]
    pairs = zip(every, found, strict=True)
    cells = tuple(
        replace(ways[0].target if ways else barred(cell, here.cell), piece=piece)
        for ways, cell in pairs
    )
    spot = cells[0].cell if len(cells) == 1 else None
    if len(cells) > 1:
        told = say("Which space does {unit} stand on?", unit=name)
        return CellMove(piece, name, told, cells, pose=pose)
    if ways := every[0]:
        return asked_about(CellMove(piece, name, "", cells, pose=pose, spot=spot), ways)
    if asked:
        told = say("It goes to one of the marked spaces.")
        goals = tuple(TargetCell(cell, commands, piece=piece) for cell, commands in asked.items())
        return CellMove(piece, name, told, goals, pose=pose, spot=spot)
    why = refused_place(table, piece, cells[0].cell, offers, readings, snapshot)
    stands = table.moved(piece, cells[0].cell)
    never = games.find(table.game).barred(stands, piece, readings)
    return CellMove(piece, name, why, cells, pose=pose, spot=spot, barred=never)


def refused_place(
    table: BoardTable,
    piece: str,
    cell: Cell,
    offers: Sequence[ActionOffer],
    readings: Any,
    snapshot: Snapshot,
) -> str:
    """Why a piece may not stand where a hand has put it, and what now."""
    why = beyond_all(offers, cell) or cell_verdict(table, piece, cell, readings, snapshot)
    if why == CANNOT_MOVE and (idle := not_begun(offers)):
        return say("It cannot move now: {why}.", why=idle)
    put_back = say("It may not stand there now. Put it back.")
    if not why:
        return put_back
    return joined((why, put_back), " " if str(why).endswith(".") else ". ")


def asked_about(move: CellMove, ways: tuple[Way, ...]) -> CellMove:
    """A piece that may stand where it stands, in these ways."""
    told = say("It stands on another space.")
    if len({one.name for one in ways}) > 1:
        told = say("Which action was it?")
    elif ways[0].begins:
        told = say("It may move there if it does this first:")
    return replace(move, detail=told, ways=ways)


def barred(cell: Cell, stood: Cell | None) -> TargetCell:
    """A cell to which a piece may not go: only the one where the game has it is no fault."""
    return TargetCell(cell, (), "" if cell == stood else "barred")


def place_corrections(snapshot: Snapshot, pieces: Collection[str]) -> list[Plain]:
    """The commands that only correct on which cells pieces stand, in an order in which each finds
    its cell free; those that would change places with each other are left to the players."""
    table = snapshot.gridded
    moves = {one.piece: one for one in snapshot.cell_moves if one.piece in pieces}
    goals = {
        piece: move.spot
        for piece, move in moves.items()
        if move.spot is not None and (view := snapshot.piece(piece)) is not None and view.puts
    }
    if table is None:
        return []
    found: list[Plain] = []
    while goals:
        held = {one.cell for one in table.pieces if one.id in goals}
        free = next((one for one, goal in goals.items() if goal not in held), None)
        if free is None:
            break
        view, cell = snapshot.piece(free), goals.pop(free)
        if view is not None:
            found.append({**view.puts, "to": cell_text(cell)})
    return found


def prompted(snapshot: Snapshot, piece: str) -> dict[Cell, tuple[Plain, ...]]:
    """The cells to which a prompt sends a piece: a retreat, a pursuit, a surge."""
    return {
        target.cell: target.commands
        for prompt in snapshot.prompts
        if prompt.mover == piece
        for target in prompt.cells
    }


def still_open(moves: Sequence[CellMove], table: BoardTable) -> tuple[CellMove, ...]:
    """The moves that the game does not know yet."""
    return tuple(
        one
        for one in moves
        if one.piece in table
        and not (one.cells and table.piece(one.piece).cell == one.cells[0].cell)
    )


def beyond_all(offers: Sequence[ActionOffer], cell: Cell) -> str:
    """Why not even several actions in one go bring a piece to a cell, if an offer says so."""
    found = (one for one in offers if one.kind == AT_ONCE and not one.possible and one.at(cell))
    return next((one.reason for one in found), "")


CANNOT_MOVE = say("It cannot move now. Tap it to see what it may do.")


def not_begun(offers: Sequence[ActionOffer]) -> str:
    """Why a piece may not begin to act, as the game says it."""
    reasons = (one.reason for one in offers if one.begins and not one.possible)
    return next((one for one in reasons if one), "")


def cell_verdict(
    table: BoardTable, piece: str, cell: Cell, readings: Any, snapshot: Snapshot
) -> str:
    """Why a piece may not go to a cell of the board; empty if the game does not say."""
    if not in_turn(snapshot, piece):
        return out_of_turn(snapshot, piece)
    try:
        game, there = games.find(table.game), table.moved(piece, cell)
        if never := game.barred(there, piece, readings):  # the ground, whatever the way to it
            return never
        found = game.check(table, there, piece, readings)
    except CompanionError:  # it cannot check moves
        return ""
    move = MoveVerdict.read(next(iter(found.values())))  # a plain move comes first
    if move.answer == "yes":
        return CANNOT_MOVE
    told = dict.fromkeys(game.reason(rule) for rule in move.why if game.reason(rule))
    if move.over:
        told.pop(say("too far"), None)
        told = {cells_too_far(move): None, **told}
    return joined(told, "; ")


def cells_too_far(move: MoveVerdict) -> str:
    """By how many cells a way is too long."""
    n = round(move.over)
    if move.cost:
        return say("too far: by {n}, for the way round is {far} spaces", n=n, far=move.cost)
    return say("too far: by {n}", n=n)
