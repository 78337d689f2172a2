"""Who plays: how many seats a game has, their teams, names and colours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from models.field import Field


@dataclass(frozen=True, slots=True)
class SeatView:
    """A player at the table.

    `colour` (1 to 6) chooses the colour and the shape of the seat; `mark` its drawn sign. `team`
    is shared by players who win together.
    """

    id: str
    name: str
    colour: int
    mark: str = ""
    team: str = ""
    faction: str = ""


@dataclass(frozen=True, slots=True)
class SeatRange:
    """How many may play a game in a mode, and the ids of its seats in order."""

    least: int
    most: int
    ids: tuple[str, ...]
    teams: int = 0
    """Into how many teams the players may join; 0 where everyone plays alone."""

    def read(self, field: Field) -> tuple[SeatView, ...]:
        """The players of a `set-up` command: its member `seats`, a list as the wizard writes it.

        Each object may hold `id` (the next free one without it), `name` (the id without it),
        `colour`, `mark`, `team` and `faction`. Without the member, the fewest players there may be.
        """
        objects = (
            list(field.member("seats").items(self.most, self.least))
            if "seats" in field.raw
            else [Field({}) for _ in range(self.least)]
        )
        found: list[SeatView] = []
        for item in objects:
            raw = item.keys({"id", "name", "colour", "mark", "team", "faction"})
            free = [one for one in self.ids if one not in (seat.id for seat in found)]
            seat = item.member("id").choice(free) if "id" in raw else free[0]
            texts = {
                key: item.member(key).text(60)
                for key in ("name", "mark", "team", "faction")
                if raw.get(key)
            }
            colour = item.member("colour").whole(1, 6) if "colour" in raw else len(found) + 1
            found.append(SeatView(id=seat, colour=colour, **{"name": seat, **texts}))
        return tuple(found)


def plain_seat(seat: SeatView) -> Mapping[str, Any]:
    """A player as a JSON object; `SeatRange.read` reads it back."""
    texts = {key: getattr(seat, key) for key in ("name", "mark", "team", "faction")}
    return {"id": seat.id, "colour": seat.colour, **{k: v for k, v in texts.items() if v}}
