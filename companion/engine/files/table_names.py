"""What players call the things on a table that is being set up; never by their ids."""

from __future__ import annotations

from collections.abc import Iterable

from companion.engine.app_words import _
from companion.text.numbered_names import numbered
from models import Table, Unit


def unit_names(units: Iterable[Unit]) -> dict[str, str]:
    """The names of units by id, numbered where several share one."""
    return numbered({unit.id: _(unit.name) for unit in units})


def names_on(table: Table) -> dict[str, str]:
    """The names of units, terrain and objectives by id."""
    found = unit_names(table.units)
    found |= numbered({one.id: spoken(one.piece or _("terrain")) for one in table.terrain})
    found |= {
        token.id: _("Objective {number}", number=number)
        for number, token in enumerate(table.objectives, 1)
    }
    return found


def spoken(name: str) -> str:
    """The name of a kind of terrain for players."""
    return _(name.replace("-", " ").capitalize())
