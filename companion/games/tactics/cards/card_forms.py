"""The forms of figure cards and scenarios: what players enter, and what it becomes (TAC-CRD-2).

The form knows the values that every card has. What a shipped or earlier card of the same name holds
beyond them (effects of abilities and attacks) is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, get_args

from companion.games.api.card_form import (
    CardForm,
    FormField,
    FormProblem,
    form_field,
    form_fields,
)
from companion.games.api.play import Plain
from companion.games.shared.own_files import new_id
from companion.games.tactics.cards.card_faults import card_faults
from companion.games.tactics.cards.coins import COIN_KINDS, CoinCount, Coins
from companion.games.tactics.cards.figure_card import (
    CardAbility,
    CardAttack,
    CardName,
    CoinEffect,
    FigureCard,
    MotivationSide,
    every_card,
)
from companion.games.tactics.cards.map_tile import TILE_SPACES, every_tile
from companion.games.tactics.cards.scenario import (
    MOST_TILE_PLACES,
    QUARTER_DEG,
    Rounds,
    TacticsScenario,
    TilePlace,
    every_scenario,
    layout_problems,
)
from companion.games.tactics.cards.squad import VALUE_WORDS
from companion.games.tactics.game import GAME_NAME
from companion.text.translation import LANGUAGES, catalogue, language
from models.board import Cell
from models.field import Field
from models.message import BadInput, CompanionError, say
from models.record_reader import Between, Length, OneOf, Record

NAME = say("Name")
ACTION_POINTS = say("Action points")
PRICE_FIELDS = form_fields(
    Coins,
    gold=say("Price in gold dragons"),
    silver=say("Price in silver stags"),
    copper=say("Price in copper stars"),
)
EFFECT_FIELDS = (
    form_field(CoinEffect, "name", NAME),
    *PRICE_FIELDS,
    *form_fields(
        CoinEffect,
        dice=say("More dice"),
        modifier=say("Added to the results"),
        charge_only=say("Only in a charge"),
    ),
)
ATTACK_FIELDS = (
    *form_fields(
        CardAttack,
        name=NAME,
        kind=(say("Kind"), {"melee": say("melee"), "ranged": say("ranged")}),
        dice=say("Dice"),
        hit=say("Hits on"),
        ap=ACTION_POINTS,
    ),
    *PRICE_FIELDS,
    form_field(CardAttack, "effects", say("Effects for coins"), fields=EFFECT_FIELDS),
)
ABILITY_WORDS = {
    "movement": say("with a Move"),
    "will": say("with a Will test"),
    "defence": say("while defending"),
    "wound": say("when wounded"),
    "order": say("as an order"),
    "triggered": say("when triggered"),
    "passive": say("always in force"),
    "action": say("as an action"),
}
TARGET_WORDS = {
    "any": say("anybody"),
    "friend": say("a friend"),
    "enemy": say("an enemy"),
}
CONDITION_WORDS = {"shaken": say("shaken"), "frozen": say("frozen")}
TRIGGER_WORDS = {
    "kills-hero": say("kills a hero"),
    "kills-veteran": say("kills a veteran"),
    "kills-soldier": say("kills a soldier"),
    "other": say("does what the card says"),
}
DEFENCE_FIELDS = (
    form_field(CoinEffect, "name", NAME),
    *PRICE_FIELDS,
    *form_fields(CoinEffect, modifier=say("Added to the results"), cancels=say("Hits it cancels")),
)
AIMED = ("order", "action", "triggered", "will", "wound")
"""Kinds of abilities that may be for another figure."""
IN_ATTACKS = ("defence", "triggered", "action")
ABILITY_FIELDS = (
    form_field(
        CardAbility,
        "text",
        say("What it does, in your own words"),
        help=say("shown in play; only the values below are counted"),
    ),
    form_field(CardAbility, "kind", say("Used"), ABILITY_WORDS),
    form_field(CardAbility, "ap", ACTION_POINTS, shown_if=("kind", ("order", "action"))),
    form_field(CardAbility, "whom", say("Who it is for"), TARGET_WORDS, shown_if=("kind", AIMED)),
    form_field(
        CardAbility,
        "range",
        say("How many spaces away its target may be"),
        shown_if=("kind", AIMED),
    ),
    *PRICE_FIELDS,
    form_field(
        CardAbility,
        "spaces",
        say("Spaces it adds to a Move"),
        shown_if=("kind", ("movement", "passive")),
    ),
    form_field(
        CardAbility,
        "unstoppable",
        say("Enemies do not stop the Move"),
        shown_if=("kind", ("movement",)),
    ),
    form_field(CardAbility, "heals", say("Wounds that it heals"), shown_if=("kind", AIMED)),
    form_field(
        CardAbility, "gives", say("Its target becomes"), CONDITION_WORDS, shown_if=("kind", AIMED)
    ),
    form_field(
        CardAbility, "calms", say("Its target is no longer shaken"), shown_if=("kind", AIMED)
    ),
    form_field(
        CardAbility, "deals", say("Wounds that its target suffers"), shown_if=("kind", AIMED)
    ),
    form_field(
        CardAbility, "aftermath", say("After the rolls of an attack"), shown_if=("kind", IN_ATTACKS)
    ),
    form_field(
        CardAbility, "wounds", say("Wounds that it then deals"), shown_if=("aftermath", (True,))
    ),
    form_field(CardAbility, "melee", say("Only in melee"), shown_if=("kind", IN_ATTACKS)),
    form_field(
        CardAbility,
        "effects",
        say("Effects while defending"),
        fields=DEFENCE_FIELDS,
        shown_if=("kind", ("defence",)),
    ),
)
MOTIVATION_FIELDS = (
    form_field(MotivationSide, "name", NAME),
    form_field(MotivationSide, "trigger", say("Scored when it"), TRIGGER_WORDS),
    *PRICE_FIELDS,
    form_field(MotivationSide, "points", say("Victory points")),
    form_field(MotivationSide, "dead", say("On the dead side")),
)
TOP_FIELDS = ("name", "faction", "seal", "will", "defence", "health", "person", "foot", "spaces")
"""The members of a card that the form shows as they are."""


def figure_form() -> CardForm:
    factions = tuple(dict.fromkeys(map(told_faction, known_factions())))
    known = tuple(sorted(known_abilities()))
    ability = (form_field(CardAbility, "name", NAME, suggest=known), *ABILITY_FIELDS)
    person = say("The person it shows, if there are several versions")
    foot = say("Its version on foot")
    return CardForm(
        "figure",
        say("Figure card"),
        (
            form_field(FigureCard, "name", NAME),
            form_field(FigureCard, "faction", say("Faction"), suggest=factions),
            form_field(FigureCard, "seal", say("Seal on its crest")),
            *PRICE_FIELDS,
            *form_fields(
                FigureCard, will=say("Will"), defence=say("Defence"), health=say("Health")
            ),
            FormField("mounted", say("Large figure (50 mm base)"), "flag"),
            form_field(FigureCard, "person", person),
            form_field(FigureCard, "foot", foot, suggest=foot_versions()),
            form_field(FigureCard, "attacks", say("Attacks"), fields=ATTACK_FIELDS),
            form_field(FigureCard, "abilities", say("Abilities"), fields=ability),
            form_field(FigureCard, "motivation", say("Motivation"), fields=MOTIVATION_FIELDS),
        ),
    )


def known_factions() -> list[str]:
    """The factions of all cards."""
    return list(dict.fromkeys(card.faction for card in every_card().values()))


def told_faction(faction: str) -> str:
    """A faction as players of the selected language call it."""
    return catalogue(language(), game=GAME_NAME).translate(faction)


def meant_faction(told: str) -> str:
    """The faction that players of any language call so; a new one as it was entered."""
    names = {
        catalogue(one, game=GAME_NAME).translate(faction): faction
        for faction in known_factions()
        for one in LANGUAGES
    }
    return names.get(told.strip(), told)


def foot_versions() -> tuple[str, ...]:
    """The names of figures on foot that are persons."""
    return tuple(card.name for card in every_card().values() if card.person and card.size == 1)


def known_abilities() -> dict[str, CardAbility]:
    """Every ability of a known card by its name."""
    return {one.name: one for card in every_card().values() for one in card.abilities}


def known_ability(name: str) -> CardAbility | None:
    """The ability of that name, whatever the case of its letters."""
    wanted = name.strip().casefold()
    return next((one for one in known_abilities().values() if one.name.casefold() == wanted), None)


def card_values(card: FigureCard) -> dict[str, Any]:
    """The values of a card for the form."""
    plain = card.to_json()
    found = {key: plain[key] for key in TOP_FIELDS if key in plain}
    found["faction"] = told_faction(card.faction)
    if card.foot:
        foot = every_card().get(card.foot)
        found["foot"] = foot.name if foot else card.foot
    if card.cost is not None:
        found |= coin_values(card.cost)
    if card.size > 1:
        found["mounted"] = True
    for key, price in (("attacks", "spend"), ("abilities", "price"), ("motivation", "price")):
        if rows := [spread_row(row, price) for row in plain.get(key, ())]:
            found[key] = rows
    return {"id": card.id, **found}


def coin_values(coins: Coins) -> dict[str, int]:
    return {kind: coins.of(kind) for kind in COIN_KINDS}


def spread_row(row: Mapping[str, Any], price: str) -> dict[str, Any]:
    """A row of a card for the form: its price as three numbers."""
    found = {key: value for key, value in row.items() if key != price}
    if price in row:
        found |= dict(zip(COIN_KINDS, row[price], strict=True))
    if "effects" in row:
        found["effects"] = [spread_row(one, "price") for one in row["effects"]]
    return found


def new_figure_id(name: str) -> str:
    """The id of a card that is entered: that of the card of this name, or a new one."""
    return new_id(name, {card.id: card.name for card in every_card().values()})


def new_scenario_id(name: str) -> str:
    """The id of a scenario that is entered."""
    return new_id(name, {one.id: one.name for one in every_scenario().values()})


def card_of_values(values: Plain, source: str = "card") -> FigureCard:
    """The card that was entered; what is wrong raises an error that names the field."""
    return FigureCard.read(Field(plain_card(values, source), source))


def plain_card(values: Plain, source: str) -> dict[str, Any]:
    """The entered values as a card's members."""
    field = Field(dict(values), source)
    allowed = {one.name for one in figure_form().fields} | {"id", "spaces"}
    raw = {key: value for key, value in field.keys(allowed, {"name"}).items() if filled(value)}
    if "name" not in raw:
        field.member("name").fail(say("is missing"))
    name = field.member("name").text(80)
    plain: dict[str, Any] = {"id": raw.get("id") or new_figure_id(name)}
    plain |= {key: raw[key] for key in TOP_FIELDS if key in raw}
    if isinstance(faction := raw.get("faction"), str):
        plain["faction"] = meant_faction(faction)
    if "foot" in raw:
        named = {card.name: card.id for card in every_card().values()}
        foot = raw["foot"]
        plain["foot"] = named.get(foot, foot) if isinstance(foot, str) else foot
    coins = {kind: raw[kind] for kind in COIN_KINDS if kind in raw}
    if coins:
        plain["cost"] = coins
    if "mounted" in raw and field.member("mounted").flag():
        plain["size"] = 2
    before = every_card().get(plain["id"]) if isinstance(plain["id"], str) else None
    old = before.to_json() if before is not None else {}
    for key, price in (("attacks", "spend"), ("abilities", "price"), ("motivation", "price")):
        rows = [plain_row(item, price, key, old) for item in field.listed(key, 20)]
        if rows:
            plain[key] = rows
    return plain


