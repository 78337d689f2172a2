"""Reading and writing army lists in the formats players use: id lists, plain-text exports, TOML."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from urllib.parse import unquote

from companion.games.api.army_building import UncertainLine
from companion.games.api.play import Refusal
from companion.games.tmg.cards.army import (
    NEUTRAL,
    Army,
    ArmyEntry,
    Card,
    attachment_card,
    card,
    commanders,
    knows_commanders,
    ncu_card,
    read_season,
    unit_card,
)
from companion.games.tmg.cards.army_catalogue import ArmyCatalogue, army_catalogue
from companion.games.tmg.play.army.army_conditions import price
from companion.games.tmg.play.army.army_rules import cost, every_card, label_of
from companion.games.tmg.play.army.army_text import read_text
from companion.games.tmg.play.army.list_lines import faction_named
from companion.games.tmg.play.context import CommandContext, CommandFields, anytime, ask, no
from models import BadInput, UnknownName
from models.field import Field, shown
from models.frozen_records import replace
from models.message import say

NUMBERED = re.compile(r"([^:*]+)(?::(\d{0,3}))?(?::(\d{1,3}))?(\*)?")
"""An id with values the catalogue may lack: `id:points:wounds*`, the star for the commander."""
ADDRESS = re.compile(r"^https?://\S*[=#/?]", re.IGNORECASE)
"""The URL of a list builder in front of an id list."""
IDS = re.compile(r"^[^\n:;]{1,60};")
"""The beginning of an id list."""
FORMAT = re.compile(r"^[\t\x20]*format[\t\x20]*=", re.MULTILINE)
"""The first key of an army file."""


def read_list(text: str, game: str, points: int | None = None, season: str = "") -> Army:
    """Read an army from pasted text in any of the formats; every line must be read.

    `season` is that of lists that name none.
    """
    army = read_lines(text, game, points, season)
    if army.unread:
        lines = "; ".join(str(line) for line in army.unread)
        raise UnknownName(say("army list: {lines}", lines=lines))
    return army


def read_lines(text: str, game: str, points: int | None = None, season: str = "") -> Army:
    """Read what can be read; the army keeps the lines that cannot."""
    if len(text) > 100_000:
        raise BadInput("army list", "", "is too long")
    stripped = text.strip("\ufeff \t\r\n")
    if not stripped:
        raise BadInput("army list", "", "is empty")
    if FORMAT.search(stripped):
        return Army.parse(text, "army list")
    if stripped.startswith("http") and "\n" not in stripped:
        stripped = ADDRESS.sub("", unquote(stripped)).strip()
        if ";" not in stripped:
            raise BadInput(
                "army list", "line 1", "the address holds no list: paste the list itself"
            )
    if IDS.match(stripped):
        return read_ids(stripped, game, points, season)
    army = read_text(text, game, season)
    return sized(army, points or army.points or None)


def size_for(points: int) -> int:
    """The usual army size for that many points."""
    return max(30, -(-points // 10) * 10)


def sized(army: Army, points: int | None) -> Army:
    """The army with its agreed points, or with the smallest usual size that fits."""
    return replace(army, points=points if points is not None else size_for(cost(army)))


# -- id lists ---------------------------------------------------------------------------------


def read_ids(text: str, game: str, points: int | None = None, season: str = "") -> Army:
    """Parse `faction;id,id,…`, in which an attachment's id follows that of its unit.

    The season of the cards may stand behind the faction: `stark@S07`. Values that the catalogue
    lacks follow the id: points, wounds per model, and a star for the commander: `grey-wind:0:4`,
    `inhuman-strength:0*`. A star before an id: it commands but is in no unit yet (TMG-ARM-6).

    >>> army = read_ids("stark;10201,20201,30201", "tmg-2021")
    >>> army.units[0].attachments, army.commander, army.ncus
    (('20201',), '20201', ('30201',))
    """
    head, _, tail = text.strip().partition(";")
    name, at, told = head.partition("@")
    if at:
        season = read_season(Field(told.strip(), "army list", "season"), game)
    facts = army_catalogue(game, season)
    try:
        faction = faction_named(name, facts)
    except UnknownName as error:
        raise BadInput("army list", say("line {number}", number=1), str(error)) from None
    units: list[ArmyEntry] = []
    ncus: list[str] = []
    unread: list[UncertainLine] = []
    named = ""
    costs: dict[str, int] = {}
    wounds: dict[str, int] = {}
    keys = [key.strip() for key in re.split(r"[,;\s]+", tail) if key.strip()]
    if len(keys) > 120:
        raise BadInput("army list", "", say("has {keys} ids", keys=len(keys)))
    absent = next((key[1:] for key in keys if key[:1] == "*" and has_card(facts, key[1:])), "")
    for place, word in enumerate(keys, 1):
        if absent and word == f"*{absent}":
            continue
        matched = NUMBERED.fullmatch(word)
        key, points_told, wounds_told, star = matched.groups() if matched else (word, "", "", "")
        if key in facts.units:
            units.append(ArmyEntry(key))
        elif key in facts.attachments:
            if not units:
                raise BadInput(
                    "army list",
                    say("id {place}", place=place),
                    say("attachment {key} follows no unit", key=shown(key)),
                )
            units[-1] = ArmyEntry(units[-1].unit, (*units[-1].attachments, key))
        elif key in facts.ncus:
            ncus.append(key)
        else:
            unread.append(unknown_id(text, word, key, facts))
            continue
        named = named or (key if star else "")
        if points_told and card(facts, key).cost != int(points_told):
            costs[key] = Field(int(points_told), "army list", word).whole(0, 100)
        if wounds_told and key in facts.units and facts.units[key].wounds_per_model is None:
            wounds[key] = Field(int(wounds_told), "army list", word).whole(1, 60)
    army = Army(
        game,
        faction,
        0,
        named,
        tuple(units),
        tuple(ncus),
        costs=tuple(costs.items()),
        wounds=tuple(wounds.items()),
        season=season,
        unread=tuple(unread),
        names_season=bool(at),
    )
    if knows_commanders(facts):
        leaders = commanders(every_card(army))
        army = replace(army, commander=leaders[0].id if leaders else "")
    if absent and not army.commander:
        army = replace(army, commander=absent)
    return sized(army, points)


def has_card(facts: ArmyCatalogue, key: str) -> bool:
    """Whether a card has that id."""
    return any(key in shelf for shelf in (facts.units, facts.attachments, facts.ncus))


def unknown_id(text: str, word: str, key: str, facts: ArmyCatalogue) -> UncertainLine:
    """An id that no card has, with the nearest ones."""
    ids = [*facts.units, *facts.attachments, *facts.ncus]
    near = difflib.get_close_matches(key[:60], ids, 3, 0.0)
    number = next(n for n, line in enumerate(text.splitlines(), 1) if word in line)
    names = "; ".join(f"{one} {card(facts, one).label}" for one in near)
    words = say("no card {key}; nearest: {names}", key=shown(key), names=names)
    return UncertainLine(number, word, words, tuple((card(facts, one).label, one) for one in near))


def write_ids(army: Army) -> str:
    """The army as an id list.

    >>> write_ids(read_ids("stark;10201,20201,30201", "tmg-2021"))
    'stark;10201,20201,30201'
    >>> write_ids(read_ids("stark;*20201,10201", "tmg-2021"))
    'stark;*20201,10201'
    """
    costs, wounds = dict(army.costs), dict(army.wounds)
    named = army.commander if not knows_commanders(army_catalogue(army.game, army.season)) else ""

    def word(key: str) -> str:
        numbers = f":{costs.get(key, '')}" if key in costs or key in wounds else ""
        numbers += f":{wounds[key]}" if key in wounds else ""
        return f"{key}{numbers}{'*' if key == named else ''}"

    keys = [key for entry in army.units for key in (entry.unit, *entry.attachments)]
    season = f"@{army.season}" if army.season else ""
    words = [word(key) for key in (*keys, *army.ncus)]
    if army.commander and army.commander not in (*keys, *army.ncus):
        words.insert(0, f"*{army.commander}")
    return f"{army.faction}{season};{','.join(words)}"


def write_text(army: Army) -> str:
    """The army as a plain-text export."""
    cards = every_card(army)
    leader = label_of(army.game, army.commander) if army.commander else ""
    neutral = sum(price(one) for one in cards if one.faction == NEUTRAL)
    lines = [
        f"Faction: {army.faction}",
        *([f"Season: {army.season}"] if army.season else []),
        *([f"Commander: {leader}"] if leader else []),
        f"Points: {cost(army)} ({neutral} neutral)/{army.points}",
        "",
        "Combat Units:",
    ]
    wounds = dict(army.wounds)
    for entry in army.units:
        told = f" [{wounds[entry.unit]} wounds]" if entry.unit in wounds else ""
        lines.append(f"• {priced(unit_card(army, entry.unit))}{told}")
        lines += [f"  with {priced(attachment_card(army, key))}" for key in entry.attachments]
    if army.ncus:
        lines += ["", "Non-Combat Units:"]
        lines += [f"• {priced(ncu_card(army, key))}" for key in army.ncus]
    return "\n".join(lines) + "\n"


def priced(one: Card) -> str:
    """A card with its points, if they are known."""
    unknown = one.cost is None and not one.commander
    return one.label if unknown else f"{one.label} ({price(one)})"


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
