"""A piece that was moved: where a dragged tray snaps into contact, on which cells a piece may
stand, and the notice of which action explains the move.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import Any, Protocol

from companion import games
from companion.engine.cell_ways import AT_ONCE, Way, ways_to
from companion.engine.snapshot import CellMove, Notice, Snapshot
from companion.engine.turn.selection import in_turn
from companion.games.api.game_screen import GameScreen
from companion.games.api.play import Plain
from companion.games.api.prompt import ActionOffer, TargetCell, TrayEnd
from companion.geometry.grid.placing import likely_cells
from companion.session.builtin_commands import LONGEST_NOTE
from companion.session.fold import Position
from companion.text.verdicts import Reason
from models import CompanionError, Pose, Table
from models.board import Cell, cell_text
from models.board_table import HAND_SHARE, BoardPiece, BoardTable, Measured
from models.field import Field
from models.message import joined, say
from models.unit import Point, Unit, corners, trays_overlap

NEAR_IN, NEAR_DEG = 0.7, 22.0
"""A front this close to an edge, and turned this little from it, snaps onto it."""


@dataclass(frozen=True, slots=True)
class Contact:
    """A pose in contact with another tray, and the shared part of the edge."""

    pose: Pose
    unit: str
    edge: tuple[Point, Point]


def snapped(table: Table, unit: str, pose: Pose) -> Contact | None:
    """The nearest pose in which the front of the unit lies flat on an edge of an enemy tray."""
    own = table.unit(unit)
    tray = own.tray
    best: tuple[float, Contact] | None = None
    for other in table.units:
        if other.side == own.side:
            continue
        ring = corners(other)
        for start, end in pairwise((*ring, ring[0])):
            found = laid(pose, tray.width, tray.depth, start, end)
            if found is None:
                continue
            away, flat, shared = found
            if best is None or away < best[0]:
                best = away, Contact(flat, other.id, shared)
    return best[1] if best is not None else None


def laid(
    pose: Pose, width: float, depth: float, start: Point, end: Point
) -> tuple[float, Pose, tuple[Point, Point]] | None:
    """The pose with its front on an edge (counter-clockwise around its tray), if that is near.

    Also how far the front is moved, and the shared part of the edge.
    """
    length = math.dist(start, end)
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    nx, ny = uy, -ux  # outwards
    heading = math.degrees(math.atan2(-ny, -nx))
    turned = (heading - pose.heading + 180) % 360 - 180
    if abs(turned) > NEAR_DEG:
        return None
    front = pose.ahead(depth / 2)
    away = (front[0] - start[0]) * nx + (front[1] - start[1]) * ny
    along = (front[0] - start[0]) * ux + (front[1] - start[1]) * uy
    low, high = max(0.0, along - width / 2), min(length, along + width / 2)
    if abs(away) > NEAR_IN or high - low < 0.2:
        return None
    x = start[0] + ux * along + nx * depth / 2
    y = start[1] + uy * along + ny * depth / 2
    shared = (
        (start[0] + ux * low, start[1] + uy * low),
        (start[0] + ux * high, start[1] + uy * high),
    )
    return abs(away), Pose(x, y, heading, pose.sigma), shared


def chances(table: BoardTable, piece: BoardPiece, pose: Pose) -> dict[Cell, float]:
    """The cells on which a piece seen at a pose may stand, the most probable first."""
    sigma = math.hypot(pose.sigma.xy_in, HAND_SHARE * table.board.cell_in)
    seen = replace(piece, cell=None, measured=Measured(pose.x, pose.y, sigma))
    found = likely_cells(table.board, seen)
    return dict(sorted(found.items(), key=lambda one: -one[1]))


def cell_move(
    snapshot: Snapshot,
    table: BoardTable,
    piece: str,
    pose: Pose,
    offers: Sequence[ActionOffer],
    readings: Any = None,
) -> CellMove | None:
    """What a settled move of a piece means; None if it stands where the game has it.

    `offers` are those of the piece, `readings` those of the game.
    """
    here = table.piece(piece)
    found = chances(table, here, pose)
    if found and next(iter(found)) == here.cell:
        return None
    name = snapshot.name(piece)
    if not found:
        return CellMove(piece, name, say("It stands beside the board. Put it back."))
    asked = prompted(snapshot, piece)
    every = [
        (Way(TargetCell(cell, asked[cell])),) if cell in asked else ways_to(offers, piece, cell)
        for cell in found
    ]
    pairs = zip(every, found, strict=True)
    cells = tuple(
        replace(ways[0].target if ways else barred(cell, here.cell), piece=piece)
        for ways, cell in pairs
    )
    spot = cells[0].cell if len(cells) == 1 else None
    if len(cells) > 1:
        told = say("Which space does {unit} stand on?", unit=name)
        return CellMove(piece, name, told, cells, pose=pose)
    if ways := every[0]:
        return asked_about(CellMove(piece, name, "", cells, pose=pose, spot=spot), ways)
    if asked:
        told = say("It goes to one of the marked spaces.")
        goals = tuple(TargetCell(cell, commands, piece=piece) for cell, commands in asked.items())
        return CellMove(piece, name, told, goals, pose=pose, spot=spot)
    why = beyond_all(offers, cells[0].cell)
    why = why or cell_verdict(table, piece, cells[0].cell, readings, snapshot)
    detail = say("It may not stand there now. Put it back.")
    parts = [why, detail] if why else [detail]
    both = joined(parts, " " if str(why).endswith(".") else ". ")
    if why == CANNOT_MOVE and (idle := not_begun(offers)):
        both = say("It cannot move now: {why}.", why=idle)
    stands = table.moved(piece, cells[0].cell)
    never = games.find(table.game).barred(stands, piece, readings)
    return CellMove(piece, name, both, cells, pose=pose, spot=spot, barred=never)


def asked_about(move: CellMove, ways: tuple[Way, ...]) -> CellMove:
    """A piece that may stand where it stands, in these ways."""
    told = say("It stands on another space.")
    if len({one.name for one in ways}) > 1:
        told = say("Which action was it?")
    elif ways[0].begins:
        told = say("It may move there if it does this first:")
    return replace(move, detail=told, ways=ways)


def barred(cell: Cell, stood: Cell | None) -> TargetCell:
    """A cell to which a piece may not go: only the one where the game has it is no fault."""
    return TargetCell(cell, (), "" if cell == stood else "barred")


def place_corrections(snapshot: Snapshot, pieces: Collection[str]) -> list[Plain]:
    """The commands that only correct on which cells pieces stand, in an order in which each finds
    its cell free; those that would change places with each other are left to the players."""
    table = snapshot.gridded
    moves = {one.piece: one for one in snapshot.cell_moves if one.piece in pieces}
    goals = {
        piece: move.spot
        for piece, move in moves.items()
        if move.spot is not None and (view := snapshot.piece(piece)) is not None and view.puts
    }
    if table is None:
        return []
    found: list[Plain] = []
    while goals:
        held = {one.cell for one in table.pieces if one.id in goals}
        free = next((one for one, goal in goals.items() if goal not in held), None)
        if free is None:
            break
        view, cell = snapshot.piece(free), goals.pop(free)
        if view is not None:
            found.append({**view.puts, "to": cell_text(cell)})
    return found


def prompted(snapshot: Snapshot, piece: str) -> dict[Cell, tuple[Plain, ...]]:
    """The cells to which a prompt sends a piece: a retreat, a pursuit, a surge."""
    return {
        target.cell: target.commands
        for prompt in snapshot.prompts
        if prompt.mover == piece
        for target in prompt.cells
    }


def still_open(moves: Sequence[CellMove], table: BoardTable) -> tuple[CellMove, ...]:
    """The moves that the game does not know yet."""
    return tuple(
        one
        for one in moves
        if one.piece in table
        and not (one.cells and table.piece(one.piece).cell == one.cells[0].cell)
    )


LINE_IN = 0.4
"""A finger this close to the line of a straight move means the line."""

ROUNDED_IN = 0.005
"""Who is too far is offered a legal place a hair inside the limit."""

MISSED_IN = 0.01
"""A line missed by less is not missed."""


def line_end(start: Pose, pose: Pose, lines: Sequence[float]) -> Pose:
    """The nearest pose on the lines along which alone a move goes; its facing is kept."""
    ends = [pose]
    for line in lines:
        way = math.radians(start.heading + line)
        dx, dy = math.cos(way), math.sin(way)
        far = max(0.0, (pose.x - start.x) * dx + (pose.y - start.y) * dy)
        ends.append(replace(pose, x=start.x + far * dx, y=start.y + far * dy))
    return min(ends[1:] or ends, key=lambda end: math.dist((end.x, end.y), (pose.x, pose.y)))


def at_end(offers: Iterable[ActionOffer], unit: str, pose: Pose) -> Pose | None:
    """The nearest place that an offer names for a tray, if a finger put it close to that."""
    found = [one for offer in offers for one in ends_from(offer, unit, pose)]
    near = [one for one in found if one[0] <= NEAR_IN and one[1] <= NEAR_DEG]
    return min(near, key=lambda one: one[0])[2].poses[0][1] if near else None


DECIDED_IN = 2.0
"""A move that is decided goes along its lines only: a finger may be this far off."""


def straightened(start: Pose, pose: Pose, lines: Sequence[float], decided: bool = False) -> Pose:
    """The pose on the line of a straight move, if a finger put it close to that."""
    end = line_end(start, pose, lines)
    near = DECIDED_IN if decided else LINE_IN
    return end if math.dist((end.x, end.y), (pose.x, pose.y)) <= near else pose


TOLD_DEG = 3.0
"""A turn by less is not told: measurements tremble."""
STILL_IN, STILL_DEG = 0.1, 1.0
"""A tray that ends this close to its old place has not moved."""


class PlaceJudge(Protocol):
    """A game in play, asked about the place of a piece."""

    def entry(self, table: Table, piece: str) -> Plain | None:
        """Whether a piece that comes in may stand where a table shows it, whatever its way."""

    def gain(self, table: Table, piece: str) -> str:
        """What a piece has from standing where a table shows it."""


def explained(
    table: Table,
    unit: str,
    end: Pose,
    readings: Any,
    snapshot: Snapshot | None = None,
    offers: Sequence[ActionOffer] = (),
    judge: PlaceJudge | None = None,
) -> Notice | None:
    """The game's judgement of the move; None if the tray is back at its old place.

    A unit with a move that is already decided is judged by that one alone, another one by the
    moves among its `offers`. One that has none of them may not move now. `judge` is the game in
    play.
    """
    before = table.unit(unit).pose
    if still(before, end):
        return None
    snapshot = snapshot or Snapshot()
    after = table.moved(unit, end)
    game = games.find(table.game)
    far = math.hypot(end.x - before.x, end.y - before.y)
    title = say("{unit} moved {length:.2f}″", unit=snapshot.name(unit), length=far)
    turned = abs((end.heading - before.heading + 180) % 360 - 180)
    if turned >= TOLD_DEG:
        way = {"unit": snapshot.name(unit), "length": far, "turn": turned}
        title = say("{unit} moved {length:.2f}″ and turned {turn:.0f}°", **way)
    due = snapshot.due_move(unit)
    mobile = tuple(one for one in offers if (one.moves or one.ends) and one.possible)
    moving = (due,) if due else mobile or tuple(asked_moves(snapshot, unit))
    moving = moving if due else (*moving, *begun_by_hand(table, unit, end, readings, offers))
    over = lies_over(after, unit)
    possible = over is None
    covers = say("It lies over {unit}.", unit=snapshot.name(over)) if over is not None else ""
    if snapshot.view is not None and not moving:
        why = joined(filter(None, (out_of_turn(snapshot, unit), covers)), " ")
        never = game.barred(after, unit, readings) if possible else ""
        return Notice(
            unit, title, why, False, before, after, False, possible=possible, barred=never
        )
    comes_in = judge.entry(after, unit) if judge is not None and due is not None else None
    if due is not None and comes_in is not None:
        found: Mapping[str, Any] = {due.kind: comes_in}
    else:
        found = verdicts(table, unit, end, readings, moving)
    by_place = [one for one in moving if one.ends and one.kind not in found]
    found = {**at_named_places(by_place, unit, end), **found}
    notice = Notice(
        unit,
        title,
        "",
        False,
        before,
        after,
        over={name: one.get("over") or 0.0 for name, one in found.items()},
        missing={name: one["missing"] for name, one in found.items() if "missing" in one},
        why={
            name: joined(filter(None, (beside(before, end, name, moving), told)), " · ")
            for name, told in ((name, why_not(one, game.reason)) for name, one in found.items())
        },
        costs={name: costs_of(one, snapshot) for name, one in found.items()},
    )
    legal = [name for name, one in found.items() if one["answer"] != "no"]
    elsewhere = [one for one in by_place if not place_name(one, unit, end)]
    fitting = tuple(one for one in moving if explains(one, found) and one not in elsewhere)
    sidelong = (one for one in moving if askew(one, found) and one not in fitting)
    meant = tuple(one for one in sidelong if possible)
    askew_told = {one.kind: {**found[one.kind]["askew"], "told": one.text} for one in meant}
    if legal and (fitting or not moving):
        unsure = all(found[name]["answer"] == "unsure" for name in legal)
        gain = judge.gain(after, unit) if judge is not None else ""
        detail = joined(filter(None, (allowed(found, legal, snapshot, game.reason), gain)), " · ")
        fitting = (*fitting, *aimed_elsewhere(fitting, offers))
        notice = replace(notice, detail=detail, legal=True, unsure=unsure, actions=fitting)
        meant = tuple(one for one in meant if one not in fitting)
        if unsure and meant:  # so near to an enemy it may have been meant for it
            miss, _ = missed(askew_told, {}, game.reason)
            told = joined((detail, miss), "; ")
            return replace(notice, detail=told, actions=(*fitting, *meant))
        return notice
    if due is not None and due.kind not in found:  # only the players can judge it
        return replace(notice, detail=due.text, legal=True, actions=moving)
    off = {one.kind: off_line(before, end, one.lines) for one in moving}
    detail, rules = missed(askew_told or found, off, game.reason)
    if covers:
        detail = joined((covers, detail), " · ")
    if meant:  # where it stands is asked after its dice
        found_out = replace(notice, detail=detail, rules=rules, possible=possible)
        return replace(found_out, unsure=True, actions=meant)
    agreeable = tuple(one for one in moving if one.dice is None and possible)
    nearest = {
        one.kind: place
        for one in moving
        if (place := nearer(table, unit, end, readings, one, notice.over.get(one.kind, 0.0)))
    }
    never = game.barred(after, unit, readings) if possible else ""
    notice = replace(notice, detail=detail, rules=rules, possible=possible, barred=never)
    return replace(notice, agreeable=agreeable, nearest=nearest)


def asked_moves(snapshot: Snapshot, unit: str) -> Iterator[ActionOffer]:
    """The moves among what the first prompt lets the players choose for a piece."""
    for asked in snapshot.prompts[:1]:
        for choice in asked.choices:
            if choice.moves and unit == (choice.piece or asked.mover):
                offer = ActionOffer(choice.moves, choice.text, choice.commands, unit, moves=True)
                yield replace(offer, dice=choice.dice)


def begun_by_hand(
    table: Table, unit: str, end: Pose, readings: Any, offers: Iterable[ActionOffer]
) -> Iterator[ActionOffer]:
    """The best action with a move of its own that a hand has made already, as that move."""
    best = next((one for one in offers if one.begins_with and one.possible), None)
    if best is not None:
        offer = replace(best, kind=best.begins_with, target="")
        answer = verdicts(table, unit, end, readings, (offer,)).get(offer.kind)
        if answer is not None and answer["answer"] != "no":
            yield offer


def aimed_elsewhere(
    fitting: Iterable[ActionOffer], offers: Iterable[ActionOffer]
) -> Iterator[ActionOffer]:
    """The same action at others: whom it is aimed at is chosen after the move (TMG-RNG-7)."""
    begun = {one.kind: one.commands for one in fitting if one.begins_with}
    for one in offers:
        if begun.get(one.begins_with, one.commands) != one.commands and one.possible:
            yield replace(one, kind=one.begins_with, target="")


def as_action(
    offers: Iterable[ActionOffer], kind: str, commands: Sequence[Plain] = ()
) -> ActionOffer | None:
    """The offer of a kind with these commands; without commands the first of its kind."""
    found = (one for one in offers if one.kind == kind)
    return next((one for one in found if not commands or [*one.commands] == [*commands]), None)


def action_names(offers: Sequence[ActionOffer]) -> list[str]:
    """A name for the button of each of several actions: its kind, numbered from the second of it
    on."""
    kinds = [one.kind for one in offers]
    before = [kinds[:place].count(kind) for place, kind in enumerate(kinds)]
    return [f"{kind}:{n}" if n else kind for kind, n in zip(kinds, before, strict=True)]


def called_apart(offers: Sequence[ActionOffer]) -> list[str]:
    """What players call each of several actions: its kind, or its words where others share that."""
    kinds = Counter(one.kind for one in offers)
    texts = Counter(str(one.text) for one in offers)
    return [
        one.kind
        if kinds[one.kind] == 1
        else one.text
        if texts[str(one.text)] == 1
        else joined((one.text, one.detail), " · ")
        for one in offers
    ]


def lies_over(table: Table, unit: str) -> str | None:
    """The tray over which another one would lie, which no table has; None if there is none."""
    own = table.unit(unit)
    covered = (one.id for one in table.units if one is not own and trays_overlap(own, one))
    return next(covered, None)


def verdicts(
    table: Table, unit: str, end: Pose, readings: Any, moving: Sequence[ActionOffer]
) -> dict[str, Mapping[str, Any]]:
    """What the rules say of a place as the end of each move; of all where none is named.

    A move whose dice lie goes no farther than they let it.
    """
    own, kinds = table.unit(unit), {one.kind: one.reach for one in moving}
    found = games.find(table.game).check(table, table.moved(unit, end), unit, readings)
    far = math.hypot(end.x - own.pose.x, end.y - own.pose.y)
    return {
        name: one if (reach := kinds.get(name)) is None else limited(one, reach, own.speed, far)
        for name, one in found.items()
        if name in kinds or not kinds
    }


def nearer(
    table: Table, unit: str, end: Pose, readings: Any, offer: ActionOffer, over: float
) -> Pose | None:
    """The last legal place on the way to one that is too far, or that is beside the line
    of a straight move."""
    start = table.unit(unit).pose
    beside = off_line(start, end, offer.lines)
    end = line_end(start, end, offer.lines)
    far = math.hypot(end.x - start.x, end.y - start.y)
    left = far - over - ROUNDED_IN if over else far
    if offer.target or not (over or beside) or left <= 0:
        return None
    x, y = (a + (b - a) * left / far for a, b in ((start.x, end.x), (start.y, end.y)))
    place = replace(end, x=x, y=y)
    answer = verdicts(table, unit, place, readings, (offer,)).get(offer.kind)
    return place if answer is not None and answer["answer"] == "yes" else None


def at_named_places(
    offers: Iterable[ActionOffer], unit: str, pose: Pose
) -> dict[str, Mapping[str, Any]]:
    """The verdict on a move whose places the rules name: it is at one of them, or it is not."""
    found: dict[str, Mapping[str, Any]] = {}
    for one in offers:
        text = place_name(one, unit, pose)
        if text or one.kind not in found:
            answer, why = ("yes", []) if text else ("no", list(one.rules))
            found[one.kind] = {"answer": answer, "why": why, "target": one.target, "told": text}
    return found


def place_name(offer: ActionOffer, unit: str, pose: Pose) -> str:
    """At which of the places of an offer a tray is, within the error of its measurement."""
    for off, turn, end in ends_from(offer, unit, pose):
        far, turned = (2 * error for error in (pose.sigma.xy_in, pose.sigma.heading_deg))
        if off < STILL_IN + far and turn < STILL_DEG + turned:
            return end.text
    return ""


def ends_from(offer: ActionOffer, unit: str, pose: Pose) -> Iterator[tuple[float, float, TrayEnd]]:
    """The places of an offer for one tray alone, with how far off a pose is in inches and
    degrees."""
    for end in offer.ends:
        (piece, there), *others = end.poses
        if piece == unit and not others:
            turned = abs((there.heading - pose.heading + 180) % 360 - 180)
            yield math.dist((there.x, there.y), (pose.x, pose.y)), turned, end


def beside(before: Pose, end: Pose, kind: str, moving: Sequence[ActionOffer]) -> str:
    """By how much a straight move missed its line."""
    lines = next((one.lines for one in moving if one.kind == kind), ())
    off = off_line(before, end, lines)
    return say(OFF_LINE, length=off) if off else ""


OFF_LINE = str(say("{length:.2f}″ off the straight line"))


def off_line(before: Pose, end: Pose, lines: Sequence[float]) -> float:
    """How far a place is from the lines along which alone a move goes; 0 where it goes any way."""
    there = line_end(before, end, lines)
    off = math.dist((there.x, there.y), (end.x, end.y))
    return off if off >= MISSED_IN else 0.0


def explains(offer: ActionOffer, found: Mapping[str, Any]) -> bool:
    """Whether an action explains the move: a charge that reached or missed its own target only."""
    answer = found.get(offer.kind)
    if answer is None or answer["answer"] == "no":
        return False
    targets = answer.get("target"), answer.get("short")
    return not (offer.target and offer.commands) or offer.target in targets


def askew(offer: ActionOffer, found: Mapping[str, Any]) -> bool:
    """Whether a hand meant an action and only did not lay the tray as it ends."""
    answer = (found.get(offer.kind) or {}).get("askew")
    return answer is not None and answer["target"] == offer.target


def limited(answer: Mapping[str, Any], reach: float, speed: float, far: float) -> Mapping[str, Any]:
    """A verdict on a move whose dice lie: it goes no farther than they let it."""
    needs = answer.get("needs")
    if answer["answer"] == "no" or needs is None or needs <= reach - speed:
        return answer
    return {**answer, "answer": "no", "over": max(far - reach, 0.0)}


def recorded_move(
    notice: Notice, action: str, moved: Table, commands: Sequence[Plain] = ()
) -> tuple[Plain, ...]:
    """The commands of an accepted move: the new table, in one step with the action if it is one."""
    table: Plain = {"do": "table", "table": moved.to_json(), "units": [notice.unit]}
    offer = as_action((*notice.actions, *notice.agreeable), action, commands)
    if offer is None or not offer.commands:
        return (table,)
    if offer in notice.agreeable:
        table = {**table, "agreed": True}
    return ({"do": "together", "commands": [*map(dict, offer.commands), table]},)


def agreement(offer: ActionOffer) -> str:
    """What both players agree to: an action, or the place of a move that was decided before."""
    if offer.commands:
        return say("Both agree: {action}", action=offer.text)
    return say("Both agree: it may stand there")


ONLY_CORRECTED = say("only its position is corrected")


def agreed(notice: Notice, action: str, alone: bool = False) -> str:
    """The move, if all players must agree to it, as no rule explains it; "" for others.

    A mere correction is one of them where somebody makes it `alone`, on a screen of their own.
    """
    if action in {one.kind for one in notice.agreeable}:
        return joined((notice.title, notice.detail), " · ")
    if alone and action not in {one.kind for one in notice.actions}:
        return joined(filter(None, (notice.title, ONLY_CORRECTED, notice.barred)), " · ")
    return ""


def moved_units(commands: Sequence[Plain]) -> Iterator[Unit]:
    """The units that commands put elsewhere, as they would stand then."""
    for command in commands:
        if command.get("do") == "together":
            yield from moved_units(command["commands"])
        elif command.get("do") == "table":
            units = Table.read(Field(command["table"])).units
            yield from (one for one in units if one.id in command.get("units", ()))


def agreed_note(asks: str, words: Callable[[str], str]) -> Plain:
    """The command that notes what all players agree to, as they write it."""
    return {"do": "note", "text": words(say("both agree: {move}", move=asks))[:LONGEST_NOTE]}


def stays(table: Table, unit: str, commands: Sequence[Plain] = ()) -> Plain:
    """The command of a tray that stays where it is: of an action, or of a move that is due."""
    here: Plain = {"do": "table", "table": table.to_json(), "units": [unit]}
    return {"do": "together", "commands": [*map(dict, commands), here]} if commands else here


def newly_due(screen: GameScreen, here: Position, unit: str) -> bool:
    """Whether the newest step decided, without dice, the move that this unit still has to make:
    Undo takes back both, but no die that fell before a place was chosen."""
    before = here.whole.below
    if before is None or before.play is None:
        return False
    news = takewhile(lambda one: one is not before, here.down())
    if any(one.step is not None and one.step.rolled for one in news):
        return False
    known = [one.piece for one in screen.due_moves(before.state)]
    return unit not in known and any(one.piece == unit for one in screen.due_moves(here.state))


def certain_ends(due: Iterable[ActionOffer]) -> list[TrayEnd]:
    """Where trays go that have a move to make, if the rules alone say it."""
    return [move.ends[0] for move in due if move.certain]


def out_of_turn(snapshot: Snapshot, unit: str) -> str:
    """Why a piece may not move now."""
    piece = snapshot.piece(unit)
    asked = snapshot.prompts[0].choices if snapshot.prompts else ()
    if any(one.piece == unit for one in asked):
        return say("First choose what it does.")
    if piece is not None and piece.state == "spent":
        return say("It has already acted this round.")
    acting = next((one for one in snapshot.pieces if one.state == "acting"), None)
    if acting is not None and acting.id == unit:
        return say("It has no move left in this turn.")
    if acting is not None:
        return say("It is the turn of {unit}.", unit=acting.name)
    return say("It is not its turn.")


def beyond_all(offers: Sequence[ActionOffer], cell: Cell) -> str:
    """Why not even several actions in one go bring a piece to a cell, if an offer says so."""
    found = (one for one in offers if one.kind == AT_ONCE and not one.possible and one.at(cell))
    return next((one.reason for one in found), "")


CANNOT_MOVE = say("It cannot move now. Tap it to see what it may do.")


def not_begun(offers: Sequence[ActionOffer]) -> str:
    """Why a piece may not begin to act, as the game says it."""
    reasons = (one.reason for one in offers if one.begins and not one.possible)
    return next((one for one in reasons if one), "")


def cell_verdict(
    table: BoardTable, piece: str, cell: Cell, readings: Any, snapshot: Snapshot
) -> str:
    """Why a piece may not go to a cell of the board; empty if the game does not say."""
    if not in_turn(snapshot, piece):
        return out_of_turn(snapshot, piece)
    try:
        game = games.find(table.game)
        found = game.check(table, table.moved(piece, cell), piece, readings)
    except CompanionError:  # it cannot check moves
        return ""
    move = next(iter(found.values()))  # a plain move comes first
    if move["answer"] == "yes":
        return CANNOT_MOVE
    over, far = move.get("over", 0), move.get("cost")
    told = dict.fromkeys(game.reason(rule) for rule in move["why"] if game.reason(rule))
    if over:
        told.pop(say("too far"), None)
        round_it = say("too far: by {n}, for the way round is {far} spaces", n=over, far=far)
        told = {round_it if far else say("too far: by {n}", n=over): None, **told}
    return joined(told, "; ")


def still(before: Pose, now: Pose) -> bool:
    """Whether two poses are the same within the tolerance."""
    turned = abs((now.heading - before.heading + 180) % 360 - 180)
    return math.hypot(now.x - before.x, now.y - before.y) < STILL_IN and turned < STILL_DEG


def allowed(found: Mapping[str, Any], legal: list[str], snapshot: Snapshot, reason: Reason) -> str:
    """The actions that explain the move, as text, and what is too close to call about them."""
    actions = joined(
        close_call(name, reasons_of(found[name], reason))
        if found[name]["answer"] == "unsure"
        else found[name].get("told") or name
        for name in legal
    )
    costs = dict.fromkeys(filter(None, (costs_of(found[name], snapshot) for name in legal)))
    return joined((actions, *costs), " · ")


def close_call(action: str, why: str) -> str:
    """An action that may or may not explain a move, with what would forbid it."""
    if not why:
        return say("{action} (too close to call)", action=action)
    return say("{action} (too close to call: {why})", action=action, why=why)


def costs_of(answer: Mapping[str, Any], snapshot: Snapshot) -> str:
    """What a move costs by the ground that it goes over."""
    pieces = dict.fromkeys(snapshot.name(danger["piece"]) for danger in answer.get("dangers", ()))
    return say("wounds by {pieces}", pieces=joined(pieces)) if pieces else ""


def missed(
    found: Mapping[str, Any], off: Mapping[str, float], reason: Reason
) -> tuple[str, tuple[str, ...]]:
    """The action that comes nearest and why it is not allowed; the numbers of the rules. `off` is
    how far each is beside its line."""

    def short(item: tuple[str, Any]) -> float:
        return item[1].get("over") or off.get(item[0]) or math.inf

    name, answer = min(found.items(), key=short)
    over = answer.get("over") or 0.0
    far = too_far(over) if over else say(OFF_LINE, length=off[name]) if off.get(name) else ""
    parts = (answer.get("told") or name, far, why_not(answer, reason))
    told = joined((part for part in parts if part), " · ")
    return told, tuple(dict.fromkeys(answer["why"]))


def too_far(over: float) -> str:
    """By how much a move went too far."""
    return say("{length:.2f}″ too far", length=over)


def why_not(answer: Mapping[str, Any], reason: Reason) -> str:
    """Why an action does not explain a move, and by how much it fell short."""
    return joined(filter(None, (fell_short(answer), reasons_of(answer, reason))), " · ")


def fell_short(answer: Mapping[str, Any]) -> str:
    """By how much a move stopped too early, and how wrong the table may be about that."""
    missing, error = answer.get("missing", 0.0), answer.get("error", 0.0)
    if not missing:
        return ""
    if error < 0.005:
        return say("{length:.2f}″ are missing", length=missing)
    return say("{length:.2f}″ ± {error:.2f}″ are missing", length=missing, error=error)


def reasons_of(answer: Mapping[str, Any], reason: Reason) -> str:
    """Why an action does not explain a move."""
    return joined(dict.fromkeys(reason(rule) for rule in answer["why"] if reason(rule)), "; ")
