"""After a retreat: which enemies are left without a foe and may pivot (TMG-RET-7)."""

from __future__ import annotations

from companion.games.tmg.battlefield import Battlefield
from companion.games.tmg.moving import because
from companion.games.tmg.touch import engaged_with, foes
from companion.geometry.answer import Answer, both
from models import Pose


def free_pivots(field: Battlefield, unit_id: str, end: Pose) -> dict[str, Answer]:
    """For every enemy the unit was engaged with, whether its retreat to there leaves it free."""
    place = field.index[unit_id]
    after = Battlefield(field.table.moved(unit_id, end), field.readings)
    sure, perhaps = foes(field, place)
    return {
        field.units[other].id: both(
            engaged_with(field, place, other, "TMG-RET-7"),
            because(after.unengaged[other], "TMG-RET-7"),
        )
        for other in sorted([*sure, *perhaps])
    }
