"""The layer of badges, arrows and labels over a view of the table, in pixels of the screen.

It is laid out anew when the table, the pieces or the view change, and not with every frame.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import shapely
from kivy.graphics import InstructionGroup, PopMatrix, PushMatrix, Translate
from kivy.metrics import dp

from companion.app.render.mesh_renderer import MeshRenderer, triangulate
from companion.app.render.table_marks import (
    CASING,
    arrow_marks,
    badge_marks,
    bright,
    flag_marks,
    label_marks,
    label_size,
    leader_marks,
)
from companion.app.render.theme import THEME
from companion.engine.app_words import APP_LANGUAGE, _
from companion.engine.drawing.display_list import Mark, Stroke
from companion.engine.drawing.vertex_batches import build_batches
from companion.engine.snapshot import Snapshot
from companion.engine.turn.selection import best_offers
from companion.games.api.prompt import ActionOffer
from companion.games.api.screen_views import PieceView
from companion.overlay.badge import BadgeSize, PlacedBadge, TrayBadge, badge_names, bounds_of
from companion.overlay.badge_layout import at_rest, from_rim, lay_out_badges
from companion.overlay.board_shapes import MARK_RADIUS, fires
from companion.overlay.footprints import outlines as outlines_of
from companion.overlay.footprints import reaches
from companion.overlay.shapes import Point
from companion.overlay.view_frame import BoundingBox, PointPx
from models import Pose, Table
from models.board_table import BoardTable
from models.frozen_records import Identity
from models.table import AnyTable, TableToken
from models.unit import corners

TEXTS = ((560, 16), (320, 15), (0, 13))
"""The text of badges in a pane that is at least so high."""
CANDIDATES = [
    (far * math.cos(math.tau * turn / 24), 1.5 * far * math.sin(math.tau * turn / 24))
    for far in (0.6, 0.75, 0.9, 1.1, 1.35, 1.6, 2.0, 2.4, 3.5)
    for turn in range(24)
]
"""Places of a label around its spot, in widths and heights of itself."""
ANSWER, AIMED, MARKED, GROUND = 1200.0, 600.0, 60.0, 30.0
"""What it costs a badge to cover one of few spaces that may be tapped, which are an answer, one of
many, one with a mark, and one whose ground is not open."""
FEW = 8
"""So few spaces to tap are an answer."""
GOALS = ("objective", "held-")
"""How the marks begin that tell where points are scored, and by whom."""
UNOPENED = 100
"""A pane that is not larger, in pixels, has not got its size yet."""
LEAST_ARROW = 0.04
"""The least length of an arrow, relative to how far the middles of both trays lie apart."""
FLAG_DP = 26
TO_SCREEN = Callable[[Point], PointPx]
ARROWS = {"charge": "charge", "shot": "shot", "shoot": "shot", "ranged": "shot", "bow": "shot"}


@dataclass(frozen=True, slots=True)
class PieceSigns:
    """The pieces of a game, the seat number of each side, and who is to act."""

    pieces: tuple[PieceView, ...]
    places: Mapping[str, int]
    marks: Mapping[str, str]
    active: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Arrow:
    """The arrow of an offer, from the rim of one tray to that of another."""

    start: PointPx
    end: PointPx
    kind: str
    place: int

    def boxes(self, radius: float) -> list[BoundingBox]:
        """Small boxes along it, which badges leave free."""
        count = max(1, round(math.dist(self.start, self.end) / (2 * radius)))
        shares = [number / count for number in range(count + 1)]
        return [
            BoundingBox.around(
                (
                    self.start[0] + (self.end[0] - self.start[0]) * share,
                    self.start[1] + (self.end[1] - self.start[1]) * share,
                ),
                2 * radius,
                2 * radius,
            )
            for share in shares
        ]

    def head(self, size: float) -> BoundingBox:
        """The box of its head, which no badge covers."""
        (x, y), (to_x, to_y) = self.start, self.end
        share = min(1.0, size / 2 / max(math.dist(self.start, self.end), 1.0))
        middle = (to_x + (x - to_x) * share, to_y + (y - to_y) * share)
        return BoundingBox.around(middle, size, size)


@dataclass(frozen=True, slots=True)
class OfferLabel:
    """A label, what it says, and the spot that it is about."""

    box: BoundingBox
    lines: tuple[str, ...]
    spot: PointPx

    def line(self) -> Arrow:
        """The line from the spot to the label."""
        x = min(max(self.spot[0], self.box.left), self.box.right)
        y = min(max(self.spot[1], self.box.top), self.box.bottom)
        return Arrow(self.spot, (x, y), "label", 0)


def badge_icons(snapshot: Snapshot) -> PieceSigns:
    """The pieces as the game describes them, or as its state does if it has no screen."""
    view = getattr(snapshot, "view", None)
    if view is not None:
        places = {seat.id: (seat.colour - 1) % 6 for seat in view.seats}
        marks = {seat.id: seat.mark for seat in view.seats}
        return PieceSigns(tuple(view.pieces), places, marks, tuple(view.active))
    state = snapshot.state
    if not snapshot.playing:  # the table of a draft or of a replay, with names on its trays
        return PieceSigns((), {}, {}, ())
    side = (snapshot.pending or {}).get("side") or state.get("active")
    pieces = plain_pieces(snapshot.trays)
    places = {one.seat: THEME.place(one.seat) for one in pieces}
    return PieceSigns(pieces, places, {}, (str(side),) if side else ())


def called(piece: PieceView) -> str:
    """The name of a piece on the table, in the players' language."""
    return _(piece.short or piece.name)


