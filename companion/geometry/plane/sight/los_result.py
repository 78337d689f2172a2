"""The result of one line-of-sight query."""

from __future__ import annotations

from typing import NamedTuple


class LosResult(NamedTuple):
    """Whether a target is in line of sight, and what blocks it if not."""

    seen: bool
    ahead: bool  # part of the target lies in the front arc
    terrain: bool = False  # terrain blocks
    trays: bool = False  # trays block


ASIDE, FREED = LosResult(False, False), LosResult(True, True)
"""No part of the target lies in the arc; nothing blocks."""
