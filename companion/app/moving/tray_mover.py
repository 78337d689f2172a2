"""Moves a tray on the table screen: drag, turn, snap, then place it or put it back."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Protocol

from kivy.metrics import dp

from companion.app.context import AppContext
from companion.app.moving.ghost import HANDLE_DP, Ghost
from companion.app.moving.move_card import MoveCard, MoveJudge
from companion.app.render.chip_layer import badge_icons
from companion.app.render.table_view import TableView
from companion.app.widgets.controls import TouchButton
from companion.engine.app_words import _, ruler
from companion.engine.moved_piece import Contact, snapped, straightened, too_far
from companion.engine.snapshot import Notice, Snapshot
from companion.games.api.prompt import ActionOffer
from companion.overlay.shapes import Point
from models import Pose, Unit
from models.message import say


class MoverScreen(Protocol):
    """The table screen as the mover sees it."""

    app: AppContext
    snapshot: Snapshot

    @property
    def panes(self) -> list[TableView]:
        """The views that draw the moved tray."""

    def choose(self, unit: str | None) -> None:
        """Select a unit."""

    def arrange(self) -> None:
        """Lay out again: the mover's card takes the place of the panel."""

    def take_offer(self, offer: ActionOffer) -> None:
        """Carry out an action that rolls dice first."""


