"""What a game's screen shows, as JSON: for other programs that play or display any game."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from companion import games
from companion.session.fold import Position
from companion.session.game_lookup import find_screen
from models import UnknownName


def screen_view(here: Position, seat: str | None, piece: str | None) -> dict[str, Any]:
    """The prompts, offers, outcome, pieces, score and pages of a game, as visible to one seat.

    With a piece, its offers; without one, the best of the active seats.
    """
    screen, state = find_screen(here.game), here.state
    return {
        "headline": screen.headline(state),
        "seats": plain(screen.seats(state)),
        "active": list(screen.active(state)),
        "outcome": plain(last_outcome(here)),
        "prompts": plain(screen.prompts(state, seat)),
        "offers": plain(screen.offers(state, report_of(here), piece)),
        "pieces": plain(screen.pieces(state)),
        "score": plain(screen.score(state)),
        "pages": plain(screen.pages(state, seat)),
    }


def report_of(here: Position) -> Any:
    """The report on the newest table; None without a table or without rules for it."""
    table = here.play.moment(here.state).table if here.play is not None else None
    if table is None:
        return None
    try:
        rules = games.find(table.game)
    except UnknownName:
        return None
    return rules.report(table)


def last_outcome(here: Position) -> Any:
    """What the last step did; None at the beginning of the game."""
    before, step = here.below, here.step
    if before is None or step is None or before.play is None or before.game != here.game:
        return None
    events = tuple(event for event in step.events() if not event.type.startswith("session."))
    return find_screen(here.game).outcome(before.state, events, here.state) if events else None


def plain(record: Any) -> Any:
    """A record as JSON: what is empty or at its default is left out."""
    if is_dataclass(record) and not isinstance(record, type):
        found = {one.name: getattr(record, one.name) for one in fields(record)}
        return {
            name: plain(value)
            for name, value in found.items()
            if value not in ("", (), None) and value is not False
        }
    if isinstance(record, list | tuple):
        return [plain(one) for one in record]
    if isinstance(record, dict):
        return {str(key): plain(value) for key, value in record.items()}
    return record
