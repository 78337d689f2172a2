"""The forms of unit, commander and command cards: what players enter, and the cards they become."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.games.api.card_form import (
    CardForm,
    FormField,
    FormProblem,
    entry_field,
    form_field,
    form_fields,
)
from companion.games.api.play import Plain
from companion.games.shared.own_files import slug
from companion.games.westeros.cards.catalogue import every_card
from companion.games.westeros.cards.command_card import ZONE_WORDS, CommandCard
from companion.games.westeros.cards.unit_cards import (
    KEYWORDS,
    MOST_KEYWORDS,
    MOST_NUMBER,
    NUMBERED,
    RANKS,
    CommanderCard,
    OrderOption,
    OrderRow,
    UnitReference,
)
from companion.games.westeros.combat.die import SYMBOL_WORDS
from models.field import Field
from models.message import BadInput, say

UNIT, COMMANDER = "unit", "commander"
HOUSE_WORDS = {"stark": say("Stark"), "lannister": say("Lannister")}
CLASS_WORDS = {
    "foot": say("foot"),
    "ranged": say("ranged unit"),
    "cavalry": say("cavalry"),
    "special": say("special unit"),
}
RANK_OPTIONS = (("green", say("green")), ("blue", say("blue")), ("red", say("red")))
KEYWORD_FIELDS = (
    FormField("keyword", say("Keyword"), "option", True, options=tuple(KEYWORDS.items())),
    FormField("number", say("Its number"), "number", most=MOST_NUMBER),
)
KEYWORD_ROWS = FormField(
    "keywords", say("Keywords"), "rows", most=MOST_KEYWORDS, fields=KEYWORD_FIELDS
)
ROW_FIELDS = (
    FormField("rank", say("Rank"), "option", True, options=RANK_OPTIONS),
    form_field(OrderOption, "hexes", say("Hexes before an attack"), name="move", required=False),
    form_field(OrderOption, "hexes", say("Hexes without an attack"), name="far", required=False),
    *form_fields(OrderRow, dice=say("Dice"), range=say("Range")),
    FormField("no_valour", say("No valour hit"), "flag"),
)
NAME = say("Name")
NOT_ENTERED = {
    "limit": say("not entered yet: no limit is counted"),
    "capture": say("not entered yet: asked for when it is needed"),
    "rows": say("not entered yet: the companion takes a usual number"),
}


def house_field(record: type) -> FormField:
    """The house of a card: one of the two, or another one that a card of the players names."""
    box = every_card()
    named = [
        *(one.house for one in box.units.values()),
        *(one.house for one in box.commanders.values()),
        *(one.house for one in box.commands.values()),
    ]
    others = {house: house for house in named if house not in ("", *HOUSE_WORDS)}
    houses = tuple({**HOUSE_WORDS, **others}.items())
    return form_field(record, "house", say("House"), kind="option", options=houses)


def unit_form() -> CardForm:
    """The form of a unit reference card: a row for each rank (BOW-UNT-8)."""
    return CardForm(
        UNIT,
        say("Unit card"),
        (
            *form_fields(UnitReference, name=NAME, short=say("Short name")),
            house_field(UnitReference),
            *form_fields(UnitReference, kind=(say("Class"), CLASS_WORDS), strength=say("Figures")),
            FormField("rows", say("Ranks"), "rows", most=len(RANKS), fields=ROW_FIELDS),
            KEYWORD_ROWS,
            form_field(UnitReference, "text", say("What it does")),
        ),
    )


def commander_form() -> CardForm:
    """The form of a commander card (BOW-CDR-7)."""
    cards = every_card().units.values()
    units, houses = tuple((one.id, one.name) for one in cards), {one.id: one.house for one in cards}
    return CardForm(
        COMMANDER,
        say("Commander card"),
        (
            *form_fields(CommanderCard, name=NAME, title=say("Title")),
            house_field(CommanderCard),
            form_field(
                CommanderCard,
                "unit",
                say("Unit"),
                kind="option",
                options=units,
                offered_if=("house", houses),
            ),
            *form_fields(
                CommanderCard,
                limit=say("Command limit"),
                capture=say("Capture value"),
                value=say("Value in skirmishes"),
            ),
            KEYWORD_ROWS,
            form_field(CommanderCard, "text", say("What its abilities do")),
        ),
    )


# -- from cards to values --------------------------------------------------------------------------


def keyword_rows(keywords: Mapping[str, int]) -> list[dict[str, Any]]:
    return [{"keyword": word, "number": number} for word, number in keywords.items()]


def unit_values(card: UnitReference) -> dict[str, Any]:
    """The values of a unit card; ranks of a card that nobody has entered stay empty."""
    rows: list[dict[str, Any]] = []
    ranks = [row.keywords for row in card.rows.values()]
    shared = {
        word: number
        for word, number in ranks[0].items()
        if word != "no-valour" and all(one.get(word) == number for one in ranks)
    }
    for rank, row in card.rows.items():
        if rank in card.missing:
            continue
        before = max((one.hexes for one in row.options if one.attack), default=0)
        far = max((one.hexes for one in row.options if not one.attack), default=0)
        values: dict[str, Any] = {
            "rank": rank,
            "move": before,
            "dice": row.dice,
            "range": row.range,
        }
        values["no_valour"] = "no-valour" in row.keywords
        own = {k: n for k, n in row.keywords.items() if k not in shared and k != "no-valour"}
        if own:  # no field of the form: kept with its row
            values["keywords"] = keyword_rows(own)
        rows.append({**values, "far": far} if far else values)
    text: dict[str, Any] = {"id": card.id, "name": card.name, "class": card.kind}
    for key in ("short", "house", "text"):
        if value := getattr(card, key):
            text[key] = value
    if card.traits:
        text["traits"] = list(card.traits)
    return {**text, "strength": card.strength, "rows": rows, "keywords": keyword_rows(shared)}


def commander_values(card: CommanderCard) -> dict[str, Any]:
    text = {**card.to_json(), "keywords": keyword_rows(card.keywords)}
    return {key: value for key, value in text.items() if value not in ("", None)}


# -- from values to cards --------------------------------------------------------------------------


def keyword_texts(values: Plain) -> list[str]:
    found = []
    for row in values.get("keywords") or ():
        number = row.get("number")
        numbered = row.get("keyword") in NUMBERED and number
        found.append(f"{row.get('keyword')} {number}" if numbered else str(row.get("keyword")))
    return found


def card_id(values: Plain) -> str:
    """The id of a card that has one, else one from its name."""
    return str(values.get("id") or slug(str(values.get("name") or "")))


def unit_of_values(values: Plain) -> UnitReference:
    """The unit card of a form; ranks that were left out are those of a unit without a card."""
    text: dict[str, Any] = {"id": card_id(values), "keywords": keyword_texts(values)}
    for key in ("name", "short", "house", "class", "strength", "text", "traits"):
        if values.get(key) not in (None, ""):
            text[key] = values[key]
    for row in values.get("rows") or ():
        options = []
        if row.get("move") is not None:
            options.append({"move": row["move"], "attack": True})
        if row.get("far"):
            options.append({"move": row["far"]})
        plain: dict[str, Any] = {"options": options} if options else {}
        plain |= {key: row[key] for key in ("dice", "range") if row.get(key)}
        own = keyword_texts(row) + (["no-valour"] if row.get("no_valour") else [])
        if own:
            plain["keywords"] = own
        text[str(row.get("rank"))] = plain
    if not all(rank in text for rank in RANKS):
        text |= {"sure": False, "entered": [rank for rank in RANKS if rank in text]}
    return UnitReference.read(Field(text))


def commander_of_values(values: Plain) -> CommanderCard:
    text: dict[str, Any] = {"id": card_id(values), "keywords": keyword_texts(values)}
    for key in ("name", "title", "house", "unit", "limit", "capture", "value", "text"):
        if values.get(key) not in (None, ""):
            text[key] = values[key]
    return CommanderCard.read(Field(text))


def form_problems(kind: str, values: Plain) -> Iterator[FormProblem]:
    """What is wrong with the values, and what nobody has entered yet."""
    try:
        if kind == COMMANDER:
            card = commander_of_values(values)
            missing = [("limit", card.limit), ("capture", card.capture)]
        else:
            unit_of_values(values)
            given = {row.get("rank") for row in values.get("rows") or ()}
            missing = [("rows", 1 if given >= set(RANKS) else None)]
    except BadInput as error:
        yield FormProblem(error.problem, error.place)
        return
    for field, value in missing:
        if value is None:
            yield FormProblem(NOT_ENTERED[field], field, stops=False)


COMMAND = "command"


def command_form() -> CardForm:
    """The numbers of a command card that the rules check (BOW-CRD-2, BOW-CRD-9, BOW-CRD-12)."""
    cards = every_card().commanders.values()
    commanders, houses = (
        tuple((one.id, one.titled) for one in cards),
        {one.id: one.house for one in cards},
    )
    token = entry_field(CommandCard, "costs", "tokens", say("Command tokens"))
    symbol = entry_field(CommandCard, "needs", "token", say("Order token"), SYMBOL_WORDS)
    leader = say("Commander")
    return CardForm(
        COMMAND,
        say("Command card"),
        (
            form_field(CommandCard, "name", NAME),
            house_field(CommandCard),
            form_field(
                CommandCard,
                "commander",
                leader,
                kind="option",
                options=commanders,
                offered_if=("house", houses),
            ),
            form_field(CommandCard, "costs", say("Commands"), fields=(token,)),
            *form_fields(CommandCard, units=say("Units ordered"), dice=say("Dice added")),
            form_field(CommandCard, "needs", say("Tokens checked"), fields=(symbol,)),
            *form_fields(
                CommandCard,
                own_morale=(say("Own morale or better"), ZONE_WORDS),
                enemy_morale=(say("Enemy morale or worse"), ZONE_WORDS),
                text=say("What it does"),
            ),
        ),
    )


def command_values(card: CommandCard) -> dict[str, Any]:
    text = {
        **card.to_json(),
        "commands": [{"tokens": cost} for cost in card.costs],
        "needs": [{"token": one} for one in card.needs],
    }
    return {key: value for key, value in text.items() if value not in ("", None)}


def command_of_values(values: Plain) -> CommandCard:
    """The command card of a form."""
    text: dict[str, Any] = {"id": card_id(values)}
    for key in (
        "name",
        "house",
        "commander",
        "units",
        "dice",
        "own_morale",
        "enemy_morale",
        "text",
    ):
        if values.get(key) not in (None, ""):
            text[key] = values[key]
    if values.get("commands"):
        text["commands"] = [row.get("tokens") for row in values["commands"]]
    text["needs"] = [row.get("token") for row in values.get("needs") or ()]
    return CommandCard.read(Field(text))
