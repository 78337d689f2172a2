"""What the camera reads of the dice that a prompt asks for: proposed, corrected die by die, taken.

dice = ProposedDice(5, 6)
dice.see(camera.sight)                 # whether there is something new to show
dice.tap(2); dice.correct(4)           # the third die shows a four
dice.complete, dice.faces              # whether it may be taken, and what is taken
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from tempfile import NamedTemporaryFile
from typing import Any

from companion.engine.app_words import _
from companion.vision.dice.dice_mat import read_photo
from companion.vision.dice.learned_faces import LearnedFaces
from companion.vision.dice.throw_watch import ThrowSight

READ_SIDES = {3: 6, 6: 6, 10: 10}
"""The dice that are read, by the sides that a prompt names: a D3 is read off a D6."""
SURE_AFTER = 50
"""So many throws in a row without a correction, and players may let throws be taken at once."""


def read_faces(sight: ThrowSight, sides: int) -> list[int]:
    """The faces of a throw as a prompt for such dice takes them."""
    read = [die.face for die in sight.throw.dice] if sight.throw is not None else []
    third = sides != READ_SIDES.get(sides, sides)
    return [(face + 1) // 2 if third else face for face in read]


def doubtful_dice(sight: ThrowSight) -> list[int]:
    """The places of the dice of a throw that must be asked about."""
    doubts = sight.throw.doubts if sight.throw is not None else ()
    return sorted({one.die for one in doubts if one.die is not None})


def as_they_lie(sight: ThrowSight) -> list[int]:
    """The places of the dice of a throw as one reads their picture: row by row, from the left."""
    if sight.throw is None or sight.edge_px <= 0:
        return []
    dice, left = sight.throw.dice, list(range(len(sight.throw.dice)))
    found: list[int] = []
    while left:
        top = min(dice[one].y for one in left)
        line = [one for one in left if dice[one].y < top + sight.edge_px]
        found += sorted(line, key=lambda one: dice[one].x)
        left = [one for one in left if one not in line]
    return found


def throw_json(sight: ThrowSight, count: int, sides: int) -> dict[str, Any]:
    """A throw for screens beside the tablet."""
    return {
        "phase": sight.phase,
        "number": sight.number,
        "count": count,
        "sides": sides,
        "faces": read_faces(sight, sides),
        "doubtful": doubtful_dice(sight),
    }


def photographed(data: bytes, count: int, sides: int) -> dict[str, Any]:
    """The throw on a mat in a photo that a phone has taken."""
    with NamedTemporaryFile(suffix=".jpg") as file:
        file.write(data)
        file.flush()
        throw = read_photo(file.name, count, READ_SIDES[sides])
    read = throw_json(ThrowSight("read", throw), count, sides)
    return read if throw.dice else read | {"phase": throw.doubts[0].word}


@dataclass
class ShownFaces:
    """A D8 whose faces the camera learns: its players lay one die down, each symbol up once."""

    symbols: Mapping[int, str]
    """The names of its symbols, by the first face that shows them."""
    known: LearnedFaces
    number: int = 0
    """The throw that was seen last."""
    twin: int | None = None
    """The face that looked too much like the one that was shown last."""
    unclear: bool = False
    """Whether what was shown last was not one die that lies flat."""

    @property
    def face(self) -> int | None:
        """The face to show now; None once all are known."""
        return next((face for face in self.symbols if face not in self.known.traits), None)

    def see(self, sight: ThrowSight) -> bool:
        """Take in what the camera knows now; whether a face was shown."""
        throw, face = sight.throw, self.face
        if sight.number == self.number or throw is None or face is None:
            return False
        self.number, self.twin = sight.number, None
        self.unclear = not throw.sure or len(throw.dice) != 1
        if self.unclear:
            return True
        traits = throw.dice[0].traits
        self.twin = self.known.like(traits, face)
        if self.twin is None:
            self.known = self.known.taught(face, traits)
        return True

    @property
    def words(self) -> str:
        """What to lay down, and why again."""
        symbol = self.symbols.get(self.face or 0, "")
        ask = _("Lay one die on the mat with this face up: {symbol}.", symbol=symbol)
        if self.unclear:
            return _("The camera does not see one die that lies flat.") + " " + ask
        if self.twin is None:
            return ask
        twin = self.symbols[self.twin]
        return _("To the camera it looks like this face: {symbol}.", symbol=twin) + " " + ask


@dataclass
class ProposedDice:
    """The throw of one prompt; nothing of it counts before it is taken."""

    count: int
    sides: int
    number: int = 0
    """The throw that was seen last: only later ones are proposed."""
    phase: str = "waiting"
    faces: list[int] = field(default_factory=list)
    doubtful: set[int] = field(default_factory=set)
    tapped: int | None = None
    """The die whose face is being corrected."""
    corrected: bool = False

    def see(self, sight: ThrowSight) -> bool:
        """Take in what the camera knows now; whether that changes what is shown."""
        if sight.number != self.number and sight.throw is not None:
            self.number = sight.number
            self.faces = read_faces(sight, self.sides)
            self.doubtful = set(doubtful_dice(sight))
            self.tapped, self.corrected = min(self.doubtful, default=None), False
        elif sight.phase == self.phase:
            return False
        self.phase = sight.phase
        return True

    def tap(self, place: int) -> None:
        """Correct this die; a second tap leaves it."""
        self.tapped = None if self.tapped == place else place

    def correct(self, face: int) -> None:
        """The tapped die shows this face."""
        if self.tapped is None:
            return
        self.corrected = self.corrected or self.faces[self.tapped] != face
        self.faces[self.tapped] = face
        self.doubtful.discard(self.tapped)
        self.tapped = min(self.doubtful, default=None)

    @property
    def complete(self) -> bool:
        """Whether the throw may be taken: as many dice as asked for, none in doubt."""
        return len(self.faces) == self.count and not self.doubtful

    def streak(self, before: int) -> int:
        """How many throws in a row were read without a correction, once this one is taken."""
        return 0 if self.corrected else min(before + 1, SURE_AFTER)

    @property
    def words(self) -> str:
        """What the camera says, in a sentence."""
        phases = {
            "no mat": _("The camera sees no dice mat. Print one under Print, or enter the dice."),
            "two mats": _("The camera sees two dice mats: leave one."),
            "covered": _("Something covers the dice mat."),
            "too small": _(
                "The dice are too small in this picture: bring the camera nearer, or let another "
                "camera look at the mat (settings)."
            ),
            "waiting": _("Roll your dice on the mat."),
            "moving": _("The dice are rolling …"),
        }
        if not self.faces:
            return phases.get(self.phase, phases["waiting"])
        if len(self.faces) != self.count:
            return _(
                "The camera sees {n} dice, {count} are asked for: roll again or enter them.",
                n=len(self.faces),
                count=self.count,
            )
        if self.doubtful:
            return _("A die is not clear: say which face is up.")
        return _("The camera reads:")
