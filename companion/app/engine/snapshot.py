"""What the screen draws: whole values made by the workers, never changed afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from calibration.references.table_pose import TablePose
from companion.app.engine.offers import Offer
from companion.app.render.vertex_batches import VertexBatches
from companion.games.api.setup import Placed
from companion.session.game_lookup import Plain
from companion.vision.sources.frame import Picture
from companion.vision.track.table_tracker import TrackedTray
from models import Pose, Table

Sight = Literal["off", "starting", "live", "held", "lost"]


@dataclass(frozen=True, slots=True, eq=False)
class CameraView:
    """The newest frame and what is known of the camera after it."""

    number: int = 0
    picture: Picture | None = None
    rgba: Picture | None = None
    """The same picture as a graphics card takes it."""
    camera: TablePose | None = None
    sight: Sight = "off"
    standings: tuple[TrackedTray, ...] = ()
    why: str = ""
    since_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Notice:
    """A tray that was moved: what explains it, and the table that would be taken over."""

    unit: str
    title: str
    detail: str
    legal: bool
    before: Pose
    table: Table

    @property
    def where(self) -> tuple[str, Pose]:
        """Which tray stands where now."""
        return self.unit, self.table.unit(self.unit).pose


@dataclass(frozen=True, slots=True)
class UnitAnswers:
    """What the game answered last: a refusal with its rule, or reminders; numbered to be seen."""

    number: int = 0
    text: str = ""
    why: str = ""
    refused: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class DraftSnapshot:
    """The table of a game that is being set up: drawn, and judged thing by thing."""

    table: Table
    map: VertexBatches
    picture: VertexBatches | None
    placed: Placed


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """Everything about the game that the screens show."""

    number: int = 0
    path: str = ""
    practice: bool = False
    state: Mapping[str, Any] = field(default_factory=dict)
    table: Table | None = None
    answers: Mapping[str, Any] = field(default_factory=dict)
    chosen: str | None = None
    offers: tuple[Offer, ...] = ()
    map: VertexBatches | None = None
    picture: VertexBatches | None = None
    notice: Notice | None = None
    told: UnitAnswers = UnitAnswers()
    hidden: Mapping[str, Any] = field(default_factory=dict)
    """The state as one side sees it, while that side holds its button."""
    commands: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Every command of the game by name, as its help lists them."""
    thinking: bool = False
    """Whether the overlay is new and the offers are still to come."""
    expected: str = ""
    """What the running attack does on average."""

    guide: Mapping[str, tuple[Plain, ...]] = field(default_factory=dict)
    """For each command that is waited for: whole commands the game would take."""
    with_d3: bool = False
    """Whether a D3 is rolled with the test that waits first."""
    may_play: tuple[str, ...] = ()
    """The players who could play a card now."""
    languages: Mapping[str, str] = field(default_factory=dict)
    """Each side's own language, where one was chosen."""
    taken_s: float = 0.0
    """When the state was taken, by the clock that never jumps."""
    scores: tuple[tuple[int, Mapping[str, int]], ...] = ()
    """The score after each round, as far as somebody asked for it."""
    board: VertexBatches | None = None
    """The table alone, small, beside the points it gives."""
    staged: DraftSnapshot | None = None

    @property
    def playing(self) -> bool:
        """Whether a game is set up."""
        return bool(self.state.get("game"))

    @property
    def pending(self) -> Mapping[str, Any] | None:
        """What the game waits for first."""
        waiting = self.state.get("pending") or ()
        return waiting[0] if waiting else None
