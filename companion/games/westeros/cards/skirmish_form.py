"""The form of a skirmish: the numbers of its reference card, and the set-up cards (BOW-SKM)."""

from __future__ import annotations

from typing import Any

from companion.games.api.card_form import CardForm, FormField, entry_field, form_field, form_fields
from companion.games.api.play import Plain
from companion.games.westeros.cards.battle_form import (
    ORIENTATION_WORDS,
    VICTORY,
    ZONES,
    victory_of_values,
)
from companion.games.westeros.cards.battle_plan import SIDES, BattleVictory
from companion.games.westeros.cards.card_forms import HOUSE_WORDS, NAME, RANK_OPTIONS, card_id
from companion.games.westeros.cards.catalogue import every_card
from companion.games.westeros.cards.skirmish import SetupCard, SkirmishRules
from companion.games.westeros.rules.hex_field import TERRAIN_WORDS
from models.message import say

SKIRMISH = "skirmish"
NUMBERS = {
    "rounds": say("Rounds"),
    "commanders": say("Commanders at most"),
    "value": say("Their value together at most"),
    "overlay_rows": say("Rows for overlays"),
    "commander_rows": say("Rows for commanders"),
    "unit_rows": say("Rows for units"),
    "unit_draw": say("Units drawn"),
    "terrain_draw": say("Overlays drawn"),
    "tokens": say("Command tokens"),
    "orders": say("Order value"),
    "cards": say("Command cards"),
}


def skirmish_form() -> CardForm:
    """A reference card and the set-up cards of both houses (BOW-SKM-1)."""
    return CardForm(
        SKIRMISH,
        say("Skirmish"),
        (
            *form_fields(
                SkirmishRules,
                name=NAME,
                side=say("Board side"),
                orientation=(say("Board lies"), ORIENTATION_WORDS),
                **NUMBERS,
            ),
            form_field(
                SkirmishRules,
                "mace",
                say("Mace; empty: drawn"),
                kind="option",
                options=tuple(HOUSE_WORDS.items()),
            ),
            *(
                form_field(SkirmishRules, "rout", rout_words(side), name=f"{side}_rout")
                for side in SIDES
            ),
            *form_fields(BattleVictory, **VICTORY),
            *(form_field(BattleVictory, "unit", ZONES[key], name=f"morale_{key}") for key in ZONES),
            form_field(SkirmishRules, "setup_cards", say("Set-up cards"), fields=card_fields()),
        ),
    )


def rout_words(side: str) -> str:
    return say("{house}: rout field", house=HOUSE_WORDS[side])


def card_fields() -> tuple[FormField, ...]:
    """The fields of one set-up card."""
    cards = every_card()
    leaders = tuple((one.id, one.titled) for one in cards.commanders.values())
    units = tuple((one.id, one.name) for one in cards.units.values())
    unit = (
        FormField("card", say("Unit"), "option", True, options=units),
        FormField("rank", say("Rank"), "option", True, options=RANK_OPTIONS),
    )
    return (
        FormField("house", say("House"), "option", True, options=tuple(HOUSE_WORDS.items())),
        FormField("commander", say("Commander"), "option", True, options=leaders),
        FormField("rank", say("Rank"), "option", options=RANK_OPTIONS),
        form_field(SetupCard, "units", say("Units"), fields=unit),
        form_field(
            SetupCard,
            "overlays",
            say("Overlays"),
            fields=(entry_field(SetupCard, "overlays", "overlay", say("Overlay"), TERRAIN_WORDS),),
        ),
    )


def skirmish_values(rules: SkirmishRules) -> dict[str, Any]:
    """The values of a skirmish."""
    apart = ("victory", "rout", "no_rout")
    text = {key: value for key, value in rules.to_json().items() if key not in apart}
    text |= {f"{side}_rout": rules.routs(side) for side in SIDES}
    text |= {key: getattr(rules.victory, key) for key in VICTORY}
    text |= {f"morale_{key}": n for key, n in zip(ZONES, rules.victory.morale, strict=True)}
    text["setup_card"] = [
        {**one.to_json(), "overlays": [{"overlay": word} for word in one.overlays]}
        for one in rules.setup_cards
    ]
    return text


def skirmish_of_values(values: Plain) -> dict[str, Any]:
    """The skirmish of a form as a file holds it; a set-up card is called by house and commander."""
    text: dict[str, Any] = {"id": card_id(values), "victory": victory_of_values(values)}
    for key in ("name", "side", "orientation", "mace", *NUMBERS):
        if values.get(key) not in (None, ""):
            text[key] = values[key]
    text["no_rout"] = [side for side in SIDES if values.get(f"{side}_rout") is False]
    text["setup_card"] = [
        {
            **{key: value for key, value in row.items() if value not in (None, "")},
            "id": row.get("id") or f"{row.get('house')}-{row.get('commander')}-{at + 1}",
            "units": row.get("units") or [],
            "overlays": [one.get("overlay") for one in row.get("overlays") or ()],
        }
        for at, row in enumerate(values.get("setup_card") or ())
    ]
    return text