def filled(value: Any) -> bool:
    """Whether a field holds something."""
    return value not in (None, "", [])


def plain_row(item: Field, price: str, key: str, old: Mapping[str, Any]) -> dict[str, Any]:
    """One attack, ability or motivation; what the form does not show is kept."""
    if not isinstance(item.raw, dict):
        item.fail(say("is not an object"))
    raw = {name: value for name, value in item.raw.items() if filled(value)}
    kept = next((dict(one) for one in old.get(key, ()) if one["name"] == raw.get("name")), {})
    if key == "abilities" and not kept and isinstance(raw.get("name"), str):
        known = known_ability(raw["name"])
        kept = known.to_json() if known is not None else {}
        raw |= {"name": kept["name"]} if kept else {}
    coins = {kind: raw.pop(kind) for kind in COIN_KINDS if kind in raw}
    if any(coins.values()):
        kept[price] = coins
    if "effects" in raw:
        member = item.member("effects")
        raw["effects"] = [plain_row(one, "price", "effects", kept) for one in member.items(12)]
        for effect in raw["effects"]:
            effect.setdefault("price", {})
    return {**kept, **raw}


def form_problems(values: Plain) -> Iterator[FormProblem]:
    """What is wrong with the entered card, and what is to be asked."""
    try:
        card = card_of_values(values)
    except BadInput as error:
        yield FormProblem(error.problem, error.place)
        return
    for value in card.unknown:
        text = say("its {value} is missing: it is asked for before the figure can be played",
                   value=VALUE_WORDS[value])  # fmt: skip
        yield FormProblem(text, value, stops=False)
    for at, row in enumerate(values.get("abilities") or ()):
        if not filled(row.get("kind")) and known_ability(str(row.get("name", ""))) is None:
            text = say("nothing is known of the ability {name}: when is it used?", name=row["name"])
            yield FormProblem(text, f"abilities[{at}].kind", stops=False)
    for at, ability in enumerate(card.abilities):
        if not ability.counted:
            text = say("the app reminds you of it; you decide what it does")
            yield FormProblem(text, f"abilities[{at}].text", stops=False)
        if ability.aftermath and ability.effects:
            text = say("its own price is for what follows the rolls; each effect has its own price")
            yield FormProblem(text, f"abilities[{at}].effects", stops=False)
    if card.size > 1 and not card.foot:
        text = say("which figure is its version on foot?")
        yield FormProblem(text, "foot", stops=False)
    cards = every_card()
    for fault in card_faults(card, cards):
        unknown = fault.field == "foot" and card.foot != card.id  # it may be entered later
        yield FormProblem(fault.text, fault.field, stops=not unknown)


