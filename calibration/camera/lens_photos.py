"""Select the photos of the board that have one size, and turn them all the same way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.camera.board_view import BoardView, Unused
from calibration.camera.lens import Lens


@dataclass(frozen=True, slots=True, eq=False)
class PhotoSelection:
    """The photos of the most frequent size, the unused ones, and remarks for the player."""

    views: tuple[BoardView, ...]
    turned: frozenset[str]
    """Photos that had to be turned by a quarter."""
    unused: tuple[Unused, ...]
    remarks: tuple[str, ...]


def select_photos(views: Iterable[BoardView | Unused]) -> PhotoSelection:
    """Keep the majority's size; photos held upright are turned like the others."""
    unused = [one for one in views if isinstance(one, Unused)]
    good = [one for one in views if isinstance(one, BoardView)]
    if not good:
        return PhotoSelection((), frozenset(), tuple(unused), ())
    sizes = Counter(shape(one.size) for one in good)
    usual = max(sizes, key=lambda size: (sizes[size], size))
    ways = Counter(one.size for one in good if shape(one.size) == usual)
    size = max(ways, key=lambda one: (ways[one], one))
    kept, turned, remarks = [], set(), []
    for one in good:
        if shape(one.size) != usual:
            reason = f"is {named(one.size)}, most photos are {named(size)}"
            unused.append(Unused(one.source, reason))
        elif one.size != size:
            turned.add(one.source)
            kept.append(quarter(one))
        else:
            kept.append(one)
    if len(sizes) > 1:
        remarks.append(
            f"photos of {len(sizes)} sizes: measured from the {len(kept)} of {named(size)}"
        )
    if turned:
        remarks.append(f"{len(turned)} photos were turned by a quarter to {named(size)}")
    return PhotoSelection(tuple(kept), frozenset(turned), tuple(unused), tuple(remarks))


def shape(size: tuple[int, int]) -> tuple[int, int]:
    """Longer and shorter side of a picture."""
    return max(size), min(size)


def named(size: tuple[int, int]) -> str:
    """A size in words."""
    return f"{size[0]} x {size[1]}"


def quarter(view: BoardView) -> BoardView:
    """The same photo turned by a quarter to the right."""
    x, y = view.corners_px[:, 0], view.corners_px[:, 1]
    corners = np.column_stack([view.size[1] - 1 - y, x])
    return replace(view, corners_px=corners, size=(view.size[1], view.size[0]))


def half(view: BoardView) -> BoardView:
    """The same photo upside down."""
    corners = np.array([view.size[0] - 1, view.size[1] - 1]) - view.corners_px
    return replace(view, corners_px=corners)


def choose_turn(
    views: Sequence[BoardView], turned: frozenset[str], lens: Lens
) -> tuple[BoardView, ...]:
    """Turned photos, turned to the left instead where that fits the lens better."""
    return tuple(
        min((view, half(view)), key=lambda one: misfit(one, lens))
        if view.source in turned
        else view
        for view in views
    )


def misfit(view: BoardView, lens: Lens) -> float:
    """How badly (px) a lens explains one photo."""
    points = view.board.points[view.ids]
    good, turn, shift = cv2.solvePnP(points, view.corners_px, lens.k, lens.d)
    if not good:
        return float("inf")
    there, _ = cv2.projectPoints(points, turn, shift, lens.k, lens.d)
    away = view.corners_px - np.asarray(there, dtype=np.float64).reshape(-1, 2)
    return float(np.sqrt((away**2).sum(axis=1).mean()))
