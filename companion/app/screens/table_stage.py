"""The views of a table, and what floats over them: tools, the hint, buttons to pan, the result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.app.context import AppContext
from companion.app.render.table_view import TableView
from companion.app.render.theme import THEME
from companion.app.screens.card_table import CardTableView
from companion.app.screens.table_foot import TableFoot
from companion.app.turn.result_strip import ResultStrip
from companion.app.widgets.controls import TouchButton
from companion.app.widgets.toolbar import PanButtons, ToolRail
from companion.engine.drawing.overlay_cache import ScreenSize
from companion.engine.snapshot import Snapshot
from companion.overlay.footprints import map_scale
from companion.overlay.view_frame import BoundingBox

NOT_LAID_OUT, LEAST_PX = (100, 100), 64
"""Kivy's size of a widget before layout, and a size smaller than any view has after it."""
BROAD = 16 / 9
"""The ratio of the picture's sides."""
LOWER_LEFT = {"x": 0, "y": 0}
"""Children of the stage move with it, above the panel or to its right."""


PANEL_DP, PANEL = 310, 0.42
"""The least height of the panel upright, and its least share of what it has with the table."""
COLUMN_DP, COLUMN = (316, 392), 0.34
"""The least and the most width of the panel beside the table, and its share of the screen."""
VIEWS = 0.8
"""About the share of a window's height that lies between the bar and the line below the table."""


def column_width(wide: float) -> float:
    """How wide the panel beside the table is on a screen of this width."""
    least, most = COLUMN_DP
    widest = dp(most) * max(1.0, min(THEME.text, 1.25))
    return float(max(dp(least), min(widest, wide * COLUMN)))


def map_room(wide: float, high: float) -> tuple[float, float]:
    """About the room of a map in a window: beside the panel, or upright above it."""
    if wide > high:
        return wide - column_width(wide), high * VIEWS
    return wide, high * VIEWS * (1 - PANEL)


LETTER = 0.6
"""How wide a letter is at most on average, relative to the size of the text."""


class HintPlate(TouchButton):
    """A line over the table; where it leads nowhere, what lies under it is tapped and dragged."""

    def on_touch_down(self, touch: Any) -> bool:
        return self.act is not None and bool(super().on_touch_down(touch))


