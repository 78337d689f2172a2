"""The basic widgets: text, cards, buttons, scrolling columns."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, Line, Rectangle, RoundedRectangle
from kivy.metrics import dp, sp
from kivy.properties import NumericProperty, VariableListProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.label import Label
from kivy.uix.scrollview import ScrollView
from kivy.uix.widget import Widget
from kivy.utils import escape_markup

from companion.app.render.theme import THEME, fitting_size, middle, widest_word, word_width
from companion.app.widgets.scroll_motion import ScrollMotion
from companion.text.hyphens import parted
from companion.text.lengths import whole_percent

HOLD_S = 0.45
LOOKS = {
    "primary": ("accent", "on-accent"),
    "plain": ("raised", "text"),
    "quiet": ("card", "soft"),
    "bare": ("card", "soft"),
    "ink": ("text", "back"),
    "chip": ("back", "text"),
}
STRIP_DP = 6
LEAST_SP = 15
"""Letters that make room for a long word do not become smaller than this."""
RIMS = {"plain": "edge", "quiet": "line", "chip": "line"}


SIGN = re.compile("[\u2190-\u21ff\u2261\u2316\u25a0-\u25ff\u2600-\u27bf\u27f3\u2b00-\u2bff]+")
STAYS = re.compile(r"(?:\[/font\]|‹) +")
"""A sign with the space behind it: it stays with its word in one line."""
SIGN_FONT = "DejaVuSans"
"""The second font that comes with kivy, for symbols the first one lacks."""


BEFORE_T = re.compile(" (?=[TТ])")
"""A space before T, which kerning makes too narrow in small text."""


def signed(text: str, small: bool = False) -> str:
    """Plain text as markup, with symbols in the font that has them."""
    safe = str(escape_markup(whole_percent(text)))
    safe = BEFORE_T.sub(" \u200a", safe) if small else safe
    safe = SIGN.sub(lambda sign: f"[font={SIGN_FONT}]{sign[0]}[/font]", safe)
    return STAYS.sub(lambda sign: sign[0].replace(" ", "\u00a0"), safe)


class Text(Label):
    """Text that wraps at its width and is as high as it needs; with `raw` it is markup."""

    def __init__(
        self,
        text: str,
        size: str = "body",
        colour: str | tuple[float, float, float, float] = "text",
        bold: bool = False,
        align: str = "left",
        grow: bool = True,
        raw: bool = False,
        **more: Any,
    ) -> None:
        shade = THEME.words(colour) if isinstance(colour, str) else colour
        super().__init__(
            text=text if raw else signed(text, size == "small"),
            markup=True,
            font_size=THEME.size(size),
            color=shade,
            bold=bold,
            halign=align,
            valign="middle",
            size_hint_y=None if grow else 1,
            **more,
        )
        self.grow, self._small = grow, size == "small"
        self._waited = 0
        self._liked_size, self._fitting = THEME.size(size), False
        self._whole, self._parting = "", False
        self.bind(width=self._fit, texture_size=self._rise)
        self.bind(font_size=self._resized, text=self._reworded, font_name=self._shrink)
        if not grow:
            self.bind(size=self._fit)

    def apply_class_lang_rules(self, *_args: Any, **_more: Any) -> None:
        """Draw the texture as kivy's rule for labels does, without its costly handlers."""
        with self.canvas:
            Color(1, 1, 1, 1)
            self._drawn = Rectangle(size=(0, 0))
        self.bind(pos=self._draw, size=self._draw, texture=self._draw, texture_size=self._draw)

    def _draw(self, *_: Any) -> None:
        wide, high = self.texture_size
        x, y = middle(self)
        left, bottom = x - wide / 2, y - high / 2
        self._drawn.texture, self._drawn.size = self.texture, (wide, high)
        self._drawn.pos = (int(left), int(bottom))

    def _resized(self, *_: Any) -> None:
        if not self._fitting:
            self._liked_size = float(getattr(self, "font_size", 0.0))
            self._shrink()

    def _shrink(self, *_: Any) -> None:
        """Make the letters smaller if a word would be broken, or a single line cut."""
        lines = (self.max_lines or 1) if self.shorten else 0
        size = fitting_size(
            self.text,
            self._liked_size,
            self.font_name,
            bool(self.bold),
            self.width,
            lines,
            float(sp(LEAST_SP)),
        )
        if abs(size - float(getattr(self, "font_size", size))) > 0.01:
            self._fitting = True
            self.font_size = size
            self._fitting = False

    def _reworded(self, *_: Any) -> None:
        if not self._parting:
            self._whole = ""
            self._shrink()
            self._part()

    def _part(self) -> None:
        """Part words with a hyphen that are wider than the line even in the smallest letters."""
        look = (self.font_size, self.font_name, bool(self.bold))
        if self.width > 4 * self.font_size and widest_word(self.text, *look) > self.width:
            whole = self.text
            self._put(parted(whole, lambda word: word_width(word, *look) <= self.width))
            self._whole = whole

    def _put(self, text: str) -> None:
        self._parting = True
        self.text = text
        self._parting = False

    def set_text(self, text: str, colour: str = "") -> None:
        """Change the text, and its colour if one is named."""
        self.text = signed(text, self._small)
        if colour:
            self.color = THEME.words(colour)

    def texture_update(self, *largs: Any) -> None:
        """Render the text only once its width is known, because rendering is slow."""
        if self.text_size[0] is None and self._waited < 2:
            self._waited += 1
            self._trigger_texture()
            return
        super().texture_update(*largs)

    def _fit(self, *_: Any) -> None:
        if self._whole:
            self._put(self._whole)
            self._whole = ""
        self._shrink()
        self._part()
        self.text_size = (self.width, None if self.grow else self.height)

    def _rise(self, *_: Any) -> None:
        if self.grow:
            self.height = self.texture_size[1]


