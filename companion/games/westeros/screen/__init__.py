"""What Battles of Westeros shows: prompts, offers, outcomes, units, score and pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.api.board_editor import BoardPlan, BoardTool
from companion.games.api.card_form import CardForm, FormCard, FormProblem
from companion.games.api.game_screen import GameScreen
from companion.games.api.offer import ActionOffer
from companion.games.api.outcome import Outcome
from companion.games.api.page import Page
from companion.games.api.piece_view import PieceView
from companion.games.api.play import Event, Plain
from companion.games.api.prompt import Prompt
from companion.games.api.score_view import ScoreView
from companion.games.api.seats import SeatRange, SeatView
from companion.games.api.setup_step import NewGameStep
from companion.games.api.space import Space
from companion.games.westeros.cards import plan_boards
from companion.games.westeros.game import GAME_NAME
from companion.games.westeros.play.prompts import pending
from companion.games.westeros.play.state import WesterosState
from companion.games.westeros.screen import (
    new_game,
    own_cards,
    pages,
    prompt_cards,
    views,
)
from companion.games.westeros.screen.offers import offers
from models.board import Board
from models.lazy_message import say

__all__ = ["SCREEN", "WesterosScreen"]


class WesterosScreen(GameScreen):
    """The battle game's screen; `games/api/game_screen.py` documents the methods."""

    @property
    def games(self) -> tuple[str, ...]:
        return (GAME_NAME,)

    def name(self, game: str) -> str:
        return say("Battles of Westeros")

    def space(self, game: str, mode: str = "") -> Space:
        return new_game.space(mode)

    def seat_range(self, game: str, mode: str = "") -> SeatRange:
        return new_game.SEATS

    def steps(self, game: str, draft: Plain) -> Sequence[NewGameStep]:
        return tuple(new_game.steps(draft))

    def set_up(self, game: str, draft: Plain) -> Plain:
        return new_game.set_up(game, draft)

    def practice(self, game: str) -> Sequence[Plain]:
        return new_game.practice_commands(game)

    # -- cards and boards of the players' own ------------------------------------------------

    def forms(self, game: str) -> Sequence[CardForm]:
        return own_cards.forms()

    def form_cards(self, game: str, kind: str) -> Sequence[FormCard]:
        return own_cards.form_cards(kind)

    def form_values(self, game: str, kind: str, card: str) -> Plain:
        return own_cards.form_values(kind, card)

    def form_problems(self, game: str, kind: str, values: Plain) -> Sequence[FormProblem]:
        return own_cards.form_problems(kind, values)

    def save_form(self, game: str, kind: str, values: Plain) -> str:
        return own_cards.save_form(kind, values)

    def remove_form(self, game: str, kind: str, card: str) -> bool:
        return own_cards.remove_form(kind, card)

    def export_forms(self, game: str, kind: str, cards: Sequence[str]) -> str:
        return own_cards.export_forms(kind, cards)

    def import_forms(self, game: str, text: str, source: str) -> Sequence[str]:
        return own_cards.import_forms(text, source)

    def board_tools(self, game: str, plan: str) -> Sequence[BoardTool]:
        return plan_boards.board_tools(plan)

    def board_plans(self, game: str) -> Sequence[BoardPlan]:
        return plan_boards.board_plans()

    def plan_board(self, game: str, plan: str) -> Board:
        return plan_boards.plan_board(plan)

    def plan_problems(self, game: str, plan: str, board: Board) -> Sequence[str]:
        return plan_boards.plan_problems(plan, board)

    def save_plan(self, game: str, plan: str, name: str, board: Board) -> str:
        return plan_boards.save_plan(plan, name, board)

    def remove_plan(self, game: str, plan: str) -> bool:
        return plan_boards.remove_plan(plan)

    def export_plan(self, game: str, plan: str) -> str:
        return plan_boards.export_plan(plan)

    def import_plan(self, game: str, text: str, source: str) -> Sequence[str]:
        return plan_boards.import_plan(text, source)

    # -- in the game -------------------------------------------------------------------------

    def seats(self, state: WesterosState) -> Sequence[SeatView]:
        marks = ("antler", "tower")
        return tuple(
            SeatView(
                house.side,
                house.player,
                at + 1,
                marks[at % 2],
                faction=state.plan.house(house.side).name,
            )
            for at, house in enumerate(state.houses)
        )

    def active(self, state: WesterosState) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.side for one in pending(state) if one.side))

    def headline(self, state: WesterosState) -> str:
        return views.headline(state)

    def prompts(self, state: WesterosState, seat: str | None = None) -> Sequence[Prompt]:
        return tuple(prompt_cards.prompts(state, seat))

    def offers(
        self, state: WesterosState, report: Any, piece: str | None = None
    ) -> Sequence[ActionOffer]:
        return offers(state, piece)

    def outcome(
        self, before: WesterosState, events: Sequence[Event], after: WesterosState
    ) -> Outcome | None:
        return views.outcome(before, events, after)

    def pieces(self, state: WesterosState) -> Sequence[PieceView]:
        return tuple(views.pieces(state))

    def score(self, state: WesterosState) -> ScoreView:
        return views.score(state)

    def pages(self, state: WesterosState, seat: str | None = None) -> Sequence[Page]:
        return pages.pages(state)


SCREEN = WesterosScreen()
