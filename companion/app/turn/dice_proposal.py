"""What the camera reads on the dice mat: the dice ringed in the picture, taken with one tap."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.graphics.texture import Texture
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.image import Image
from kivy.uix.stacklayout import StackLayout
from kivy.uix.widget import Widget

from companion.app.render.theme import THEME
from companion.app.widgets.controls import Text, TouchButton
from companion.app.widgets.icon import Die, NumberDie, SymbolDie, symbol_picture
from companion.app.widgets.layouts import grid
from companion.engine.app_words import _
from companion.engine.camera.dice_camera import DiceCamera
from companion.engine.turn.proposed_dice import READ_SIDES, ProposedDice, ShownFaces, as_they_lie
from companion.engine.turn.turn_records import DiceView
from companion.vision.dice.dice_reader import LEARNED_SIDES
from companion.vision.dice.dice_rings import ringed
from companion.vision.dice.learned_faces import LearnedFaces
from companion.vision.sources.frame import Picture

PICTURE_DP = 150
SIGN_PX = 44
"""The sign of a die that was read, in the pixels of the picture that is shown."""
DIE_DP = 52
LINE = 1.4
"""The height of a line, relative to its letters."""
EVERY_S = 0.05
SIX = 6


class DiceProposal(BoxLayout):
    """Asks the camera for a throw and proposes what it reads; nothing is taken without a tap,
    unless the players have said that theirs are (`at_once`).

    `take` gets the dice. A die that is tapped gets another face; a die in doubt must be tapped.
    `stop` ends the reading: one wrong tap began it.
    """

    def __init__(
        self,
        dice: DiceView,
        camera: DiceCamera,
        take: Callable[[ProposedDice], Any],
        stop: Callable[[], Any],
        at_once: bool = False,
    ) -> None:
        super().__init__(orientation="vertical", spacing=THEME.gap("tiny"), size_hint_y=None)
        self.bind(minimum_height=self._stand, width=self._stand)
        self.camera, self.take, self.stop, self.at_once = camera, take, stop, at_once
        self.dice, self.shown = dice, ShownFaces({}, camera.learned)
        self._clock = Clock.schedule_interval(self.look, EVERY_S)
        self.begin(camera.learned)

    def _stand(self, *_: Any) -> None:
        """As high as with a throw that is read: what the camera does moves no key below it. While
        it learns the dice, nothing is read."""
        if self.shown.face is not None:
            self.height = self.minimum_height
            return
        a_row = max(1, int((self.width + dp(2)) // dp(DIE_DP + 2)))
        rows = -(-self.dice.count // a_row)
        text, keys = THEME.size("body") * LINE, 2 * THEME.target
        parts = (text, dp(PICTURE_DP), dp(DIE_DP + 2) * rows, keys)
        self.height = max(self.minimum_height, sum(parts) + self.spacing * (len(parts) + 1))

    def begin(self, known: LearnedFaces) -> None:
        """Wait for the throw; for a D8, first for each face that nobody has shown."""
        symbols = {key.value: key.text for key in self.dice.face_keys if key.symbol is not None}
        self.shown = ShownFaces(symbols, known, self.camera.sight.number)
        self.wait()

    def wait(self) -> None:
        """Wait for the face to show now, or for the throw."""
        dice, camera = self.dice, self.camera
        number = camera.sight.number
        self.read = ProposedDice(dice.count, dice.sides, number, camera.sight.phase)
        if self.shown.face is None:
            camera.expect(dice.count, dice.sides)
        else:
            camera.show(self.shown.face)
        self.build()

    @classmethod
    def reads(cls, dice: DiceView) -> bool:
        """Whether these dice are read by the camera at all."""
        known = dice.sides == LEARNED_SIDES if dice.symbols else dice.sides in READ_SIDES
        return known and dice.by_faces

    def close(self) -> None:
        """Wait for no throw any longer."""
        self._clock.cancel()
        self.camera.expect(0)

    def look(self, _dt: float) -> None:
        """Show what the camera knows now."""
        if self.shown.face is not None:
            if self.shown.see(self.camera.sight):
                if self.shown.face is None:
                    self.camera.learn(self.shown.known)
                self.wait()
            return
        if not self.read.see(self.camera.sight):
            return
        self.build()
        if self.at_once and self.read.complete:
            self.give()

    def forget(self) -> None:
        """Other dice: their faces are shown anew."""
        self.begin(LearnedFaces())

    def build(self) -> None:
        """The picture, the dice, what is doubtful, and the button that takes them."""
        self.clear_widgets()
        self.fill()
        text = _("We enter the dice ourselves")
        self.add_widget(TouchButton(text, self.stop, "bare", size="small", name="no-camera-dice"))
        self.add_widget(Widget())  # what is left of its height
        self._stand()

    def fill(self) -> None:
        """The same without the room that is left."""
        read = self.read
        if self.shown.face is not None:
            self.add_widget(Text(self.shown.words, "body", bold=True))
            learn = _("The camera learns your dice: each symbol once.")
            self.add_widget(Text(learn, "small", "soft"))
            return
        self.add_widget(Text(read.words, "body", bold=True))
        if not read.faces:
            if self.shown.symbols:
                text = _("Show the faces again")
                again = TouchButton(text, self.forget, "bare", size="small", name="show-faces")
                self.add_widget(again)
            return
        sight = self.camera.sight
        picture = ringed(sight, read.faces, read.doubtful, self.signs, read.tapped)
        if picture is not None:
            self.add_widget(shown(picture))
        line = StackLayout(spacing=dp(2), size_hint_y=None)
        line.bind(minimum_height=line.setter("height"))
        lying = as_they_lie(sight)
        places = lying if len(lying) == len(read.faces) else range(len(read.faces))
        for index in places:
            line.add_widget(self.die(index, read.faces[index]))
        self.add_widget(line)
        if read.tapped is not None:
            self.add_widget(Text(_("Which face is up?"), "small", "soft"))
            faces = self.shown.symbols or {face: str(face) for face in range(1, read.sides + 1)}
            keys = [self.face_key(face, text) for face, text in faces.items()]
            self.add_widget(grid(keys, min(len(keys), SIX)))
        if read.complete:
            self.add_widget(
                TouchButton(_("Take these dice"), self.give, "primary", name="take-dice")
            )

    @property
    def signs(self) -> dict[int, Picture]:
        """The signs of the symbols, as the keys show them, by face."""
        keys = self.dice.face_keys
        known = {key.value: key.symbol for key in keys if key.symbol is not None}
        return {face: symbol_picture(one, SIGN_PX) for face, one in known.items()}

    def die(self, index: int, face: int) -> Widget:
        """One die of the throw; a tap corrects it."""
        act, doubt = partial(self.tap, index), index in self.read.doubtful
        if self.read.sides == SIX and not doubt:
            die = Die(face, act, DIE_DP)
            die.name = f"read:{index}"
            return die
        symbols = {key.value: key.symbol for key in self.dice.face_keys}
        symbol = None if doubt else symbols.get(face)
        if symbol is not None:
            return SymbolDie(symbol, act, f"read:{index}")
        if not doubt:
            return NumberDie(face, act, DIE_DP, f"read:{index}")
        key = TouchButton("?", act, "plain", name=f"read:{index}")
        key.size_hint_x, key.width = None, dp(DIE_DP)
        return key

    def face_key(self, face: int, text: str) -> Widget:
        """A face for the tapped die; a symbol by its sign, as everywhere."""
        symbols = {key.value: key.symbol for key in self.dice.face_keys}
        symbol = symbols.get(face)
        if symbol is not None:
            return SymbolDie(symbol, partial(self.correct, face), f"face:{face}")
        return TouchButton(text, partial(self.correct, face), "quiet", name=f"face:{face}")

    def tap(self, index: int) -> None:
        """Correct this die."""
        self.read.tap(index)
        self.build()

    def correct(self, face: int) -> None:
        """The tapped die shows this face."""
        self.read.correct(face)
        self.build()

    def give(self) -> None:
        """Take the throw, once."""
        taken, self.read = self.read, ProposedDice(0, self.read.sides)
        if taken.complete and taken.count:
            self.close()
            self.take(taken)


def shown(picture: Any) -> Image:
    """A picture as a widget as wide as the card."""
    height, width = picture.shape[:2]
    texture = Texture.create(size=(width, height), colorfmt="rgba")
    texture.blit_buffer(picture.tobytes(), colorfmt="rgba", bufferfmt="ubyte")
    texture.flip_vertical()
    return Image(texture=texture, size_hint_y=None, height=dp(PICTURE_DP), fit_mode="contain")