class CardBox(BoxLayout):
    """A rounded card with widgets one under the other, as high as they are."""

    def __init__(self, role: str = "card", rim: str = "", pad: str = "gap", **more: Any) -> None:
        more.setdefault("orientation", "vertical")
        more.setdefault("size_hint_y", None)
        super().__init__(padding=THEME.gap(pad), spacing=THEME.gap("small"), **more)
        self.rim_role = rim
        with self.canvas.before:
            Color(*THEME.colour(role))
            self._ground = RoundedRectangle(radius=[THEME.radius])
            self._rim_colour = Color(*(THEME.colour(rim) if rim else (0, 0, 0, 0)))
            self._rim = Line(width=dp(1.4))
        self.bind(pos=self._place, size=self._place)
        if self.size_hint_y is None:
            self.bind(minimum_height=self.setter("height"))

    def rim(self, role: str) -> None:
        """Change the colour of the border."""
        self.rim_role = role
        self._rim_colour.rgba = THEME.colour(role) if role else (0, 0, 0, 0)

    def _place(self, *_: Any) -> None:
        self._ground.pos, self._ground.size = self.pos, self.size
        self._rim.rounded_rectangle = (self.x, self.y, self.width, self.height, THEME.radius)


SLID_DP = 24
"""A finger that was moved farther than this has not tapped."""