def told_apart(pieces: Sequence[PieceView]) -> dict[str, str]:
    """What each piece is called on the table: by its full name where a language has one short name
    for several."""
    told = {piece.id: called(piece) for piece in pieces}
    meant: dict[str, set[str]] = {}
    for piece in pieces:
        meant.setdefault(told[piece.id], set()).add(piece.short or piece.name)
    several = {name for name, found in meant.items() if len(found) > 1}
    return told | {one.id: _(one.name) for one in pieces if told[one.id] in several}


def plain_pieces(table: Table | None) -> tuple[PieceView, ...]:
    """The trays of a table as pieces, for a game that does not describe them itself."""
    found = []
    for unit in table.units if table is not None else ():
        words = unit.name.split()
        short = " ".join(words[1:] if len(words) > 2 else words)
        ranks = (unit.ranks, unit.tray.ranks)
        found.append(PieceView(unit.id, unit.name, short, unit.side, left=unit.models, ranks=ranks))
    return tuple(found)


def with_seen(table: AnyTable, seen: Mapping[str, Pose]) -> AnyTable:
    """The table with trays where the camera sees them."""
    if isinstance(table, Table):
        for unit, pose in seen.items():
            table = table.moved(unit, pose) if unit in table else table
    return table


def share_left(piece: PieceView) -> float:
    """How much of a piece is left, from 0 to 1."""
    if piece.most and piece.left is not None:
        return min(1.0, piece.left / piece.most)
    if piece.ranks is not None:
        return piece.ranks[0] / max(1, piece.ranks[1])
    return 1.0


def holder(snapshot: Snapshot, token: TableToken) -> str:
    """The seat whose piece holds an objective; empty if nobody does."""
    lines = snapshot.score.lines if snapshot.score is not None else ()
    table = snapshot.trays
    if table is None:
        return ""
    held = (
        one.seat
        for one in lines
        if one.piece in table and reaches(shapely.Polygon(corners(table.unit(one.piece))), token)
    )
    return next(held, "")


def objective_sign(name: str) -> str:
    """The number or letter by which an objective is called; empty if it is called by its place.

    >>> objective_sign("objective 3"), objective_sign("the centre objective")
    ('3', '')
    """
    last = name.rsplit(maxsplit=1)[-1] if " " in name else ""
    return last if last.isdigit() or len(last) == 1 else ""


