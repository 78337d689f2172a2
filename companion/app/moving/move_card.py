"""The verdict on the place of a tray that is being moved: judged on the worker thread, shown on
a card.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.render.theme import FONTS, THEME
from companion.app.turn.dock import DOCK_DP
from companion.app.widgets.controls import CardBox, Rows, Text, TouchButton
from companion.app.widgets.icon import IconView
from companion.app.widgets.layouts import ButtonGrid, row
from companion.engine.app_service import AppService
from companion.engine.app_words import _
from companion.engine.moves.tray_move import explained
from companion.engine.snapshot import Notice
from models import Pose

SOON_S = 0.1
"""The pause between two judgements, so that taps are still answered at once."""


class MoveJudge:
    """Asks for one judgement at a time; `answer` gets the newest on the screen's thread."""

    def __init__(self, service: AppService, answer: Callable[[Pose, Notice | None], Any]) -> None:
        self._service, self._answer_to = service, answer
        self._wanted: tuple[str, Pose] | None = None
        self._busy = False

    def judge(self, unit: str, pose: Pose) -> None:
        """Judge this place as soon as the one before is done."""
        self._wanted = (unit, pose)
        if not self._busy:
            self._busy = True
            Clock.schedule_once(self._ask, 0)

    def stop(self) -> None:
        """Forget the newest request."""
        self._wanted = None

    def _ask(self, *_: Any) -> None:
        wanted, self._wanted = self._wanted, None
        if wanted is None:
            self._busy = False
            return
        self._service.ask(lambda: self._judge(*wanted))

    def _judge(self, unit: str, pose: Pose) -> None:
        """Runs on the worker thread."""
        controller = self._service.controller
        snapshot = controller.snapshot
        found: Notice | None = None
        try:
            if snapshot.trays is not None and unit in snapshot.trays:
                game = controller.game
                found = explained(
                    snapshot.trays,
                    unit,
                    pose,
                    game.readings(),
                    snapshot,
                    game.offers(unit),
                    game,
                )
        finally:
            Clock.schedule_once(lambda _: self._answer(pose, found), 0)

    def _answer(self, pose: Pose, found: Notice | None) -> None:
        self._answer_to(pose, found)
        Clock.schedule_once(self._ask, SOON_S)


VERDICTS = {
    "yes": ("check", "good"),
    "no": ("cross", "bad"),
    "unsure": ("ask", "warn"),
    "": ("turn", "soft"),
}

TURNS = (
    ("+15", 15.0, "turn:left:15"),
    ("+1", 1.0, "turn:left"),
    ("−1", -1.0, "turn:right"),
    ("−15", -15.0, "turn:right:15"),
)
"""The buttons that turn a tray, by degrees to its left."""


REASON_DP = 44
"""The height of a reason of two lines."""
TIGHT_DP = 440
"""A lower card, as upright on a phone, leaves out what is not needed to place a tray."""
LOW_DP = 560
"""On a lower card the buttons lie beside each other where rows are to be chosen from."""
UPRIGHT_COLUMNS = 3


