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
from companion.app.widgets.icon import Die
from companion.app.widgets.layouts import grid
from companion.engine.app_words import _
from companion.engine.camera.dice_camera import READ_SIDES, DiceCamera
from companion.engine.turn.turn_records import DiceView
from companion.vision.dice.dice_rings import ringed
from companion.vision.dice.throw_watch import ThrowSight

PICTURE_DP = 150
DIE_DP = 52
EVERY_S = 0.15
SIX = 6


class DiceProposal(BoxLayout):
    """Asks the camera for a throw and proposes what it reads; nothing is taken without a tap.

    `take` gets the faces. A die that is tapped gets another face; a die in doubt must be tapped.
    """

    def __init__(
        self, dice: DiceView, camera: DiceCamera, take: Callable[[list[int]], Any]
    ) -> None:
        super().__init__(orientation="vertical", spacing=THEME.gap("tiny"), size_hint_y=None)
        self.bind(minimum_height=self.setter("height"))
        self.dice, self.camera, self.take = dice, camera, take
        self.faces: list[int] = []
        self.doubtful: set[int] = set()
        self.tapped: int | None = None
        """The die whose face is being corrected."""
        self.sight: ThrowSight = camera.sight
        self._number = camera.sight.number
        camera.expect(dice.count, dice.sides)
        self._clock = Clock.schedule_interval(self.look, EVERY_S)
        self.build()

    @classmethod
    def reads(cls, dice: DiceView) -> bool:
        """Whether these dice are read by the camera at all."""
        return dice.sides in READ_SIDES and not dice.symbols and dice.by_faces

    def close(self) -> None:
        """Wait for no throw any longer."""
        self._clock.cancel()
        self.camera.expect(0)

    def look(self, _dt: float) -> None:
        """Show what the camera knows now."""
        sight = self.camera.sight
        if sight.number != self._number and sight.throw is not None:
            self._number = sight.number
            read = [die.face for die in sight.throw.dice]
            third = self.dice.sides != READ_SIDES[self.dice.sides]
            self.faces = [(face + 1) // 2 if third else face for face in read]
            self.doubtful = {one.die for one in sight.throw.doubts if one.die is not None}
            self.tapped = min(self.doubtful, default=None)
        elif sight.phase == self.sight.phase:
            return
        self.sight = sight
        self.build()

    def build(self) -> None:
        """The picture, the dice, what is doubtful, and the button that takes them."""
        self.clear_widgets()
        self.add_widget(Text(self.words(), "body", bold=True))
        if not self.faces:
            return
        picture = ringed(self.sight) if self.sight.throw is not None else None
        if picture is not None:
            self.add_widget(shown(picture))
        line = StackLayout(spacing=dp(2), size_hint_y=None)
        line.bind(minimum_height=line.setter("height"))
        for index, face in enumerate(self.faces):
            line.add_widget(self.die(index, face))
        self.add_widget(line)
        if self.tapped is not None:
            self.add_widget(Text(_("Which face is up?"), "small", "soft"))
            keys = [self.face_key(face) for face in range(1, self.dice.sides + 1)]
            self.add_widget(grid(keys, min(len(keys), SIX)))
        if len(self.faces) == self.dice.count and not self.doubtful:
            self.add_widget(TouchButton(_("Take it"), self.give, "primary", name="take-dice"))

    def words(self) -> str:
        """What the camera says, in a sentence."""
        phases = {
            "no mat": _("The camera sees no dice mat. Print one under Print, or enter the dice."),
            "two mats": _("The camera sees two dice mats: leave one."),
            "covered": _("Something covers the dice mat."),
            "waiting": _("Roll your dice on the mat."),
            "moving": _("The dice are rolling …"),
        }
        if not self.faces:
            return phases.get(self.sight.phase, phases["waiting"])
        if len(self.faces) != self.dice.count:
            return _(
                "The camera sees {n} dice, {count} are asked for: roll again or enter them.",
                n=len(self.faces),
                count=self.dice.count,
            )
        if self.doubtful:
            return _("A die is not clear: say which face is up.")
        return _("The camera reads:")

    def die(self, index: int, face: int) -> Widget:
        """One die of the throw; a tap corrects it."""
        act, doubt = partial(self.tap, index), index in self.doubtful
        if self.dice.sides == SIX and not doubt:
            die = Die(face, act, DIE_DP)
            die.name = f"read:{index}"
            return die
        key = TouchButton("?" if doubt else str(face), act, "plain", name=f"read:{index}")
        key.size_hint_x, key.width = None, dp(DIE_DP)
        return key

    def face_key(self, face: int) -> Widget:
        """A face for the tapped die."""
        return TouchButton(str(face), partial(self.correct, face), "quiet", name=f"face:{face}")

    def tap(self, index: int) -> None:
        """Correct this die."""
        self.tapped = None if self.tapped == index else index
        self.build()

    def correct(self, face: int) -> None:
        """The tapped die shows this face."""
        if self.tapped is not None:
            self.faces[self.tapped] = face
            self.doubtful.discard(self.tapped)
            self.tapped = min(self.doubtful, default=None)
        self.build()

    def give(self) -> None:
        """Take the throw."""
        faces, self.faces = self.faces, []
        self.close()
        self.take(faces)


def shown(picture: Any) -> Image:
    """A picture as a widget as wide as the card."""
    height, width = picture.shape[:2]
    texture = Texture.create(size=(width, height), colorfmt="rgba")
    texture.blit_buffer(picture.tobytes(), colorfmt="rgba", bufferfmt="ubyte")
    texture.flip_vertical()
    return Image(texture=texture, size_hint_y=None, height=dp(PICTURE_DP), fit_mode="contain")
