"""Dice as the game asks for them: counts, totals or faces; a full set sends itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from kivy.graphics import Color, Line, RoundedRectangle
from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.stacklayout import StackLayout
from kivy.uix.widget import Widget

from companion.app.render.theme import FONTS, THEME
from companion.app.widgets.controls import Text, TouchButton
from companion.app.widgets.icon import PIPS, Die
from companion.app.widgets.layouts import row
from companion.engine.app_words import _
from companion.games.api.prompt import DiceRequest

Filled = Mapping[str, Any]
"""A command with its dice."""
Done = Callable[[Filled | None], Any]
"""Gets the completed command, or None where the app rolls."""
COLUMNS = 4
KEY_DP = 66
FILL = 0.72
"""The share of a key that the most likely number fills."""
SIX = 6


class CountKey(ButtonBehavior, Widget):
    """A number to tap; how likely it is fills it from below."""

    def __init__(
        self,
        text: str,
        act: Callable[[], Any],
        name: str,
        chance: float | None = None,
        most: float = 1.0,
        tone: str = "",
    ) -> None:
        super().__init__(size_hint_y=None, height=dp(KEY_DP))
        self.name, self.act = name, act
        self._share = 0.0 if chance is None else FILL * chance / max(most, 1e-9)
        with self.canvas.before:
            self._shade = Color(*THEME.colour("raised"))
            self._ground = RoundedRectangle(radius=[THEME.radius])
            Color(*THEME.colour(tone or "side-0", 0.45))
            self._bar = RoundedRectangle(radius=[THEME.radius])
            Color(*(THEME.colour(tone) if tone else THEME.colour("line")))
            self._rim = Line(width=dp(1.2))
        marks = {"good": " ✓", "bad": " ✕"}
        self.label = Text(text + marks.get(tone, ""), "title", bold=True, align="center")
        self.lines = [self.label]
        if chance is not None:
            self.lines.append(Text(percent(chance), "small", align="center"))
        for line in self.lines:
            self.add_widget(line)
            line.bind(height=self._place)
        self.bind(pos=self._place, size=self._place)

    def _place(self, *_: Any) -> None:
        self._ground.pos, self._ground.size = self.pos, self.size
        high = self.height * self._share
        self._bar.pos, self._bar.size = self.pos, (self.width, high)
        self._bar.radius = [min(THEME.radius, high / 2)]
        inner = (self.x + 0.5, self.y + 0.5, max(1, self.width - 1), max(1, self.height - 1))
        self._rim.rounded_rectangle = (*inner, THEME.radius)
        total = sum(line.height for line in self.lines)
        top = self.y + (self.height + total) / 2
        for line in self.lines:
            top -= line.height
            line.pos, line.width = (self.x, top), self.width

    def on_press(self) -> None:
        """Show the pressed state."""
        self._shade.a = 0.6

    def on_release(self) -> None:
        """Send the number."""
        self._shade.a = 1.0
        self.act()


class DiceEntry(BoxLayout):
    """The dice of one request; `done` gets the completed command, or None where the app rolls.

    `how` is "count" or "faces", as the players prefer; `prefer` remembers another choice.
    """

    def __init__(
        self,
        request: DiceRequest,
        done: Done,
        how: str = "count",
        prefer: Callable[[str], Any] | None = None,
        app_key: bool = True,
    ) -> None:
        super().__init__(orientation="vertical", spacing=THEME.gap("small"), size_hint_y=None)
        self.bind(minimum_height=self.setter("height"))
        self.requests = (request, *request.extra)
        self.done, self.how, self.prefer = done, how, prefer
        self.app_key = app_key and request.optional
        self.command: dict[str, Any] = dict(request.command)
        self.place = 0
        self.rolled: list[int] = []
        self.sent = False
        """Whether the dice were sent and the game has not answered yet."""
        self.build()

    def renew(self, request: DiceRequest, done: Done) -> bool:
        """Keep the dice entered so far for the same dice with other odds; False if others."""
        if shape(request) != shape(self.requests[0]):
            return False
        self.done = done
        if request != self.requests[0]:
            self.requests = (request, *request.extra)
            self.build()
        return True

    @property
    def request(self) -> DiceRequest:
        """The dice that are entered now."""
        return self.requests[self.place]

    @property
    def counts(self) -> bool:
        """Whether a single number answers the request."""
        return bool(self.request.count_field) and self.how != "faces"

    def build(self) -> None:
        """Show the question and the keys."""
        self.clear_widgets()
        request = self.request
        both = bool(request.count_field) and request.count > 1
        title = Text(_(question(request, self.counts)), "large", bold=True)
        if both and self.prefer is not None:
            switch = row(*self.switches())
            switch.size_hint_x = None
            switch.width = dp(170)
            line = row(title, switch)
            title.pos_hint = {"center_y": 0.5}
            self.add_widget(line)
        else:
            self.add_widget(title)
        keys = list(self.keys())
        if self.app_key and self.place == 0:
            keys.append(
                TouchButton(_("App rolls"), self.app_rolls, "quiet", size="small", name="app-rolls")
            )
        box = GridLayout(
            cols=min(COLUMNS, max(len(keys), 1)), spacing=THEME.gap("tiny"), size_hint_y=None
        )
        box.bind(minimum_height=box.setter("height"))
        for key in keys:
            if isinstance(key, TouchButton):
                key.size_hint_y, key.height = None, dp(KEY_DP)
                key.padding = (dp(2), dp(2))
                key.label.font_name = FONTS["narrow"]
                key.stretch(dp(KEY_DP))
            box.add_widget(key)
        self.add_widget(box)
        if not self.counts and request.count > 1:
            self.shown = StackLayout(spacing=dp(2), size_hint_y=None, height=0)
            self.shown.bind(minimum_height=self.shown.setter("height"))
            self.hint = Text("", "small", "soft")
            self.add_widget(self.hint)
            self.add_widget(self.shown)
            self.refresh()

    def switches(self) -> Iterator[TouchButton]:
        """Buttons for the two ways to enter dice."""
        for how, text in (("count", _("Count")), ("faces", _("Faces"))):
            ready = (self.how == "faces") == (how == "faces")
            press = TouchButton(
                f"✓ {text}" if ready else text,
                partial(self.switch, how),
                "plain" if ready else "quiet",
                size="small",
                name=f"dice:{how}",
            )
            press.padding = (dp(4), dp(4))
            yield press

    def switch(self, how: str) -> None:
        """Enter dice the other way from now on."""
        self.how, self.rolled = how, []
        if self.prefer is not None:
            self.prefer(how)
        self.build()

    def keys(self) -> Iterator[Widget]:
        """The keys of the current request."""
        request = self.request
        if self.counts:
            low, chances = lowest(request), chances_of(request)
            most = max(chances, default=1.0)
            for place, chance in enumerate(chances or (None,) * (request.count + 1)):
                number = low + place
                tone = ""
                if low and request.wanted is not None:
                    tone = "good" if number >= request.wanted else "bad"
                yield CountKey(
                    str(number),
                    partial(self.count, number),
                    f"count:{number}",
                    chance,
                    most,
                    tone,
                )
            return
        single = request.count == 1 and len(request.chances) == request.sides
        for face in range(1, request.sides + 1):
            if request.symbols and face <= len(request.symbols):
                text = _(request.symbols[face - 1])
                yield CountKey(text, partial(self.add, face), f"die:{face}")
            elif request.sides != SIX or face not in PIPS:
                chance = request.chances[face - 1] if single else None
                tone = verdict(request, face)
                yield CountKey(str(face), partial(self.add, face), f"die:{face}", chance, 1.0, tone)
            else:
                key = Die(face, partial(self.add, face))
                key.size_hint_x, key.height = 1, dp(KEY_DP)
                yield key

    def app_rolls(self) -> None:
        """Let the app roll, once."""
        self.send(None)

    def count(self, number: int) -> None:
        """Answer with a single number."""
        request = self.request
        passed = bool(lowest(request)) and request.wanted is not None and number >= request.wanted
        self.take({request.count_field: number}, passed)

    def add(self, face: int) -> None:
        """Add a die; the last one sends the set."""
        self.rolled.append(face)
        request = self.request
        if len(self.rolled) < request.count:
            self.refresh()
            return
        faces: list[Any] = list(self.rolled)
        if request.symbols:
            faces = [request.symbols[one - 1] for one in self.rolled]
        totals, wanted = bool(lowest(request)), request.wanted
        passed = totals and wanted is not None and sum(self.rolled) >= wanted
        self.take({request.field: faces[0] if request.single else faces}, passed)

    def remove_die(self, place: int) -> None:
        """Take a die back; a second finger may press it once more before it is gone."""
        del self.rolled[place : place + 1]
        self.refresh()

    def take(self, given: Mapping[str, Any], passed: bool = False) -> None:
        """Keep the dice of one request; after the last one that matters send the command."""
        self.command |= given
        self.rolled = []
        self.place += 1
        while passed and self.place < len(self.requests) and self.request.if_failed:
            self.place += 1
        if self.place < len(self.requests):
            self.build()
        else:
            self.send(dict(self.command))

    def send(self, filled: Filled | None) -> None:
        """Pass the dice on; a second tap before the game answers is ignored."""
        self.place, self.rolled, self.command = 0, [], dict(self.requests[0].command)
        if not self.sent:
            self.sent = True
            self.done(filled)

    def answered(self) -> None:
        """The game answered: if it still wants these dice, they are entered anew."""
        if self.sent:
            self.sent = False
            self.build()

    def refresh(self) -> None:
        """Show the dice entered so far."""
        self.shown.clear_widgets()
        request = self.request
        for place, face in enumerate(self.rolled):
            if request.sides == SIX and not request.symbols:
                self.shown.add_widget(Die(face, partial(self.remove_die, place), 48))
            else:
                text = _(request.symbols[face - 1]) if request.symbols else str(face)
                key = TouchButton(text, partial(self.remove_die, place), name=f"drop:{place}")
                key.size_hint_x, key.width = None, dp(64)
                self.shown.add_widget(key)
        left = request.count - len(self.rolled)
        told = _("{left} of {count} dice left", left=left, count=request.count)
        self.hint.set_text(f"{told} · {_('tap a die to take it back')}" if self.rolled else told)


def shape(request: DiceRequest) -> tuple[object, ...]:
    """What dice are entered, without their odds."""
    extra = tuple(shape(one) for one in request.extra)
    return dict(request.command), request.field, request.count, request.sides, extra


def lowest(request: DiceRequest) -> int:
    """The smallest number to enter: 0 for a count, as many as there are dice for a total."""
    totals = request.count * (request.sides - 1) + 1
    return request.count if len(request.chances) == totals != request.count + 1 else 0


def chances_of(request: DiceRequest) -> tuple[float, ...]:
    """The chances that the game gives; for a count without them, those of independent dice."""
    if request.chances or request.wanted is None:
        return request.chances
    hit = min(max((request.sides - request.wanted + 1) / request.sides, 0.0), 1.0)
    return tuple(
        math.comb(request.count, n) * hit**n * (1 - hit) ** (request.count - n)
        for n in range(request.count + 1)
    )


def verdict(request: DiceRequest, face: int) -> str:
    """Whether a single die succeeds."""
    if request.wanted is None or request.count != 1:
        return ""
    return "good" if face >= request.wanted else "bad"


def question(request: DiceRequest, counts: bool) -> str:
    """What is asked, where the game does not say it."""
    if request.text:
        return request.text
    if counts and lowest(request):
        return _("What is the total?")
    if counts and request.wanted is not None:
        return _("How many show {wanted}+?", wanted=request.wanted)
    return _("What did you roll?")


def percent(chance: float) -> str:
    """A chance as players read it."""
    if 0.0 < chance < 0.01:
        return "<1 %"
    return f"{round(100 * chance)} %"
