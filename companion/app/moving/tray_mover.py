"""Moves a tray on the table screen: drag, turn, snap, then place it or put it back."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from kivy.metrics import dp

from companion.app.context import AppContext
from companion.app.moving.ghost import HANDLE_DP, Ghost, NumberedGhosts
from companion.app.moving.move_card import MoveCard, MoveJudge
from companion.app.render.chip_layer import badge_icons
from companion.app.render.table_view import TableView
from companion.app.widgets.controls import TouchButton
from companion.engine.app_words import _, ruler
from companion.engine.moves.tray_places import still
from companion.engine.snapshot import Notice, Snapshot
from companion.engine.turn.handles import LookTap, PlaceTap
from companion.engine.turn.placing import Placing
from companion.engine.turn.selection import ends_shown, in_turn
from companion.engine.turn.turn_screen import TurnScreen
from companion.games.api.play import Plain, Refusal
from companion.games.api.prompt import ActionOffer
from companion.overlay.shapes import Point
from models import Pose, Unit


class MoverScreen(Protocol):
    """The table screen as the mover sees it."""

    app: AppContext
    snapshot: Snapshot

    @property
    def panes(self) -> list[TableView]:
        """The views that draw the moved tray."""

    def choose(self, unit: str | None, by_itself: bool = False) -> None:
        """Select a unit; `by_itself`: because its tray is taken up."""

    def give_up(self) -> None:
        """Select nothing, and pick no action any more: its tray was put back."""

    def arrange(self) -> None:
        """Lay out again: the mover's card takes the place of the panel."""

    def take_offer(self, offer: ActionOffer) -> None:
        """Carry out an action that rolls dice first."""


class MoverTurn(TurnScreen):
    """The turn as the mover sees it: the tray in the players' fingers, and what they say of it."""

    def __init__(self, screen: MoverScreen) -> None:
        super().__init__()
        self.screen = screen

    def words(self, text: str) -> str:
        """A text in the app's language."""
        return _(text)

    def send(self, commands: Sequence[Plain]) -> None:
        """Send commands to the game."""
        self.screen.app.service.do(*commands)

    def select(self, piece: str | None) -> None:
        """Select a piece."""
        self.screen.choose(piece)

    def look(self, tap: LookTap) -> None:
        """Nobody looks alone at a tray."""

    def take(
        self, offer: ActionOffer, acts: tuple[str, ...], given: Mapping[str, Any]
    ) -> Refusal | None:
        """Carry out an action that rolls dice first."""
        self.screen.take_offer(offer)
        return None

    def put_down(self, placing: Placing, action: str, commands: Sequence[Plain]) -> None:
        """The game takes the tray over where it is now, in one step with its action; who was only
        put right, out of turn, is in nobody's way after that."""
        if not action and not in_turn(self.screen.snapshot, placing.unit):
            self.select(None)
        self.screen.app.service.move_tray(placing.unit, placing.pose, action, commands)

    def leave_there(self, placing: Placing) -> None:
        """The action is carried out, and the tray stays where it is."""
        commands = placing.offer.commands if placing.offer is not None else ()
        self.screen.app.service.stay(placing.unit, commands)


