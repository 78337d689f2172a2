"""What players see and tap."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion.games.api.game_screen import GameScreen
from companion.games.api.new_game import PieceKind, SeatRange, SeatView, Space
from companion.games.api.play import Event, Plain
from companion.games.api.prompt import ActionOffer, Prompt, TargetCell
from companion.games.api.screen_views import Outcome, PieceView, ScoreView, SeatScore
from models.board import cell_text
from models.message import say

from .game import BOARD, SIZE
from .play import PLAY, SEATS, FoxPlay, Hunt


class FoxScreen(GameScreen):
    games = ("foxhunt",)
    play: FoxPlay = PLAY

    def name(self, game: str) -> str:
        return say("Fox and hounds")

    def space(self, game: str, mode: str = "") -> Space:
        piece = PieceKind("piece", say("Piece"), "cells", (1, 1), (15,), stand_mm=40)
        return Space("square", (SIZE, SIZE), BOARD.cell_in, (piece,))

    def seat_range(self, game: str, mode: str = "") -> SeatRange:
        return SEATS

    def practice(self, game: str, file: Path | None = None) -> Sequence[Plain]:
        names = {"fox": "Anna", "hounds": "Ben"}
        seats = [{"id": seat, "name": name} for seat, name in names.items()]
        return (self.set_up(game, {"seats": seats}),)

    def seats(self, state: Hunt) -> Sequence[SeatView]:
        return state.seats

    def turn(self, state: Hunt) -> str:
        return "" if self.play.winner(state) else state.seat

    def prompts(self, state: Hunt, seat: str | None = None) -> Sequence[Prompt]:
        if self.play.winner(state):
            return ()
        mine = tuple(one.id for one in state.table.pieces if one.side == state.seat)
        text = say("Slip past the hounds.") if state.seat == "fox" else say("Hold the fox.")
        return (Prompt("turn", say("Take a step"), text, (state.seat,), pieces=mine),)

    def offers(self, state: Hunt, report: Any, piece: str | None = None) -> Sequence[ActionOffer]:
        found = []
        for one in state.table.pieces if not self.play.winner(state) else ():
            to = tuple(
                TargetCell(cell, ({"do": "step", "piece": one.id, "cell": cell_text(cell)},))
                for cell in self.play.rules.steps(state.table, one.id)
            )
            if one.side == state.seat and piece in (None, one.id) and to:
                found.append(ActionOffer("move", say("Step"), (), one.id, cells=to))
        return found

    def outcome(self, before: Hunt, events: Sequence[Event], after: Hunt) -> Outcome:
        over = self.play.winner(after)
        won = next((one.name for one in after.seats if one.id == over), "")
        follows = say("{name} wins.", name=won) if won else ""
        return Outcome(self.play.title(events[-1]), follows, big=bool(won))

    def pieces(self, state: Hunt) -> Sequence[PieceView]:
        return [PieceView(p.id, p.name, p.name, p.side, "piece") for p in state.table.pieces]

    def score(self, state: Hunt) -> ScoreView:
        scores = self.play.moment(state).score.items()
        told = tuple(SeatScore(seat, points, 1, "points") for seat, points in scores)
        return ScoreView(told, winner=self.play.winner(state) or "")


SCREEN = FoxScreen()