class MoveCard(BoxLayout):
    """Shown in the place of the panel; its buttons call `turn`, `back` and `place`.

    Without `turn` the piece has no facing.
    """

    def __init__(
        self,
        turn: Callable[[float], Any] | None,
        back: Callable[[], Any],
        place: Callable[[], Any],
    ) -> None:
        super().__init__(orientation="vertical", padding=dp(10), spacing=THEME.gap("small"))
        self.verdict = ""
        self.title = Text("", "large", bold=True)  # a long name leaves room for the verdict
        self.title.font_name = FONTS["title"]
        self.judged = CardBox("raised", rim="line")
        head = BoxLayout(size_hint_y=None, height=dp(30), spacing=dp(10))
        self.sign = IconView("turn", 26, "soft")
        self.sign.pos_hint = {"center_y": 0.5}
        self.first = Text("", "large", bold=True, grow=False)
        head.add_widget(self.sign)
        head.add_widget(self.first)
        self.why = Text("", "body", "soft", pos_hint={"top": 1})
        self.room = BoxLayout(size_hint_y=None, height=0)
        self.room.add_widget(self.why)
        self.why.bind(height=self.keep_room)
        self.judged.add_widget(head)
        self.judged.add_widget(self.room)
        self.facing = Text("", "body", "soft")
        self.told = Text(_("Drag the piece to a space, or tap the space."), "body", "soft")
        self.telling = True
        """Whether it says how the piece is moved: until it was moved."""
        self.options: list[Widget] = []
        """Rows between which the players choose."""
        self.keys = row()
        self.turns = CardBox("raised") if turn is not None else None
        """Which way the tray faces, and the buttons that turn it."""
        self.turning = turn is not None
        if turn is not None:
            for text, step, name in TURNS:
                self.keys.add_widget(TouchButton(text, partial(turn, step), name=name))
            self.tell()
        self.rows, self.card = Rows(), CardBox("card", rim="line", size_hint_y=1)
        self.column = self.rows.column
        self.back = TouchButton(_("Put back"), back, name="put-back")
        self.more, self.buttons = ButtonGrid(), [self.back]
        self.gold = TouchButton(_("Done"), place, "primary", size="large", name="place")
        # in the place of the dock, so that the gold button stays where it was
        self.foot = Text(_("The new place is not recorded yet."), "small", "soft", grow=False)
        self.foot.size_hint_y, self.foot.height = None, dp(DOCK_DP)
        self.tight: bool | None = None
        self.docked = False
        """Whether the dock keeps its place below it."""
        self.bind(height=self.arrange)
        self.arrange()

    def arrange(self, *_: Any) -> None:
        """A low card leaves out its title and its foot, and which way the tray faces."""
        tight = 0 < self.height < dp(TIGHT_DP)
        if tight is self.tight:
            return
        self.tight = tight
        if self.turns is not None:
            self.turns.padding = 0 if tight else THEME.gap()
            show(self.turns, [self.keys] if tight else [self.facing, self.keys])
        self.lay()
        self.stand(self.docked)

    def stand(self, docked: bool) -> None:
        """Lie over the dock, or in its place too."""
        self.docked = docked
        show(self, [self.card] if self.tight or docked else [self.card, self.foot])

    def lay(self) -> None:
        """All parts one under the other. The verdict comes first: on a small screen nothing hides
        it; a low card has the buttons that turn the tray always in sight."""
        turns = [self.turns] if self.turns is not None and self.turning else []
        told = [self.told] if self.telling else []
        crowded = bool(self.options) and self.height < dp(LOW_DP)
        self.gold.sized("body" if self.tight or crowded else "large")
        if self.tight:
            column = [self.judged, *self.options, *told]
            buttons, columns = [*self.buttons, self.gold], UPRIGHT_COLUMNS
            parts = [self.rows, *turns, self.more]
        else:  # what goes once it moves lies below the keys
            column = [self.judged, *turns, *self.options, *told]
            buttons, columns = [*self.buttons, *([self.gold] if crowded else [])], 2
            parts = [self.title, self.rows, self.more, *([] if crowded else [self.gold])]
        if self.card.children[::-1] != parts:
            self.card.clear_widgets()
        if self.column.children[::-1] != column:
            self.rows.fill(column)
        self.more.fill(buttons, columns)
        show(self.card, parts)

    def choices(self, ready: bool, text: str, *buttons: TouchButton) -> None:
        """Show these buttons above the gold one, which works only if the move is ready."""
        if self.gold.text != text:
            self.gold.set_text(text)
        self.gold.disabled, self.gold.opacity = not ready, 1.0 if ready else 0.45
        self.buttons = [*buttons, self.back]
        self.lay()

    def show_options(self, rows: Sequence[Widget]) -> None:
        """Show these rows under the verdict, in place of earlier ones."""
        self.options = list(rows)
        self.lay()

    def let_turn(self, turns: bool) -> None:
        """Show the buttons that turn the tray, or hide them where it keeps its facing."""
        self.turning = turns
        self.lay()

    def tell(
        self,
        only_turns: bool = False,
        watched: bool = False,
        turns: bool = True,
        how: str = "",
    ) -> None:
        """Say how a tray is moved, or only turned; `watched`: a camera sees the real one. `how` is
        what the game says of it."""
        told = how or _("Drag the tray. The round handle turns it.")
        if not turns:
            told = _("Drag the tray: it keeps its facing.")
        if watched:
            told = _("Move your tray on the table: the camera sees it. Or drag it here.")
        elif only_turns:
            told = _("It only turns: drag it round, or tap the degrees.")
        self.told.set_text(told)
        self.room.height = 0
        self.keep_room()
        self.telling = True

    def keep_room(self, *_: Any) -> None:
        """Give the reason its height; the buttons that turn a tray lie under it and do not slide
        away from a finger when it is shorter again."""
        needed = self.why.height if self.why.text else 0.0
        least = dp(REASON_DP) if self.turns is not None else 0.0
        self.room.height = max(needed, least, self.room.height if self.turns is not None else 0.0)

    def show(self, title: str, facing: float | None) -> None:
        """Name the piece, and say which way a tray faces."""
        if self.title.text != title:
            self.title.set_text(title)
        if facing is not None:
            self.facing.set_text(_("Facing {degrees}°", degrees=round(facing) % 360))

    def judge(self, verdict: str, text: str, why: str) -> None:
        """Show the verdict on the place: yes, no, unsure, or none yet."""
        self.verdict = verdict
        icon, role = VERDICTS[verdict]
        self.sign.set_icon(icon, role)
        self.judged.rim(role if verdict else "line")
        self.first.set_text(text, role if verdict else "text")
        self.why.set_text(why)
        self.keep_room()
        if verdict and self.telling:  # how it is moved is known by now
            self.telling = False
            self.lay()
        self.why.color = THEME.colour("soft")


def show(box: BoxLayout, parts: Sequence[Widget]) -> None:
    """Show these parts in a box, unless it has them already."""
    if box.children[::-1] != list(parts):
        box.clear_widgets()
        for one in parts:
            box.add_widget(one)
