"""A view of the table, as a map or as the live picture, with tap, pan, pinch and drag gestures."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from kivy.clock import Clock
from kivy.graphics import Color, Ellipse, InstructionGroup, Line, Rectangle
from kivy.graphics.transformation import Matrix
from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.widget import Widget

from calibration.references.table_pose import TablePose
from companion.app.render.chip_layer import ChipLayer
from companion.app.render.compositor import Compositor
from companion.app.render.mesh_renderer import MeshRenderer, lettering, triangulate
from companion.app.render.table_marks import (
    cell_marks,
    covered_cells,
    mark_outline,
    ring_marks,
    tick_marks,
)
from companion.app.render.theme import THEME, middle
from companion.engine.app_words import _
from companion.engine.camera.camera_session import TAKE_OFF, Ages, remembered
from companion.engine.drawing.display_list import Mark, map_marks, picture_marks
from companion.engine.drawing.picture_fit import fit_picture, projected
from companion.engine.drawing.vertex_batches import build_batches
from companion.engine.snapshot import Astray, CameraView, Snapshot
from companion.engine.turn.aimed_cells import AimedCells
from companion.games.api.prompt import ActionOffer
from companion.geometry.grid.placing import cell_at, cell_middle
from companion.overlay.badge import bounds_of
from companion.overlay.footprints import ShownArea, piece_at, shown_area, table_size
from companion.overlay.map_theme import INK, WHITE
from companion.overlay.shapes import Point
from companion.overlay.view_frame import BoundingBox, PointPx
from companion.vision.sources.frame import Picture
from models import Pose
from models.board import Cell
from models.frozen_records import Identity
from models.table import AnyTable

FARTHEST, NEAREST = 1.0, 6.0
SLIP_DP = 12
"""A touch that moved less than this is a tap."""
DIM = 0.85
"""How bright the picture is under the overlay in the palette of high contrast: models are still
to be seen."""
CORE = 0.6
"""How much of a cell that may be tapped is to be seen, across and along."""
SHIFTED_PX = 0.7
"""The picture is fitted anew when the camera's movement displaces the table by more than this."""
TWIST_DEG = 60
"""Turning two fingers by this angle shows the table from the other side."""


class MovingPiece(Protocol):
    """A tray or another piece that is being moved."""

    @property
    def piece(self) -> str:
        """The id of the piece."""
        ...

    @property
    def tone(self) -> str:
        """The verdict on its place: yes, no, unsure, or none yet."""
        ...

    @property
    def badge_at(self) -> Pose | None:
        """Where its badge goes with it; None while it moves, and for what is no tray."""

    def outlines(self) -> Sequence[Sequence[Point]]:
        """What it covers, in inches."""
        ...

    def marks(self, px: Callable[[Point], PointPx], dp: float) -> Iterator[Mark]:
        """Its drawing in pixels, y down."""
        ...


