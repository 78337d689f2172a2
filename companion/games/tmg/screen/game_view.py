"""The miniatures game behind the screen interface; `games/api/game_screen.py` documents it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from companion.games.api.authority import authorised, authorised_record
from companion.games.api.game_screen import GameScreen
from companion.games.api.new_game import NewGameStep, SeatRange, SeatView, Space
from companion.games.api.play import Event, Plain
from companion.games.api.prompt import ActionOffer, Prompt
from companion.games.api.screen_views import Outcome, Page, PieceView, ScoreView
from companion.games.tmg.play import practice_game
from companion.games.tmg.play.authority import authority
from companion.games.tmg.play.commands.activations import ready
from companion.games.tmg.play.names import names_of
from companion.games.tmg.play.state.game_state import ACTIVATION, OVER, SET_UP, GameState
from companion.games.tmg.rules.report import MiniaturesReport
from companion.games.tmg.rules.rulebook import EDITIONS
from companion.games.tmg.screen import (
    action_offers,
    board_pages,
    due_moves,
    due_verdicts,
    new_game,
    outcomes,
    prompts,
    unit_views,
)
from models import Table
from models.message import joined, say


class MiniaturesScreen(GameScreen):
    """Both editions."""

    @property
    def games(self) -> tuple[str, ...]:
        return tuple(EDITIONS)

    def name(self, game: str) -> str:
        return new_game.game_name(game)

    def space(self, game: str, mode: str = "") -> Space:
        return new_game.space(game)

    def seat_range(self, game: str, mode: str = "") -> SeatRange:
        return new_game.SEATS

    def steps(self, game: str, draft: Plain) -> Sequence[NewGameStep]:
        return new_game.steps(game, draft)

    def set_up(self, game: str, draft: Plain) -> Plain:
        return new_game.set_up(game, draft)

    def short_name(self, name: str) -> str:
        return unit_views.short_name(name)

    def practice(self, game: str, file: Path | None = None) -> Sequence[Plain]:
        return practice_game.practice_commands(file) if file or game == practice_game.GAME else ()

    def seats(self, state: GameState) -> Sequence[SeatView]:
        names, colours = names_of(state), new_game.seat_colours([one.id for one in state.sides])
        return [
            SeatView(
                side.id,
                names.seats[side.id],
                colours[side.id],
                faction=next(iter(factions), ""),
                allies=factions[1:],
            )
            for side in state.sides
            for factions in (tuple(p.faction for p in state.players if p.side == side.id),)
        ]

    def names(self, state: GameState) -> Mapping[str, str]:
        return {**names_of(state).things, **due_moves.held_names(state)}

    def active(self, state: GameState) -> tuple[str, ...]:
        """Who decides; before the first round whoever still puts a tray or a piece down."""
        return due_moves.putting_down(state) or super().active(state)

    def turn(self, state: GameState) -> str:
        """The side that activates a unit; nobody at the end of a round."""
        return state.active if state.phase == ACTIVATION else ""

    def headline(self, state: GameState) -> str:
        if state.phase == OVER:
            return say("The game is over")
        if state.phase == SET_UP:
            return say("Set-up")
        now = say("Round {round}", round=state.round)
        if state.phase != ACTIVATION:
            return say("{now} · end of the round", now=now)
        left = len(ready(state, state.active)) if state.active else 0
        return say("{now} · {n} unit to act", "{now} · {n} units to act", now=now, n=left)

    def prompts(self, state: GameState, seat: str | None = None) -> Sequence[Prompt]:
        return prompts.prompts(state, seat)

    def offers(
        self, state: GameState, report: MiniaturesReport | None, piece: str | None = None
    ) -> Sequence[ActionOffer]:
        found = action_offers.offers(state, report, piece)
        return authorised(found, partial(authority, state))

    def due_moves(self, state: GameState) -> Sequence[ActionOffer]:
        return due_moves.due_moves(state)

    def entry_verdict(self, state: GameState, table: Table, piece: str) -> Plain | None:
        return due_verdicts.entry_verdict(state, table, piece)

    def gain(self, state: GameState, table: Table, piece: str) -> str:
        return joined(due_verdicts.claimed(state, table, piece), " · ")

    def outcome(
        self, before: GameState, events: Sequence[Event], after: GameState
    ) -> Outcome | None:
        return outcomes.outcome(before, events, after)

    def report_lines(
        self, before: GameState, events: Sequence[Event], after: GameState
    ) -> Sequence[str]:
        return outcomes.report_lines(before, events, after)

    def pieces(self, state: GameState) -> Sequence[PieceView]:
        return authorised(unit_views.piece_views(state), partial(authority, state))

    def score(self, state: GameState) -> ScoreView:
        return authorised_record(board_pages.score_view(state), partial(authority, state))

    def pages(self, state: GameState, seat: str | None = None) -> Sequence[Page]:
        return authorised(board_pages.pages(state, seat), partial(authority, state))
