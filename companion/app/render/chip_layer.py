"""The layer of badges, arrows and labels over a view of the table, in pixels of the screen.

It is laid out anew when the table, the pieces or the view change, and not with every frame.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kivy.graphics import InstructionGroup, PopMatrix, PushMatrix, Translate
from kivy.metrics import dp

from companion.app.engine.snapshot import Snapshot
from companion.app.render.badge_marks import arrow_marks, badge_marks, label_marks, label_size
from companion.app.render.display_list import Mark
from companion.app.render.mesh_renderer import MeshRenderer, triangulate
from companion.app.render.theme import SKIN
from companion.app.render.vertex_batches import sheaf
from companion.games.api.offer import ActionOffer
from companion.games.api.piece_view import PieceView
from companion.overlay.badge_layout import (
    BadgeSize,
    PlacedBadge,
    TrayBadge,
    bounds_of,
    lay_out_badges,
)
from companion.overlay.label_placement import LabelBox, PointPx
from companion.overlay.shapes import Point
from models import Table
from models.footprint import corners

BADGE_SP, SMALL_SP = 16, 15
"""The text of badges, and on a small screen."""
SMALL_DP = 560
"""A pane lower than this is one of a small screen."""
MOST_ARROWS = 3
TO_SCREEN = Callable[[Point], PointPx]
ARROWS = {"charge": "charge", "shot": "shot", "shoot": "shot", "ranged": "shot"}
TOKENS = {"panicked": "panic", "vulnerable": "shield", "weakened": "down"}


@dataclass(frozen=True, slots=True)
class PieceSigns:
    """The pieces of a game, the seat number of each side, and who is to act."""

    pieces: tuple[PieceView, ...]
    places: Mapping[str, int]
    marks: Mapping[str, str]
    active: tuple[str, ...]


def signs_of(snapshot: Snapshot) -> PieceSigns:
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
    pieces = plain_pieces(state.get("units") or {}, snapshot.table)
    places = {one.seat: SKIN.place(one.seat) for one in pieces}
    return PieceSigns(pieces, places, {}, (str(side),) if side else ())


def plain_pieces(units: Mapping[str, Any], table: Table | None) -> tuple[PieceView, ...]:
    """Pieces from the plain state of a game that does not describe them itself."""
    found = []
    for unit in table.units if table is not None else ():
        known = units.get(unit.id) or {}
        words = str(known.get("name") or unit.name).split()
        found.append(
            PieceView(
                unit.id,
                unit.name,
                " ".join(words[1:] if len(words) > 2 else words),
                unit.side,
                left=known.get("wounds_left", unit.models),
                ranks=(unit.ranks, unit.tray.ranks),
                state="spent" if known.get("activated") else "ready",
                leader=bool(known.get("commander")),
                engaged=bool(known.get("engaged")),
            )
        )
    return tuple(found)


def share_left(piece: PieceView) -> float:
    """How much of a piece is left, from 0 to 1."""
    if piece.most and piece.left is not None:
        return min(1.0, piece.left / piece.most)
    if piece.ranks is not None:
        return piece.ranks[0] / max(1, piece.ranks[1])
    return 1.0


class ChipLayer:
    """Draws into `group`, whose coordinates are those of the window."""

    def __init__(self) -> None:
        self.brush = MeshRenderer()
        self.group = InstructionGroup()
        self._shift = Translate(0, 0)
        for one in (
            PushMatrix(),
            self._shift,
            self.brush.figures,
            self.brush.words,
            PopMatrix(),
        ):
            self.group.add(one)
        self.placed: dict[str, PlacedBadge] = {}
        self.labels: list[LabelBox] = []
        self._key: object = None

    def show(
        self,
        snapshot: Snapshot,
        on_screen: TO_SCREEN,
        place: tuple[float, float, float, float],
        key: object,
        taken: Sequence[LabelBox] = (),
        hidden: str = "",
        note: str = "",
    ) -> None:
        """Lay out and draw the chips in a pane (x, y, width, height) of the window.

        `key` stands for everything else the positions depend on; `taken` boxes stay free; the badge
        of the tray `hidden` is left out. `note` is said at the lower edge.
        """
        table = snapshot.table
        about = (table, snapshot.state, snapshot.chosen, snapshot.offers, place, key)
        whole = (
            *map(id, about[:2]),
            *about[2:],
            tuple(taken),
            hidden,
            note,
            SKIN.palette,
            SKIN.text,
        )
        if whole == self._key:
            return
        self._key = whole
        x, y, wide, high = place
        self._shift.xy = (x, y)
        if table is None or wide < 2 or high < 2:
            self.placed, self.labels = {}, []
            self.brush.show(None, False)
            return

        def local(point: Point) -> PointPx:
            sx, sy = on_screen(point)
            return sx - x, high - (sy - y)

        text = self.text_px(high)
        signs = signs_of(snapshot)
        outlines = {unit.id: tuple(local(point) for point in corners(unit)) for unit in table.units}
        badges = [
            self.badge(piece, signs, outlines[piece.id], snapshot)
            for piece in signs.pieces
            if piece.id in outlines and piece.id != hidden
        ]
        bounds = LabelBox(dp(2), dp(2), wide - dp(2), high - dp(2))
        size = BadgeSize(text)
        noted = (
            LabelBox.around((wide / 2, high - dp(34)), *label_size([note], text)) if note else None
        )
        taken = [*taken, *([noted] if noted is not None else [])]
        found = lay_out_badges(badges, bounds, size, taken, self.placed)
        self.placed = {one.badge.id: one for one in found}
        marks: list[Mark] = []
        marks += self.arrows(snapshot, signs, outlines, dp(1) * min(1.0, high / dp(620)))
        for one in found:
            marks += badge_marks(one, size)
        self.labels = []
        marks += self.offer_label(snapshot, outlines, bounds, text, taken)
        if noted is not None:
            marks += label_marks(noted, [note], None, text, "bad")
        self.brush.show(sheaf(marks, (wide, high), triangulate), False)

    @staticmethod
    def text_px(high: float) -> float:
        """The size of a badge's text in a pane of this height."""
        size = SMALL_SP if high < dp(SMALL_DP) else BADGE_SP
        return float(dp(size) * min(1.25, SKIN.text))

    def badge(
        self,
        piece: PieceView,
        signs: PieceSigns,
        outline: tuple[PointPx, ...],
        snapshot: Snapshot,
    ) -> TrayBadge:
        """The badge of one piece."""
        place = signs.places.get(piece.seat, 0)
        spent = piece.state in ("spent", "lost")
        offered = any(offer_of(one).get("piece") == piece.id for one in snapshot.offers)
        useful = (piece.seat in signs.active) * 2.0 + offered - 3.0 * spent
        target = chosen_target(snapshot)
        return TrayBadge(
            piece.id,
            piece.short or piece.name,
            "" if piece.left is None else str(piece.left),
            place,
            outline,
            piece.ranks or (1, 1),
            share_left(piece),
            spent,
            piece.leader,
            piece.engaged,
            tuple(TOKENS.get(one.icon, one.icon or "info") for one in piece.badges[:4]),
            below=place == min(signs.places.values(), default=0),
            rank=useful,
            focus=piece.id in (snapshot.chosen, target),
            mark=signs.marks.get(piece.seat, ""),
        )

    def arrows(
        self,
        snapshot: Snapshot,
        signs: PieceSigns,
        outlines: Mapping[str, tuple[PointPx, ...]],
        unit: float,
    ) -> list[Mark]:
        """In the overview, the best arrow of each unit of the active side: three in all."""
        marks: list[Mark] = []
        if snapshot.chosen is not None:
            return marks
        seats = {piece.id: piece.seat for piece in signs.pieces}
        drawn: set[str] = set()
        for offer in snapshot.offers:
            if not isinstance(offer, ActionOffer) or offer.verdict == "no":
                continue
            kind = ARROWS.get(offer.kind)
            known = offer.piece in outlines and offer.target in outlines
            if kind is None or not known or offer.piece in drawn or len(drawn) >= MOST_ARROWS:
                continue
            drawn.add(offer.piece)
            start, end = between(outlines[offer.piece], outlines[offer.target])
            place = signs.places.get(seats.get(offer.piece, ""), 0)
            look = "unsure" if offer.verdict == "unsure" else kind
            marks += arrow_marks(start, end, look, place, unit)
        return marks

    def offer_label(
        self,
        snapshot: Snapshot,
        outlines: Mapping[str, tuple[PointPx, ...]],
        bounds: LabelBox,
        text: float,
        taken: Sequence[LabelBox],
    ) -> list[Mark]:
        """With a unit selected, one label: the target of its best offer and the odds."""
        target = chosen_target(snapshot)
        offer = next(
            (one for one in snapshot.offers if offer_of(one).get("target") == target), None
        )
        if not target or target not in outlines or not isinstance(offer, ActionOffer):
            return []
        badge = self.placed.get(target)
        name = badge.badge.name if badge is not None else target
        lines = [name, *(part for part in (offer.odds,) if part)]
        wide, high = label_size(lines, text)
        start, end = between(outlines[str(snapshot.chosen)], outlines[target])
        spot = (start[0] * 0.4 + end[0] * 0.6, start[1] * 0.4 + end[1] * 0.6)
        busy = [
            *taken,
            *(one.box for one in self.placed.values()),
            *(bounds_of(outlines[key]) for key in (target, str(snapshot.chosen))),
        ]
        for far in (1.2, 1.8, 2.6, 3.6):
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)):
                centre = (spot[0] + dx * far * wide * 0.7, spot[1] + dy * far * high * 0.9)
                box = LabelBox.around(centre, wide, high).within(bounds)
                if not any(box.overlaps(other) for other in busy):
                    self.labels = [box]
                    return list(label_marks(box, lines, spot, text))
        return []