class TouchButton(ButtonBehavior, Widget):
    """A button with one or two lines of text, and optionally an action when it is held."""

    padding = VariableListProperty([0, 0, 0, 0])
    needed = NumericProperty(0.0)
    """The height that its text and a touch need."""

    def __init__(
        self,
        text: str,
        act: Callable[[], Any] | None = None,
        look: str = "plain",
        under: str = "",
        hold: Callable[[], Any] | None = None,
        ready: bool = True,
        tint: tuple[float, float, float, float] | None = None,
        size: str = "body",
        align: str = "center",
        name: str = "",
        **more: Any,
    ) -> None:
        more.setdefault("size_hint_y", None)
        more.setdefault("height", THEME.target)
        super().__init__(**more)
        self.name, self._text, self._size, self.look = name or text, text, size, look
        self.act, self.hold, self.ready = act, hold, ready
        self.floor = 0.0
        self._held: Any = None
        self._shaded = self._slid = False
        back, front = LOOKS[look]
        with self.canvas.before:
            self._edge: Any = None
            if tint is not None:  # the background leaves it visible as a strip at the left
                Color(*tint)
                self._edge = RoundedRectangle(radius=[THEME.radius])
            self._shade = Color(*THEME.colour(back, 1.0 if ready else 0.55))
            left = 0 if tint is not None else THEME.radius
            self._ground = RoundedRectangle(radius=[left, THEME.radius, THEME.radius, left])
            self._rim: Any = None
            # On a background of its own colour it needs a border to look like a button.
            rim = rim_colour(look, ready)
            if rim[3]:
                self._rim_colour = Color(*rim)
                self._rim = Line(width=dp(1))
        colour = THEME.colour(front if ready else "faint")
        self.label = Text(text, size, colour, bold=look in ("primary", "ink"), align=align)
        self.lines = [self.label]
        if under:
            shade = THEME.colour(
                front if look in ("primary", "ink") else "soft" if ready else "faint"
            )
            self.lines.append(Text(under, "small", shade, align=align))
        for line in self.lines:
            line.bind(height=self._place)
            self.add_widget(line)
        self.bind(pos=self._place, size=self._place, padding=self._place)
        self.padding = (THEME.gap(), THEME.gap("small"))

    @property
    def text(self) -> str:
        return self._text

    def set_text(self, text: str) -> None:
        """Say something else."""
        self._text = text
        self.label.set_text(text)

    def dress(self, look: str, ready: bool = True) -> None:
        """Take another look in its place: a finger that is on it loses nothing."""
        if (look, ready) == (self.look, self.ready):
            return
        self.look, self.ready = look, ready
        back, front = LOOKS[look]
        self._shade.rgba = THEME.colour(back, 1.0 if ready else 0.55)
        self.label.color, self.label.bold = (
            THEME.colour(front if ready else "faint"),
            look in ("primary", "ink"),
        )
        if self._rim is not None:
            self._rim_colour.rgba = rim_colour(look, ready)

    def sized(self, size: str) -> None:
        """Ask for the height of another size of text."""
        self._size = size
        self._place()

    def stretch(self, floor: float) -> None:
        """Grow to the height of the buttons beside it."""
        if self.floor != floor:
            self.floor = floor
            self._place()

    def _place(self, *_: Any) -> None:
        """Centre the lines and compute the needed height."""
        left, top, right, bottom = self.padding
        total = sum(line.height for line in self.lines)
        self.needed = max(
            THEME.target * (1.6 if self._size == "large" else 1), total + top + bottom
        )
        if self.size_hint_y is None:
            self.height = max(self.needed, self.floor)
        y = self.y + bottom + (self.height - top - bottom + total) / 2
        for line in self.lines:
            y -= line.height
            line.pos, line.width = (self.x + left, y), max(1, self.width - left - right)
        strip = dp(STRIP_DP) if self._edge is not None else 0
        self._ground.pos = (self.x + strip, self.y)
        self._ground.size = (max(1, self.width - strip), self.height)
        if self._rim is not None:
            inner = (self.x + 0.5, self.y + 0.5, self.width - 1, self.height - 1)
            self._rim.rounded_rectangle = (*inner, THEME.radius)
        if self._edge is not None:
            self._edge.pos, self._edge.size = self.pos, self.size

    def on_press(self) -> None:
        """Show the pressed state."""
        self._shaded, self._slid = True, False
        self._shade.a *= 0.6
        if self.hold is not None:
            self._held = Clock.schedule_once(self._hold_on, HOLD_S)

    def _hold_on(self, *_: Any) -> None:
        self._held = None
        if self.hold is not None:
            self.hold()
            self.hold_done = True

    def _lighten(self) -> None:
        self._shaded = False
        self._shade.a = 1.0 if self.ready else 0.55

    def on_release(self) -> None:
        """Call the button's action."""
        self._lighten()
        if self._held is not None:
            self._held.cancel()
            self._held = None
        if self._slid:
            return
        if self.hold is not None and getattr(self, "hold_done", False):
            self.hold_done = False
            return
        if self.act is not None:
            self.act()

    def on_touch_up(self, touch: Any) -> Any:
        """Reset the pressed state even if the finger slid off the button; one that slid over it has
        dragged, and tapped nothing."""
        if touch.grab_current is self and math.dist(touch.pos, touch.opos) > dp(SLID_DP):
            self._slid = True
        done = super().on_touch_up(touch)
        # Every button gets every touch; resetting without need would redraw all of them.
        if self._shaded:
            self._lighten()
        return done


def rim_colour(look: str, ready: bool) -> tuple[float, float, float, float]:
    """The colour of the border of a button, without one if its ground stands out by itself."""
    return THEME.colour(RIMS[look], 1.0 if ready else 0.55) if look in RIMS else (0, 0, 0, 0)


def touch_on(touch: Any) -> Callable[[Widget], bool]:
    """Whether a touch lies on a widget whose `painted` says that fingers draw on it."""

    def on(widget: Widget) -> bool:
        painted = getattr(widget, "painted", False)
        return painted and widget.collide_point(*widget.to_widget(*touch.pos))

    return on


REST_MS = 400
"""A finger that rests so long before it drags still scrolls: until then no row has the touch."""


LAYOUTS = 6
"""How often a column that is built anew is laid out before it is drawn, at most."""


