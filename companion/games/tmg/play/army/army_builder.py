"""Building an army card by card: the candidates, what they cost, and what forbids them; and the
ready armies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from companion.games.api.army_building import ArmyCandidate, ArmyMember, Kind, Unknown
from companion.games.api.play import Plain, Refusal
from companion.games.tmg.cards.army import (
    NEUTRAL,
    Army,
    ArmyEntry,
    Card,
    attachment_card,
    card,
    cards_of,
    commanders,
    ncu_card,
    read_season,
    unit_card,
)
from companion.games.tmg.cards.army_catalogue import Attachment, NonCombatUnit, army_catalogue
from companion.games.tmg.play.army.army_conditions import bars, misplaced, price
from companion.games.tmg.play.army.army_rules import (
    commander_asked,
    every_card,
    too_many_points,
    wrong_attachments,
    wrong_characters,
)
from companion.games.tmg.play.names import faction_name
from companion.games.tmg.rules.setup.table_setup import corner_of
from companion.text.translation import ruler
from models import Attack, CompanionError, Pose, Unit, UnitCard
from models.field import Field, load_toml, shown
from models.message import joined, say
from models.unit import Profile

SIZES = (40, 30, 50, 60)
"""TMG-ARM-1."""
READY = Path(__file__).parents[2] / "data" / "ready_armies.toml"
"""Lists of common cards for players who have none of their own yet."""
FACING_DEG = (90.0, 270.0)
"""The facing of each player's units: player 1 away from the near edge, player 2 towards it."""


def factions(game: str) -> tuple[tuple[str, str], ...]:
    """The factions of an edition; neutral units alone are one as well (TMG-ARM-16)."""
    known = army_catalogue(game).units.factions
    return tuple((key, faction_name(key)) for key in known)


def enlisted(army: Army) -> Iterator[ArmyMember]:
    """The cards of the army, in the order of its list."""
    for place, entry in enumerate(army.units):
        yield line(unit_card(army, entry.unit), place)
        for key in entry.attachments:
            yield line(attachment_card(army, key), place)
    for place, key in enumerate(army.ncus):
        yield line(ncu_card(army, key), place)


def line(one: Card, place: int) -> ArmyMember:
    return ArmyMember(
        one.id, one.label, kind_of(one), shown_cost(one), place, note(one), one.commander
    )


def kind_of(one: Card) -> Kind:
    """Whether the card is a unit on the table, an attachment, or an NCU."""
    if isinstance(one, UnitCard):
        return "unit"
    return "attachment" if isinstance(one, Attachment) else "aside"


def shown_cost(one: Card) -> int | None:
    """The cost of a card; None if it is unknown."""
    return None if one.cost is None and not one.commander else price(one)


def note(one: Card) -> str:
    """The statistics of a unit's card, or what an attachment may join; and that its ability is all
    that is known of what it is called."""
    if isinstance(one, UnitCard):
        morale = "–" if one.morale is None else f"{one.morale}+"
        return f"{one.type} · {ruler().limit(one.speed)} · {one.defense}+ · {morale}"
    kind = one.type if isinstance(one, Attachment) else "NCU"
    known = one.cost is not None or one.name not in one.abilities
    called = "" if known else say("known by its ability alone")
    return joined([part for part in (kind, called) if part], " · ")


# -- taking cards -----------------------------------------------------------------------------


def recruits(army: Army) -> Iterator[ArmyCandidate]:
    """Every card of the faction and the neutrals; the faction's own first (TMG-ARM-4)."""
    facts = army_catalogue(army.game, army.season)
    for faction in dict.fromkeys((army.faction, NEUTRAL)):
        for shelf in (facts.units, facts.attachments, facts.ncus):
            for one in shelf.values():
                if one.faction == faction:
                    yield offered(army, one)


def offered(army: Army, one: Card) -> ArmyCandidate:
    """One card as a candidate, checked against the army that would take it."""
    places: tuple[int, ...] = ()
    refusal = forbidden(army, one)
    if refusal is None and isinstance(one, Attachment):
        places = tuple(place for place in range(len(army.units)) if joins(army, one, place))
        if not places:
            refusal = Refusal("TMG-ATM-4", say("no unit that {who} could join", who=one.label))
    return ArmyCandidate(
        one.id,
        one.label,
        kind_of(one),
        one.faction,
        shown_cost(one),
        note(one),
        one.commander,
        refusal,
        places,
    )


def forbidden(army: Army, one: Card) -> Refusal | None:
    """What forbids a card wherever it would go: points, characters, a second commander."""
    had = every_card(army)
    leader = next((other for other in had if other.commander), None)
    if leader is not None and len(commanders([*had, one])) > len(commanders(had)):
        return Refusal("TMG-ARM-5", say("{who} commands already", who=leader.label))
    people = wrong_characters([*had, one])
    if len(people) > len(wrong_characters(had)):
        return people[-1]
    if beside := next(bars(had, one), None):
        return Refusal("TMG-ARM-13", beside)
    return over_points(army, one)


def over_points(army: Army, one: Card) -> Refusal | None:
    """A refusal if it costs too many points, or too many neutral points (TMG-ARM-1, TMG-ARM-14).

    Where an attachment goes may make it cheaper: one place that it can pay for is enough. An army
    that has too many already is not given more.
    """
    known = {(found.why, str(found.say)) for found in too_many_points(cards_of(army))}
    places = range(len(army.units)) if isinstance(one, Attachment) else ()
    refusal = None
    for place in places or (None,):
        more = too_many_points(cards_of(recruit(army, one.id, place)))
        worse = (found for found in more if (found.why, str(found.say)) not in known)
        refusal = next(worse, None)
        if refusal is None:
            return None
    return refusal


