"""What Tactics shows: prompts, offers, outcomes, figures, score and pages."""

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
from companion.games.tactics.cards import board_plans
from companion.games.tactics.game import GAME_NAME
from companion.games.tactics.play.prompts import pending
from companion.games.tactics.play.state import SkirmishState
from companion.games.tactics.screen import new_game, own_cards, prompt_cards, views
from companion.games.tactics.screen.offers import offers
from companion.games.tactics.screen.practice_game import practice_commands
from models.board import Board
from models.lazy_message import say

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

    def practice(self, game: str) -> Sequence[Plain]:
        return practice_commands()

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
        return board_plans.board_tools(plan)

    def board_plans(self, game: str) -> Sequence[BoardPlan]:
        return board_plans.board_plans()

    def plan_board(self, game: str, plan: str) -> Board:
        return board_plans.plan_board(plan)

    def plan_problems(self, game: str, plan: str, board: Board) -> Sequence[str]:
        return board_plans.plan_problems(plan, board)

    def save_plan(self, game: str, plan: str, name: str, board: Board) -> str:
        return board_plans.save_plan(plan, name, board)

    def remove_plan(self, game: str, plan: str) -> bool:
        return board_plans.remove_plan(plan)

    def export_plan(self, game: str, plan: str) -> str:
        return board_plans.export_plan(plan)

    def import_plan(self, game: str, text: str, source: str) -> Sequence[str]:
        return board_plans.import_plan(text, source)

    # -- in the game -------------------------------------------------------------------------

    def seats(self, state: SkirmishState) -> Sequence[SeatView]:
        marks = ("antler", "tower")
        return tuple(
            SeatView(squad.id, squad.player, at + 1, marks[at % 2], faction=squad.faction)
            for at, squad in enumerate(state.squads)
        )

    def active(self, state: SkirmishState) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.side for one in pending(state) if one.side))

    def headline(self, state: SkirmishState) -> str:
        return views.headline(state)

    def prompts(self, state: SkirmishState, seat: str | None = None) -> Sequence[Prompt]:
        return tuple(prompt_cards.prompts(state, seat))

    def offers(
        self, state: SkirmishState, report: Any, piece: str | None = None
    ) -> Sequence[ActionOffer]:
        return offers(state, piece)

    def outcome(
        self, before: SkirmishState, events: Sequence[Event], after: SkirmishState
    ) -> Outcome | None:
        return views.outcome(before, events, after)

    def pieces(self, state: SkirmishState) -> Sequence[PieceView]:
        return tuple(views.pieces(state))

    def score(self, state: SkirmishState) -> ScoreView:
        return views.score(state)

    def pages(self, state: SkirmishState, seat: str | None = None) -> Sequence[Page]:
        return views.pages(state, seat)


SCREEN = TacticsScreen()