def flame_boxes(table: AnyTable, local: Callable[[Point], PointPx]) -> list[BoundingBox]:
    """The box of the flames of every burning cell."""
    if not isinstance(table, BoardTable):
        return []
    points: dict[str, list[PointPx]] = {}
    for flame in fires(table.board):
        points.setdefault(flame.about[0], []).extend(map(local, flame.outline))
    return [bounds_of(outline) for outline in points.values()]


def goal_boxes(table: AnyTable, local: Callable[[Point], PointPx]) -> list[BoundingBox]:
    """The boxes of the discs of sites and objectives on which no piece stands."""
    if not isinstance(table, BoardTable):
        return []
    board = table.board
    stand = {piece.cell for piece in table.pieces}
    found = []
    for cell in board.marks.keys() - stand:
        if cell in board and any(word.startswith(GOALS) for word in board.marks[cell]):
            x, y = board.middle(cell)
            (left, top), (right, low) = local((x, y)), local((x + MARK_RADIUS * board.cell_in, y))
            wide = 2 * math.hypot(right - left, low - top)
            found.append(BoundingBox.around((left, top), wide, wide))
    return found


def marked_boxes(
    table: AnyTable, local: Callable[[Point], PointPx]
) -> list[tuple[BoundingBox, float]]:
    """The spaces of a board that badges had better not cover, with what that costs: those with a
    mark or a ground that no piece stands on."""
    if not isinstance(table, BoardTable):
        return []
    board = table.board
    stand = {piece.cell for piece in table.pieces}
    found = []
    for cell in {*board.marks, *board.ground} - stand:
        if cell in board:
            x, y = board.middle(cell)
            (left, top), (right, low) = local((x, y)), local((x + board.cell_in, y))
            wide = math.hypot(right - left, low - top)
            cost = MARKED if board.marks.get(cell) else GROUND
            found.append((BoundingBox.around((left, top), wide, wide), cost))
    return found


def gave_way(
    badges: Sequence[TrayBadge], rest: Mapping[str, PlacedBadge], heads: Sequence[BoundingBox]
) -> set[str]:
    """The badges that only leave an arrow's head free for a while: they come back."""
    if not at_rest(badges, rest):
        return set()
    return {key for key, one in rest.items() if any(one.box.overlaps(head) for head in heads)}


class KeptBadges:
    """Where the badges of a game lie while nothing moves, on screens that come and go: those that
    give way to a tray or to marked spaces come back there."""

    def __init__(self) -> None:
        self._game, self._places = "", dict[str, PlacedBadge]()

    def of(self, game: str) -> dict[str, PlacedBadge]:
        """Those of a game; those of another one are forgotten."""
        if game != self._game:
            self._game, self._places = game, {}
        return self._places


