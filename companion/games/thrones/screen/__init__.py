"""What the card game shows: prompts, offers, outcomes, cards, power and pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.api.camera_question import CameraQuestion, SeenPiece
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
from companion.games.thrones.game import GAME_NAME
from companion.games.thrones.play.camera_proposals import proposals
from companion.games.thrones.play.prompts.question import prompts
from companion.games.thrones.play.setup import SEATS
from companion.games.thrones.play.state import ThronesState
from companion.games.thrones.screen import new_game, own_cards, pages, views
from companion.games.thrones.screen.offers import offers
from companion.games.thrones.screen.practice_game import practice_commands
from models.lazy_message import say

__all__ = ["SCREEN", "ThronesScreen"]


class ThronesScreen(GameScreen):
    """The card game's screen; `games/api/game_screen.py` documents the methods."""

    @property
    def games(self) -> tuple[str, ...]:
        return (GAME_NAME,)

    def name(self, game: str) -> str:
        return say("A Game of Thrones: The Card Game")

    def space(self, game: str, mode: str = "") -> Space:
        return Space("none")

    def seat_range(self, game: str, mode: str = "") -> SeatRange:
        return SEATS

    def steps(self, game: str, draft: Plain) -> Sequence[NewGameStep]:
        return tuple(new_game.steps(draft))

    def set_up(self, game: str, draft: Plain) -> Plain:
        return new_game.set_up(game, draft)

    # -- cards of the players' own (games/api/card_form.py) ------------------------------------

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

    def practice(self, game: str) -> Sequence[Plain]:
        return practice_commands(game)

    def seats(self, state: ThronesState) -> Sequence[SeatView]:
        return tuple(
            SeatView(one.id, one.name, one.colour, one.mark, faction=one.faction)
            for one in state.houses
        )

    def headline(self, state: ThronesState) -> str:
        return views.headline(state)

    def prompts(self, state: ThronesState, seat: str | None = None) -> Sequence[Prompt]:
        return prompts(state, seat)

    def offers(
        self, state: ThronesState, report: Any, piece: str | None = None
    ) -> Sequence[ActionOffer]:
        return tuple(offers(state, piece))

    def outcome(
        self, before: ThronesState, events: Sequence[Event], after: ThronesState
    ) -> Outcome | None:
        return views.outcome(events, after)

    def pieces(self, state: ThronesState) -> Sequence[PieceView]:
        return tuple(views.pieces(state))

    def sightings(
        self,
        state: ThronesState,
        seen: Sequence[SeenPiece],
        size: tuple[float, float],
        chosen: str | None = None,
    ) -> Sequence[CameraQuestion]:
        return proposals(state, seen, size, chosen or "")

    def score(self, state: ThronesState) -> ScoreView:
        return views.score(state)

    def pages(self, state: ThronesState, seat: str | None = None) -> Sequence[Page]:
        return pages.pages(state, seat)


SCREEN = ThronesScreen()
