"""Army lists as players have them: id lists, plain-text exports, TOML; read and written."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable

from companion.games.tmg.play.armies import card, cost, every_card, price
from models import Army, BadInput, Entry, UnknownName, catalogue
from models.army import NEUTRAL
from models.catalogue import Catalogue
from models.record import replace
from models.shelf import folded, nearest

BULLET = re.compile(r"^\s*[•*\-–·]\s*")
COST = re.compile(r"\s*\((\d+)\)\s*$")
JOINS = re.compile(r"^\s*(?:[•*\-–·]\s*)?(?:with|w/|\+|↳)\s*:?\s*", re.IGNORECASE)
HOUSE = re.compile(r"^(?:house|the)\s+", re.IGNORECASE)
LINE_LIMIT = 400


def read_list(text: str, game: str, points: int | None = None) -> Army:
    """An army from whatever a player pasted."""
    if len(text) > 100_000:
        raise BadInput("army list", "", "is too long")
    stripped = text.strip()
    if not stripped:
        raise BadInput("army list", "", "is empty")
    if re.search(r"^\s*format\s*=", text, re.MULTILINE):
        return Army.parse(text, "army list")
    if re.search(r"^\s*faction\s*:", text, re.MULTILINE | re.IGNORECASE):
        return read_text(stripped, game, points)
    if ";" in stripped.splitlines()[0]:
        return read_ids(stripped, game, points)
    raise BadInput(
        "army list", "line 1", "expected 'faction;id,id,…', 'Faction: …' or an army file"
    )


def size_for(points: int) -> int:
    """The usual size an army of so many points is built for."""
    return max(30, -(-points // 10) * 10)


def sized(army: Army, points: int | None) -> Army:
    """The army with its agreed points, or the smallest usual size that holds it."""
    return replace(army, points=points if points is not None else size_for(cost(army)))


def faction_named(name: str, facts: Catalogue) -> str:
    """The faction a list names: 'House Stark', 'stark', 'Night's Watch'."""
    plain = re.sub(r"[^a-z]", "", folded(HOUSE.sub("", name.strip())))
    for known in facts.units.factions:
        if plain in (known, f"{known}s"):
            return known
    known_ones = ", ".join(facts.units.factions)
    raise UnknownName(f"no faction {name.strip()!r}; there are: {known_ones}")


# -- id lists ---------------------------------------------------------------------------------


def read_ids(text: str, game: str, points: int | None = None) -> Army:
    """`faction;id,id,…`: an attachment's id follows its unit's.

    >>> army = read_ids("stark;10201,20201,30201", "tmg-2021")
    >>> army.units[0].attachments, army.commander, army.ncus
    (('20201',), '20201', ('30201',))
    """
    facts = catalogue(game)
    head, _, tail = text.strip().partition(";")
    faction = faction_named(head, facts)
    units: list[Entry] = []
    ncus: list[str] = []
    commander = ""
    keys = [key.strip() for key in re.split(r"[,;\s]+", tail) if key.strip()]
    if len(keys) > 120:
        raise BadInput("army list", "", f"has {len(keys)} ids")
    for place, key in enumerate(keys, 1):
        if key in facts.units:
            units.append(Entry(key))
            leads = facts.units[key].commander
        elif key in facts.attachments:
            if not units:
                raise BadInput("army list", f"id {place}", f"attachment {key!r} follows no unit")
            units[-1] = Entry(units[-1].unit, (*units[-1].attachments, key))
            leads = facts.attachments[key].commander
        elif key in facts.ncus:
            ncus.append(key)
            leads = facts.ncus[key].commander
        else:
            ids = [*facts.units, *facts.attachments, *facts.ncus]
            near = difflib.get_close_matches(key[:60], ids, 3, 0.0)
            names = "; ".join(f"{one} {card(facts, one).label}" for one in near)
            raise UnknownName(f"army list: no card {key!r}; nearest: {names}")
        commander = commander or (key if leads else "")
    army = Army(game, faction, 0, commander, tuple(units), tuple(ncus))
    return sized(army, points)


def write_ids(army: Army) -> str:
    """The army as an id list.

    >>> write_ids(read_ids("stark;10201,20201,30201", "tmg-2021"))
    'stark;10201,20201,30201'
    """
    keys = [key for entry in army.units for key in (entry.unit, *entry.attachments)]
    return f"{army.faction};{','.join((*keys, *army.ncus))}"


# -- plain text -------------------------------------------------------------------------------


