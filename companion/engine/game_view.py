"""What a game shows now: the records of its screen for the newest step of a session.

Everything here runs on the worker thread; the app draws the records and knows no game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from typing import Any

from companion.games.api.game_screen import GameScreen
from companion.games.api.new_game import SeatView
from companion.games.api.play import Event
from companion.games.api.prompt import ActionOffer, Prompt
from companion.games.api.screen_views import Outcome, Page, PieceView, ScoreView
from companion.session.fold import Position
from companion.session.game_lookup import find_screen
from models import UnknownName
from models.message import joined

TABLE = "table"
"""The event of new positions, which the app sends by itself."""
LOG_STEPS = 40
LOOK_BACK = 8
"""How many steps with nothing to say may follow a result that is still shown."""


@dataclass(frozen=True, slots=True, eq=False)
class GameView:
    """The records that everybody may see."""

    seats: tuple[SeatView, ...] = ()
    active: tuple[str, ...] = ()
    headline: str = ""
    prompts: tuple[Prompt, ...] = ()
    pieces: tuple[PieceView, ...] = ()
    score: ScoreView | None = None
    pages: tuple[Page, ...] = ()
    outcome: Outcome | None = None
    tabled: bool = True
    """Whether the game is played on a table or a board."""
    secrets: tuple[tuple[str, str], ...] = ()
    """Pages on which a seat sees more than the others: the page's id and the seat's."""
    decided: int = 0
    """The newest step that is more than new positions."""
    names: Mapping[str, str] = field(default_factory=dict)
    """What players call the things that are no pieces, by id."""
    undo: str = ""
    """What Undo takes back, in the game's own words."""


@dataclass(frozen=True, slots=True, eq=False)
class PrivateView:
    """What only one seat may see: its own prompts and pages."""

    seat: str = ""
    prompts: tuple[Prompt, ...] = ()
    pages: tuple[Page, ...] = ()


def screen_of(game: str) -> GameScreen | None:
    """The screen of a game, if it has one."""
    try:
        return find_screen(game)
    except UnknownName:
        return None


@lru_cache(maxsize=64)
def on_table(game: str) -> bool:
    """Whether a game is played on a table or a board."""
    screen = screen_of(game)
    return screen is not None and screen.space(game).kind != "none"


def public_view(screen: GameScreen, here: Position) -> GameView:
    """The records for everybody after the newest step."""
    state = here.state
    seats, pages = tuple(screen.seats(state)), tuple(screen.pages(state))
    return GameView(
        seats,
        tuple(screen.active(state)),
        screen.headline(state),
        tuple(screen.prompts(state)),
        tuple(screen.pieces(state)),
        screen.score(state),
        pages,
        last_outcome(screen, here),
        on_table(here.game),
        tuple(secrets(screen, state, seats, pages)),
        decided(here),
        {here.game: screen.name(here.game), **screen.names(state)},
        undo_text(screen, here),
    )


def recoloured(view: GameView, colours: Mapping[str, int]) -> GameView:
    """The records with the colours that the players chose for their seats."""
    if not colours:
        return view
    seats = (replace(one, colour=colours.get(one.id, one.colour), mark="") for one in view.seats)
    return replace(view, seats=tuple(seats))


def secrets(
    screen: GameScreen, state: Any, seats: tuple[SeatView, ...], pages: tuple[Page, ...]
) -> Iterator[tuple[str, str]]:
    """The pages that one seat sees differently from everybody."""
    public = {one.id: one for one in pages}
    for seat in seats if pages else ():
        for page in screen.pages(state, seat.id):
            if page != public.get(page.id):
                yield page.id, seat.id


def private_view(screen: GameScreen, state: Any, seat: str) -> PrivateView:
    """The records for one seat alone."""
    return PrivateView(seat, tuple(screen.prompts(state, seat)), tuple(screen.pages(state, seat)))


def piece_offers(
    screen: GameScreen, state: Any, report: Any, piece: str | None
) -> tuple[ActionOffer, ...]:
    """What a piece may do, or the best of the active seats."""
    return tuple(screen.offers(state, report, piece))


def decided(here: Position) -> int:
    """The newest step of the players: no note, and no positions that a camera saw."""
    for position in here.down():
        events = game_events(position)
        if events and events[0].type != TABLE:
            return position.seq
    return 0


def last_outcome(screen: GameScreen, here: Position) -> Outcome | None:
    """The result of the newest step that has one; it stays until the next result."""
    seen: Outcome | None = None
    for position in islice(here.down(), LOOK_BACK):
        if position.below is None or position.below.play is None or position.step is None:
            break
        found = outcome_of(screen, position)
        if found is not None and game_events(position)[0].type != TABLE:
            return found
        seen = seen or found  # positions that a camera sees do not hide the result of a roll
    return seen


def outcome_of(screen: GameScreen, position: Position) -> Outcome | None:
    """The result of one step; None for a note, the clock, and what needs no sentence."""
    below, events = position.below, game_events(position)
    if below is None or below.play is None or not events:
        return None
    return screen.outcome(below.state, events, position.state)


def game_events(position: Position) -> tuple[Event, ...]:
    """The events of a step that are the game's own."""
    every = position.step.events() if position.step is not None else ()
    return tuple(one for one in every if not one.type.startswith("session."))


def undo_text(screen: GameScreen, position: Position) -> str:
    """What players call a step that is taken back or done again."""
    found = outcome_of(screen, position)
    return "" if found is None else found.undo or found.text


def log_lines(screen: GameScreen, here: Position) -> Iterator[tuple[Position, str]]:
    """The newest steps with their results as sentences, "" where the screen has none."""
    for position in islice(here.down(), LOG_STEPS):
        found = outcome_of(screen, position)
        said: tuple[str, ...] = (found.text, found.follows) if found is not None else ()
        if position.below is None or position.below.play is None:
            said = (screen.name(position.game),)  # the game was set up
        yield position, joined([one for one in said if one], " ")
