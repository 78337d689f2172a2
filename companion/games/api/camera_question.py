"""What a camera sees of a game without a measured table: tagged pieces, and what they may mean."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.api.prompt import Choice
from models.pose import Pose


@dataclass(frozen=True, slots=True)
class SeenPiece:
    """A tag that lies still, and the pose of what carries it, with its sigma."""

    tag: int
    pose: Pose


@dataclass(frozen=True, slots=True)
class LyingPiece:
    """A piece as it lies on a practice table, and its tag if the game knows one."""

    id: str
    tag: int | None
    pose: Pose


@dataclass(frozen=True, slots=True)
class CameraQuestion:
    """A difference between the picture and the game: the players choose what it means, or refuse.

    Nothing of it is applied by itself.
    """

    id: str
    title: str
    detail: str = ""
    choices: tuple[Choice, ...] = ()