class Rows(ScrollView):
    """A column that scrolls when it is too long."""

    def __init__(self, **more: Any) -> None:
        super().__init__(
            do_scroll_x=False,
            effect_cls=ScrollMotion,
            bar_width=dp(5),
            scroll_type=["bars", "content"],
            scroll_timeout=REST_MS,
            bar_color=THEME.colour("accent", 0.7),
            bar_inactive_color=THEME.colour("line", 0.8),
            **more,
        )
        self.column = BoxLayout(
            orientation="vertical",
            size_hint_y=None,
            spacing=THEME.gap("small"),
            padding=(0, 0, dp(8), THEME.gap()),
        )
        self._from_top = 0.0
        """How far the column is scrolled, in pixels: what is added below moves nothing."""
        self._growing = False
        self._holding = 0
        """How many changes of the column are being laid out: until then no finger has scrolled."""
        self._short = Clock.create_trigger(self._forget, 0)
        self.column.bind(minimum_height=self.column.setter("height"), height=self._grown)
        self.bind(height=self._grown, scroll_y=self._scrolled)
        self.add_widget(self.column)

    def on_touch_down(self, touch: Any) -> bool:
        """A finger on what is drawn with fingers draws at once: it does not scroll. One that stops
        the list taps nothing: what lies under it has just come there."""
        if not self.collide_point(*touch.pos) or not any(map(touch_on(touch), self.column.walk())):
            stops = self.effect_y.moving
            taken = bool(super().on_touch_down(touch))
            if stops and self._touch is touch:
                touch.ud[self._get_uid()]["user_stopped"] = True
            return taken
        touch.push()
        touch.apply_transform_2d(self.to_local)
        taken = any(child.dispatch("on_touch_down", touch) for child in self.children[:])
        touch.pop()
        return taken

    def update_from_scroll(self, *places: Any) -> None:
        """Remove kivy's earlier binding of the bar's colour, which it would otherwise leak."""
        self.funbind("bar_color", self._change_bar_color)
        super().update_from_scroll(*places)

    def _bind_inactive_bar_color(self, *_: Any) -> None:
        """Dim the scroll bar at once: fading would redraw all rows for half a second."""
        self.funbind("bar_color", self._change_bar_color)
        self.fbind("bar_inactive_color", self._change_bar_color)
        self._bar_color = self.bar_inactive_color

    def _scrolled(self, *_: Any) -> None:
        """Remember how far a finger has scrolled; kivy itself scrolls while a column is built."""
        if self._holding and not self._growing:
            self._grown()
        elif not self._growing:
            away = 1.0 - float(getattr(self, "scroll_y", 1.0))
            self._from_top = away * max(0.0, self.column.height - self.height)
            self._grown()

    def _grown(self, *_: Any) -> None:
        """Keep what is seen in its place; a column shorter than its space is at the top."""
        room = self.column.height - self.height
        if room <= 0:
            self._short()  # a column that is filled anew is short for a moment only
        place = 1.0 - min(1.0, self._from_top / room) if room > 0 else 1.0
        if float(getattr(self, "scroll_y", 1.0)) != place:
            self._growing = True
            self.scroll_y = place
            self._growing = False

    @property
    def settled(self) -> bool:
        """Whether no change of the column is still being laid out."""
        return not self._holding

    def sees(self, widget: Widget) -> bool:
        """Whether the upper edge of a widget is in sight."""
        top = widget.to_window(widget.x, widget.top)[1]
        low, high = self.to_window(*self.pos)[1], self.to_window(self.x, self.top)[1]
        return bool(low < top <= high)

    def hold(self, seek: Callable[[], Widget | None], top: float) -> None:
        """Keep the upper edge of a widget at a height of the window while the column is laid out
        anew: what a finger is on stays there."""

        def settle(left: int, *_: Any) -> None:
            widget = seek()
            lower = top - widget.to_window(widget.x, widget.top)[1] if widget is not None else 0.0
            if abs(lower) > 0.5:
                self._from_top = max(0.0, self._from_top + lower)
                self._fill_end()
                self._grown()
            if left:  # the last one comes in the next frame
                Clock.schedule_once(partial(settle, left - 1), -1 if left > 1 else 0)
                return
            self._holding -= 1
            self._update_effect_y_bounds()  # else the next touch would scroll to where it was

        self._holding += 1
        Clock.schedule_once(partial(settle, LAYOUTS), -1)

    def _fill_end(self) -> None:
        """As much empty space below as keeps the end of a shorter column from sliding down."""
        self.column.do_layout()
        content = self.column.height - self.column.padding[3]
        self.column.padding[3] = max(THEME.gap(), self._from_top + self.height - content)
        self.column.do_layout()

    def _forget(self, *_: Any) -> None:
        """A column that has stayed short begins at its top when it grows."""
        if self.column.height <= self.height:
            self._from_top = 0.0

    def fill(self, widgets: Sequence[Widget]) -> None:
        """Show these widgets and keep the scroll position."""
        place = float(getattr(self, "scroll_y", 1.0))
        self.column.clear_widgets()
        self.column.padding[3] = THEME.gap()
        for widget in widgets:
            self.column.add_widget(widget)
        self.scroll_y = place


def heading(text: str) -> Text:
    """The title of a group."""
    return Text(text, "small", "soft", bold=True)
