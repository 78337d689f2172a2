"""Dice as the game asks for them: counts, totals or faces; a full set sends itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
from companion.app.turn.dice_proposal import DiceProposal
from companion.app.turn.option_row import OptionRow
from companion.app.widgets.controls import Text, TouchButton
from companion.app.widgets.icon import Die, NumberDie, SymbolDie, symbol_icon
from companion.app.widgets.layouts import grid, row
from companion.app.widgets.seat_widgets import seat_place
from companion.engine.app_words import _
from companion.engine.camera.dice_camera import DiceCamera
from companion.engine.turn.proposed_dice import ProposedDice
from companion.engine.turn.turn_records import DiceKey, DiceView, SymbolView
from companion.games.api.new_game import SeatView

COLUMNS, SYMBOL_COLUMNS = 4, 2
KEY_DP = 66
LOW_COLUMNS, LOW_KEY_DP, MANY = 5, 52, 8
"""More faces than this lie closer together on a low card: all of them are in sight."""
DIE_DP = 48
SIGN_DP, NUMBER_HIGH_DP, SIGN_COLUMN_DP = 26, 22, 40
"""The sign of a symbol, the number under it, and how wide both are."""
FILL = 0.72
"""The share of a key that the most likely number fills."""
SIX = 6
Taken = Callable[[ProposedDice, bool], Any]
BY_FACES = ("faces", "camera")
"""The ways to enter dice in which every face is known."""


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
        odds: str = "",
        side: str = "side-0",
    ) -> None:
        super().__init__(size_hint_y=None, height=dp(KEY_DP))
        self.name, self.act = name, act
        self._share = 0.0 if chance is None else FILL * chance / max(most, 1e-9)
        with self.canvas.before:
            self._shade = Color(*THEME.colour("raised"))
            self._ground = RoundedRectangle(radius=[THEME.radius])
            Color(*THEME.colour(tone or side, 0.45))
            self._bar = RoundedRectangle(radius=[THEME.radius])
            Color(*(THEME.colour(tone) if tone else THEME.colour("line")))
            self._rim = Line(width=dp(1.2))
        marks = {"good": " ✓", "bad": " ✕"}
        self.label = Text(text + marks.get(tone, ""), "title", bold=True, align="center")
        self.lines = [self.label]
        if odds:
            self.lines.append(Text(odds, "small", align="center"))
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


class DiePlace(Widget):
    """Where a die will lie that is still to be entered: nothing moves when it comes."""

    def __init__(self, wide: float, high: float) -> None:
        super().__init__(size_hint=(None, None), size=(wide, high))
        with self.canvas:
            Color(*THEME.colour("line", 0.6))
            self._rim = Line(width=dp(1))
        self.bind(pos=self._place)

    def _place(self, *_: Any) -> None:
        inner = dp(3)
        size = (self.width - 2 * inner, self.height - 2 * inner)
        self._rim.rounded_rectangle = (self.x + inner, self.y + inner, *size, dp(9))


class SymbolKey(OptionRow):
    """A symbol to tap: its sign, what it does, on how many faces it is, or how many do."""

    def __init__(
        self, key: DiceKey, symbol: SymbolView, sides: int, act: Callable[[], Any]
    ) -> None:
        self.likely = f"{symbol.faces}/{sides}"
        text, name = key.text[:1].upper() + key.text[1:], f"die:{key.value}"
        super().__init__(text, act, symbol.detail, self.likely, symbol.icon, name=name)
        self.face = key.value
        if self.mark is not None:
            self.remove_widget(self.mark)
        self.mark = symbol_icon(symbol, SIGN_DP)
        self.add_widget(self.mark)
        self.side.halign = "center"
        self.padding = (dp(SIGN_COLUMN_DP + 6), dp(5), dp(4), dp(5))
        self.count(0)

    def _lay(self, *_: Any) -> None:
        """The number stands under the sign: two of these keys lie in a row."""
        super()._lay()
        wide, high = dp(SIGN_COLUMN_DP), dp(NUMBER_HIGH_DP)
        low = self.y + (self.height - dp(SIGN_DP) - high) / 2
        self.side.size, self.side.pos = (wide, high), (self.x + dp(3), low)
        if self.mark is not None:
            self.mark.pos = (self.x + dp(3) + (wide - self.mark.width) / 2, low + high)

    def count(self, number: int) -> None:
        """Show how many of the entered dice show it."""
        self.choose(bool(number))
        self.side.font_size = THEME.size("large" if number else "small")
        self.side.bold = bool(number)
        self.side.set_text(f"× {number}" if number else self.likely)


class DiceEntry(BoxLayout):
    """Dice to enter; `act` gets a count, all faces, or neither where the app rolls.

    `how` is "count" or "faces", as the players prefer; `prefer` remembers another choice.
    """

    def __init__(
        self,
        dice: DiceView,
        act: Callable[..., Any],
        how: str,
        prefer: Callable[[str], Any],
        camera_near: bool = False,
        rolled: Sequence[int] = (),
        changed: Callable[[Sequence[int]], Any] = lambda rolled: None,
        low: bool = False,
        seat: SeatView | None = None,
    ) -> None:
        super().__init__(orientation="vertical", spacing=THEME.gap("small"), size_hint_y=None)
        self.bind(minimum_height=self.setter("height"))
        self.dice, self._act, self.how, self.prefer = dice, act, how, prefer
        self.seat = seat
        """Who rolls: the keys have that player's colour, so that no other roll looks like it."""
        self.low = low
        """Whether the card is low: many keys lie closer, and its title asks."""
        self.rolled = list(rolled[: dice.count - 1])
        """The faces so far."""
        self.changed = changed
        self.asked: object = None
        """Which dice they are: others lie under the same keys after a step."""
        self.camera_near = camera_near
        """Whether a camera is there that could read these dice."""
        self.proposal: DiceProposal | None = None
        self._taken: Taken = lambda read, entered: None
        self.build()

    def watch(self, camera: DiceCamera, taken: Taken, at_once: bool) -> None:
        """Let the camera propose these dice; `taken` is told what became of its throw."""
        if DiceProposal.reads(self.dice):
            self._taken = taken
            by_hand = partial(self.prefer, "count")
            self.proposal = DiceProposal(self.dice, camera, self.take, by_hand, at_once)
            self.build()

    def take(self, read: ProposedDice) -> None:
        """The players take what the camera reads."""
        self._taken(read, False)
        self._act(faces=read.faces)

    def act(self, **entered: Any) -> None:
        """The players have entered the dice by hand."""
        if self.proposal is not None and self.proposal.read.complete:
            self._taken(self.proposal.read, True)
        self._act(**entered)

    def renew(self, dice: DiceView) -> None:
        """The same dice with other odds: what was entered so far stays."""
        if dice != self.dice:
            self.dice = dice
            self.build()

    def close(self) -> None:
        """These dice are no longer asked for."""
        if self.proposal is not None:
            self.proposal.close()

    @property
    def tap_meaning(self) -> object:
        """One keypad: each of its keys takes quick taps, until other dice are asked for."""
        return self.asked, self.counts

    @property
    def counts(self) -> bool:
        """Whether a single number answers."""
        return self.dice.by_count and not (self.how in BY_FACES and self.dice.by_faces)

    def build(self) -> None:
        """Show the question and the keys."""
        self.clear_widgets()
        if self.proposal is not None:
            self.add_widget(self.proposal)
        dice = self.dice
        self.add_question()
        if not dice.symbols:  # keys of symbols count their dice themselves
            self.add_entered()
        keys, below = list(self.keys()), list[Widget]()
        if dice.by_count and dice.by_faces and dice.count > 1:  # under the keys, which are needed
            below += self.switches()
        if dice.app_rolls:
            roll = TouchButton(self.roll_text(), self.act, "quiet", size="small", name="app-rolls")
            (below if self.narrow else keys).append(roll)
        self.add_widget(grid(keys, SYMBOL_COLUMNS) if dice.symbols else self.key_box(keys))
        if below:
            self.add_widget(row(*below))
        if self.camera_near and self.proposal is None and DiceProposal.reads(dice):
            text, always = _("Let the camera read the dice"), partial(self.prefer, "camera")
            self.add_widget(TouchButton(text, always, "bare", size="small", name="camera-dice"))
        if dice.symbols:
            self.add_entered()
        if not self.counts and dice.count > 1:
            self.refresh()

    @property
    def side(self) -> str:
        """The colour of who rolls."""
        return f"side-{seat_place(self.seat) if self.seat is not None else 0}"

    @property
    def whose(self) -> str:
        """Who rolls, with the sign of that player."""
        if self.seat is None:
            return ""
        return f"{THEME.mark_of(self.seat.colour)} {_(self.seat.name)}"

    @property
    def narrow(self) -> bool:
        """Whether the keys lie close together."""
        return self.low and not self.counts and len(self.dice.face_keys) > MANY

    def add_question(self) -> None:
        """What is to be entered; of several dice on a low card only how many are left, since the
        card's title asks."""
        dice, several = self.dice, not self.counts and self.dice.count > 1
        if several:
            self.hint = Text("", "small", "soft")
        if not self.low or not several:
            asked = dice.text if self.counts else dice.face_text
            role = self.side if self.seat is not None else "text"
            self.add_widget(
                Text(" · ".join(filter(None, (self.whose, asked))), "large", role, bold=True)
            )
        elif dice.symbols:
            self.add_widget(self.hint)

    def key_box(self, keys: list[Widget]) -> GridLayout:
        """The keys of numbers, all of one height."""
        columns, high = (LOW_COLUMNS, LOW_KEY_DP) if self.narrow else (COLUMNS, KEY_DP)
        box = GridLayout(
            cols=min(columns, max(len(keys), 1)), spacing=THEME.gap("tiny"), size_hint_y=None
        )
        box.bind(minimum_height=box.setter("height"))
        for key in keys:
            key.height = dp(high)
            if isinstance(key, CountKey) and self.narrow:
                key.label.font_size = THEME.size("large")
            if isinstance(key, TouchButton):
                key.size_hint_y = None
                key.padding = (dp(2), dp(2))
                key.label.font_name = FONTS["narrow"]
                key.stretch(dp(high))
            box.add_widget(key)
        return box

    def roll_text(self) -> str:
        """The app rolls all dice, also those that are entered already: then it says so."""
        if self.rolled:
            return _("App rolls all {n} dice", n=self.dice.count)
        return _("App rolls")

    def add_entered(self) -> None:
        """Room for all dice that are entered one by one: nothing moves when they come."""
        if not self.counts and self.dice.count > 1:
            self.shown = StackLayout(spacing=dp(2), size_hint_y=None, height=0)
            self.shown.bind(minimum_height=self.shown.setter("height"))
            for one in (self.hint, self.shown):
                if one.parent is None:
                    self.add_widget(one)

    def switches(self) -> Iterator[TouchButton]:
        """Buttons for the two ways to enter dice."""
        for how, text in (("count", _("Count")), ("faces", _("Faces"))):
            ready = self.counts == (how == "count")
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
        self.changed(self.rolled)
        self.prefer(how)
        self.build()

    def keys(self) -> Iterator[Widget]:
        """The keys of the dice."""
        dice = self.dice
        if self.counts:
            most = max((key.chance or 0.0 for key in dice.count_keys), default=1.0)
            for key in dice.count_keys:
                yield self.key(key, partial(self.act, count=key.value), "count", most)
            return
        for key in dice.face_keys:
            if key.symbol is not None:
                yield SymbolKey(key, key.symbol, dice.sides, partial(self.add, key.value))
            elif dice.sides != SIX:
                yield self.key(key, partial(self.add, key.value), "die", 1.0)
            else:
                die = Die(key.value, partial(self.add, key.value))
                die.size_hint_x, die.height = 1, dp(KEY_DP)
                yield die

    def key(self, key: DiceKey, act: Callable[[], Any], what: str, most: float) -> CountKey:
        """A number or a symbol to tap."""
        name = f"{what}:{key.value}"
        return CountKey(key.text, act, name, key.chance, most, key.tone, key.odds, self.side)

    def add(self, face: int) -> None:
        """Add a die; the last one sends the set, which lies there until it is answered."""
        if self.full:
            return
        self.rolled.append(face)
        if self.dice.count > 1:
            self.refresh()
        if self.full:
            self.act(faces=list(self.rolled))
        else:
            self.changed(self.rolled)

    @property
    def full(self) -> bool:
        """Whether all dice are entered."""
        return len(self.rolled) >= self.dice.count

    def empty(self) -> None:
        """A whole set was answered: the next one can be entered."""
        if self.full and self.rolled:
            self.rolled = []
            if self.dice.count > 1:
                self.refresh()

    def remove_die(self, place: int) -> None:
        """Take a die back; a second finger may press it once more before it is gone."""
        if not self.full:
            del self.rolled[place : place + 1]
            self.changed(self.rolled)
            self.refresh()

    def refresh(self) -> None:
        """Show the dice entered so far."""
        self.shown.clear_widgets()
        dice = self.dice
        symbols = {key.value: key.symbol for key in dice.face_keys}
        for place, face in enumerate(self.rolled):
            drop, symbol = partial(self.remove_die, place), symbols.get(face)
            if symbol is not None:
                self.shown.add_widget(SymbolDie(symbol, drop, f"drop:{place}"))
            elif dice.sides == SIX:
                die = Die(face, drop, DIE_DP)
                die.name = f"drop:{place}"
                self.shown.add_widget(die)
            else:
                self.shown.add_widget(NumberDie(face, drop, DIE_DP, f"drop:{place}"))
        missing = dice.count - len(self.rolled)
        for _place in range(missing):
            self.shown.add_widget(DiePlace(dp(DIE_DP), dp(DIE_DP)))
        for one in self.walk(restrict=True):
            if isinstance(one, SymbolKey):
                one.count(self.rolled.count(one.face))
            elif getattr(one, "name", "") == "app-rolls":
                one.set_text(self.roll_text())
        left = _("{left} of {count} dice left", left=missing, count=dice.count)
        back = (
            "" if self.low else _("tap a die to take it back")
        )  # a second line would move the keys
        whose = self.whose if self.low else ""
        self.hint.set_text(" · ".join(filter(None, (whose, left, back))))