def joins(army: Army, one: Attachment, place: int) -> bool:
    """Whether an attachment may join that unit (TMG-ATM-3..5)."""
    after = cards_of(recruit(army, one.id, place))
    before = cards_of(army)
    return len([*wrong_attachments(after), *misplaced(after.units[place])]) <= len(
        [*wrong_attachments(before), *misplaced(before.units[place])]
    )


def recruit(army: Army, key: str, place: int | None = None) -> Army:
    """The army with one card added; a commander card becomes its commander (TMG-ARM-6)."""
    one = card(army_catalogue(army.game, army.season), key)
    if isinstance(one, UnitCard):
        army = replace(army, units=(*army.units, ArmyEntry(key)))
    elif isinstance(one, NonCombatUnit):
        army = replace(army, ncus=(*army.ncus, key))
    else:
        there = len(army.units) - 1 if place is None else place
        joined = tuple(
            ArmyEntry(entry.unit, (*entry.attachments, key)) if number == there else entry
            for number, entry in enumerate(army.units)
        )
        army = replace(army, units=joined)
    return led(army) if one.commander else army


def led(army: Army) -> Army:
    """The army under the commander among its cards (TMG-ARM-6)."""
    leaders = commanders(every_card(army))
    return replace(army, commander=leaders[0].id if leaders else "")


def dismiss(army: Army, gone: ArmyMember) -> Army:
    if gone.kind == "unit":
        kept = tuple(entry for place, entry in enumerate(army.units) if place != gone.place)
        army = replace(army, units=kept)
    elif gone.kind == "aside":
        ncus = tuple(key for place, key in enumerate(army.ncus) if place != gone.place)
        army = replace(army, ncus=ncus)
    else:
        entry = army.units[gone.place]
        where = entry.attachments.index(gone.id)
        left = ArmyEntry(entry.unit, entry.attachments[:where] + entry.attachments[where + 1 :])
        units = (*army.units[: gone.place], left, *army.units[gone.place + 1 :])
        army = replace(army, units=units)
    return led(army)


def agreed(army: Army, rules: Mapping[str, str]) -> Army:
    """The army under what the players agreed on: the season of its cards."""
    for name, value in rules.items():
        if name != "season":
            raise CompanionError(say("{name} is not agreed on here: season", name=shown(name)))
        army = replace(army, season=read_season(Field(value, "season", ""), army.game))
    return army


# -- values missing from the catalogue --------------------------------------------------------


def answered(army: Army, asked: Unknown, answer: int | str) -> Army:
    """The army with a missing cost, wounds or commander filled in (TMG-ARM-3, -5, WND-1)."""
    if asked.what == "commander":
        return replace(army, commander=str(answer))
    if asked.what == "cost" and unclaimed_cost(army, asked.card) == answer:
        return army.unclaimed(asked.card)
    if asked.what == "cost":
        return army.with_cost(asked.card, int(answer))
    return army.with_wounds(asked.card, int(answer))


def question_answered(army: Army, line: ArmyMember) -> Unknown | None:
    """Who commands, at the commander that the players named among several cards (TMG-CMD-3)."""
    asked = commander_asked(cards_of(army)) if line.leads else ()
    return next((one for one in asked if len(one.cards) > 1), None)


def unclaimed_cost(army: Army, key: str) -> int | None:
    """What the card itself says."""
    return card(army_catalogue(army.game, army.season), key).cost


# -- units for the table ----------------------------------------------------------------------


def fielded(game: str, setup: Plain) -> tuple[Unit, ...]:
    """The combat units of a prepared set-up as units of a table, all at the table's corner."""
    trays = army_catalogue(game).trays
    sides = list(dict.fromkeys(player["side"] for player in setup["players"]))
    found = []
    for player in setup["players"]:
        far = sides.index(player["side"]) % 2
        if len(sides) > 2:
            far = int(corner_of(sides, player["side"]).startswith("far"))
        facing = FACING_DEG[far]
        for one in player["units"]:
            morale = Profile().morale if one["morale"] is None else one["morale"]
            attacks = tuple(Attack.read(Field(raw, "set-up", "")) for raw in one["attacks"])
            tray = trays[one["tray"]]
            found.append(
                Unit(
                    one["id"],
                    player["side"],
                    one["name"],
                    tray,
                    Pose(0.0, 0.0, facing),
                    one["speed"],
                    one["defense"],
                    morale,
                    tray.models,
                    attacks=attacks,
                )
            )
    return tuple(found)


@lru_cache
def ready_lists(game: str) -> tuple[tuple[str, int, str], ...]:
    """The faction, the size and the id list of each ready army."""
    root = load_toml(READY)
    if game not in root.raw:
        return ()
    return tuple(
        (
            item.member("faction").text(),
            item.member("points").whole(1, 1000),
            f"{item.member('faction').text()};{item.member('cards').text(400)}",
        )
        for item in root.member(game).items(60)
    )


def ready_armies(game: str, points: int) -> tuple[tuple[str, str], ...]:
    """For each faction the largest ready army of at most so many points, by the faction's name."""
    names = dict(factions(game))
    found: dict[str, tuple[int, str]] = {}
    for faction, size, listed in ready_lists(game):
        if size <= points and size > found.get(faction, (0, ""))[0]:
            found[faction] = (size, listed)
    return tuple((names[faction], listed) for faction, (_, listed) in found.items())
