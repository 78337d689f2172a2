"""What Tactics shows: prompts, offers, outcomes, figures, score and pages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from companion.games.api.authority import authorised, authorised_record
from companion.games.api.board_editor import BoardEditor
from companion.games.api.card_form import CardForms
from companion.games.api.game_screen import GameScreen
from companion.games.api.new_game import NewGameStep, SeatRange, SeatView, Space
from companion.games.api.play import Event, Plain
from companion.games.api.prompt import ActionOffer, Prompt
from companion.games.api.screen_views import GuideStep, Outcome, Page, PieceView, ScoreView
from companion.games.tactics.cards import board_plans
from companion.games.tactics.game import GAME_NAME
from companion.games.tactics.play.authority import authority
from companion.games.tactics.play.prompts import pending
from companion.games.tactics.play.state import (
    AGENDAS,
    CHOICE,
    ROLL,
    START,
    SkirmishState,
    battle_position,
)
from companion.games.tactics.rules.places import place
from companion.games.tactics.screen import new_game, own_cards, pages, prompt_cards, views
from companion.games.tactics.screen.guide import guide
from companion.games.tactics.screen.new_game import practice_commands
from companion.games.tactics.screen.offers import offers
from companion.games.tactics.screen.other_offers import double_move
from models.board import Cell
from models.message import say

__all__ = ["SCREEN", "TacticsScreen"]


class TacticsScreen(GameScreen):
    """The skirmish game's screen; `games/api/game_screen.py` documents the methods."""

    @property
    def games(self) -> tuple[str, ...]:
        return (GAME_NAME,)

    def name(self, game: str) -> str:
        return say("Tactics")

    def space(self, game: str, mode: str = "") -> Space:
        return new_game.space(mode)

    def seat_range(self, game: str, mode: str = "") -> SeatRange:
        return new_game.SEATS

    def steps(self, game: str, draft: Plain) -> Sequence[NewGameStep]:
        return tuple(new_game.steps(draft))

    def set_up(self, game: str, draft: Plain) -> Plain:
        return new_game.set_up(game, draft)

    def practice(self, game: str, file: Path | None = None) -> Sequence[Plain]:
        return practice_commands(game)

    # -- cards and boards of the players' own ------------------------------------------------

    def card_forms(self, game: str) -> CardForms:
        return own_cards

    def board_editor(self, game: str) -> BoardEditor:
        return board_plans

    # -- in the game -------------------------------------------------------------------------

    def seats(self, state: SkirmishState) -> Sequence[SeatView]:
        return tuple(
            SeatView(squad.id, squad.player, at + 1, faction=squad.faction)
            for at, squad in enumerate(state.squads)
        )

    def active(self, state: SkirmishState) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.side for one in pending(state) if one.side))

    def turn(self, state: SkirmishState) -> str:
        """Nobody's while both choose, or one of them before the figures are placed."""
        return "" if state.phase in (ROLL, CHOICE, AGENDAS, START) else state.active

    def headline(self, state: SkirmishState) -> str:
        return views.headline(state)

    def prompts(self, state: SkirmishState, seat: str | None = None) -> Sequence[Prompt]:
        return authorised(prompt_cards.prompts(state, seat), partial(authority, state))

    def offers(
        self, state: SkirmishState, report: Any, piece: str | None = None
    ) -> Sequence[ActionOffer]:
        return authorised(offers(state, piece), partial(authority, state))

    def at_once(self, state: SkirmishState, piece: str, cell: Cell) -> Sequence[ActionOffer]:
        return tuple(double_move(state, piece, cell))

    def place_name(self, state: SkirmishState, cell: Cell, piece: str) -> str:
        return place(battle_position(state), cell, piece)

    def outcome(
        self, before: SkirmishState, events: Sequence[Event], after: SkirmishState
    ) -> Outcome | None:
        return views.outcome(events, after)

    def pieces(self, state: SkirmishState) -> Sequence[PieceView]:
        return authorised(views.pieces(state), partial(authority, state))

    def score(self, state: SkirmishState) -> ScoreView:
        return authorised_record(views.score(state), partial(authority, state))

    def guide(self, state: SkirmishState) -> GuideStep | None:
        return guide(state)

    def pages(self, state: SkirmishState, seat: str | None = None) -> Sequence[Page]:
        return authorised(pages.pages(state, seat), partial(authority, state))


SCREEN = TacticsScreen()
