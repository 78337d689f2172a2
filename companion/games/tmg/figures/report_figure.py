"""The report as a scene: trays, terrain, what units may do next, and the legend of the marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import shapely

from companion.games.tmg.figures.area_figure import (
    arcs,
    ranges,
    reach,
    shot_line,
    shot_open,
    shot_words,
    sight,
    threat_shapes,
)
from companion.games.tmg.figures.charge_figure import (
    arrow,
    corridor,
    ground,
    open_to,
    short_text,
    words,
)
from companion.games.tmg.rules.battlefield import Battlefield, arc_angle
from companion.games.tmg.rules.modes import CORNERS, Area, BattleArea, corner_zone, layout, mode
from companion.games.tmg.rules.readings import DEFAULT, Readings
from companion.games.tmg.rules.report import MiniaturesReport
from companion.games.tmg.rules.rulebook import STOPS, TERRAIN_KEYWORDS
from companion.games.tmg.rules.setup.table_setup import corner_of
from companion.games.tmg.rules.threat import Threat, threats_to
from companion.geometry.plane.answer import Answer
from companion.overlay.shapes import Label, Polyline, Shape, Style, TableScene
from companion.overlay.shapes import scene as map_scene
from companion.overlay.table_shapes import (
    GROUND_WORDS_Z,
    around,
    terrain_shapes,
    token_shapes,
    tray_shapes,
    zone_shapes,
)
from models import Table, Terrain, Unit
from models.message import joined, say


def ground_words(report: MiniaturesReport, unit: Unit) -> Iterator[Shape]:
    """Labels for wounds when acting on a piece, morale modifiers, and pieces it may attack."""
    ground = report.units[unit.id].ground
    acting = say("D3+1 wounds")
    notes: dict[str, list[tuple[str, Answer]]] = {}
    for name, answer in ground.on.items():
        notes.setdefault(name, []).append((acting, answer))
    for felt in ground.morale.felt:
        text = say("{value:+d} morale", value=felt.value)
        notes.setdefault(felt.piece, []).append((text, felt.answer))
    for name, answer in ground.breaks.items():
        notes.setdefault(name, []).append((say("may be attacked"), answer))
    for piece in report.table.terrain:
        found = notes.get(piece.id, ())
        if found:
            sure = all(answer for _text, answer in found)
            lines = [text if answer else joined((text, "?"), " ") for text, answer in found]
            style = Style("attack-minor", unit.side, sure)
            yield Label(
                joined(lines, "\n"),
                around(piece.outline),
                style,
                GROUND_WORDS_Z + 5,
                (unit.id, piece.id),
            )


ROLES = (
    "attack-path",
    "attack-area",
    "attack-end",
    "shot",
    "sight",
    "sight-blocked",
    "arc-front",
    "arc-line",
    "range",
    "reach",
    "threat",
    "threat-far",
    "threat-shot",
    "engaged",
    "token",
)
"""The roles in the legend, in order; trays, terrain and zones have labels of their own."""


def meaning(role: str) -> str:
    """What a role's mark means."""
    return {
        "attack-path": say("charge: roll, chance"),
        "attack-area": say("corridor"),
        "attack-end": say("ends here"),
        "shot": say("shot"),
        "sight": say("sees"),
        "sight-blocked": say("blocked"),
        "arc-front": say("front arc"),
        "arc-line": say("arc line"),
        "range": say("range"),
        "reach": say("move"),
        "threat": say("charge threat, 3+"),
        "threat-far": say("up to 6+"),
        "threat-shot": say("shot threat"),
        "engaged": say("engaged"),
        "token": say("objective"),
    }[role]


def titled_scene(
    table: Table, shapes: Sequence[Shape], title: str, subtitle: str = ""
) -> TableScene:
    """A table's scene with title and legend."""
    return map_scene(table, shapes, {role: meaning(role) for role in ROLES}, title, subtitle)


DRAWN_CONTACT_IN = 0.06
"""Trays no farther apart than this are drawn as touching."""

MARK_Z = 70

PIECES = {
    "forest": "wood",
    "hedge": "hedge",
    "bog": "water",
    "stakes": "spikes",
    "low-wall": "wall",
    "castle-wall": "wall",
    "palisade": "palisade",
    "weirwood": "tree",
    "corpse-pile": "bones",
}
DRAWN = [one for one in TERRAIN_KEYWORDS.values() if one.pattern]
"""The first of these keywords decides the pattern of a piece of the players' own."""


