"""Who may give which command in a game."""

from __future__ import annotations

from companion.games.api.play import ANYBODY, Authority, Plain, asked_authority
from companion.games.thrones.play.challenge_flow import order_asked
from companion.games.thrones.play.effects import FORCED
from companion.games.thrones.play.prompts.answers import pending
from companion.games.thrones.play.state import ThronesState
from models.frozen_records import IdentityCache

OWN_SEAT = frozenset(
    "act ambush choose-cards choose-plot choose-title concede discard draw event fetch-location"
    " gold into-shadows marshal move-plot name-agenda name-discarded out-of-shadows under-agenda"
    " move mulligan pass pass-trigger place put-face-down put-into-play reserve respond reveal-plot"
    " sit use".split()
)
"""Commands in which `seat` is the player who gives them; else it is the player spoken of."""
EFFECTS = frozenset(
    "attach control gives kneel leave modify move-power power remove-from-challenge set"
    " simultaneous-power stand tokens".split()
)
"""What card texts do, and corrections: everybody may enter them."""
AGREED = frozenset(("pass", "pass-trigger", "continue", "titles-off", "end-by-time"))
PENDING = IdentityCache(pending, at_most=8)


def authority(state: ThronesState, command: Plain) -> Authority:
    """The players who may give a command now."""
    word, seat = command.get("do"), command.get("seat")
    if word in AGREED and agreed(state, command):
        return Authority(state.order, together=True)
    if word in EFFECTS:
        return ANYBODY
    if word in OWN_SEAT and seat in state.seats:
        return Authority((str(seat),))
    if word == "keyword" and state.challenge is not None:
        seats = (state.first,) if order_asked(state) else ()  # who orders agrees (AGOT-KEY-7)
        return Authority((*seats, state.challenge.winner), together=bool(seats))
    if word == "redirect-to" and state.challenge is not None:
        return Authority((state.challenge.attacker,))
    if word == "attach-set-up":
        owners = (one.controller for one in state.cards if one.id == command.get("card"))
        return Authority(tuple(owners))
    return asked_authority(PENDING(state), command)


def agreed(state: ThronesState, command: Plain) -> bool:
    """Whether a command ends everybody's opportunity to act or to react."""
    match command.get("do"):
        case "pass":
            return bool(command.get("all"))
        case "pass-trigger":
            stage = state.triggers[-1].stage if state.triggers else "occurs"
            return bool(command.get("all")) and stage not in (*FORCED, "occurs")
        case "continue":
            return state.step != "1.3.III"  # the first player orders those abilities
        case "titles-off" | "end-by-time":
            return True
    return False
