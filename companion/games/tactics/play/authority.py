"""Who may give which command in a battle."""

from __future__ import annotations

from companion.games.api.play import Authority, Plain, asked_authority
from companion.games.tactics.play.defence import ROLL_ITEMS, aftermath_figures, item_bearers
from companion.games.tactics.play.prompts import pending
from companion.games.tactics.play.state import SkirmishState
from models.frozen_records import IdentityCache

OWN_SIDE = ("agenda", "concede", "note-agenda", "no-motivation")
"""Commands in which `side` is the player who gives them; else it is the player spoken of."""
OWN_FIGURE = (
    "activate", "deploy", "ability", "aftermath", "motivation", "nemesis", "will", "grant",
    "agenda-action",
)  # fmt: skip
"""Commands for the owner of the figure that they name."""
AGREED = ("laid", "begin", "end-round", "battle-end", "stop")
"""Commands that end everybody's opportunity."""
PENDING = IdentityCache(pending, at_most=8)


def authority(state: SkirmishState, command: Plain) -> Authority:
    """The sides that may give a command now."""
    word = command.get("do")
    if word in OWN_SIDE:
        return Authority(tuple(one for one in state.sides if one == command.get("side")))
    if word in OWN_FIGURE:
        owners = (one.side for one in state.figures if one.id == command.get("figure"))
        return Authority(tuple(owners))
    if word in AGREED or (word == "continue" and len(aftermath_figures(state)) > 1):
        return Authority(state.sides, together=True)
    if word == "announce" and command.get("item") in ROLL_ITEMS and state.tasks:
        bearers = item_bearers(state, str(command["item"]))
        if bearers:  # they may be opponents of the side that rolls (TAC-EQP-6)
            return Authority((bearers[0].side,))
    return asked_authority(PENDING(state), command)
