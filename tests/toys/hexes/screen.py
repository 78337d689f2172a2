"""What the toy on hexes shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.games.api import prompt as api
from companion.games.api.game_screen import GameScreen
from companion.games.api.new_game import PieceKind, SeatRange, SeatView, Space
from companion.games.api.play import Event
from companion.games.api.screen_views import Outcome, PieceView, ScoreView, SeatScore
from models.board import cell_text
from models.message import say

from .game import beside, reached
from .play import DICE, HITS_ON, PLAY, RANGE, START, Skirmish


class HexesScreen(GameScreen):
    games = ("hexes",)

    def name(self, game: str) -> str:
        return say("Hexes")

    def space(self, game: str, mode: str = "") -> Space:
        scout = PieceKind("scout", say("Scout"), "cells", (1, 1), (15, 12), stand_mm=40)
        return Space("hex", (5, 5), START.board.cell_in, (scout,))

    def seat_range(self, game: str, mode: str = "") -> SeatRange:
        return RANGE

    def seats(self, state: Skirmish) -> Sequence[SeatView]:
        return state.seats

    def prompts(self, state: Skirmish, seat: str | None = None) -> Sequence[api.Prompt]:
        if state.winner():
            return ()
        title = say("{name}’s turn", name=state.named(state.seat))
        if state.attack is None:
            mine = tuple(one.id for one in state.table.pieces if one.side == state.seat)
            pass_ = api.Choice(say("Pass"), ({"do": "pass"},), "quiet")
            text = say("Move or attack.")
            return (api.Prompt("turn", title, text, (state.seat,), choices=(pass_,), pieces=mine),)
        dice = api.DiceRequest(DICE, {"do": "roll"}, wanted=HITS_ON, count_field="hits")
        hit = say("How many hit on {face}+?", face=HITS_ON)
        return (api.Prompt("roll", title, hit, (state.seat,), dice=dice, pieces=state.attack),)

    def offers(
        self, state: Skirmish, report: Any, piece: str | None = None
    ) -> Sequence[api.ActionOffer]:
        found = []
        mine = [one for one in state.table.pieces if one.side == state.seat and not state.attack]
        for one in (one for one in mine if piece in (None, one.id)):
            for foe in (foe for foe in state.table.pieces if foe.side != one.side):
                do = {"do": "attack", "piece": one.id, "target": foe.id}
                text = say("Attack {name}", name=foe.name)
                attack = api.ActionOffer("attack", text, (do,), one.id)
                if foe.id in beside(state.table, one.id):
                    found.append(replace(attack, target=foe.id, odds="75 %", value=1))
                elif piece:
                    why = say("They are not neighbours.")
                    found.append(replace(attack, verdict="no", rules=("HEX-2",), reason=why))
            move, cells = {"do": "move", "piece": one.id}, reached(state.table, one.id)
            to = (api.TargetCell(c, ({**move, "cell": cell_text(c)},)) for c in cells)
            if piece and cells:
                found.append(api.ActionOffer("move", say("Move"), (), one.id, cells=tuple(to)))
        return sorted(found, key=lambda one: (one.verdict == "no", -one.value))

    def outcome(self, before: Skirmish, events: Sequence[Event], after: Skirmish) -> Outcome:
        text, won, dice = PLAY.title(events[-1]), after.winner(), events[-1].data.get("faces", ())
        follows = say("{name} wins.", name=after.named(won)) if won else ""
        return Outcome(text, follows, dice=tuple(dice), big=bool(won))

    def pieces(self, state: Skirmish) -> Sequence[PieceView]:
        left = {one.id: one.facts["health"] for one in state.table.pieces}
        views = ((s.id, s.name, s.name, s.side, "scout", left.get(s.id, 0)) for s in START.pieces)
        return [PieceView(*view, 2) for view in views]

    def score(self, state: Skirmish) -> ScoreView:
        scores = tuple(SeatScore(seat, n, 2, "points") for seat, n in state.score().items())
        return ScoreView(scores, winner=state.winner() or "")


SCREEN = HexesScreen()
