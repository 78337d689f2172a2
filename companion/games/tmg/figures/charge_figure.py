"""A charge as shapes: its path, the area it sweeps, where it ends, and the roll it needs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import TypeGuard

import shapely
from shapely.geometry import LineString
from shapely.geometry import Polygon as Area

from companion.games.tmg.rules.report import Charge
from companion.overlay.shapes import Label, Point, Polygon, Polyline, Shape, Style
from companion.text.verdicts import Share
from models import Pose, Unit
from models.message import joined, say
from models.unit import corners

FAR_IN = 200.0
ASIDE_IN = 0.5
"""The lateral offset of the arrows of two units that may charge each other."""

CORRIDOR_Z, WAY_Z, WORDS_Z = 30, 50, 95


def open_to(charge: Charge | None) -> TypeGuard[Charge]:
    """Whether a charge is allowed, or unsure."""
    return charge is not None and charge.answer.verdict != "no" and charge.heading is not None


def arrow(unit: Unit, target: Unit, charge: Charge, mutual: bool = False) -> Polyline:
    """An arrow from the tray straight to where its front touches the target."""
    end = front_end(unit, target, charge)
    start = (unit.pose.x, unit.pose.y)
    if mutual:
        start, end = beside(start, end, ASIDE_IN)
    outside = LineString([start, end]).difference(ground(unit))
    if not outside.is_empty:
        start = shapely.get_parts(outside)[-1].coords[0]
    sure = charge.answer.verdict == "yes"
    style = Style("attack-path", unit.side, sure, charge.chance)
    return Polyline((start, end), style, WAY_Z, (unit.id, target.id), arrow=True)


def front_end(unit: Unit, target: Unit, charge: Charge) -> Point:
    """Where the midpoint of the front edge ends: aligned, or at the first contact."""
    if charge.align:
        return best_place(charge).ahead(unit.tray.depth / 2)
    pose = unit.pose.turned(charge.heading or 0.0)
    return pose.ahead(unit.tray.depth / 2 + travel_in(unit, pose, target))


def best_place(charge: Charge) -> Pose:
    """The placement with the most contact."""
    return max(charge.align, key=lambda placement: placement.contact).pose


def beside(start: Point, end: Point, aside_in: float) -> tuple[Point, Point]:
    """The same line moved to its right by this distance."""
    length = math.dist(start, end) or 1.0
    dx = (end[1] - start[1]) / length * aside_in
    dy = (start[0] - end[0]) / length * aside_in
    return (start[0] + dx, start[1] + dy), (end[0] + dx, end[1] + dy)


def corridor(unit: Unit, target: Unit, charge: Charge, mutual: bool = False) -> Iterator[Shape]:
    """The area a charge sweeps after its pivot, its end position, and its odds."""
    about = (unit.id, target.id)
    sure = charge.answer.verdict == "yes"
    pose = unit.pose.turned(charge.heading or 0.0)
    ahead, aside = unit.tray.depth / 2, unit.tray.width / 2
    end = ahead + travel_in(unit, pose, target)
    swept = ((ahead, aside), (ahead, -aside), (end, -aside), (end, aside))
    style = Style("attack-area", unit.side, sure, charge.chance)
    outline = tuple(pose.ahead(*corner) for corner in swept)
    yield Polygon(outline, style, CORRIDOR_Z, about)
    if charge.align:
        there = unit.at(best_place(charge))
        yield Polygon(corners(there), Style("attack-end", unit.side), CORRIDOR_Z + 1, about)
    way = arrow(unit, target, charge, mutual)
    yield way
    yield words(way, long_text(charge))


def travel_in(unit: Unit, pose: Pose, target: Unit) -> float:
    """How far the tray moves straight ahead from that pose until it touches the target."""
    ahead, aside = unit.tray.depth / 2, unit.tray.width / 2
    lane = ((0.0, aside), (0.0, -aside), (FAR_IN, -aside), (FAR_IN, aside))
    met = ground(target).intersection(Area([pose.ahead(*corner) for corner in lane]))
    if met.is_empty:
        return float(ground(target).distance(ground(unit.at(pose))))
    angle = math.radians(pose.heading)
    cos, sin = math.cos(angle), math.sin(angle)
    near = min((x - pose.x) * cos + (y - pose.y) * sin for x, y in shapely.get_coordinates(met))
    return max(0.0, float(near) - ahead)


@lru_cache(maxsize=128)
def ground(unit: Unit) -> Area:
    """The area a unit covers; cached, as every line of sight needs all of them."""
    return Area(corners(unit))


# -- texts --------------------------------------------------------------------------------------


def words(way: Polyline, text: str, loud: bool = True) -> Label:
    """The label of a charge's path."""
    style = Style("attack-area" if loud else "attack-minor", way.style.side, way.style.sure)
    spots = tuple(way.at(share) for share in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2))
    return Label(text, spots, style, WORDS_Z if loud else WORDS_Z - 5, way.about)


def short_text(charge: Charge) -> str:
    """The needed roll, the chance, and the arc if it is not the front: '3+ 67% flank'."""
    words = [roll(charge), percent(charge.chance)]
    if charge.zone.arc in ("left", "right"):
        words.append(say("flank"))
    elif charge.zone.arc == "rear":
        words.append(say("rear"))
    return joined([word for word in (*words, doubt(charge)) if word], " ")


def long_text(charge: Charge) -> str:
    """Distance, needed roll and chance; on the next line the arc and the effects of terrain."""
    shown = {"roll": roll(charge), "chance": percent(charge.chance)}
    needs = (
        say("needs {roll} {chance}", **shown)
        if roll(charge)
        else say("any roll {chance}", chance=shown["chance"])
    )
    far = charge.distance_in
    length = say("{far:.1f}″", far=far) if far is not None else ""
    effects = (say(effect.replace("-", " ")) for effect in charge.effects)
    notes = joined([arc_text(charge.zone.arc), *effects], " · ")
    return joined([joined(filter(None, (length, needs, doubt(charge))), " "), notes], "\n")


def roll(charge: Charge) -> str:
    """The needed roll, or those it lies between; empty where every roll is enough."""
    if charge.may_need:
        return f"{charge.may_need[0]}+/{charge.may_need[-1]}+"
    return f"{charge.needs}+" if charge.needs is not None and charge.needs > 1 else ""


def percent(chance: float) -> str:
    """A probability in whole percent, as the language writes it."""
    return say("{chance:.0%}", chance=Share(chance))


def doubt(charge: Charge) -> str:
    """A question mark where the answer is unsure."""
    return "?" if charge.answer.verdict == "unsure" else ""


def arc_text(arc: str) -> str:
    """An arc as players call it."""
    return {
        "front": say("front"),
        "left": say("left flank"),
        "right": say("right flank"),
        "rear": say("rear"),
    }.get(arc, say("arc too close to call"))
