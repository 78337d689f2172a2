"""The form of a command card: what players enter, and the card it becomes."""

from __future__ import annotations

from typing import Any

from companion.games.api.card_form import CardForm, FormField
from companion.games.api.play import Plain
from companion.games.westeros.cards.card_forms import HOUSES, card_id
from companion.games.westeros.cards.catalogue import every_card
from companion.games.westeros.cards.command_card import (
    MOST_COMMANDS,
    MOST_ORDERED,
    MOST_TOKENS,
    CommandCard,
)
from companion.games.westeros.cards.morale_track import ZONE_WORDS
from companion.games.westeros.combat.die import SYMBOL_WORDS
from models.field import Field
from models.lazy_message import say

COMMAND = "command"
ZONES = tuple((name, words) for name, words in ZONE_WORDS.items() if name != "grey")
SYMBOLS = tuple(SYMBOL_WORDS.items())


def command_form() -> CardForm:
    """The numbers of a command card that the rules check (BOW-CRD-2, BOW-CRD-9, BOW-CRD-12)."""
    commanders = tuple((one.id, one.name) for one in every_card().commanders.values())
    token = FormField("tokens", say("Command tokens"), "number", True, most=MOST_TOKENS)
    symbol = FormField("token", say("Order token"), "option", True, options=SYMBOLS)
    return CardForm(
        COMMAND,
        say("Command card"),
        (
            FormField("name", say("Name"), required=True),
            FormField("house", say("House"), suggest=HOUSES),
            FormField("commander", say("Commander"), "option", options=commanders),
            FormField("commands", say("Commands"), "rows", most=MOST_COMMANDS, fields=(token,)),
            FormField("units", say("Units ordered"), "number", most=MOST_ORDERED),
            FormField("dice", say("Dice added"), "number", least=-5, most=5),
            FormField("needs", say("Tokens checked"), "rows", most=9, fields=(symbol,)),
            FormField("own_morale", say("Own morale or better"), "option", options=ZONES),
            FormField("enemy_morale", say("Enemy morale or worse"), "option", options=ZONES),
        ),
    )


def command_values(card: CommandCard) -> dict[str, Any]:
    """The values of a card."""
    text = {
        **card.plain(),
        "commands": [{"tokens": cost} for cost in card.costs],
        "needs": [{"token": one} for one in card.needs],
    }
    return {key: value for key, value in text.items() if value not in ("", None)}


def command_of_values(values: Plain) -> CommandCard:
    """The command card of a form."""
    text: dict[str, Any] = {"id": card_id(values)}
    for key in ("name", "house", "commander", "units", "dice", "own_morale", "enemy_morale"):
        if values.get(key) not in (None, ""):
            text[key] = values[key]
    if values.get("commands"):
        text["commands"] = [row.get("tokens") for row in values["commands"]]
    text["needs"] = [row.get("token") for row in values.get("needs") or ()]
    return CommandCard.read(Field(text))
