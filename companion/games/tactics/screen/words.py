"""Short words for buttons, offers and cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.tactics.play.state import SkirmishState
from models.lazy_message import joined, say

AGENDAS = {
    "A1": say("Heroes unharmed: 2 points if no hero was killed or captured"),
    "A2": say("Spent out: 2 points for spending the last coin first"),
    "A3": say("Hold the field: 2 points for more objectives at the end"),
    "A4": say("Into their camp: 2 points for two soldiers in the enemy zone"),
    "A5": say("No leaders left: 2 points if all enemy characters are dead"),
}
KINDS = {"hero": say("hero"), "veteran": say("veteran"), "soldier": say("soldier")}
ZONE_WORDS = {"gold": say("Take the gold zone"), "silver": say("Take the silver zone")}


def agenda_words(card: str) -> str:
    """An agenda in one line."""
    return AGENDAS.get(card, card)


def choice_words(state: SkirmishState, command: Mapping[str, Any]) -> str:
    """A command as the text of a button."""
    match command["do"]:
        case "zone":
            return ZONE_WORDS[command["zone"]]
        case "start-marker":
            player = state.squad(command["side"]).player
            return say("Start marker for {player}", player=player)
        case "deployed":
            return say("Deployment is complete")
        case "begin":
            return say("Begin round 1")
        case "end-round":
            return say("Count the points")
        case "pass":
            return say("Pass (2 copper stars)")
        case "end":
            return say("End the activation")
        case "wait":
            return say("Wait")
        case "defend":
            effects = command.get("effects", ())
            return joined(effects) if effects else say("No ability")
        case "aftermath":
            name = state.figure(command["figure"]).name
            return say("{figure}: {ability}", figure=name, ability=command["ability"])
        case "fate":
            return say("Kill") if command["choose"] == "kill" else say("Capture")
        case "leaf":
            return say("A stake pit") if command["pit"] else say("Nothing")
        case "continue":
            return say("Go on")
        case "strike":
            return say("Attack")
        case "activate":
            return say("Activate {figure}", figure=state.figure(command["figure"]).name)
    return say(command["do"])