class TrayMover:
    """One tray at a time; `unit` is its id, empty while nothing is moved."""

    def __init__(self, screen: MoverScreen) -> None:
        self.screen = screen
        self.unit = ""
        self.pose = Pose(0.0, 0.0, 0.0)
        self.contact: Contact | None = None
        self.card = MoveCard(self.turn, self.put_back, self.place)
        self.judge = MoveJudge(screen.app.service, self.judged)
        self.offer: ActionOffer | None = None
        """The action that moves it; None: whichever explains where it goes."""
        self.notice: Notice | None = None
        """The game's judgement of the place where it is now."""
        self._grip = ""
        self._from = self.pose

    @property
    def start(self) -> Unit | None:
        """The unit at the place where the game has it."""
        table = self.screen.snapshot.trays
        return table.unit(self.unit) if table is not None and self.unit in table else None

    @property
    def only_turns(self) -> bool:
        """Whether the tray stays in its place and is turned there."""
        return self.offer is not None and self.offer.reach == 0.0

    def take(self, unit: str, offer: ActionOffer | None = None) -> bool:
        """Take up a tray, for an action that moves it; whether there is such a tray.

        A move of it that is decided already is carried out, whatever was chosen.
        """
        offer = self.screen.snapshot.due_move(unit) or offer
        pose = self.screen.app.service.where(unit)
        table = self.screen.snapshot.trays
        if pose is None or table is None or unit not in table:
            return False
        self.unit, self.pose, self.contact = unit, pose, None
        self.offer, self.notice = offer, None
        self.card.tell(only_turns=self.only_turns)
        self.screen.app.service.intend(unit, offer.kind if offer is not None else "")
        self.screen.choose(unit)
        self.screen.arrange()
        self.show("")
        self.judged(pose, None)
        return True

    def cancel(self) -> None:
        """Stop moving; the tray is where it was."""
        if not self.unit:
            return
        self.unit, self._grip, self.offer = "", "", None
        self.screen.app.service.intend("", "")
        self.judge.stop()
        for pane in self.screen.panes:
            pane.show_ghost(None)
        self.screen.arrange()

    def put_back(self) -> None:
        self.cancel()
        self.screen.choose(None)

    def place(self, action: str | None = None) -> None:
        """Leave the tray where it is now: the game takes it over, in one step with its action.

        Without an action named: the one that was chosen or that alone explains the move. An action
        with dice is carried out by rolling them; the tray then goes as far as they let it.
        """
        unit, pose, service = self.unit, self.pose, self.screen.app.service
        offers = self.notice.actions if self.notice is not None else ()
        if action is None:
            chosen = self.offer.kind if self.offer is not None else ""
            action = chosen or (offers[0].kind if offers else "")
        rolls = next((one for one in offers if one.kind == action and one.dice), None)
        self.cancel()
        if rolls is not None:
            self.screen.take_offer(rolls)
        else:
            service.move_tray(unit, pose, action)

    def stay(self) -> None:
        """The action is carried out, and the tray stays where it is."""
        unit, offer = self.unit, self.offer
        self.cancel()
        self.screen.app.service.stay(unit, offer.commands if offer is not None else ())

    # -- gestures ---------------------------------------------------------------------------

    def drag(self, step: str, start: Point, here: Point) -> bool:
        """Handle a drag; False if it is on no tray."""
        if step == "down":
            return self.grasp(start)
        if not self.unit or not self._grip:
            return True
        if step in ("move", "up"):
            self.carry(start, here)
            if step == "up":
                self._grip = ""
        return True

    def tap(self, point: Point) -> None:
        """Take up the tapped tray; a tap on the ground changes nothing while one is moved."""
        unit = self.screen.app.service.unit_at(point)
        if unit is not None and unit != self.unit:
            self.take(unit)

    def grasp(self, point: Point) -> bool:
        """Begin to drag the tray or its handle at this point."""
        self._from = self.pose
        if self.unit and self.on_handle(point):
            self._grip = "handle"
            return True
        if self.unit and self.covers(point):
            self._grip = "tray"
            return True
        unit = self.screen.app.service.unit_at(point)
        if unit is None or unit == self.unit or not self.take(unit):
            return False
        self._from, self._grip = self.pose, "tray"
        return True

    def carry(self, start: Point, here: Point) -> None:
        """Move or turn the tray with the finger, and snap it into contact."""
        before = self._from
        if self._grip == "handle" or self.only_turns:
            angles = [math.atan2(y - before.y, x - before.x) for x, y in (start, here)]
            turned = math.degrees(angles[1] - angles[0])
            pose = Pose(before.x, before.y, before.heading + turned)
        else:
            x, y = before.x + here[0] - start[0], before.y + here[1] - start[1]
            pose = Pose(x, y, before.heading)
        self.move(pose)

    def turn(self, degrees: float) -> None:
        if self.unit:
            self.move(Pose(self.pose.x, self.pose.y, self.pose.heading + degrees), snap=False)

    def move(self, pose: Pose, snap: bool = True) -> None:
        """Put the ghost there."""
        table = self.screen.snapshot.trays
        if table is None or self.unit not in table:
            self.cancel()
            return
        lines = self.offer.lines if self.offer is not None else ()
        if snap and lines:
            pose = straightened(table.unit(self.unit).pose, pose, lines)
        self.contact = snapped(table, self.unit, pose) if snap and not lines else None
        self.pose = self.contact.pose if self.contact is not None else pose
        self.show("")
        self.judge.judge(self.unit, self.pose)

    # -- drawing ----------------------------------------------------------------------------

    def show(self, tone: str) -> None:
        """Draw the ghost on every view."""
        unit = self.start
        if unit is None:
            return
        snapshot = self.screen.snapshot
        place = badge_icons(snapshot).places.get(unit.side, 0)
        for pane in self.screen.panes:
            ghost = Ghost(
                unit,
                self.pose,
                place,
                tone,
                self.contact.edge if self.contact is not None else None,
                self.handle(pane, unit),
            )
            pane.show_ghost(ghost)
        name = snapshot.name(self.unit)
        self.card.show(_("Place {unit}", unit=name), self.pose.heading)

    def handle(self, pane: TableView, unit: Unit) -> Point:
        """The centre of the turn handle: beside the tray, on the side with more room."""
        beside = unit.tray.width / 2
        far = beside + (HANDLE_DP / 2 + 12) * dp(1) / inch_px(pane, self.pose)
        left, right = self.pose.ahead(0.0, far), self.pose.ahead(0.0, -far)
        x, y = pane.on_screen(left)
        spare = dp(HANDLE_DP)
        inside = pane.x + spare < x < pane.right - spare and pane.y + spare < y < pane.top - spare
        return left if inside else right

    def on_handle(self, point: Point) -> bool:
        """Whether a touch is on the handle of any view."""
        unit = self.start
        return unit is not None and any(
            math.dist(point, self.handle(pane, unit))
            < 0.62 * HANDLE_DP * dp(1) / inch_px(pane, self.pose)
            for pane in self.screen.panes
        )

    def covers(self, point: Point) -> bool:
        """Whether a point is on the ghost's tray."""
        unit = self.start
        if unit is None:
            return False
        angle = math.radians(self.pose.heading)
        dx, dy = point[0] - self.pose.x, point[1] - self.pose.y
        forward = dx * math.cos(angle) + dy * math.sin(angle)
        left = dy * math.cos(angle) - dx * math.sin(angle)
        return abs(forward) < unit.tray.depth / 2 + 0.4 and abs(left) < unit.tray.width / 2 + 0.4

    # -- verdict ----------------------------------------------------------------------------

    def judged(self, pose: Pose, notice: Notice | None) -> None:
        """Show the game's judgement of this place."""
        unit = self.start
        if not self.unit or unit is None or pose != self.pose:
            return
        far = math.hypot(pose.x - unit.pose.x, pose.y - unit.pose.y)
        length = ruler().length(far)
        self.notice = notice
        fits = self.fits
        self.card.choices(fits, self.done_text(), *self.further())
        if notice is None:
            self.card.judge("", _("Not moved yet"), "")
            return
        tone, text, why = self.verdict(notice, fits)
        self.show(tone)
        self.card.judge(tone, text, " · ".join(part for part in (length, why) if part))

    def verdict(self, notice: Notice, fits: bool) -> tuple[str, str, str]:
        """The tone, the verdict in few words, and why: of the chosen action, or of any."""
        kind = self.offer.kind if self.offer is not None else ""
        if fits:
            text = _("In contact, legal") if self.contact is not None else _("Legal")
            return "yes", text, _(notice.detail)
        if notice.legal and (not kind or kind in self.kinds(notice)):
            text = _("Too close to call") if notice.unsure else _("Legal: say as what")
            return "unsure" if notice.unsure else "yes", text, _(notice.detail)
        over, why = notice.over.get(kind, 0.0), notice.why.get(kind, notice.detail)
        return "no", _(too_far(over) if over else say("Not legal")), _(why)

    @staticmethod
    def kinds(notice: Notice) -> set[str]:
        """The actions that explain the move."""
        return {one.kind for one in notice.actions}

    @property
    def fits(self) -> bool:
        """Whether one action surely explains the place: the chosen one, or the only one."""
        notice, offer = self.notice, self.offer
        if notice is None or not notice.legal or notice.unsure:
            return False
        return len(notice.actions) == 1 if offer is None else offer.kind in self.kinds(notice)

    def done_text(self) -> str:
        """What the gold button says: the action, where the players did not choose one."""
        notice = self.notice
        if notice is None or self.offer is not None or len(notice.actions) != 1:
            return _("Done")
        return _(notice.actions[0].text)

    def further(self) -> Iterator[TouchButton]:
        """The further buttons: what else the players may say of this place."""
        notice = self.notice
        if notice is None:
            if self.offer is not None:
                yield TouchButton(_("It stays where it is"), self.stay, "quiet", name="stay")
        elif not self.fits:
            for offer in notice.actions:
                act = partial(self.place, offer.kind)
                yield TouchButton(_(offer.text), act, "plain", name=f"place:{offer.kind}")
            for offer in notice.agreeable:
                if self.offer is None or offer.kind == self.offer.kind:
                    agree = _("Both agree: {action}", action=_(offer.text))
                    act = partial(self.place, offer.kind)
                    yield TouchButton(agree, act, "quiet", name=f"agree:{offer.kind}")
            only = _("Only correct the position")
            yield TouchButton(only, partial(self.place, ""), "quiet", name="correct-position")

    def refresh(self, before: Snapshot) -> None:
        """After a new snapshot: drop a tray that is gone or that the game has moved."""
        unit = self.start
        if not self.unit:
            return
        old = before.trays.unit(self.unit) if before.trays and self.unit in before.trays else None
        if unit is None or (old is not None and old.pose != unit.pose):
            self.cancel()
        else:
            self.show(self.card.verdict)


def inch_px(pane: TableView, pose: Pose) -> float:
    """The size of an inch in pixels of the screen at this place of the table."""
    one, other = pane.on_screen((pose.x - 1, pose.y)), pane.on_screen((pose.x + 1, pose.y))
    return max(1.0, math.dist(one, other) / 2)