def offer_of(offer: object) -> Mapping[str, str]:
    """The piece and the target of an offer of any kind."""
    return {
        "piece": str(getattr(offer, "piece", "") or ""),
        "target": str(getattr(offer, "target", "") or ""),
    }


def chosen_target(snapshot: Snapshot) -> str:
    """The target of the best offer of the selected unit."""
    if snapshot.chosen is None:
        return ""
    best = next(
        (one for one in snapshot.offers if getattr(one, "verdict", "no") != "no"),
        None,
    )
    return offer_of(best)["target"] if best is not None else ""


def between(start: Sequence[PointPx], end: Sequence[PointPx]) -> tuple[PointPx, PointPx]:
    """The line from the rim of one tray to the rim of another, as far as it lies outside both."""
    a, b = bounds_of(start), bounds_of(end)
    (ax, ay), (bx, by) = a.centre, b.centre

    def leave(box: LabelBox, x: float, y: float) -> float:
        cx, cy = box.centre
        dx, dy = abs(x - cx), abs(y - cy)
        across = (box.right - box.left) / 2 / dx if dx else 9.0
        along = (box.bottom - box.top) / 2 / dy if dy else 9.0
        return min(across, along, 0.48)

    first, last = leave(a, bx, by), leave(b, ax, ay)
    return (
        (ax + (bx - ax) * first, ay + (by - ay) * first),
        (bx + (ax - bx) * last, by + (ay - by) * last),
    )
