"""The form of a battle plan: its numbers, forces and victory points.

Its terrain and sites are edited on the board. Of printed battles the companion knows names and
some numbers; what no source prints stays empty until the players enter it from their booklet.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from companion.games.api.card_form import CardForm, FormField, FormProblem, form_field, form_fields
from companion.games.api.play import Plain
from companion.games.westeros.cards.battle_plan import (
    SIDES,
    BattlePlan,
    BattleVictory,
    PlanHouse,
    plan_faults,
)
from companion.games.westeros.cards.card_forms import HOUSE_WORDS, RANK_OPTIONS, card_id
from companion.games.westeros.cards.catalogue import FORMAT, every_card
from models.field import Field, load_toml
from models.message import BadInput, say

BATTLE = "battle"
OUTLINES = Path(__file__).parents[1] / "data" / "outlines.toml"
NUMBERS = ("tokens", "orders", "cards")
VICTORY = {
    "unit": say("Points for a unit"),
    "capture": say("Points for a captured commander"),
    "goal": say("Points that win at once"),
}
ZONES = {
    "green": say("Points for green enemy morale"),
    "yellow": say("Points for yellow enemy morale"),
    "red": say("Points for red enemy morale"),
}
ORIENTATION_WORDS = {"landscape": say("landscape"), "portrait": say("portrait")}


def battle_form() -> CardForm:
    """Everything of a plan but its board (BOW-GEN-3)."""
    houses = tuple(HOUSE_WORDS.items())
    return CardForm(
        BATTLE,
        say("Battle plan"),
        (
            *form_fields(
                BattlePlan,
                name=say("Name"),
                side=say("Board side"),
                orientation=(say("Board lies"), ORIENTATION_WORDS),
                swapped=say("The houses swap their edges, which the board shows in their colours"),
                rounds=say("Rounds"),
            ),
            form_field(BattlePlan, "mace", say("Mace"), kind="option", options=houses),
            *(one for side in SIDES for one in house_fields(side)),
            *form_fields(BattleVictory, **VICTORY),
            *(form_field(BattleVictory, "unit", ZONES[key], name=f"morale_{key}") for key in ZONES),
            form_field(
                BattleVictory,
                "holder",
                say("Wins at the end by holding sites, else the other house"),
                kind="option",
                options=houses,
            ),
            form_field(BattleVictory, "holds", say("Sites that it must hold; empty: all")),
            form_field(BattlePlan, "note", say("Note")),
        ),
    )


def house_fields(side: str) -> Iterator[FormField]:
    """The numbers and units of a house."""
    cards = every_card()
    house = HOUSE_WORDS[side]
    units = tuple((one.id, one.name) for one in cards.units.values() if one.house in ("", side))
    leaders = tuple(
        (one.id, one.titled) for one in cards.commanders.values() if one.house in ("", side)
    )
    texts = {
        "tokens": say("{house}: command tokens", house=house),
        "orders": say("{house}: order value", house=house),
        "cards": say("{house}: command cards", house=house),
        "rout": say("{house}: rout field", house=house),
    }
    for key, text in texts.items():
        yield form_field(PlanHouse, key, text, name=f"{side}_{key}")
    row = (
        FormField("card", say("Unit"), "option", True, options=units),
        FormField("rank", say("Rank"), "option", True, options=RANK_OPTIONS),
        FormField("commander", say("Commander"), "option", options=leaders),
    )
    text = say("{house}: units", house=house)
    yield form_field(PlanHouse, "units", text, name=f"{side}_units", required=False, fields=row)


# -- between plans and values ----------------------------------------------------------------------


def battle_values(plan: BattlePlan) -> dict[str, Any]:
    text: dict[str, Any] = {
        "id": plan.id,
        "name": plan.name,
        "side": plan.side,
        "orientation": plan.orientation,
        "swapped": plan.swapped,
        "rounds": plan.rounds,
        "mace": plan.mace,
    }
    for house in plan.houses:
        for key in ("tokens", "orders", "cards", "rout"):
            text[f"{house.side}_{key}"] = getattr(house, key)
        text[f"{house.side}_units"] = [one.to_json() for one in house.units]
    for key in VICTORY:
        text[key] = getattr(plan.victory, key)
    for key, points in zip(ZONES, plan.victory.morale, strict=True):
        text[f"morale_{key}"] = points
    victory = plan.victory
    if victory.holder:
        text["holder"] = victory.holder
        if victory.holds != len(victory.sites):
            text["holds"] = victory.holds
    return {**text, "note": plan.note} if plan.note else text


def battle_of_values(values: Plain) -> BattlePlan:
    """The plan of a form; the terrain and sites of the plan of that id are kept."""
    text: dict[str, Any] = {"id": card_id(values)}
    known = every_card().plans.get(text["id"])
    if known is not None:
        text |= {key: known.raw[key] for key in ("columns", "rows", "ground") if key in known.raw}
    for key in ("name", "side", "orientation", "swapped", "rounds", "mace", "note"):
        if values.get(key) not in (None, ""):
            text[key] = values[key]
    before = dict(known.raw.get("victory", {})) if known is not None else {}
    text["victory"] = before | victory_of_values(values)
    for key in ("holder", "holds"):  # what was emptied is gone
        text["victory"].pop(key, None)
        if values.get(key):
            text["victory"][key] = values[key]
    text["house"] = [house_of_values(values, side) for side in SIDES]
    return BattlePlan.read(Field(text), every_card())


def victory_of_values(values: Plain) -> dict[str, Any]:
    """The victory points of a form."""
    victory = {key: values[key] for key in VICTORY if values.get(key) is not None}
    return {**victory, "morale": [values.get(f"morale_{key}") or 0 for key in ZONES]}


def house_of_values(values: Plain, side: str) -> dict[str, Any]:
    """One house of a form."""
    house: dict[str, Any] = {"side": side, "rout": bool(values.get(f"{side}_rout"))}
    for key in NUMBERS:
        if values.get(f"{side}_{key}") is not None:
            house[key] = values[f"{side}_{key}"]
    house["units"] = [
        {key: value for key, value in row.items() if value not in (None, "")}
        for row in values.get(f"{side}_units") or ()
    ]
    return house


ASKED = ("rounds", *(f"{side}_{key}" for side in SIDES for key in NUMBERS))
"""The numbers without which no battle can be played."""


def battle_problems(values: Plain) -> Iterator[FormProblem]:
    """What keeps the values from being a battle, under the names of the form's fields."""
    try:
        plan = battle_of_values(values)
    except BadInput as error:
        yield FormProblem(error.problem, field_of(error.place))
        return
    for house in plan.houses:
        field = f"{house.side}_units"
        if not house.units:
            yield FormProblem(say("a house has no units"), field)
    for place, text in plan_faults(plan):
        yield FormProblem(text, place)


def field_of(place: str) -> str:
    """The field of the form at a place of the plan: `house[0].units[2].cell` is `stark_units…`."""
    for at, side in enumerate(SIDES):
        place = place.replace(f"house[{at}].", f"{side}_")
    return place.removeprefix("victory.")


# -- printed battles -------------------------------------------------------------------------------


@cache
def outlines() -> dict[str, dict[str, Any]]:
    """What is known of printed battles, as values of the form by id."""
    root = load_toml(OUTLINES)
    root.keys({"format", "outline"}, {"format", "outline"})
    root.member("format").choice((FORMAT,))
    return {str(one.raw["id"]): dict(one.raw) for one in root.member("outline").items(60)}
