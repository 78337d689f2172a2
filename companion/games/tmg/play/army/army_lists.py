"""Reading and writing army lists in the formats players use: id lists, plain-text exports, TOML."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from urllib.parse import unquote

from companion.games.api.play import Refusal
from companion.games.tmg.cards.army import Army, ArmyEntry, card, knows_commanders
from companion.games.tmg.cards.army_catalogue import army_catalogue
from companion.games.tmg.play.army.army_rules import cost
from companion.games.tmg.play.army.army_text import (
    WORDS,
    faction_named,
    read_text,
    reading,
    trimmed,
    write_text,
)
from companion.games.tmg.play.context import CommandContext, CommandFields, anytime, ask, no
from models import BadInput, UnknownName
from models.army_card import folded
from models.field import Field, shown
from models.frozen_records import replace
from models.message import say

NUMBERED = re.compile(r"([^:*]+)(?::(\d{0,3}))?(?::(\d{1,3}))?(\*)?")
"""An id with values the catalogue may lack: `id:points:wounds*`, the star for the commander."""
ADDRESS = re.compile(r"^https?://\S*[=#/?]", re.IGNORECASE)
"""The URL of a list builder in front of an id list."""
FORMAT = re.compile(r"^[\t\x20]*format[\t\x20]*=", re.MULTILINE)
"""The first key of an army file."""


def read_list(text: str, game: str, points: int | None = None) -> Army:
    """Read an army from pasted text in any of the formats."""
    if len(text) > 100_000:
        raise BadInput("army list", "", "is too long")
    stripped = text.strip()
    if not stripped:
        raise BadInput("army list", "", "is empty")
    if FORMAT.search(stripped):
        return Army.parse(text, "army list")
    if any(is_faction(line) for line in stripped.splitlines()):
        army = read_text(stripped, game)
        return sized(army, points or army.points or None)
    if stripped.startswith("http"):
        stripped = ADDRESS.sub("", unquote(stripped)).strip()
        if ";" not in stripped:
            raise BadInput(
                "army list", "line 1", "the address holds no list: paste the list itself"
            )
    if ";" in stripped.splitlines()[0]:
        return read_ids(stripped, game, points)
    raise BadInput(
        "army list", "line 1", "expected 'faction;id,id,…', 'Faction: …' or an army file"
    )


def remarks(text: str, game: str) -> tuple[str, ...]:
    """The contradictions between a readable list and the catalogue."""
    if not any(is_faction(line) for line in text.splitlines()):
        return ()
    return tuple(reading(text.strip(), game).remarks)


def is_faction(line: str) -> bool:
    """Whether a line of a plain-text list names its faction."""
    key, colon, _ = trimmed(line.strip()).partition(":")
    return bool(colon) and WORDS.get(folded(trimmed(key))) == "faction"


def size_for(points: int) -> int:
    """The usual army size for that many points."""
    return max(30, -(-points // 10) * 10)


def sized(army: Army, points: int | None) -> Army:
    """The army with its agreed points, or with the smallest usual size that fits."""
    return replace(army, points=points if points is not None else size_for(cost(army)))


# -- id lists ---------------------------------------------------------------------------------


def read_ids(text: str, game: str, points: int | None = None) -> Army:
    """Parse `faction;id,id,…`, in which an attachment's id follows that of its unit.

    Values that the catalogue lacks follow the id: points, wounds per model, and a star for the
    commander: `grey-wind:0:4`, `inhuman-strength:0*`.

    >>> army = read_ids("stark;10201,20201,30201", "tmg-2021")
    >>> army.units[0].attachments, army.commander, army.ncus
    (('20201',), '20201', ('30201',))
    """
    facts = army_catalogue(game)
    head, _, tail = text.strip().partition(";")
    faction = faction_named(head, facts)
    units: list[ArmyEntry] = []
    ncus: list[str] = []
    commander = named = ""
    costs: dict[str, int] = {}
    wounds: dict[str, int] = {}
    keys = [key.strip() for key in re.split(r"[,;\s]+", tail) if key.strip()]
    if len(keys) > 120:
        raise BadInput("army list", "", say("has {keys} ids", keys=len(keys)))
    for place, word in enumerate(keys, 1):
        parts = NUMBERED.fullmatch(word)
        key, points_told, wounds_told, star = parts.groups() if parts else (word, "", "", "")
        if key in facts.units:
            units.append(ArmyEntry(key))
            leads = facts.units[key].commander
        elif key in facts.attachments:
            if not units:
                raise BadInput(
                    "army list",
                    say("id {place}", place=place),
                    say("attachment {key} follows no unit", key=shown(key)),
                )
            units[-1] = ArmyEntry(units[-1].unit, (*units[-1].attachments, key))
            leads = facts.attachments[key].commander
        elif key in facts.ncus:
            ncus.append(key)
            leads = facts.ncus[key].commander
        else:
            ids = [*facts.units, *facts.attachments, *facts.ncus]
            near = difflib.get_close_matches(key[:60], ids, 3, 0.0)
            names = "; ".join(f"{one} {card(facts, one).label}" for one in near)
            raise UnknownName(
                say("army list: no card {key}; nearest: {names}", key=shown(key), names=names)
            )
        commander = commander or (key if leads else "")
        named = named or (key if star else "")
        if points_told and card(facts, key).cost is None:
            costs[key] = Field(int(points_told), "army list", word).whole(0, 100)
        if wounds_told and key in facts.units and facts.units[key].wounds_per_model is None:
            wounds[key] = Field(int(wounds_told), "army list", word).whole(1, 60)
    if not knows_commanders(facts):
        commander = named
    army = Army(
        game,
        faction,
        0,
        commander,
        tuple(units),
        tuple(ncus),
        costs=tuple(costs.items()),
        wounds=tuple(wounds.items()),
    )
    return sized(army, points)


def write_ids(army: Army) -> str:
    """The army as an id list.

    >>> write_ids(read_ids("stark;10201,20201,30201", "tmg-2021"))
    'stark;10201,20201,30201'
    """
    costs, wounds = dict(army.costs), dict(army.wounds)
    named = army.commander if not knows_commanders(army_catalogue(army.game)) else ""

    def word(key: str) -> str:
        numbers = f":{costs.get(key, '')}" if key in costs or key in wounds else ""
        numbers += f":{wounds[key]}" if key in wounds else ""
        return f"{key}{numbers}{'*' if key == named else ''}"

    keys = [key for entry in army.units for key in (entry.unit, *entry.attachments)]
    return f"{army.faction};{','.join(word(key) for key in (*keys, *army.ncus))}"


def write_toml(army: Army) -> str:
    """The army in the project's own file format."""
    return army.text()


WRITERS: dict[str, Callable[[Army], str]] = {
    "ids": write_ids,
    "text": write_text,
    "toml": write_toml,
}


FORMS = tuple(WRITERS)


@anytime(
    "army-list",
    "print a player's army list again, to keep or to paste elsewhere",
    ask("player", "player", "whose army", required=True),
    ask("form", "word", "an id list, the plain text, or the project's own file", False, FORMS),
)
def army_list(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Answer with the player's army list in the requested format."""
    player = context.state.player(given.need("player"))
    if not player.army:
        return no("TMG-ARM-1", "{player} brought units without an army list", player=player.id)
    army = read_ids(player.army, context.state.game, context.state.points)
    context.answer["list"] = WRITERS[given.choice("form", FORMS, "text")](army)
    return None
