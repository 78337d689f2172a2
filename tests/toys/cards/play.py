"""The card toy in play: all choose a card in secret, then the highest card takes the trick."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.games.api import play as api
from companion.games.api.new_game import SeatRange, SeatView, plain_seat
from models.field import Field
from models.message import say

SEATS = ("north", "east", "south", "west", "up", "down")
RANGE = SeatRange(2, 6, SEATS, teams=3)


@dataclass(frozen=True, slots=True)
class Tricks:
    seats: tuple[SeatView, ...]
    hands: tuple[tuple[int, ...], ...]
    chosen: tuple[int | None, ...]
    taken: tuple[int, ...]

    def at(self, seat: str) -> int:
        return [one.id for one in self.seats].index(seat)

    def waiting(self) -> tuple[str, ...]:
        """The seats that have not chosen yet."""
        if self.over():
            return ()
        return tuple(s.id for s, card in zip(self.seats, self.chosen, strict=True) if card is None)

    def score(self) -> dict[str, int]:
        return {seat.id: n for seat, n in zip(self.seats, self.taken, strict=True)}

    def over(self) -> bool:
        return not any(self.hands)

    def winner(self) -> str | None:
        best = [seat for seat, n in self.score().items() if n == max(self.taken)]
        return (best[0] if len(best) == 1 else "draw") if self.over() else None


class CardsPlay(api.Play[Tricks]):
    games = ("cards",)

    def prepare(self, game: str, command: api.Plain) -> api.Plain | api.Refusal:
        field = Field(command, "set-up")
        field.keys({"do", "seed", "seats"}, {"seed"})
        seats, deck = RANGE.read(field), list(range(1, 25))
        random.Random(field.member("seed").whole(0, 2**50)).shuffle(deck)
        hands = [sorted(deck[i::6]) for i in range(6)]
        return {"seats": [plain_seat(one) for one in seats], "hands": hands[: len(seats)]}

    def start(self, game: str, setup: api.Plain) -> Tricks:
        seats, count = RANGE.read(Field(setup)), len(setup["hands"])
        return Tricks(seats, tuple(map(tuple, setup["hands"])), (None,) * count, (0,) * count)

    def decide(self, state: Tricks, command: api.Plain) -> api.Decision:
        field = Field(command, command["do"])
        if command["do"] != "choose":
            return api.Refusal("INPUT", f"no command {command['do']!r}")
        field.keys({"do", "seat", "card"}, {"seat", "card"})
        seat = field.member("seat").choice([one.id for one in state.seats])
        card = field.member("card").whole(1, 24)
        if seat not in state.waiting():
            return api.Refusal("CRD-1", say("this player does not choose now"))
        if card not in state.hands[state.at(seat)]:
            return api.Refusal("CRD-2", say("{card} is not in this hand", card=card))
        events = [api.Event("chosen", {"seat": seat, "card": card})]
        if state.waiting() == (seat,):
            shown = {
                **dict(zip([s.id for s in state.seats], state.chosen, strict=True)),
                seat: card,
            }
            best = max(shown, key=lambda one: shown[one] or 0)
            events.append(api.Event("revealed", {"cards": shown, "winner": best}))
        return api.Accepted(tuple(events))

    def apply(self, state: Tricks, event: api.Event) -> Tricks:
        data, none = event.data, (None,) * len(state.seats)
        if event.type == "chosen":
            at = state.at(data["seat"])
            chosen = (*state.chosen[:at], data["card"], *state.chosen[at + 1 :])
            return replace(state, chosen=chosen)
        pairs = zip(state.hands, state.chosen, strict=True)
        hands = tuple(tuple(card for card in hand if card != gone) for hand, gone in pairs)
        taken = tuple(n + (s == data["winner"]) for s, n in state.score().items())
        return replace(state, hands=hands, chosen=none, taken=taken)

    def view(self, state: Tricks, side: str | None = None) -> dict[str, Any]:
        hands = {
            seat.id: list(hand) if seat.id == side else len(hand)
            for seat, hand in zip(state.seats, state.hands, strict=True)
        }
        return {**super().view(state, side), "hands": hands, "waiting": list(state.waiting())}

    def moment(self, state: Tricks) -> api.GameMoment:
        round_, waiting = 1 + sum(state.taken), state.waiting()
        seat = waiting[0] if len(waiting) == 1 else None
        ids = tuple(one.id for one in state.seats)
        return api.GameMoment(round_, "choose", round_, seat, ids, state.score(), state.winner())

    def pending(self, state: Tricks) -> Sequence[api.Pending]:
        asked = say("Choose a card")
        return [api.Pending("choose", asked, seat, ("choose",)) for seat in state.waiting()]

    def options(self, state: Tricks, side: str | None = None) -> Sequence[api.Plain]:
        def offered(seat: str) -> list[api.Plain]:
            hand = state.hands[state.at(seat)] if seat == side else ()
            return [{"do": "choose", "seat": seat, "card": card} for card in hand]

        return [{"options": offered(seat), "open": []} for seat in state.waiting()]

    def title(self, event: api.Event) -> str:
        if event.type == "chosen":
            return say("{seat} has chosen", seat=event.data["seat"])
        return say("{seat} takes the trick", seat=event.data["winner"])

    def help(self, game: str) -> Sequence[api.Command]:
        fields = (api.FieldSpec("seat", "side"), api.FieldSpec("card", "number"))
        return api.Command("set-up", "deal"), api.Command("choose", "choose a card", fields)


PLAY = CardsPlay()
