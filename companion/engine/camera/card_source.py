"""The practice table of a card game: cards in play with clip-on tags, as the game has them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from calibration.printing.sheets import TRAY_IDS
from companion.engine.camera.practice_source import PracticeSource
from companion.engine.card_tags import clip_name
from companion.games.api.camera_question import LyingPiece
from companion.practice.camera import PracticeCamera
from companion.practice.card_table import TABLE_IN, CardLying, card_scene
from companion.practice.picture_style import STANDARD
from companion.practice.random_table import PracticeTable
from models.pose import Pose
from models.table import Table

CARD_FPS = 5.0
"""Cards are moved seldom, and small tags need large pictures."""
TURN_DEG = -90.0


def card_source() -> CardSource:
    """A virtual camera over an empty table; cards come with `follow`."""
    scene = card_scene([CardLying(clip_name(tag), "blue", Pose(0, 0, 0)) for tag in TRAY_IDS])
    return CardSource(replace(scene.table, units=()), scene.setup, CARD_FPS, scene=scene)


@dataclass(eq=False)
class CardSource(PracticeSource):
    """Renders cards as the game has them, except those that a hand has turned since.

    A card without a tag gets the next free one, as players clip it on: the game does not know it.
    """

    scene: PracticeTable | None = None
    _tags: dict[str, int] = field(default_factory=dict, init=False)
    _lying: dict[str, Pose] = field(default_factory=dict, init=False)
    _turned: set[str] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        assert self.scene is not None
        look = replace(STANDARD, jpeg=0)
        self._camera = PracticeCamera(self.setup, self.scene.view, look)

    @property
    def size(self) -> tuple[float, float]:
        return TABLE_IN

    def follow(self, pieces: Sequence[LyingPiece]) -> None:
        """Lay every card as the game has it; a card that it laid otherwise is no longer turned."""
        poses = {one.id: one.pose for one in pieces}
        self._turned = {one for one in self._turned if poses.get(one) == self._lying.get(one)}
        self._lying = poses
        self._tags = clipped(self._tags, pieces)
        self.lay()

    def turn(self, piece: str) -> None:
        """Turn a card to the side by hand, or back."""
        if piece in self._tags:
            self._turned ^= {piece}
            self.lay()

    def lay(self) -> None:
        """Show the cards where they lie."""
        assert self.scene is not None
        units = {one.id: one for one in self.scene.table.units}
        shown = []
        for piece, pose in self._lying.items():
            if piece in self._tags:
                turn = TURN_DEG if piece in self._turned else 0.0
                at = Pose(pose.x, pose.y, pose.heading + turn)
                shown.append(units[clip_name(self._tags[piece])].at(at))
        table: Table = replace(self.scene.table, units=tuple(shown))
        if table != self.table:
            self.show(table)


def clipped(before: dict[str, int], pieces: Iterable[LyingPiece]) -> dict[str, int]:
    """The tag on each card: the one the game knows, the one it had, or the next free one.

    >>> clipped({"c1": 10}, [LyingPiece("c1", None, Pose(0, 0, 0))])
    {'c1': 10}
    """
    found = {one.id: one.tag for one in pieces if one.tag in TRAY_IDS}
    for one in pieces:
        tag = before.get(one.id)
        if one.id not in found and tag is not None and tag not in found.values():
            found[one.id] = tag
    free = iter([tag for tag in TRAY_IDS if tag not in found.values()])
    for one in pieces:
        if one.id not in found and (tag := next(free, None)) is not None:
            found[one.id] = tag
    return {card: tag for card, tag in found.items() if tag is not None}
