"""Moves that the game has decided while the table still shows the trays where they were."""

from __future__ import annotations

from companion.games.api.prompt import ActionOffer
from companion.games.tmg.play.names import GameNames, names_of
from companion.games.tmg.play.state.game_state import DeclaredMove, GameState, table_of
from models.message import say

AXES = (0.0, 90.0, 180.0, 270.0)


def due_moves(state: GameState) -> tuple[ActionOffer, ...]:
    """The declared moves of units that stand on the newest table, in order."""
    if not state.table:
        return ()
    names, table = names_of(state), table_of(state.table)
    return tuple(
        offer_of(state, names, one)
        for one in state.declared
        if one.unit in table and one.unit not in state.hidden and is_due(state, one)
    )


def is_due(state: GameState, move: DeclaredMove) -> bool:
    """Whether it is still to be made: a shift only before the dice of its shot (TMG-RNG-5)."""
    if not state.has_unit(move.unit) or not state.unit(move.unit).standing:
        return False
    if move.action != "shift":
        return True
    now = state.attack
    return now is not None and now.attacker == move.unit and now.stage == "attack-dice"


def offer_of(state: GameState, names: GameNames, move: DeclaredMove) -> ActionOffer:
    """The move as an offer of its unit."""
    unit, foes = names.of(move.unit), state.unit(move.unit).engaged
    kind, reach = move.action, move.reach or None
    if move.action == "retreat":
        text = say("{unit} retreats up to {reach:g}″", unit=unit, reach=move.reach)
    elif move.action == "pivot" and foes:  # TMG-MEL-3
        kind = "turn"
        text = say("{unit} turns its front to {target}", unit=unit, target=names.of(foes[0]))
    elif move.action == "pivot":
        text, reach = say("{unit} may make a free pivot", unit=unit), 0.0
    elif move.action == "shift":
        text = say("{unit} may shift up to 2″ first", unit=unit)
    elif move.action == "charge" and move.target in foes:
        target, reach = names.of(move.target), None
        text = say("{unit} moves into contact with {target}", unit=unit, target=target)
    elif move.action == "charge":
        text, reach = say("{unit} moves as far as its charge comes", unit=unit), None
    else:
        text = say("{unit}: {action}", unit=unit, action=say(move.action))
    lines = AXES if move.action in ("retreat", "shift") else ()  # TMG-RET-3, -4, TMG-MOV-5
    return ActionOffer(kind, text, (), move.unit, move.target, moves=True, reach=reach, lines=lines)
