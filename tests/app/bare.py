"""A service that nobody looks at needs no triangles."""

from __future__ import annotations

import numpy as np

from companion.engine.drawing.display_list import Ring
from companion.engine.drawing.vertex_batches import Floats32, Ints


def no_triangles(rings: tuple[Ring, ...]) -> tuple[Floats32, Ints]:
    """Nothing is drawn."""
    return np.zeros((0, 2), np.float32), np.zeros(0, np.int64)
