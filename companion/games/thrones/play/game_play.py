"""The card game's implementation of the play interface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.api.play import (
    ArmySummary,
    Event,
    GameMoment,
    Pending,
    Plain,
    Refusal,
    UnitSummary,
)
from companion.games.shared.command_play import CommandPlay
from companion.games.shared.commands import CommandRule
from companion.games.thrones.cards.deck import FACTION_WORDS
from companion.games.thrones.game import GAME_NAME
from companion.games.thrones.play import flow, setup
from companion.games.thrones.play.command_timing import timing_refusal
from companion.games.thrones.play.commands import command_table  # noqa: F401
from companion.games.thrones.play.context import REGISTRY, ThronesContext
from companion.games.thrones.play.events.event_kinds import ROUTINE
from companion.games.thrones.play.events.event_log import EVENTS
from companion.games.thrones.play.prompts import question
from companion.games.thrones.play.state import PHASE_WORDS, PHASES, ThronesState, total_power
from companion.games.thrones.play.table_view import table_view
from models.lazy_message import say


class ThronesPlay(CommandPlay[ThronesState, ThronesContext]):
    """A game behind the play interface; `games/api/play.py` documents the methods."""

    game_name = GAME_NAME
    setup = setup.SETUP
    commands = REGISTRY
    events = EVENTS

    def context(self, state: ThronesState) -> ThronesContext:
        return ThronesContext(state)

    def timing_refusal(
        self, state: ThronesState, rule: CommandRule[ThronesContext]
    ) -> Refusal | None:
        return timing_refusal(state, rule.name)

    def settle(self, ctx: ThronesContext) -> None:
        flow.settle(ctx)

    def prepare(self, game: str, command: Plain) -> Plain | Refusal:
        return setup.prepare(game, command)

    def start(self, game: str, setup_: Plain) -> ThronesState:
        return setup.start(game, setup_)

    def view(self, state: ThronesState, side: str | None = None) -> dict[str, Any]:
        return {**super().view(state, side), **table_view(state, side)}

    def moment(self, state: ThronesState) -> GameMoment:
        asked = question.asked_seats(state)
        digit = next((int(key) for key, name in PHASES.items() if name == state.phase), 0)
        return GameMoment(
            round=state.round,
            phase=state.phase,
            turn=10 * state.round + digit if state.round else 0,
            side=asked[0] if len(asked) == 1 else None,
            sides=state.seats,
            score={seat: total_power(state, seat) for seat in state.seats},
            winner=state.winner or None,
            names={one.id: one.name for one in state.houses},
            part=PHASE_WORDS[state.phase],
        )

    def pending(self, state: ThronesState) -> Sequence[Pending]:
        return question.pending(state)

    def options(self, state: ThronesState, side: str | None = None) -> Sequence[Plain]:
        return question.options(state, side)

    def report_sentence(self, state: ThronesState, event: Event) -> str:
        return "" if event.type in ROUTINE else EVENTS.title(event)

    def occasion(self, state: ThronesState) -> str:
        return say("Melee") if state.melee else say("Joust")

    def armies(self, state: ThronesState) -> Sequence[ArmySummary]:
        """The decks: every player's characters in play and dead."""
        found = []
        for house in state.houses:
            cards = [
                UnitSummary(card.name, None, say("in play"))
                for card in state.controlled(house.id, "character")
            ]
            cards += [
                UnitSummary(house.card(code).name, None, say("dead"), True)
                for code in house.dead
                if code
            ]
            faction = FACTION_WORDS.get(house.faction, house.faction)
            found.append(ArmySummary(house.id, house.name, faction, tuple(cards)))
        return found