def scene(
    report: MiniaturesReport,
    unit_id: str | None = None,
    readings: Readings = DEFAULT,
    whole: bool = True,
) -> TableScene:
    """The scene with title and legend; if `whole`, with threats and reach, which are slow."""
    table = report.table
    title: str = say("Charges, shots and threats")
    if unit_id is not None:
        unit = table.unit(unit_id)
        title = unit.id if unit.name == unit.id else f"{unit.id} · {unit.name}"
    known = say(mode(table.game, table.mode).name) if table.mode else ""
    subtitle = joined(filter(None, (known, table.game)), " · ")
    threats = threats_about(table, unit_id, readings) if whole else ()
    found = shapes(report, unit_id, readings, threats, whole)
    return titled_scene(table, found, title, subtitle)


@lru_cache(maxsize=4)
def threats_to_side(table: Table, side: str, readings: Readings) -> tuple[Threat, ...]:
    """The threats to one side; cached, as they are the same for all its units."""
    return tuple(threats_to(Battlefield(table, readings), side))


def threats_about(
    table: Table, unit_id: str | None = None, readings: Readings = DEFAULT
) -> tuple[Threat, ...]:
    """The threats to a unit's side; without a unit, to every side."""
    sides = table.sides() if unit_id is None else (table.unit(unit_id).side,)
    return tuple(
        dict.fromkeys(threat for side in sides for threat in threats_to_side(table, side, readings))
    )


def shapes(
    report: MiniaturesReport,
    unit_id: str | None = None,
    readings: Readings = DEFAULT,
    threats: Sequence[Threat] = (),
    whole: bool = True,
) -> tuple[Shape, ...]:
    """The answers as shapes: one unit's in detail, or everybody's in brief."""
    table = report.table
    found = [*ground_shapes(table, readings, loud=unit_id is None)]
    found.extend(threat_shapes(table, threats))
    for unit in table.units:
        found.extend(tray_shapes(unit, chosen=unit.id == unit_id))
    found.extend(contacts(report))
    if unit_id is None:
        found.extend(overview(report))
    else:
        found.extend(unit_view(report, read_unit(table.unit(unit_id), readings), whole))
    return tuple(found)


def read_unit(unit: Unit, readings: Readings) -> Unit:
    """The unit with its tray's arc lines by the players' reading (OR-2)."""
    return replace(unit, tray=replace(unit.tray, arc_deg=arc_angle(unit.tray, readings)))


# -- the table ----------------------------------------------------------------------------------


def ground_shapes(table: Table, readings: Readings, loud: bool = True) -> Iterator[Shape]:
    """Deployment zones (faint if not `loud`), terrain, tokens, and the mode's own pieces."""
    pieces, tokens = list(table.terrain), list(table.tokens)
    if table.mode:
        plan = layout(mode(table.game, table.mode), BattleArea.of(table), readings)
        middle = (table.width / 2, table.depth / 2)
        zones, owners = owned_zones(table, plan.zones)
        for number, zone in enumerate(zones):
            side = owners.get(number, "")
            text = say("deployment of {side}", side=say(side))
            if not side:  # no unit of this player is on the table yet
                text = say("deployment of player {number}", number=number + 1)
            for part in zone.parts:
                yield from zone_shapes(part, side, text, middle, 1.0 if loud else 0.0)
        if not tokens:
            tokens.extend(spot.token() for spot in plan.spots)
        if not any(piece.piece == "castle-wall" for piece in pieces):
            pieces.extend(
                Terrain(wall.id, wall.outline, STOPS, "castle-wall") for wall in plan.walls
            )
        if not any(piece.piece == "corpse-pile" for piece in pieces):
            pieces.extend(plan.piles)
    for piece in pieces:
        yield from terrain_shapes(piece, pattern(piece))
    for token in tokens:
        yield from token_shapes(token)


