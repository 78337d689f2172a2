"""What the card toy shows: nobody's hand but one's own, and no table."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api import screen_views as api
from companion.games.api.game_screen import GameScreen
from companion.games.api.new_game import SeatRange, SeatView, Space
from companion.games.api.play import Event
from companion.games.api.prompt import Choice, Prompt
from models.message import say

from .play import RANGE, Tricks


class CardsScreen(GameScreen):
    games = ("cards",)

    def name(self, game: str) -> str:
        return say("Tricks")

    def space(self, game: str, mode: str = "") -> Space:
        return Space("none")

    def seat_range(self, game: str, mode: str = "") -> SeatRange:
        return RANGE

    def seats(self, state: Tricks) -> Sequence[SeatView]:
        return state.seats

    def prompts(self, state: Tricks, seat: str | None = None) -> Sequence[Prompt]:
        waiting = state.waiting()
        if not waiting:
            return ()
        everybody = tuple(one.id for one in state.seats)
        answered = tuple(one for one in everybody if one not in waiting)
        hand = state.hands[state.at(seat)] if seat in waiting else ()
        choices = tuple(
            Choice(str(card), ({"do": "choose", "seat": seat, "card": card},), seat=seat or "")
            for card in hand
        )
        return (
            Prompt(
                "choose",
                say("Choose a card"),
                say("All cards are revealed together."),
                everybody,
                choices=choices,
                secret=True,
                answered=answered,
                page="hands",
            ),
        )

    def outcome(self, before: Tricks, events: Sequence[Event], after: Tricks) -> api.Outcome | None:
        names = {seat.id: seat.name for seat in after.seats}
        first, last = events[0], events[-1]
        if last.type == "chosen":
            return api.Outcome(say("{name} has chosen.", name=names[first.data["seat"]]))
        best = last.data["winner"]
        text = say("{card} wins: {name} takes it.", card=last.data["cards"][best], name=names[best])
        return api.Outcome(text, seat=best, tone="good", big=after.over())

    def score(self, state: Tricks) -> api.ScoreView:
        scores = tuple(api.SeatScore(seat, n, unit="tricks") for seat, n in state.score().items())
        return api.ScoreView(scores, winner=state.winner() or "")

    def pages(self, state: Tricks, seat: str | None = None) -> Sequence[api.Page]:
        hands = tuple(
            api.PageCard(
                one.id,
                one.name,
                (", ".join(map(str, hand)),) if one.id == seat else (),
                one.id,
                count=len(hand),
                secret=one.id == seat,
            )
            for one, hand in zip(state.seats, state.hands, strict=True)
        )
        return (api.Page("hands", say("Hands"), "cards", (api.Section(say("Hands"), hands),)),)


SCREEN = CardsScreen()