MOST_TILES = 8
"""Tiles along a side of a battlefield."""
ZONE_ROWS = 2
"""The rows of a deployment zone, until the players draw it."""
Turn = Literal["0", "90", "180", "270"]
TileCount = Annotated[int, Between(1, MOST_TILES)]


@dataclass(frozen=True, slots=True)
class EnteredTile(Record):
    """A tile as players enter it: its column and row among tiles, and its turn in degrees."""

    tile: Annotated[str, OneOf(every_tile)]
    column: TileCount
    row: TileCount
    turn: Turn = "0"

    def place(self) -> TilePlace:
        """Where it lies."""
        at = (self.column - 1) * TILE_SPACES, (self.row - 1) * TILE_SPACES
        return TilePlace(self.tile, at, int(self.turn) // QUARTER_DEG)


@dataclass(frozen=True, slots=True)
class EnteredScenario(Record):
    """A scenario as players enter it; zones and marks are drawn on its board."""

    name: CardName
    rounds: Rounds
    gold: CoinCount
    silver: CoinCount
    copper: CoinCount
    wide: TileCount
    deep: TileCount
    tiles: Annotated[tuple[EnteredTile, ...], Length(MOST_TILE_PLACES)] = ()
    tutorial: bool = False
    note: Annotated[str, Length(400)] = ""
    id: str = ""


def scenario_form() -> CardForm:
    names = {one.id: one.name for one in every_tile().values()}
    turns = {one: f"{one}°" for one in get_args(Turn)}
    row = form_fields(
        EnteredTile,
        tile=(say("Tile"), names),
        column=say("Column of tiles, from player 1’s left"),
        row=say("Row of tiles, from player 1"),
        turn=(say("Turned by"), turns),
    )
    return CardForm(
        "scenario",
        say("Scenario"),
        (
            *form_fields(EnteredScenario, name=NAME, rounds=say("Rounds")),
            *form_fields(
                EnteredScenario,
                gold=say("Gold dragons"),
                silver=say("Silver stags"),
                copper=say("Copper stars"),
                wide=say("Tiles along player 1’s edge"),
                deep=say("Tiles from player 1 to player 2"),
            ),
            form_field(EnteredScenario, "tiles", say("Tiles"), fields=row),
            form_field(EnteredScenario, "tutorial", say("Without objectives and loot")),
            form_field(EnteredScenario, "note", say("Special rules and points, in your words")),
        ),
    )


def scenario_values(scenario: TacticsScenario) -> dict[str, Any]:
    """The values of a scenario for the form."""
    values: dict[str, Any] = {
        "id": scenario.id,
        "name": scenario.name,
        "wide": -(-scenario.columns // TILE_SPACES),
        "deep": -(-scenario.rows // TILE_SPACES),
    }
    if not scenario.rounds_missing:
        values |= {"rounds": scenario.rounds, **coin_values(scenario.coins)}
    if scenario.tutorial:
        values["tutorial"] = True
    if scenario.note:
        values["note"] = scenario.note
    if scenario.tiles:
        values["tiles"] = [
            {
                "tile": one.tile,
                "column": one.at[0] // TILE_SPACES + 1,
                "row": one.at[1] // TILE_SPACES + 1,
                "turn": str(QUARTER_DEG * one.quarters),
            }
            for one in scenario.tiles
        ]
    return values


def scenario_of_values(values: Plain, source: str = "scenario") -> TacticsScenario:
    """The scenario that was entered; zones and marks of an earlier version are kept."""
    plain = {key: value for key, value in values.items() if filled(value)}
    if isinstance(rows := plain.get("tiles"), list):
        plain["tiles"] = [without_empty_turn(row) for row in rows]
    entered = EnteredScenario.read(Field(plain, source))
    size = entered.wide * TILE_SPACES, entered.deep * TILE_SPACES
    made = TacticsScenario(
        entered.id or new_scenario_id(entered.name),
        entered.name,
        entered.rounds,
        Coins(entered.gold, entered.silver, entered.copper),
        size,
        usual_zones(*size),
        tiles=tuple(one.place() for one in entered.tiles),
        tutorial=entered.tutorial,
        note=entered.note,
    )
    before = every_scenario().get(entered.id)
    if before is None or before.size != size:
        return made
    return replace(
        made,
        zones=before.zones,
        objectives=before.objectives,
        loot=before.loot,
        ground=before.ground,
        edges=before.edges,
        marks=before.marks,
    )


def without_empty_turn(row: Any) -> Any:
    """A tile as entered; it lies as printed if nobody said how it is turned."""
    empty = isinstance(row, dict) and not filled(row.get("turn"))
    return {key: value for key, value in row.items() if key != "turn"} if empty else row


def usual_zones(columns: int, rows: int) -> dict[str, frozenset[Cell]]:
    """Deployment zones along the two players' edges."""
    near = frozenset((column, row) for column in range(columns) for row in range(ZONE_ROWS))
    far = frozenset((column, rows - 1 - row) for column, row in near)
    return {"gold": near, "silver": far}


def scenario_problems(values: Plain) -> Iterator[FormProblem]:
    """What is wrong with the entered scenario."""
    try:
        scenario = scenario_of_values(values)
        tiles = every_tile()
        board = scenario.board(tiles)
    except BadInput as error:
        yield FormProblem(error.problem, error.place)
        return
    except CompanionError as error:
        yield FormProblem(str(error))
        return
    for problem in layout_problems(scenario, tiles, board):
        place = problem.why in ("TAC-GRD-1", "TAC-CMP-2")
        yield FormProblem(problem.say, "tiles" if place else "", stops=place)
