"""What the camera sees compared with what the game has: pieces that stand elsewhere, and lost ones
that nobody has taken off the table.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.engine.moves.cell_moves import chances
from companion.engine.snapshot import Astray, CameraView, Snapshot
from companion.geometry.grid.placing import cell_at
from models import Pose, Table
from models.table import AnyTable
from models.unit import Point, corners

MOVED_IN, TURNED_DEG = 0.1, 3.0
"""A piece that moved less than this lies as it lay: measurements tremble."""
APART_IN, APART_DEG = 0.5, 10.0
"""A tray that a hand puts where the game has it lies this little beside."""
LOST_IN, ROUND = 1.2, 24
"""The ring around a piece that is to be taken off, and around a figure: its radius, its corners."""


def compared(snapshot: Snapshot, live: CameraView) -> tuple[Astray, ...]:
    """The pieces that stand still where the game does not have them."""
    table = snapshot.table
    if table is None or snapshot.unplaced or live.sight != "live":
        return ()
    seen = ((one.unit, one.fit.pose) for one in live.standings if one.condition == "settled")
    return tuple(found for unit, pose in seen for found in elsewhere(snapshot, table, unit, pose))


def with_verdicts(snapshot: Snapshot) -> tuple[Astray, ...]:
    """The pieces that stand elsewhere, each with whether it may: as the card says it."""
    may = {one.unit for one in snapshot.notices if one.legal}
    may |= {one.piece for one in snapshot.cell_moves if one.legal}
    return tuple(replace(one, may=one.piece in may) for one in snapshot.astray)


def elsewhere(snapshot: Snapshot, table: AnyTable, unit: str, pose: Pose) -> Iterator[Astray]:
    """A piece, if it stands elsewhere than the game has it, or is lost and still stands there."""
    if unit not in table:
        piece = snapshot.piece(unit)
        if piece is not None and piece.state == "lost":
            yield Astray(unit, pose, ring(pose, LOST_IN), lost=True)
    elif isinstance(table, Table):
        own = table.unit(unit)
        if apart(own.pose, pose, APART_IN, APART_DEG):
            yield Astray(unit, pose, corners(replace(own, pose=pose)))
    else:
        figure = table.piece(unit)
        if figure.cell != cell_at(table.board, pose.x, pose.y, figure.size) and (
            next(iter(chances(table, figure, pose)), None) != figure.cell
        ):
            yield Astray(unit, pose, ring(pose, 0.45 * figure.size * table.board.cell_in))


def ring(pose: Pose, radius: float) -> tuple[Point, ...]:
    """The outline of something round."""
    turns = (2 * math.pi * n / ROUND for n in range(ROUND))
    return tuple((pose.x + radius * math.cos(a), pose.y + radius * math.sin(a)) for a in turns)


def same_places(before: Sequence[Astray], after: Sequence[Astray]) -> bool:
    """Whether the same pieces stand where they stood."""
    if [(one.piece, one.lost) for one in before] != [(one.piece, one.lost) for one in after]:
        return False
    pairs = zip(before, after, strict=True)
    return not any(apart(was.pose, now.pose, MOVED_IN, TURNED_DEG) for was, now in pairs)


def apart(one: Pose, other: Pose, far_in: float, turned_deg: float) -> bool:
    """Whether two poses differ by more than this."""
    turned = abs((other.heading - one.heading + 180.0) % 360.0 - 180.0)
    return math.dist((one.x, one.y), (other.x, other.y)) > far_in or turned > turned_deg
