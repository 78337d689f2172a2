"""What Battles of Westeros shows: prompts, offers, outcomes, units, score and pages."""

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
from companion.games.westeros.cards import board_plans
from companion.games.westeros.game import GAME_NAME
from companion.games.westeros.play.authority import authority
from companion.games.westeros.play.prompts import pending
from companion.games.westeros.play.state import COMMAND, WesterosState, battle_position
from companion.games.westeros.rules.places import place
from companion.games.westeros.screen import new_game, own_cards, pages, prompt_cards, views
from companion.games.westeros.screen.guide import guide
from companion.games.westeros.screen.offers import offers
from models.board import Cell
from models.message import say

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

    def practice(self, game: str, file: Path | None = None) -> Sequence[Plain]:
        return new_game.practice_commands(game)

    # -- cards and boards of the players' own ------------------------------------------------

    def card_forms(self, game: str) -> CardForms:
        return own_cards

    def board_editor(self, game: str) -> BoardEditor:
        return board_plans

    # -- in the game -------------------------------------------------------------------------

    def seats(self, state: WesterosState) -> Sequence[SeatView]:
        return tuple(
            SeatView(house.side, house.player, at + 1, faction=state.plan.house(house.side).name)
            for at, house in enumerate(state.houses)
        )

    def active(self, state: WesterosState) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.side for one in pending(state) if one.side))

    def turn(self, state: WesterosState) -> str:
        """Players take turns in the command phase only (BOW-RND-11): nobody's while they set up,
        roll or regroup."""
        return state.active if state.phase == COMMAND else ""

    def headline(self, state: WesterosState) -> str:
        return views.headline(state)

    def prompts(self, state: WesterosState, seat: str | None = None) -> Sequence[Prompt]:
        return authorised(prompt_cards.prompts(state, seat), partial(authority, state))

    def offers(
        self, state: WesterosState, report: Any, piece: str | None = None
    ) -> Sequence[ActionOffer]:
        return authorised(offers(state, piece), partial(authority, state))

    def place_name(self, state: WesterosState, cell: Cell, piece: str) -> str:
        return place(battle_position(state), cell, piece)

    def outcome(
        self, before: WesterosState, events: Sequence[Event], after: WesterosState
    ) -> Outcome | None:
        return views.outcome(events, after)

    def pieces(self, state: WesterosState) -> Sequence[PieceView]:
        return authorised(views.pieces(state), partial(authority, state))

    def guide(self, state: WesterosState) -> GuideStep | None:
        return guide(state)

    def score(self, state: WesterosState) -> ScoreView:
        return authorised_record(views.score(state), partial(authority, state))

    def pages(self, state: WesterosState, seat: str | None = None) -> Sequence[Page]:
        return authorised(pages.pages(state), partial(authority, state))


SCREEN = WesterosScreen()