def owned_zones(table: Table, edges: Sequence[Area]) -> tuple[Sequence[Area], dict[int, str]]:
    """The zones and whose each is: as the players chose them, else as they sit."""
    area, sides = BattleArea.of(table), table.sides()
    corners = {zone: side for zone, side in table.zones if zone in CORNERS}
    if corners:  # everyone for themselves (TMG-FFA-2)
        return [corner_zone(area, zone) for zone in corners], dict(enumerate(corners.values()))
    if table.zones:
        return edges, {int(zone == "far"): side for zone, side in table.zones}
    if len(sides) > 2:
        return [corner_zone(area, corner_of(sides, side)) for side in sides], dict(enumerate(sides))
    return edges, zone_owners(table, edges)


def zone_owners(table: Table, zones: Sequence[Area]) -> dict[int, str]:
    """Whose each zone is; while one side alone is on the table, the zone in which it stands.

    Of two sides each has the zone to which its units are nearer, in whatever order they are listed.
    """
    sides = table.sides()
    if len(sides) == len(zones) == 2:
        other = (sides[1], sides[0])
        swapped = apart(table, zones, other) < apart(table, zones, sides)
        return dict(enumerate(other if swapped else sides))
    if len(sides) != 1:
        return dict(enumerate(sides))
    spots = [shapely.Point(unit.pose.x, unit.pose.y) for unit in table.units]
    return {
        number: sides[0]
        for number, zone in enumerate(zones)
        if all(zone.shape.contains(spot) for spot in spots)
    }


def apart(table: Table, zones: Sequence[Area], owners: Sequence[str]) -> float:
    """How far the units stand from the zones of their sides, in all."""
    shapes = dict(zip(owners, (zone.shape for zone in zones), strict=True))
    spots = ((one.side, shapely.Point(one.pose.x, one.pose.y)) for one in table.units)
    return float(sum(shapes[side].distance(spot) for side, spot in spots))


def pattern(piece: Terrain) -> str:
    if piece.piece in PIECES:
        return PIECES[piece.piece]
    return next((one.pattern for one in DRAWN if one.name in piece.keywords), "plain")


def contacts(report: MiniaturesReport) -> Iterator[Shape]:
    """A heavy line where enemies touch."""
    for unit_id, answers in report.units.items():
        for other_id in answers.engaged:
            if unit_id < other_id:
                unit, other = report.table.unit(unit_id), report.table.unit(other_id)
                line = ground(unit).buffer(DRAWN_CONTACT_IN).intersection(ground(other).exterior)
                for part in shapely.get_parts(shapely.line_merge(line)):
                    if part.length > 3 * DRAWN_CONTACT_IN:
                        points = tuple(part.coords)
                        yield Polyline(points, Style("engaged"), MARK_Z, (unit_id, other_id))


def overview(report: MiniaturesReport) -> Iterator[Shape]:
    """Every legal charge as an arrow with its roll and chance, every shot as a dotted line."""
    for unit_id, answers in report.units.items():
        unit = report.table.unit(unit_id)
        for other_id, charge in answers.charges.items():
            if open_to(charge):
                mutual = open_to(report.units[other_id].charges.get(unit_id))
                led = report.ways(unit_id, other_id)[0]
                way = arrow(unit, report.table.unit(other_id), led, mutual)
                yield way
                yield words(way, short_text(led))
        for other_id, shot in answers.shots.items():
            if shot_open(shot):
                yield shot_line(unit, report.table.unit(other_id), shot)


def unit_view(report: MiniaturesReport, unit: Unit, whole: bool) -> Iterator[Shape]:
    """A unit's arcs, lines of sight, charges, shots, and who may charge it."""
    table, answers = report.table, report.units[unit.id]
    yield from arcs(table, unit)
    yield from ranges(table, unit)
    yield from ground_words(report, unit)
    if whole:
        yield from reach(report, unit)
    for other in table.enemies(unit):
        charge, shot = answers.charges.get(other.id), answers.shots.get(other.id)
        danger = report.units[other.id].charges.get(unit.id)
        mutual = open_to(charge) and open_to(danger)
        if open_to(charge):
            yield from corridor(unit, other, report.ways(unit.id, other.id)[0], mutual)
        if shot_open(shot):
            line = shot_line(unit, other, shot)
            yield line
            yield shot_words(line, shot)
        if not (open_to(charge) or shot_open(shot)):  # already visible from those
            yield from sight(report, unit, other)
        if open_to(danger):
            way = arrow(other, unit, danger, mutual)
            yield way
            yield words(way, joined([f"{other.id}:", short_text(danger)], " "), loud=False)