def read_text(text: str, game: str, points: int | None = None) -> Army:
    """The plain-text export: `Faction:`, `Commander:`, sections of `• Name (5)`."""
    facts = catalogue(game)
    faction, section, commander_name = "", "units", ""
    units: list[Entry] = []
    ncus: list[str] = []
    for number, line in enumerate(text.splitlines()[:LINE_LIMIT], 1):
        if not line.strip():
            continue
        key, colon, value = line.strip().partition(":")
        word = key.strip().casefold()
        if colon and not BULLET.match(line) and not JOINS.match(line):
            if word == "faction":
                faction = faction_named(value, facts)
            elif word == "commander":
                commander_name = value.strip()
            elif word in ("points", "total") and points is None:
                found = re.search(r"(\d+)\s*$|/\s*(\d+)|^\s*(\d+)", value)
                points = int(next(g for g in found.groups() if g)) if found else None
            elif "non-combat" in word or "ncu" in word:
                section = "ncus"
            elif "unit" in word or "combat" in word:
                section = "units"
            elif "attachment" in word:
                section = "attachments"
            elif word in ("tactics", "cards", "tactics cards", "tactics deck"):
                section = "cards"
            continue
        joins = JOINS.match(line)
        if not joins and not BULLET.match(line):
            continue  # "Made with …" and the like
        if not faction:
            raise BadInput("army list", f"line {number}", "a card stands before 'Faction:'")
        name = COST.sub("", (JOINS if joins else BULLET).sub("", line)).strip()
        ours = tuple(dict.fromkeys((faction, NEUTRAL)))
        if joins or section == "attachments":
            attachment = named(facts.attachments, name, ours, number)
            if not units:
                raise BadInput("army list", f"line {number}", f"{name!r} follows no unit")
            units[-1] = Entry(units[-1].unit, (*units[-1].attachments, attachment))
        elif section == "ncus":
            ncus.append(named(facts.ncus, name, ours, number))
        elif section == "units":
            units.append(Entry(named(facts.units, name, ours, number)))
    if not faction:
        raise BadInput("army list", "", "no line 'Faction: …'")
    army = Army(game, faction, 0, "", tuple(units), tuple(ncus))
    leaders = [one for one in every_card(army) if one.commander]
    if commander_name and not any(
        folded(respelt(commander_name)) in (folded(one.label), folded(one.name)) for one in leaders
    ):
        everyone = [
            one
            for shelf in (facts.attachments, facts.units, facts.ncus)
            for one in shelf.values()
            if one.commander
        ]
        near = "; ".join(nearest(respelt(commander_name), everyone))
        raise UnknownName(
            f"army list: commander {commander_name!r} is in no unit of the list; nearest: {near}"
        )
    army = replace(army, commander=leaders[0].id if leaders else "")
    return sized(army, points)


def respelt(name: str) -> str:
    """'Robb Stark – The Wolf Lord' as the catalogue writes it."""
    plain = COST.sub("", name.strip())
    return re.sub(r"\s+[–—-]\s+", ", ", plain)


def named(shelf: object, name: str, factions: tuple[str, ...], number: int) -> str:
    """The id of a card a line names; an unknown name offers the nearest ones."""
    from models.shelf import Shelf

    assert isinstance(shelf, Shelf)
    try:
        found = shelf.find(respelt(name), factions)
    except UnknownName as error:
        raise UnknownName(f"army list: line {number}: {error}") from None
    return str(found.id)


def write_text(army: Army) -> str:
    """The army as the plain-text export."""
    facts = catalogue(army.game)
    cards = every_card(army)
    leader = next((one.label for one in cards if one.commander), "")
    neutral = sum(price(one) for one in cards if one.faction == NEUTRAL)
    lines = [
        f"Faction: {army.faction}",
        f"Commander: {leader}",
        f"Points: {cost(army)} ({neutral} neutral)/{army.points}",
        "",
        "Combat Units:",
    ]
    for entry in army.units:
        unit = facts.units[entry.unit]
        lines.append(f"• {unit.label} ({price(unit)})")
        for key in entry.attachments:
            joined = facts.attachments[key]
            lines.append(f"  with {joined.label} ({price(joined)})")
    if army.ncus:
        lines += ["", "Non-Combat Units:"]
        lines += [f"• {facts.ncus[key].label} ({price(facts.ncus[key])})" for key in army.ncus]
    return "\n".join(lines) + "\n"


def write_toml(army: Army) -> str:
    """The army as the project's own file."""
    return army.text()


WRITERS: dict[str, Callable[[Army], str]] = {
    "ids": write_ids,
    "text": write_text,
    "toml": write_toml,
}
