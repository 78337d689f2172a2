"""Who may give which command in a battle."""

from __future__ import annotations

from companion.games.api.play import Authority, Plain, asked_authority
from companion.games.westeros.play.prompts import pending
from companion.games.westeros.play.state import WesterosState
from models.frozen_records import IdentityCache

OWN_SIDE = ("commanders", "concede", "draw")
"""Commands in which `side` is the player who gives them."""
PENDING = IdentityCache(pending, at_most=8)


def authority(state: WesterosState, command: Plain) -> Authority:
    """The houses that may give a command now."""
    word = command.get("do")
    sides = tuple(one.side for one in state.houses)
    if word in OWN_SIDE:
        return Authority(tuple(one for one in sides if one == command.get("side")))
    if word == "commit":
        return Authority(tuple(one.side for one in state.units if one.id == command.get("unit")))
    if word in ("begin", "stop"):  # everybody is ready
        return Authority(sides, together=True)
    return asked_authority(PENDING(state), command)
