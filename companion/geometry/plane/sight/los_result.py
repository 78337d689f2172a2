"""The answer to one question of sight."""

from __future__ import annotations

from typing import NamedTuple


class LosResult(NamedTuple):
    """Whether a target is seen, and what stands in the way where not."""

    seen: bool
    ahead: bool  # something of the target lies in the front arc
    terrain: bool = False  # terrain stands in the way
    trays: bool = False  # trays stand in the way


ASIDE, FREED = LosResult(False, False), LosResult(True, True)
"""Nothing of the target lies in the arc; nothing blocks at all."""
