"""Short words for buttons, offers and cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.westeros.combat.die import SYMBOL_WORDS
from companion.games.westeros.play.state import WesterosState
from companion.games.westeros.rules.terrain import TERRAIN_WORDS
from models.lazy_message import joined, say

RANK_WORDS = {"green": say("green"), "blue": say("blue"), "red": say("red")}
CLASS_WORDS = {
    "foot": say("foot"),
    "ranged": say("ranged unit"),
    "cavalry": say("cavalry"),
    "special": say("special unit"),
}
PHASE_WORDS = {
    "choose": say("Commanders"),
    "overlays": say("Overlays"),
    "place": say("Placing"),
    "reactivation": say("Reactivation phase"),
    "organisation": say("Organisation phase"),
    "command": say("Command phase"),
    "regroup": say("Regroup phase"),
    "over": say("The battle is over"),
}


def token_words(tokens: Sequence[str]) -> str:
    """Order tokens as players name them."""
    return joined([SYMBOL_WORDS[one] for one in tokens], " + ")


def choice_words(state: WesterosState, command: Mapping[str, Any]) -> str:
    """A command as the text of a button."""
    match command["do"]:
        case "begin":
            return say("Begin round 1")
        case "pass":
            return say("Pass")
        case "morale":
            if command["use"] == "raise":
                return say("Raise morale by 1")
            name = state.unit(command["unit"]).name
            return say("Lower morale by 1 and reactivate {unit}", unit=name)
        case "card":
            return say("Play a command card with {unit}", unit=state.unit(command["unit"]).name)
        case "end-turn":
            return say("End the turn")
        case "reroll":
            if "symbol" not in command:
                return say("Keep all dice")
            return say("Re-roll {symbol}", symbol=SYMBOL_WORDS[command["symbol"]])
        case "stalwart":
            return say("Ignore the first flag") if command["ignore"] else say("Retreat")
        case "parting-blow" | "counterattack":
            return say("Strike") if command["strike"] else say("Do not strike")
        case "follow":
            return say("Stay")
        case "direction":
            return say("Draw a direction marker")
        case "keep":
            if "token" not in command:
                return say("Keep no token")
            return say("Keep {symbol}", symbol=SYMBOL_WORDS[command["token"]])
        case "rebuild":
            return say("Rebuild morale") if command["yes"] else say("Leave it")
        case "commanders":
            assert state.skirmish is not None
            leaders = {one.id: one.commander for one in state.skirmish.setup_cards}
            names = {one.id: one.name for one in state.commanders}
            return joined([names[leaders[one]] for one in command["choose"]], " + ")
        case "overlay":
            return TERRAIN_WORDS[command["terrain"]]
        case "order":
            name = state.unit(command["unit"]).name
            return say("Order {unit}: {tokens}", unit=name, tokens=token_words(command["tokens"]))
        case "fight-fire":
            return say("{unit} fights the fire", unit=state.unit(command["unit"]).name)
    return say(command["do"])
