"""Who may give which command in a game."""

from __future__ import annotations

from companion.games.api.play import ANYBODY, Authority, Plain, asked_authority
from companion.games.tmg.play.commands.terrain import placing
from companion.games.tmg.play.flow.phases import pending
from companion.games.tmg.play.state.game_state import GameState
from models.frozen_records import IdentityCache

OWN_SIDE = frozenset("choose-role choose-zone concede continue mark pass reroll reserve".split())
"""Commands in which `side` is the player who gives them; else it is the player spoken of."""
OWN_UNIT = frozenset(
    "ability activate counter deploy free-action grant influence order redeploy".split()
)
"""Commands for the owner of the unit that they name."""
TURN = frozenset("action claim forgo quadrant swap-mission vp-token".split())
"""What the activated unit does, also while it is only about to be activated."""
AGREED = frozenset("continue deploy end-round end-turn stop".split())
"""Commands that end everybody's opportunity, if they name nobody."""
EITHER = frozenset("heal hits modify pass-test test wounds".split())
"""Effects of cards and abilities, which both players may have."""
PENDING = IdentityCache(pending, at_most=8)


def authority(state: GameState, command: Plain) -> Authority:
    """The sides that may give a command now."""
    word = command.get("do")
    if "player" in command:
        owners = (one.side for one in state.players if one.id == command["player"])
        return Authority(tuple(owners))
    if word == "first-player" and "by" in command:
        return named(state, command["by"])
    if word in OWN_SIDE and "side" in command:
        return named(state, command["side"])
    acting = command.get("ncu") if word == "influence" else command.get("unit")
    if word in OWN_UNIT and (owner := owner_of(state, acting)):
        return Authority((owner,))
    if word in AGREED or (word == "score" and command.get("confirm")):
        left = tuple(one for one in state.playing if one not in state.done)
        return Authority(left, together=len(left) > 1)
    if word in TURN and state.active:
        return Authority((state.active,))
    if word == "terrain":
        return named(state, command.get("side") or placing(state))
    if word in EITHER:
        return ANYBODY
    return asked_authority(PENDING(state), command)


def owner_of(state: GameState, unit: object) -> str:
    """The side of a unit or NCU; "" if there is none of that name."""
    units = [(one.id, one.side) for one in state.units] + [(one.id, one.side) for one in state.ncus]
    return dict(units).get(str(unit), "")


def named(state: GameState, side: object) -> Authority:
    """The side of that name alone."""
    return Authority(tuple(one.id for one in state.sides if one.id == side))
