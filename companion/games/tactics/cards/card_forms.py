"""The forms of figure cards and scenarios: what players enter, and what it becomes (TAC-CRD-2).

The form knows the values that every card has. What a shipped or earlier card of the same name holds
beyond them (effects of abilities and attacks) is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from companion.games.api.card_form import CardForm, FormField, FormProblem
from companion.games.api.play import Plain
from companion.games.shared.own_files import new_id
from companion.games.tactics.cards.coins import COIN_KINDS, MOST_COINS, Coins
from companion.games.tactics.cards.figure_card import (
    ABILITY_KINDS,
    CardAbility,
    FigureCard,
    every_card,
)
from companion.games.tactics.cards.map_tile import TILE_SPACES, every_tile
from companion.games.tactics.cards.scenario import (
    TacticsScenario,
    TilePlace,
    every_scenario,
    layout_problems,
)
from companion.games.tactics.cards.squad import VALUE_WORDS
from models.board import Cell
from models.field import Field
from models.message import BadInput, CompanionError, say

COIN_FIELDS = (
    FormField("gold", say("Gold dragons"), "number", most=MOST_COINS),
    FormField("silver", say("Silver stags"), "number", most=MOST_COINS),
    FormField("copper", say("Copper stars"), "number", most=MOST_COINS),
)
PRICE_FIELDS = (
    FormField("gold", say("Price in gold dragons"), "number", most=MOST_COINS),
    FormField("silver", say("Price in silver stags"), "number", most=MOST_COINS),
    FormField("copper", say("Price in copper stars"), "number", most=MOST_COINS),
)
EFFECT_FIELDS = (
    FormField("name", say("Name"), required=True),
    *PRICE_FIELDS,
    FormField("dice", say("More dice"), "number", most=8),
    FormField("modifier", say("Added to the results"), "number", least=-9, most=9),
    FormField("cancels", say("Hits it cancels"), "number", most=9),
    FormField("charge_only", say("Only in a charge"), "flag"),
)
ATTACK_FIELDS = (
    FormField("name", say("Name"), required=True),
    FormField(
        "kind",
        say("Kind"),
        "option",
        True,
        options=(("melee", say("melee")), ("ranged", say("ranged"))),
    ),
    FormField("dice", say("Dice"), "number", True, most=12),
    FormField("hit", say("Hits on"), "number", True, least=2, most=10),
    FormField("ap", say("Action points"), "number", most=3),
    *PRICE_FIELDS,
    FormField("effects", say("Effects for coins"), "rows", most=12, fields=EFFECT_FIELDS),
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
ABILITY_FIELDS = (
    FormField("name", say("Name"), required=True),
    FormField(
        "kind",
        say("Used"),
        "option",
        options=tuple((kind, ABILITY_WORDS[kind]) for kind in ABILITY_KINDS),
    ),
    FormField("ap", say("Action points"), "number", most=3),
    *PRICE_FIELDS,
)
MOTIVATION_FIELDS = (
    FormField("name", say("Name"), required=True),
    FormField(
        "trigger",
        say("Scored when it"),
        "option",
        options=(
            ("kills-hero", say("kills a hero")),
            ("kills-veteran", say("kills a veteran")),
            ("kills-soldier", say("kills a soldier")),
            ("other", say("does what the card says")),
        ),
    ),
    *PRICE_FIELDS,
    FormField("points", say("Victory points"), "number", True, most=20),
    FormField("dead", say("On the dead side"), "flag"),
)
TOP_FIELDS = ("name", "faction", "seal", "will", "defence", "health", "person", "foot", "spaces")
"""The members of a card that the form shows as they are."""


def figure_form() -> CardForm:
    """The form of a figure card."""
    cards = every_card().values()
    factions = tuple(dict.fromkeys(card.faction for card in cards))
    known = tuple(sorted(known_abilities()))
    ability = (
        FormField("name", say("Name"), required=True, suggest=known),
        *ABILITY_FIELDS[1:],
    )
    return CardForm(
        "figure",
        say("Figure card"),
        (
            FormField("name", say("Name"), required=True),
            FormField("faction", say("Faction"), suggest=factions),
            FormField("seal", say("Seal on its crest")),
            *PRICE_FIELDS,
            FormField("will", say("Will"), "number", least=2, most=10),
            FormField("defence", say("Defence"), "number", least=2, most=10),
            FormField("health", say("Health"), "number", least=1, most=20),
            FormField("mounted", say("Large figure (50 mm base)"), "flag"),
            FormField("person", say("The person it shows, if there are several versions")),
            FormField("foot", say("Its version on foot"), suggest=foot_versions()),
            FormField("attacks", say("Attacks"), "rows", most=8, fields=ATTACK_FIELDS),
            FormField("abilities", say("Abilities"), "rows", most=12, fields=ability),
            FormField("motivation", say("Motivation"), "rows", most=12, fields=MOTIVATION_FIELDS),
        ),
    )


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
    if "foot" in raw:
        named = {card.name: card.id for card in every_card().values()}
        plain["foot"] = named.get(raw["foot"], raw["foot"])
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
    if card.size > 1 and not card.foot:
        text = say("which figure is its version on foot?")
        yield FormProblem(text, "foot", stops=False)


MOST_TILES = 8
"""Tiles along a side of a battlefield."""
ZONE_ROWS = 2
"""The rows of a deployment zone, until the players draw it."""
TURNS = (("0", "0°"), ("90", "90°"), ("180", "180°"), ("270", "270°"))
FORM_KEYS = frozenset(
    ("id", "name", "rounds", "wide", "deep", "tutorial", "tiles", "gold", "silver", "copper")
)


def scenario_form() -> CardForm:
    """The form of a scenario."""
    tiles = tuple((one.id, one.name) for one in every_tile().values())
    rows = (
        FormField("tile", say("Tile"), "option", True, options=tiles),
        FormField("column", say("Column of tiles, from the left"), "number", True, 1, MOST_TILES),
        FormField("row", say("Row of tiles, from player 1"), "number", True, 1, MOST_TILES),
        FormField("turn", say("Turned by"), "option", options=TURNS),
    )
    return CardForm(
        "scenario",
        say("Scenario"),
        (
            FormField("name", say("Name"), required=True),
            FormField("rounds", say("Rounds"), "number", True, 1, 20),
            *(replace(one, required=True) for one in COIN_FIELDS),
            FormField("wide", say("Tiles side by side"), "number", True, 1, MOST_TILES),
            FormField("deep", say("Tiles one behind the other"), "number", True, 1, MOST_TILES),
            FormField("tiles", say("Tiles"), "rows", most=24, fields=rows),
            FormField("tutorial", say("Without objectives and loot"), "flag"),
        ),
    )


def scenario_values(scenario: TacticsScenario) -> dict[str, Any]:
    """The values of a scenario for the form."""
    values: dict[str, Any] = {
        "id": scenario.id,
        "name": scenario.name,
        "rounds": scenario.rounds,
        **coin_values(scenario.coins),
        "wide": -(-scenario.columns // TILE_SPACES),
        "deep": -(-scenario.rows // TILE_SPACES),
    }
    if scenario.tutorial:
        values["tutorial"] = True
    if scenario.tiles:
        values["tiles"] = [
            {
                "tile": one.tile,
                "column": one.at[0] // TILE_SPACES + 1,
                "row": one.at[1] // TILE_SPACES + 1,
                "turn": str(90 * one.quarters),
            }
            for one in scenario.tiles
        ]
    return values


def scenario_of_values(values: Plain, source: str = "scenario") -> TacticsScenario:
    """The scenario that was entered; zones and marks of an earlier version are kept."""
    field = Field({key: value for key, value in values.items() if filled(value)}, source)
    field.keys(FORM_KEYS, {"name", "rounds", "wide", "deep", *COIN_KINDS})
    name = field.member("name").text(80)
    wide, deep = (field.member(key).whole(1, MOST_TILES) for key in ("wide", "deep"))
    columns, rows = wide * TILE_SPACES, deep * TILE_SPACES
    known = every_tile()
    tiles = []
    for item in field.listed("tiles", 24):
        raw = item.keys({"tile", "column", "row", "turn"}, {"tile", "column", "row"})
        at = tuple(
            (item.member(key).whole(1, MOST_TILES) - 1) * TILE_SPACES for key in ("column", "row")
        )
        turn = item.member("turn").choice(dict(TURNS)) if filled(raw.get("turn")) else "0"
        tile = item.member("tile").choice(known)
        tiles.append(TilePlace(tile, (at[0], at[1]), int(turn) // 90))
    before = every_scenario().get(str(values.get("id") or ""))
    made = TacticsScenario(
        str(values.get("id") or new_scenario_id(name)),
        name,
        field.member("rounds").whole(1, 20),
        Coins(**{kind: field.member(kind).whole(0, 99) for kind in COIN_KINDS}),
        columns,
        rows,
        tuple(tiles),
        usual_zones(columns, rows),
        tutorial="tutorial" in field.raw and field.member("tutorial").flag(),
    )
    if before is None or (before.columns, before.rows) != (columns, rows):
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