class ChipLayer:
    """Draws into `group`, whose coordinates are those of the window."""

    def __init__(self) -> None:
        self.kept = KeptBadges()
        self.brush = MeshRenderer()
        self.group = InstructionGroup()
        self._shift, self._at = Translate(0, 0), (0.0, 0.0)
        for one in (
            PushMatrix(),
            self._shift,
            self.brush.figures,
            self.brush.words,
            PopMatrix(),
        ):
            self.group.add(one)
        self.placed: dict[str, PlacedBadge] = {}
        self.laid: dict[str, PlacedBadge] = {}
        """The same, each with its whole box."""
        self.labels: list[BoundingBox] = []
        self.heads: list[BoundingBox] = []
        """The heads of the arrows."""
        self.aimed: ActionOffer | None = None
        """The offer that the primary button carries out."""
        self.moving = False
        """Whether a tray is being moved: nothing is aimed at then."""
        self.marked = False
        """Whether spaces of a board are marked, which badges leave free for a while."""
        self._key: object = None
        self.high = 0.0
        """The height of the pane."""

    def show(
        self,
        snapshot: Snapshot,
        on_screen: TO_SCREEN,
        place: tuple[float, float, float, float],
        key: object,
        taken: Sequence[BoundingBox] = (),
        hidden: frozenset[str] = frozenset(),
        note: str = "",
        seen: Mapping[str, Pose] | None = None,
        aimed: Sequence[BoundingBox] = (),
    ) -> None:
        """Lay out and draw the chips in a pane (x, y, width, height) of the window.

        `key` stands for everything else the positions depend on; `taken` boxes stay free, and the
        spaces that are `aimed` at if they can; nothing
        is shown about the pieces `hidden`. `note` is said at the lower edge. Trays that the camera
        sees on their way have their badge and outline where they are `seen`.
        """
        table, seen = snapshot.table, seen or {}
        about = (table, snapshot.state, snapshot.chosen, snapshot.offers, place, key)
        whole = (
            *map(Identity, about[:2]),
            *about[2:],
            tuple(taken),
            tuple(aimed),
            hidden,
            note,
            tuple(seen.items()),
            self.aimed,
            self.moving,
            THEME.palette,
            THEME.text,
            APP_LANGUAGE.language,
        )
        if whole == self._key:
            self.slide(0.0, 0.0)
            return
        self._key = whole
        x, y, wide, high = place
        self._shift.xy = self._at = (x, y)
        self.high = high
        if table is None or min(wide, high) <= UNOPENED:
            self.placed, self.laid, self.labels = {}, {}, []
            self.brush.show(None, False)
            return

        def local(point: Point) -> PointPx:
            sx, sy = on_screen(point)
            return sx - x, high - (sy - y)

        text = self.text_px(high)
        signs = badge_icons(snapshot)
        outlines = {
            piece: tuple(local(point) for point in outline)
            for piece, outline in outlines_of(with_seen(table, seen)).items()
            if piece not in hidden
        }
        rest = self.kept.of(snapshot.path)
        bounds = BoundingBox(dp(2), dp(2), wide - dp(2), high - dp(2))
        size, unit = BadgeSize(text), dp(1) * min(1.0, high / dp(620))
        told = told_apart(signs.pieces)
        stand = [name for piece, name in told.items() if piece in outlines]
        short = badge_names(stand, size, wide * high)
        badges = [
            self.badge(piece, signs, outlines[piece.id], snapshot, told[piece.id], short)
            for piece in signs.pieces
            if piece.id in outlines
        ]
        noted = BoundingBox.around((wide / 2, high - dp(34)), *label_size([note], text))
        taken = [*taken, *([noted] if note else [])]
        marks: list[Mark] = []
        for badge in badges:
            if badge.id in seen:
                ring = (*badge.outline, *badge.outline[:2])
                marks += [
                    Stroke(ring, 6 * unit, CASING),
                    Stroke(ring, 3 * unit, bright(badge.place)),
                ]
        lines = self.arrows(snapshot, signs, outlines)
        for line in lines:
            marks += arrow_marks(line.start, line.end, line.kind, line.place, unit)
        flags: list[BoundingBox] = []
        for token in snapshot.trays.tokens if snapshot.trays is not None else ():
            spot, seat = local((token.x, token.y)), holder(snapshot, token)
            sign = objective_sign(_(snapshot.name(token.id)))
            marks += flag_marks(spot, FLAG_DP * unit, signs.places.get(seat), sign)
            flags.append(BoundingBox.around(spot, FLAG_DP * unit, FLAG_DP * unit))
        flags += goal_boxes(table, local)
        rather = [box for line in lines for box in line.boxes(10 * unit)]
        shown = [*flags, *flame_boxes(table, local)]
        self.heads = [line.head(26 * unit) for line in lines]
        cost = ANSWER if len(aimed) <= FEW else AIMED
        spaces = [*marked_boxes(table, local), *((box, cost) for box in aimed)]
        shut = [*taken, *self.heads]
        found = lay_out_badges(badges, bounds, size, shut, rest, rather, spaces, shown, self.laid)
        self.laid = {one.badge.id: one for one in found}
        if not self.moving and not self.marked:
            back = gave_way(badges, rest, self.heads)
            rest |= {key: one for key, one in self.laid.items() if key not in back}
        found = tuple(one.lightened(aimed, size) for one in found)
        self.placed = {one.badge.id: one for one in found}
        badged = [one.box for one in found]
        free = [*taken, *aimed, *badged]
        label = self.offer_label(snapshot, signs, outlines, bounds, text, free, flags)
        self.labels = [label.box] if label is not None else []
        for one in found:
            marks += leader_marks(one, text)
        for one in found:
            marks += badge_marks(one, size)
        if label is not None:
            marks += label_marks(label.box, label.lines, label.spot, text)
        if note:
            marks += label_marks(noted, [note], None, text, "bad")
        self.brush.show(build_batches(marks, (wide, high), triangulate), False)

    def piece_at(self, x: float, y: float) -> str | None:
        """The piece whose badge lies at this place of the window."""
        left, high = x - self._at[0], self.high - (y - self._at[1])
        for piece, one in self.placed.items():
            box = one.box
            if box.left <= left <= box.right and box.top <= high <= box.bottom:
                return piece
        return None

    def slide(self, dx: float, dy: float) -> None:
        """Move everything by this much, while a finger drags the table."""
        place = (self._at[0] + dx, self._at[1] + dy)
        if tuple(self._shift.xy) != place:  # kivy would draw the window anew for the same place
            self._shift.xy = place

    @staticmethod
    def text_px(high: float) -> float:
        """The size of a badge's text in a pane of this height."""
        size = next((size for least, size in TEXTS if high >= dp(least)), 0)
        return float(dp(size) * min(1.25, THEME.text))

    def badge(
        self,
        piece: PieceView,
        signs: PieceSigns,
        outline: tuple[PointPx, ...],
        snapshot: Snapshot,
        name: str,
        short: Mapping[str, tuple[str, ...]],
    ) -> TrayBadge:
        place = signs.places.get(piece.seat, 0)
        spent = piece.state in ("spent", "lost")
        offered = any(offer_of(one).get("piece") == piece.id for one in snapshot.offers)
        useful = (piece.seat in signs.active) * 2.0 + offered - 3.0 * spent
        target = self.target(snapshot)
        return TrayBadge(
            piece.id,
            name,
            "" if piece.left is None else str(piece.left),
            place,
            outline,
            piece.ranks or (1, 1),
            share_left(piece),
            spent,
            piece.leader,
            piece.engaged,
            tuple(one.icon or "info" for one in piece.badges[:4]),
            below=place == min(signs.places.values(), default=0),
            rank=useful,
            focus=piece.id in (snapshot.chosen, target),
            mark=signs.marks.get(piece.seat, ""),
            shorter=short.get(name, ()),
        )

    def best(self, snapshot: Snapshot) -> ActionOffer | None:
        """The offer of the selected unit that is pointed at: the chosen one, else the best."""
        if snapshot.chosen is None or self.moving:
            return None
        if self.aimed is not None and self.aimed in snapshot.offers:
            return self.aimed
        legal = (one for one in snapshot.offers if getattr(one, "verdict", "no") != "no")
        return next((one for one in legal if isinstance(one, ActionOffer)), None)

    def target(self, snapshot: Snapshot) -> str:
        """The piece that is pointed at."""
        offer = self.best(snapshot)
        return offer.target if offer is not None else ""

    def arrows(
        self,
        snapshot: Snapshot,
        signs: PieceSigns,
        outlines: Mapping[str, tuple[PointPx, ...]],
    ) -> list[Arrow]:
        """An arrow for each of the best offers that point at a piece; of a selected unit one."""
        seats = {piece.id: piece.seat for piece in signs.pieces}
        found: dict[str, Arrow] = {}
        shown = best_offers(snapshot) if snapshot.chosen is None else [self.best(snapshot)]
        for offer in shown:
            if offer is None or offer.verdict == "no":
                continue
            kind = ARROWS.get(offer.kind)
            piece = offer.piece or snapshot.chosen or ""
            known = piece in outlines and offer.target in outlines
            if kind is None or not known:
                continue
            start, end = between(outlines[piece], outlines[offer.target])
            look = "unsure" if offer.verdict == "unsure" else kind
            found[piece] = Arrow(start, end, look, signs.places.get(seats.get(piece, ""), 0))
        return list(found.values())

    def offer_label(
        self,
        snapshot: Snapshot,
        signs: PieceSigns,
        outlines: Mapping[str, tuple[PointPx, ...]],
        bounds: BoundingBox,
        text: float,
        taken: Sequence[BoundingBox],
        flags: Sequence[BoundingBox] = (),
    ) -> OfferLabel | None:
        """With a unit selected, one label: the target of its best offer and the odds. Its line
        crosses no badge.

        Badges do not make way for it: where they and the pieces leave no room, only the offer's row
        says it. The `flags` of objectives it leaves free if it can.
        """
        offer, target = self.best(snapshot), self.target(snapshot)
        chosen = snapshot.chosen or ""
        if offer is None or target not in outlines or chosen not in outlines:
            return None
        name = next((called(one) for one in signs.pieces if one.id == target), target)
        lines = label_lines(name, offer)
        wide, high = label_size(lines, text)
        start, end = between(outlines[chosen], outlines[target])
        spot = (start[0] * 0.4 + end[0] * 0.6, start[1] * 0.4 + end[1] * 0.6)
        trays = [bounds_of(outline) for outline in outlines.values()]
        best: tuple[float, BoundingBox] | None = None
        for dx, dy in CANDIDATES:
            centre = (spot[0] + dx * wide, spot[1] + dy * high)
            box = BoundingBox.around(centre, wide, high).within(bounds)
            if any(box.overlaps(other) for other in (*taken, *trays)) or box.distance(spot) < text:
                continue
            line = OfferLabel(box, lines, spot).line().boxes(2.0)
            if any(p.overlaps(one.box) for p in line for one in self.placed.values()):
                continue
            over = sum(any(p.overlaps(other) for p in line) for other in (*taken, *trays))
            over += 2 * sum(box.overlaps(other) for other in flags)
            cost = box.distance(spot) + 60.0 * over
            if best is None or cost < best[0]:
                best = cost, box
        return OfferLabel(best[1], lines, spot) if best is not None else None


