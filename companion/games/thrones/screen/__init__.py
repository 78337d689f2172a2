"""What the card game shows: prompts, offers, outcomes, cards, power and pages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from companion.games.api.authority import authorised, authorised_record
from companion.games.api.card_form import CardForms
from companion.games.api.card_table import CardTable
from companion.games.api.game_screen import CameraQuestion, GameScreen, PlacedPiece, SeenPiece
from companion.games.api.new_game import NewGameStep, SeatRange, SeatView, Space
from companion.games.api.play import Event, Plain
from companion.games.api.prompt import ActionOffer, Prompt
from companion.games.api.screen_views import Outcome, Page, PieceView, ScoreView
from companion.games.thrones.game import GAME_NAME
from companion.games.thrones.play.authority import authority
from companion.games.thrones.play.commands.camera_commands import proposals
from companion.games.thrones.play.practice_game import lying_cards, practice_commands
from companion.games.thrones.play.prompts.question import prompts
from companion.games.thrones.play.setup import SEATS
from companion.games.thrones.play.state import ThronesState
from companion.games.thrones.screen import new_game, own_forms, pages, views
from companion.games.thrones.screen.card_table import card_table
from companion.games.thrones.screen.offers import offers
from models.message import say

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

    def card_forms(self, game: str) -> CardForms:
        return own_forms

    def practice(self, game: str, file: Path | None = None) -> Sequence[Plain]:
        return practice_commands(game)

    def seats(self, state: ThronesState) -> Sequence[SeatView]:
        return tuple(
            SeatView(one.id, one.name, one.colour, one.mark, faction=one.faction)
            for one in state.houses
        )

    def headline(self, state: ThronesState) -> str:
        return views.headline(state)

    def prompts(self, state: ThronesState, seat: str | None = None) -> Sequence[Prompt]:
        return authorised(prompts(state, seat), partial(authority, state))

    def offers(
        self, state: ThronesState, report: Any, piece: str | None = None
    ) -> Sequence[ActionOffer]:
        return authorised(offers(state, piece), partial(authority, state))

    def outcome(
        self, before: ThronesState, events: Sequence[Event], after: ThronesState
    ) -> Outcome | None:
        return views.outcome(before, events, after)

    def pieces(self, state: ThronesState) -> Sequence[PieceView]:
        return authorised(views.pieces(state), partial(authority, state))

    def card_table(self, state: ThronesState) -> CardTable:
        return card_table(state)

    def camera_questions(
        self,
        state: ThronesState,
        seen: Sequence[SeenPiece],
        size: tuple[float, float],
        chosen: str | None = None,
    ) -> Sequence[CameraQuestion]:
        found = proposals(state, seen, size, chosen or "")
        return authorised(found, partial(authority, state))

    def piece_places(self, state: ThronesState, size: tuple[float, float]) -> Sequence[PlacedPiece]:
        return tuple(lying_cards(state, size))

    def score(self, state: ThronesState) -> ScoreView:
        return authorised_record(views.score(state), partial(authority, state))

    def pages(self, state: ThronesState, seat: str | None = None) -> Sequence[Page]:
        return authorised(pages.pages(state, seat), partial(authority, state))


SCREEN = ThronesScreen()
