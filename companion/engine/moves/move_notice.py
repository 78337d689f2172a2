"""The notice about a moved tray: which action explains the move, or how far off the nearest is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from companion import games
from companion.engine.app_words import _, ruler
from companion.engine.snapshot import Notice, Snapshot
from companion.text.verdicts import Reason
from models import CompanionError, Pose, Table
from models.board_table import BoardTable
from models.cell import Cell

STILL_IN, STILL_DEG = 0.1, 1.0
"""A tray that ends this close to its old place has not moved."""


def explained(
    table: Table,
    unit: str,
    end: Pose,
    readings: Any,
    snapshot: Snapshot | None = None,
    declared: frozenset[str] = frozenset(),
) -> Notice | None:
    """The game's judgement of the move; None if the tray is back at its old place.

    A piece that may not move now is not told which action would explain it. `declared` are the
    words of the commands of this turn: the pieces and the actions they name.
    """
    before = table.unit(unit).pose
    if still(before, end):
        return None
    snapshot = snapshot or Snapshot()
    after = table.moved(unit, end)
    game = games.find(table.game)
    found = game.check(table, after, unit, readings)
    legal = [name for name, answer in found.items() if answer["answer"] != "no"]
    far = math.hypot(end.x - before.x, end.y - before.y)
    title = _("{unit} moved {length}", unit=_(snapshot.name(unit)), length=ruler().length(far))
    if unit not in declared and not in_turn(snapshot, unit):
        return Notice(unit, title, out_of_turn(snapshot, unit), False, before, after, False)
    acts = unit in declared
    sure = [name for name in legal if found[name]["answer"] == "yes"]
    known = frozenset(sure if acts else ())
    if legal:
        detail = allowed(found, legal, snapshot)
        return Notice(unit, title, detail, True, before, after, True, known)
    detail, rules = missed(found, game.reason)
    return Notice(unit, title, detail, False, before, after, True, known, rules)


def in_turn(snapshot: Snapshot, unit: str) -> bool:
    """Whether the game lets this piece act now."""
    piece, view = snapshot.piece(unit), snapshot.view
    if piece is None or view is None or piece.state == "acting":
        return True
    others = any(one.state == "acting" for one in view.pieces)
    return piece.state == "ready" and piece.seat in view.active and not others


def out_of_turn(snapshot: Snapshot, unit: str) -> str:
    """Why a piece may not move now."""
    piece = snapshot.piece(unit)
    if piece is not None and piece.state == "spent":
        return _("It has already acted this round.")
    acting = next((one.name for one in snapshot.pieces if one.state == "acting"), "")
    if acting:
        return _("It is the turn of {unit}.", unit=_(acting))
    return _("It is not its turn.")


def cell_verdict(
    table: BoardTable, piece: str, cell: Cell, readings: Any, snapshot: Snapshot
) -> str:
    """Why a piece may not go to a cell of the board; empty if the game does not say."""
    if not in_turn(snapshot, piece):
        return out_of_turn(snapshot, piece)
    game = games.find(table.game)
    try:
        found = game.check(table, table.moved(piece, cell), piece, readings)
    except CompanionError:  # it cannot check moves
        return ""
    rules = min((answer["why"] for answer in found.values()), key=len, default=())
    reasons = dict.fromkeys(_(game.reason(rule)) for rule in rules if game.reason(rule))
    return "; ".join(reasons)


def still(before: Pose, now: Pose) -> bool:
    """Whether two poses are the same within the tolerance."""
    turned = abs((now.heading - before.heading + 180) % 360 - 180)
    return math.hypot(now.x - before.x, now.y - before.y) < STILL_IN and turned < STILL_DEG


def allowed(found: Mapping[str, Any], legal: list[str], snapshot: Snapshot) -> str:
    """The actions that explain the move, as text."""
    close = f" ({_('too close to call')})"
    actions = ", ".join(
        _(name) + (close if found[name]["answer"] == "unsure" else "") for name in legal
    )
    pieces = dict.fromkeys(
        _(snapshot.name(danger["piece"]))
        for name in legal
        for danger in found[name].get("dangers", ())
    )
    if not pieces:
        return actions
    return f"{actions} · {_('wounds by {pieces}', pieces=', '.join(pieces))}"


def missed(found: Mapping[str, Any], reason: Reason) -> tuple[str, tuple[str, ...]]:
    """The action that comes nearest and why it is not allowed; the numbers of the rules."""
    name, answer = min(found.items(), key=lambda item: item[1].get("over") or math.inf)
    over = answer.get("over") or 0.0
    far = _("{length} too far", length=ruler().length(over)) if over else ""
    why = "; ".join(dict.fromkeys(_(reason(rule)) for rule in answer["why"] if reason(rule)))
    told = " · ".join(part for part in (_(name), far, why) if part)
    return told, tuple(dict.fromkeys(answer["why"]))