def label_lines(name: str, offer: ActionOffer) -> tuple[str, ...]:
    """What the label of an offer says: its target, and its odds in the players' language."""
    number = _(offer.odds) or _(offer.expected).split(" · ")[0]
    return (name, number) if number else (name,)


def offer_of(offer: object) -> Mapping[str, str]:
    """The piece and the target of an offer of any kind."""
    return {
        "piece": str(getattr(offer, "piece", "") or ""),
        "target": str(getattr(offer, "target", "") or ""),
    }


def between(start: Sequence[PointPx], end: Sequence[PointPx]) -> tuple[PointPx, PointPx]:
    """The line from the rim of one tray to the rim of another, as far as it lies outside both; of
    two that touch it lies where they do."""
    a, b = bounds_of(start).centre, bounds_of(end).centre
    one, two = from_rim((a, b), start, 0.0)[0], from_rim((b, a), end, 0.0)[0]
    whole = max(math.dist(a, b), 1.0)
    away = ((b[0] - a[0]) / whole, (b[1] - a[1]) / whole)
    free = (two[0] - one[0]) * away[0] + (two[1] - one[1]) * away[1]
    if free >= LEAST_ARROW * whole:
        return one, two
    middle, half = ((one[0] + two[0]) / 2, (one[1] + two[1]) / 2), LEAST_ARROW * whole / 2
    return (
        (middle[0] - half * away[0], middle[1] - half * away[1]),
        (middle[0] + half * away[0], middle[1] + half * away[1]),
    )