class TableView(Widget):
    """`kind` is "map" or "picture"; gestures are passed to the owner in inches of the table."""

    zoom = NumericProperty(1.0)
    painted = False
    """Whether fingers draw on it: in a list its touches do not scroll."""

    def __init__(
        self,
        kind: str,
        tap: Callable[[Point], Any],
        drag: Callable[[str, Point, Point], bool],
        twist: Callable[[], Any] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(**more)
        self.kind, self._tap, self._drag, self._twist = kind, tap, drag, twist
        self.pan, self.turned, self.unit_px = (0.0, 0.0), False, 1.0
        self.base = (1.0, 1.0)
        self.live = CameraView()
        self.camera: TablePose | None = None
        """The camera's newest pose, kept while it is lost."""
        self.table_in = (48.0, 48.0)
        self.shown_in = ShownArea(24.0, 24.0, 48.0, 48.0)
        self.fit = fit_picture(None, (1.0, 1.0), self.shown_in, self.base)
        self.scale_in = 12.0
        self.brush, self.memory = MeshRenderer(), MeshRenderer()
        self.targets = MeshRenderer()
        """Draws the cells that may be tapped."""
        self._aimed: tuple[object, ...] = ()
        self._cells: tuple[AimedCells, ...] = ()
        self.ticked: tuple[tuple[Point, ...], ...] = ()
        """The outlines of the pieces that are chosen in a form."""
        self._ages: tuple[object, ...] = ()
        self._touches: dict[int, Any] = {}
        self._pinch: Pinch | None = None
        self._from: Point | None = None
        self._taken = self._stuck = False
        """Whether a drag moves what lies under it, and whether it moves nothing at all."""
        self.badge_taps: Callable[[], bool] = lambda: True
        self.step: Callable[[], object] = lambda: None
        """Whether a tap on the badge of a tray is one on the tray."""
        self.compositor = Compositor(through=kind == "picture")
        if kind == "map":
            self.compositor.ground(THEME.colour("back"))
        for brush in (self.brush, self.memory, self.targets):
            self.compositor.overlay.add(brush.figures)
            self.compositor.overlay.add(brush.words)
        self.chips = ChipLayer()
        self.compositor.chips.add(self.chips.group)
        self.taken: tuple[BoundingBox, ...] = ()
        """Boxes of the pane, from its upper left, that badges leave free: those of the tools."""
        self.note = ""
        """What is said at the lower edge of the picture."""
        self._snapshot = Snapshot()
        self._seen: dict[str, Pose] = {}
        self._laid = (0.0, (0.0, 0.0))
        """Zoom and pan for which the badges are laid out."""
        self._lay_chips = Clock.create_trigger(self.show_chips, -1)
        self.moved = MeshRenderer()
        """Draws a tray that is being moved."""
        self.ghost: MovingPiece | None = None
        self.compositor.quick.add(self.moved.figures)
        self.compositor.quick.add(self.moved.words)
        self.ruler, self.finger = InstructionGroup(), InstructionGroup()
        self.compositor.quick.add(self.ruler)
        self.compositor.quick.add(self.finger)
        self.canvas.add(self.compositor.canvas)
        self.bind(pos=self.lay, size=self.lay)

    # -- drawing ----------------------------------------------------------------------------

    def show(self, snapshot: Snapshot) -> None:
        """Draw the overlay of the newest snapshot."""
        drawn = snapshot.map if self.kind == "map" else snapshot.picture
        if snapshot.table is not None:
            self.table_in = table_size(snapshot.table)
            area = shown_area(snapshot.table)
            if area != self.shown_in:
                self.shown_in = area
                self.straighten()
        if drawn is not None:
            self.rest_on(drawn.size)
        if snapshot.table is not None and self.kind == "map" and drawn is not None:
            self.scale_in = drawn.size[0] / self.table_in[0]
        if drawn is not self.brush.shown[0]:
            self.unmark()
        self.brush.show(drawn, self.turned)
        if not snapshot.thinking:  # badges wait for the offers, to be laid out once
            self._snapshot = snapshot
            self._lay_chips()

    def show_chips(self, *_: Any) -> None:
        """Lay out the badges of the newest snapshot."""
        unknown = self.brush.shown[0] is None if self.kind == "map" else self.camera is None
        if unknown:  # where the table lies: names on a black ground belong nowhere
            return
        self._laid = (self.zoom, self.pan)
        key = (self.zoom, self.pan, self.turned, self.base, self.scale_in, Identity(self.fit))
        place = (self.x, self.y, self.width, self.height)
        self._seen = self.seen_elsewhere()
        hidden = self._snapshot.displaced if self.kind == "picture" else frozenset()
        hidden -= self._seen.keys()
        seen = dict(self._seen)
        if self.ghost is not None and self.ghost.badge_at is not None:
            seen[self.ghost.piece] = self.ghost.badge_at
        elif self.ghost is not None:
            hidden |= {self.ghost.piece}
        aimed = self.aimed_boxes()
        self.chips.moving, self.chips.marked = self.ghost is not None, bool(aimed)
        taken = self.taken
        if self.ghost is not None:
            for outline in self.ghost.outlines():
                spots = [self.on_screen(point) for point in outline]
                taken = (*taken, bounds_of([(x - self.x, self.top - y) for x, y in spots]))
        self.chips.show(
            self._snapshot,
            self.on_screen,
            place,
            key,
            taken,
            hidden,
            self.note,
            seen,
            aimed,
        )

    def seen_elsewhere(self) -> dict[str, Pose]:
        """Where the camera sees the trays that are on their way, to a tenth of an inch."""
        away = self._snapshot.displaced if self.kind == "picture" else frozenset()
        return {
            one.unit: rounded(one.fit.pose)
            for one in self.live.standings
            if one.unit in away and one.condition in ("moving", "settled")
        }

    def show_ghost(self, ghost: MovingPiece | None) -> None:
        """Draw a tray that is being moved, or remove it; its badge is left out meanwhile."""
        before, self.ghost = self.ghost, ghost
        if (before is None) != (ghost is None):
            self._lay_chips()
        if ghost is None:
            self.moved.show(None, False)
            return

        def down(point: Point) -> PointPx:
            return self.seen([point])[0]

        if ghost.tone:  # it rests: badges give way to it
            self._lay_chips()
        marks = ghost.marks(down, dp(1) / self.zoom)
        self.moved.show(build_batches(marks, self.base, triangulate), self.turned)

    def show_cells(
        self,
        aimed: Sequence[AimedCells],
        chosen: Sequence[Point] = (),
        ticked: Sequence[Sequence[Point]] = (),
    ) -> None:
        """Draw the cells that may be tapped, the outline of the selected piece, and those of pieces
        that are chosen in a form."""
        self.ticked = tuple(map(tuple, ticked))
        key = (
            tuple(aimed),
            tuple(chosen),
            self.ticked,
            self.base,
            self.scale_in,
            self.unit_px,
            Identity(self.fit),
            self.turned,
        )
        if key == self._aimed:
            return
        self._aimed, self._cells = key, tuple(aimed)
        self._lay_chips()

        def px(point: Point) -> PointPx:
            return self.seen([point])[0]

        marks = [*cell_marks(aimed, px, self.unit_px), *ring_marks(chosen, px, self.unit_px)]
        for outline in ticked:
            marks += tick_marks(outline, px, self.unit_px)
        found = build_batches(marks, self.base, triangulate) if marks else None
        self.targets.show(found, self.turned)

    def aimed_boxes(self) -> list[BoundingBox]:
        """The boxes of the pane that the badges leave free: the middles of the cells that may be
        tapped, where their signs are."""
        found: dict[Cell, BoundingBox] = {}
        for one in self._cells:
            for target in one.cells:
                corners = (self.on_screen(point) for point in mark_outline(target, one))
                whole = bounds_of([(x - self.x, self.top - y) for x, y in corners])
                wide, high = whole.right - whole.left, whole.bottom - whole.top
                box = BoundingBox.around(whole.centre, CORE * wide, CORE * high)
                found.setdefault(target.cell, box)
        return list(found.values())

    def aim(self, offer: ActionOffer | None) -> None:
        """Point at the target of this offer of the selected unit."""
        if offer != self.chips.aimed:
            self.chips.aimed = offer
            self._lay_chips()

    def rest_on(self, base: tuple[float, float]) -> None:
        """The size in pixels of what is shown, not magnified."""
        if base != self.base:
            self.base = base
            self.straighten()
            self.lay()

    def mark(self, outline: Sequence[Point]) -> None:
        """Outline a tray at once, to show that the tap was received."""
        self.unmark()
        ring = [part for point in outline for part in self.pixels(point)]
        for colour, width in ((INK, 3.0), (WHITE, 1.5)):
            self.finger.add(Color(*(part / 255 for part in colour), 1))
            self.finger.add(Line(points=ring, width=dp(width) / self.zoom, close=True))

    def unmark(self) -> None:
        """Remove the outline; clearing an empty group would still redraw the whole window."""
        if self.finger.length():
            self.finger.clear()

    def look(self, live: CameraView) -> None:
        """Show the newest frame."""
        if self.kind != "picture" or live is self.live:
            return
        before, self.live = self.live, live
        if live.rgba is None:
            return
        if live.rgba is not before.rgba:
            self.compositor.look(live.rgba)
        if live.sight != before.sight:
            self.show_age(live)
        if self._snapshot.displaced and self.seen_elsewhere() != self._seen:
            self._lay_chips()
        moved = live.camera is not None and live.camera is not self.camera
        if before.rgba is None or (moved and self.shifted(live.camera)):
            self.camera = live.camera or self.camera
            self.straighten()
            self.lay()

    def show_age(self, live: CameraView) -> None:
        """Take the colours out of a picture that is not live any more, and say when it was."""
        old = live.sight in ("held", "lost")
        self.compositor.fade(old, DIM if THEME.palette == "contrast" else 1.0)
        if live.sight == "lost" and live.rgba is not None:
            self.compositor.look(without_colours(live.rgba))
        self.note = ""
        if live.sight == "lost":
            taken = time.localtime(time.time() - time.monotonic() + live.since_s)
            when = time.strftime("%H:%M:%S", taken)
            self.note = _("Last picture, {time}. Not live.", time=when)
        self._lay_chips()

    def shifted(self, camera: TablePose | None) -> bool:
        """Whether the table lies elsewhere in this camera's frames than in the newest ones."""
        if self.camera is None or camera is None:
            return camera is not self.camera
        wide, deep = self.table_in
        rim = np.array([(x, y, 0.0) for x in (0.0, wide) for y in (0.0, deep)])
        return bool(np.abs(camera.pixels(rim) - self.camera.pixels(rim)).max() > SHIFTED_PX)

    def straighten(self) -> None:
        """Fit the frame into the pane, its table on the whole of it."""
        if self.kind == "picture" and self.live.rgba is not None and min(self.base) > 1:
            high, wide = self.live.rgba.shape[:2]
            self.fit = fit_picture(self.camera, (wide, high), self.shown_in, self.base)
            self.compositor.straighten(self.fit.texture_rows())

    def remember(self, ages: Ages, table: AnyTable | None, astray: Sequence[Astray] = ()) -> None:
        """Draw the pieces not seen now in grey, with the time since they were last seen, and those
        that stand elsewhere."""
        key = (
            tuple(ages.items()),
            tuple(astray),
            table,
            self.base,
            self.unit_px,
            Identity(self.fit),
            self.live.sight,
        )
        if key == self._ages:
            return
        self._ages = key
        marks: tuple[Mark, ...] = ()
        if self.live.sight in ("held", "lost"):
            pass  # nothing is seen, and the whole picture shows that
        elif table is not None and (ages or astray):
            scene = remembered(table, ages, astray, _(TAKE_OFF))
            if self.kind == "map":
                marks = map_marks(scene, self.scale_in, self.unit_px, bare=True)
            elif self.camera is not None:
                marks = picture_marks(scene, self.base, self.seen, self.unit_px)
        found = build_batches(marks, self.base, triangulate) if marks else None
        self.memory.show(found, self.turned)

    def lay(self, *_: Any) -> None:
        """Update the view's transform."""
        wide, high = self.base
        room = (self.width * 0.5, self.height * 0.5)
        spare = 1.0 if self.kind == "picture" else 0.6
        limit = (
            max(0.0, wide * self.zoom / 2 - room[0] * spare),
            max(0.0, high * self.zoom / 2 - room[1] * spare),
        )
        self.pan = (
            min(max(self.pan[0], -limit[0]), limit[0]),
            min(max(self.pan[1], -limit[1]), limit[1]),
        )
        x, y = middle(self)
        matrix = Matrix().translate(x + self.pan[0], y + self.pan[1], 0)
        matrix = matrix.multiply(Matrix().scale(self.zoom, self.zoom, 1))
        if self.turned:
            matrix = matrix.multiply(Matrix().rotate(math.pi, 0, 0, 1))
        matrix = matrix.multiply(Matrix().translate(-wide / 2, -high / 2, 0))
        self.compositor.arrange((*self.pos, *self.size), self.base, matrix)
        if len(self._touches) == 1 and self._laid[0] == self.zoom:
            dx, dy = self.pan[0] - self._laid[1][0], self.pan[1] - self._laid[1][1]
            self.chips.slide(dx, dy)  # laid out anew when the finger is lifted
        else:
            self._lay_chips()

    def turn(self, turned: bool) -> None:
        """Show the table from the other side, or back."""
        if turned != self.turned:
            self.turned = turned
            self.pan = (-self.pan[0], -self.pan[1])
            for brush in (self.brush, self.memory, self.targets):
                brush.show(brush.shown[0], turned)
            self.lay()

    def magnify(self, factor: float, about: tuple[float, float] | None = None) -> None:
        """Zoom around a point of the screen."""
        before = self.zoom
        self.zoom = min(max(self.zoom * factor, FARTHEST), NEAREST)
        x, y = about or self.center
        share = self.zoom / before
        self.pan = (
            (x - self.center_x) * (1 - share) + self.pan[0] * share,
            (y - self.center_y) * (1 - share) + self.pan[1] * share,
        )
        self.lay()

    # -- coordinates ------------------------------------------------------------------------

    def local(self, x: float, y: float) -> tuple[float, float]:
        """A screen position in pixels of the displayed picture, from its lower left."""
        dx = (x - self.center_x - self.pan[0]) / self.zoom
        dy = (y - self.center_y - self.pan[1]) / self.zoom
        if self.turned:
            dx, dy = -dx, -dy
        return dx + self.base[0] / 2, dy + self.base[1] / 2

    def inches(self, x: float, y: float) -> Point | None:
        """The table position (inches) at a screen position."""
        px, py = self.local(x, y)
        if self.kind == "map":
            return px / self.scale_in, py / self.scale_in
        camera = self.camera
        if camera is None:
            return None
        pixel = self.fit.to_frame(np.array([(px, self.base[1] - py)]))[0] - 0.5
        if not camera.sees(pixel):
            return None
        spot = camera.place(pixel)
        return spot.x, spot.y

    def seen(self, points: Sequence[Point]) -> list[PointPx]:
        """Table positions in pixels of the displayed picture, from its upper left."""
        if self.kind == "map" or self.camera is None:
            return [(x * self.scale_in, self.base[1] - y * self.scale_in) for x, y in points]
        return projected(self.camera, self.fit, points)

    def pixels(self, point: Point) -> PointPx:
        """A table position in pixels of the displayed picture, from its lower left."""
        ((x, y),) = self.seen([point])
        return x, self.base[1] - y

    def on_screen(self, point: Point) -> tuple[float, float]:
        """The screen position of a table position."""
        px, py = self.pixels(point)
        dx, dy = px - self.base[0] / 2, py - self.base[1] / 2
        if self.turned:
            dx, dy = -dx, -dy
        return (
            self.center_x + self.pan[0] + dx * self.zoom,
            self.center_y + self.pan[1] + dy * self.zoom,
        )

    def measure(self, ends: tuple[Point, Point] | None, text: str = "") -> None:
        """Draw a ruler between two table positions, or remove it."""
        self.ruler.clear()
        if ends is None:
            return
        (ax, ay), (bx, by) = (self.pixels(end) for end in ends)
        thin = dp(2) / self.zoom
        for colour, width in ((WHITE, 3 * thin), (INK, thin)):
            self.ruler.add(Color(*(part / 255 for part in colour), 1))
            self.ruler.add(Line(points=[ax, ay, bx, by], width=width))
            for x, y in ((ax, ay), (bx, by)):
                radius = 2.4 * width
                self.ruler.add(Ellipse(pos=(x - radius, y - radius), size=(2 * radius, 2 * radius)))
        texture = lettering(text, round(THEME.size("large")), True, INK, (WHITE, 3.0))
        if texture is not None:
            wide, high = texture.width / 2 / self.zoom, texture.height / 2 / self.zoom
            x, y = (ax + bx) / 2, (ay + by) / 2
            self.ruler.add(Color(1, 1, 1, 1))
            self.ruler.add(
                Rectangle(texture=texture, pos=(x - wide / 2, y + 4 * thin), size=(wide, high))
            )

    # -- gestures ---------------------------------------------------------------------------

    @property
    def tap_meaning(self) -> object:
        """The same spot of the table means something else after a step."""
        return "table", self.step()

    def on_touch_down(self, touch: Any) -> bool:
        """Start a tap, drag or pinch; the mouse wheel zooms."""
        if not self.collide_point(*touch.pos):
            return False
        if getattr(touch, "is_mouse_scrolling", False):
            self.magnify(1.15 if touch.button == "scrolldown" else 1 / 1.15, touch.pos)
            return True
        touch.grab(self)
        self._touches[touch.uid] = touch
        if len(self._touches) == 1:
            self._from = self.inches(*touch.pos)
            self._taken = self._from is not None and self._drag("down", self._from, self._from)
            self._stuck = not self._taken and self.on_tray(self._from)
        elif len(self._touches) == 2:
            self._begin_pinch()
        return True

    def on_touch_move(self, touch: Any) -> bool:
        """Continue a pinch, a drag or a pan."""
        if touch.grab_current is not self or touch.uid not in self._touches:
            return False
        if self._pinch is not None:
            self._pinched()
        elif self._taken:
            here = self.inches(*touch.pos)
            if here is not None and self._from is not None:
                self._drag("move", self._from, here)
        elif slipped(touch) and not self._stuck:
            self.shift(touch.dx, touch.dy)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        """End the gesture; a touch that did not move is a tap."""
        if touch.grab_current is not self or touch.uid not in self._touches:
            return False
        touch.ungrab(self)
        del self._touches[touch.uid]
        here = self.inches(*touch.pos)
        if self._pinch is not None:
            if not self._touches:
                self._pinch = None
        elif self._taken and slipped(touch):
            if here is not None and self._from is not None:
                self._drag("up", self._from, here)
        elif slipped(touch) and self._stuck and self._from is not None:
            self._drag("slip", self._from, self._from)
        elif not slipped(touch):
            if self._taken and self._from is not None:
                self._drag("cancel", self._from, self._from)
            here = self.badged(touch.pos, here)
            if here is not None:
                self._tap(here)
        if not self._touches:
            self._taken = False
            self._lay_chips()
        return True

    def on_tray(self, point: Point | None) -> bool:
        """Whether a finger at this point of the whole table means a tray, not the view."""
        trays = self._snapshot.trays
        if trays is None or point is None or self.zoom > 1:
            return False
        return piece_at(trays, point, 0.0) is not None

    def badged(self, spot: PointPx, here: Point | None) -> Point | None:
        """A tap on a badge is one on its piece, but not while a board is drawn or something is
        measured. On a board one that lets the cells show through, which may be tapped, lets the tap
        through as well, and a piece in the hand that may go nowhere goes to the cell under the
        finger; on an open table a tap is none on the badge where a tray lies, nor while one is in
        the hand."""
        board, piece = self._snapshot.gridded, self.chips.piece_at(*spot)
        trays = self._snapshot.trays
        if not self.badge_taps():
            return here
        if trays is not None and piece is not None and piece in trays:
            if self.ghost is not None:
                return here
            if here is not None and piece_at(trays, here, 0.0) is not None:
                return here
            pose = trays.unit(piece).pose
            return pose.x, pose.y
        if board is None or piece is None or piece not in board:
            return here
        cell = cell_at(board.board, *here) if here is not None else None
        light, marked = self.chips.placed[piece].light, self.marked_cells()
        if light and cell in marked:
            return here
        held = self.ghost is not None and not marked
        if held and here is not None and piece_at(board, here, 0.0) is None:
            return here
        standing = board.piece(piece)
        if standing.cell is None:
            return here
        return cell_middle(board.board, standing.cell, standing.size)

    def marked_cells(self) -> set[Cell]:
        """The cells that may be tapped."""
        return {
            cell
            for one in self._cells
            for target in one.cells
            for cell in (target.cell, *covered_cells(target.cell, one.size(target)))
        }

    def _begin_pinch(self) -> None:
        self._pinch = Pinch.of(list(self._touches.values())[:2], self.zoom, self.pan)
        self._taken = False

    def _pinched(self) -> None:
        begun = self._pinch
        if begun is None or len(self._touches) < 2:
            return
        now = Pinch.of(list(self._touches.values())[:2], self.zoom, self.pan)
        turned = abs((now.turn_deg - begun.turn_deg + 180) % 360 - 180)
        if turned > TWIST_DEG and self._twist is not None:
            self._twist()
            self._pinch = Pinch.of(list(self._touches.values())[:2], self.zoom, self.pan)
            return
        self.zoom, self.pan = begun.zoom, begun.pan
        self.magnify(now.apart / begun.apart, begun.middle)
        self.shift(now.middle[0] - begun.middle[0], now.middle[1] - begun.middle[1])

    def shift(self, dx: float, dy: float) -> None:
        """Pan by this many pixels."""
        self.pan = (self.pan[0] + dx, self.pan[1] + dy)
        self.lay()


def without_colours(rgba: Picture) -> Picture:
    """A picture in shades of grey."""
    grey = rgba[..., :3].astype(np.float32) @ np.array([0.3, 0.59, 0.11], np.float32)
    found = rgba.copy()
    found[..., :3] = grey.astype(np.uint8)[..., None]
    return found


@dataclass(frozen=True, slots=True)
class Pinch:
    """A two-finger gesture: distance, angle and centre, and the zoom and pan at its start."""

    apart: float
    turn_deg: float
    middle: tuple[float, float]
    zoom: float
    pan: tuple[float, float]

    @classmethod
    def of(cls, fingers: Sequence[Any], zoom: float, pan: tuple[float, float]) -> Pinch:
        """The gesture of two touches as they are now."""
        a, b = fingers
        turn = math.degrees(math.atan2(b.y - a.y, b.x - a.x))
        middle = ((a.x + b.x) / 2, (a.y + b.y) / 2)
        return cls(max(1.0, math.dist(a.pos, b.pos)), turn, middle, zoom, pan)


def rounded(pose: Pose) -> Pose:
    """A pose as exactly as a tray on its way is drawn: another one is drawn anew."""
    return Pose(round(pose.x, 1), round(pose.y, 1), round(pose.heading))


def slipped(touch: Any) -> bool:
    """Whether a touch moved too far to be a tap."""
    return math.dist(touch.pos, touch.opos) > dp(SLIP_DP)