class TrayMover:
    """One tray at a time; `unit` is its id, empty while nothing is moved."""

    def __init__(self, screen: MoverScreen) -> None:
        self.screen = screen
        self.viewer = MoverTurn(screen)
        self.card = MoveCard(self.turn, self.put_back, self.place)
        self.judge = MoveJudge(screen.app.service, self.judged)
        self.gold = ""
        """The handle of what the gold button says."""
        self._grip = ""
        self._from = Pose(0.0, 0.0, 0.0)

    @property
    def placing(self) -> Placing | None:
        """The tray in the players' fingers."""
        return self.viewer.placing

    @property
    def unit(self) -> str:
        """The unit that is moved; empty while nothing is."""
        return self.placing.unit if self.placing is not None else ""

    @property
    def turns(self) -> bool:
        """Whether the tray may be turned."""
        return self.placing is None or self.placing.turns

    @property
    def pose(self) -> Pose:
        """Where it is now."""
        return self.placing.pose if self.placing is not None else Pose(0.0, 0.0, 0.0)

    @property
    def start(self) -> Unit | None:
        """The unit at the place where the game has it."""
        table = self.screen.snapshot.trays
        return table.unit(self.unit) if table is not None and self.unit in table else None

    def take(self, unit: str, offer: ActionOffer | None = None, proposed: bool = False) -> bool:
        """Take up a tray, for an action that moves it; whether there is such a tray.

        `proposed`: nobody picked that action.
        """
        pose = self.screen.app.service.where(unit)
        if pose is None:
            return False
        begun = Placing.begin(self.screen.snapshot, unit, pose, offer, proposed)
        if begun is None:
            return False
        self.viewer.placing = begun
        service = self.screen.app.service
        watched = service.live.sight == "live" and not service.snapshot.practice
        how = _(begun.offer.detail) if begun.offer is not None and begun.put_down else ""
        self.card.tell(begun.only_turns, watched, begun.turns, how)
        self.card.let_turn(begun.turns)
        kind = begun.offer.kind if begun.offer is not None else ""
        self.screen.app.service.intend(unit, kind)
        self.screen.choose(unit, by_itself=True)
        self.screen.arrange()
        self.show("")
        self.judged(begun.pose, None)
        if begun.pose != begun.start:  # a hand was before the tap
            self.judge.judge(unit, begun.pose)
        return True

    def watch(self) -> None:
        """The camera sees the tray that is moved at another place: it is shown and judged there."""
        notices = self.screen.snapshot.notices
        seen = next((one.where[1] for one in notices if one.unit == self.unit), None)
        if seen is not None and not self._grip and not still(seen, self.pose):
            self.move(seen, snap=False)

    def cancel(self) -> None:
        """Stop moving; the tray is where it was."""
        if self.placing is None:
            return
        self._let_go()
        self.screen.arrange()

    def _let_go(self) -> None:
        self.viewer.placing, self._grip = None, ""
        self.screen.app.service.intend("", "")
        self.judge.stop()
        for pane in self.screen.panes:
            pane.show_ghost(None)

    def put_back(self) -> None:
        self.cancel()
        self.screen.give_up()

    def place(self, tap: str = "") -> None:
        """What the players say of the place; without a word that which the gold button says."""
        placing, viewer = self.placing, self.viewer
        tap = tap or self.gold
        if placing is None or not tap:
            return
        target = viewer.handles.find(tap)
        if isinstance(target, PlaceTap) and target.at is not None:
            self.move(target.at, snap=False)
            return
        self._let_go()
        viewer.placing = placing
        viewer.tap({"tap": tap})  # before another card takes its place: its handles are others
        self.screen.arrange()

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
        if unit is not None and unit != self.unit and not self.undecided():
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
        if unit is None or unit == self.unit:
            return False
        if self.undecided():
            return True
        if not self.take(unit):
            return False
        self._from, self._grip = self.pose, "tray"
        return True

    def undecided(self) -> bool:
        """Whether a tray was put elsewhere and nobody has said yet as what: it stays in hand."""
        placing = self.placing
        if placing is None or still(placing.start, placing.pose):
            return False
        name = _(self.screen.snapshot.name(self.unit))
        self.screen.app.toast(_("{unit}: first say what it does there, or put it back.", unit=name))
        return True

    def carry(self, start: Point, here: Point) -> None:
        """Move or turn the tray with the finger, and snap it into contact."""
        before = self._from
        turns = self.placing is not None and self.placing.only_turns
        if self._grip == "handle" or turns:
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
        if self.placing is not None:
            offers = self.screen.snapshot.offers
            self.viewer.placing = self.placing.moved(table, pose, snap, offers)
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
        contact = self.placing.contact if self.placing is not None else None
        offer = self.placing.offer if self.placing is not None else None
        for pane in self.screen.panes:
            ghost = Ghost(
                unit,
                self.pose,
                place,
                tone,
                contact.edge if contact is not None else None,
                self.handle(pane, unit) if self.turns else None,
                lanes=offer.lanes if offer is not None else (),
                tray=offer is None or offer.kind != "terrain",
            )
            pane.show_ghost(ghost)
        name = _(snapshot.name(self.unit))
        self.card.show(_("Place {unit}", unit=name), self.pose.heading)

    def show_end(self) -> None:
        """Draw where a tray is wanted, or the numbered places of the coach; nothing while a finger
        moves a tray."""
        snapshot = self.screen.snapshot
        table = snapshot.trays
        if self.unit or table is None:
            return
        prompt = next(iter((*snapshot.advice, *snapshot.prompts)), None)
        places = badge_icons(snapshot).places
        ghosts = []
        for end in ends_shown(snapshot):
            for start, pose in end.shown(table)[:1]:
                if start.pose == pose and start.id in table:
                    continue
                place = places.get(start.side, 0)
                number = end.text if prompt in snapshot.advice else ""
                ghosts.append(Ghost(start, pose, place, "yes", number=number))
        shown = NumberedGhosts(tuple(ghosts)) if len(ghosts) > 1 else next(iter(ghosts), None)
        for pane in self.screen.panes:
            pane.show_ghost(shown)

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
        return (
            unit is not None
            and self.turns
            and any(
                math.dist(point, self.handle(pane, unit))
                < 0.62 * HANDLE_DP * dp(1) / inch_px(pane, self.pose)
                for pane in self.screen.panes
            )
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
        placing, viewer = self.placing, self.viewer
        if placing is None or self.start is None or pose != placing.pose:
            return
        viewer.see(self.screen.snapshot)
        viewer.placing = placing.judged(notice)
        view = viewer.place()
        assert view is not None
        gold = next((one for one in view.choices if one.look == "primary"), None)
        self.gold = gold.tap if gold is not None else ""
        buttons = (
            TouchButton(one.text, partial(self.place, one.tap), one.look, one.detail, name=one.name)
            for one in view.choices
            if one is not gold
        )
        self.card.choices(gold is not None, gold.text if gold is not None else _("Done"), *buttons)
        if view.verdict:
            self.show(view.verdict)
        length = ruler().length(view.far) if view.verdict and view.far else ""
        why = " · ".join(part for part in (length, view.why) if part)
        self.card.judge(view.verdict, view.text, why)

    def refresh(self, before: Snapshot) -> None:
        """After a new snapshot: drop a tray that is gone, that the game has moved, or that has no
        move to make any more."""
        unit, placing = self.start, self.placing
        if placing is None:
            return
        old = before.trays.unit(self.unit) if before.trays and self.unit in before.trays else None
        moved = old is not None and unit is not None and old.pose != unit.pose
        if unit is None or moved or placing.over(self.screen.snapshot):
            self.cancel()
        else:
            self.show(self.card.verdict)


def inch_px(pane: TableView, pose: Pose) -> float:
    """The size of an inch in pixels of the screen at this place of the table."""
    one, other = pane.on_screen((pose.x - 1, pose.y)), pane.on_screen((pose.x + 1, pose.y))
    return max(1.0, math.dist(one, other) / 2)