class TableStage(FloatLayout):
    """Shows the picture, the map or both; a game without a table shows its cards.

    `make_view` makes a view of one kind, whose touches the screen handles.
    """

    def __init__(
        self,
        app: AppContext,
        tools: ToolRail,
        seats: CardTableView,
        make_view: Callable[[str], TableView],
    ) -> None:
        super().__init__()
        self.app, self.tools, self.seats, self._make_view = app, tools, seats, make_view
        self.snapshot = Snapshot()
        self.panes: list[TableView] = []
        self.view, self.tool, self.tableless = app.view, "select", False
        self.foot: TableFoot | None = None
        """The row below the panel that holds the tools."""
        self.blind = False
        """Whether only the map is shown, because there is no camera."""
        self.column = BoxLayout(orientation="vertical", pos_hint=LOWER_LEFT)
        self.views = BoxLayout(orientation="vertical", spacing=dp(2))
        self.column.add_widget(self.views)
        self.strip = ResultStrip(app.show_log)
        self.column.add_widget(self.strip)
        self.column.bind(minimum_height=self._grow)
        self.add_widget(self.column)
        self.rail = AnchorLayout(
            anchor_x="left", anchor_y="top", padding=dp(10), pos_hint=LOWER_LEFT
        )
        self.add_widget(self.rail)
        self.hint = AnchorLayout(
            anchor_x="center", anchor_y="top", padding=dp(10), pos_hint=LOWER_LEFT
        )
        self.add_widget(self.hint)
        self.arrows = PanButtons(self.push, size_hint=(None, None))
        self.views.bind(pos=self.arrows.setter("pos"), size=self.arrows.setter("size"))
        self._screen = ScreenSize()
        self.views.bind(size=self.resized)

    def stand(self, high: float | None, foot: TableFoot | None = None) -> None:
        """Upright the views are so high, and the tools lie in the foot, or in a row under the line;
        in landscape the views take what the line leaves, and the tools lie over them."""
        flat = high is not None
        self.tools.flat, self.foot = flat, foot
        for one in (self, self.views):
            one.size_hint_y = None if flat else 1
        if high is not None:
            self.views.height = high
        freed(self.tools)
        self.show_row(True)

    def show_row(self, shown: bool) -> None:
        """Show the tools, or hide them; there are none where nothing is measured or moved."""
        shown = shown and not self.tableless
        if shown != (self.tools.parent is not None):
            if shown:
                self.shelf.add_widget(self.tools, len(self.shelf.children) if self.foot else 0)
            else:
                freed(self.tools)
        self._grow()

    @property
    def shelf(self) -> Widget:
        """Where the tools lie."""
        if self.foot is not None:
            return self.foot
        return self.column if self.tools.flat else self.rail

    def _grow(self, *_: Any) -> None:
        if self.tools.flat:
            self.height = self.column.minimum_height

    def show_views(self, view: str, corner: BoxLayout | None) -> None:
        """Create the chosen views and place each of them; `corner` takes the picture of both."""
        self.view = view
        if self.tableless:
            self.panes = []
            self.views.clear_widgets()
            self.views.add_widget(freed(self.seats))
            return
        kinds = ("picture", "map") if view == "both" else (view,)
        if [pane.kind for pane in self.panes] != list(kinds):
            self.panes = [self._make_view(kind) for kind in kinds]
            for pane in self.panes:
                pane.bind(zoom=self.show_arrows, size=self.fit)
                pane.look(self.app.service.live)  # a lost camera sends no newer frame
            self.show_arrows()
        self.views.clear_widgets()
        for pane in self.panes:
            freed(pane)
            if pane.kind == "picture" and corner is not None:
                pane.size_hint, pane.height = (1, None), corner.width / BROAD
                corner.add_widget(pane, index=1)
            else:
                pane.size_hint = (1, 1)
                self.views.add_widget(pane)
            pane.turn(self.app.turned)
        self.resized()

    def resized(self, *_: Any) -> None:
        """Adapt to a new size of the views."""
        if len(self.views.children) > 1:  # portrait: the map gets what the wide picture leaves
            part = min(0.5, self.views.width / BROAD / max(self.views.height, 1.0))
            self.panes[0].size_hint_y, self.panes[1].size_hint_y = part, 1 - part
        self.show_tools()
        self.fit()

    def show_tools(self) -> None:
        """Update the toolbar."""
        if self.tableless:
            return
        board = self.snapshot.gridded is not None
        turns = self.tool == "hand" and bool(self.snapshot.chosen) and not board
        movable = self.snapshot.table is not None
        room = self.views.width if self.tools.flat else self.views.height
        room = 0.0 if self.foot is not None else room
        self.tools.show(self.view, self.tool, movable, turns, not self.blind, room)
        rail = BoundingBox(0.0, 0.0, self.tools.width + dp(16), self.tools.height + dp(16))
        # Every cell of a board can be tapped, so it lies beside the tools; a table lies below.
        aside = board and self.view != "both"
        left = dp(6) if self.tools.flat else rail.right
        self.views.padding = (left, dp(6), dp(6), dp(6)) if aside else 0
        beside = self.tools.flat or aside
        for pane in self.panes:  # badges leave the tools' place free
            pane.taken = (rail,) if pane.parent is self.views and not beside else ()

    def show_arrows(self, *_: Any) -> None:
        """Show buttons to pan a zoomed table, or hide them."""
        wanted = any(pane.zoom > 1.01 for pane in self.panes)
        if wanted == (self.arrows.parent is not None):
            return
        if wanted:
            self.add_widget(self.arrows)
        else:
            self.remove_widget(self.arrows)

    def push(self, right: int, up: int) -> None:
        """Pan the views in a direction."""
        for pane in self.panes:
            pane.shift(-right * pane.width / 4, -up * pane.height / 4)

    def fit(self, *_: Any) -> None:
        """Tell the service at which sizes to render."""
        if any(
            tuple(pane.size) == NOT_LAID_OUT or min(pane.size) < LEAST_PX for pane in self.panes
        ):
            return
        table = self.snapshot.table
        screen = self._screen
        mapped = any(pane.kind == "map" for pane in self.panes)
        for pane in self.panes:
            room = pane.size
            if pane.kind == "map" or not mapped:  # a board lies alike on the map and the picture
                px = (room[0], room[1])
                scale = map_scale(table, px) if table is not None else screen.map_scale
                screen = replace(screen, map_scale=scale, map_px=px)
            if pane.kind != "map":
                size = (round(room[0], 1), round(room[1], 1))
                screen = replace(screen, picture_px=size)
                if self.snapshot.picture is None:  # a frame is shown before anything is drawn on it
                    pane.rest_on(size)
        letters = min(1.15, max(0.82, min(self.views.width, self.views.height) / dp(620)))
        unit = round(letters * dp(1) * (0.6 + 0.4 * THEME.text), 3)
        if len(self.panes) > 1:
            unit *= 0.85
        shows = tuple(sorted(pane.kind for pane in self.panes))
        dark = THEME.palette != "light"
        self._screen = replace(screen, unit_px=unit, shows=shows, dark=dark)
        self.app.service.fit(self._screen)
        for pane in self.panes:
            pane.unit_px = unit

    def show_hint(self, text: str, act: Callable[[], object] | None = None) -> None:
        """Show a line above the table, and what a tap on it does; nothing if it is empty."""
        plate = self.hint.children[0] if self.hint.children else None
        if plate is not None and plate.text == text:
            plate.act = act
            return
        self.hint.clear_widgets()
        if text:
            plate = HintPlate(text, act, "quiet", size="small", name="hint")
            plate.size_hint = (None, None)
            wide = dp(30) + len(text) * LETTER * THEME.size("small")
            beside = 0 if self.tools.flat else self.tools.width
            plate.width = min(self.width - 2 * (beside + dp(20)), wide)
            plate.opacity = 0.92
            self.hint.add_widget(plate)


def freed(widget: Widget) -> Widget:
    """The widget, removed from its parent."""
    if widget.parent is not None:
        widget.parent.remove_widget(widget)
    return widget
