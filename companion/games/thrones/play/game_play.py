"""The card game's implementation of the play interface, and the state as other programs see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.games.api.play import (
    ArmySummary,
    Event,
    GameMoment,
    Refusal,
    UnitSummary,
)
from companion.games.shared.command_play import CommandPlay
from companion.games.shared.commands import CommandRule
from companion.games.thrones.cards.card import CHALLENGES
from companion.games.thrones.cards.deck import FACTION_WORDS
from companion.games.thrones.game import GAME_NAME
from companion.games.thrones.play import flow
from companion.games.thrones.play.authority import authority
from companion.games.thrones.play.commands import (  # noqa: F401  (the commands register themselves)
    camera_commands,
    card_commands,
    challenge_commands,
    count_commands,
    effect_commands,
    pile_commands,
    query_commands,
    setup_commands,
    window_commands,
)
from companion.games.thrones.play.context import EVENTS, REGISTRY, ThronesContext, timing_refusal
from companion.games.thrones.play.deck_army import DeckArmies
from companion.games.thrones.play.events.event_kinds import ROUTINE
from companion.games.thrones.play.events.round_events import PHASE_TITLES
from companion.games.thrones.play.numbers import (
    PLOT_VALUES,
    challenge_side,
    current_keywords,
    dominance_total,
    has_icon,
    plot_value,
    strength,
)
from companion.games.thrones.play.prompts import answers
from companion.games.thrones.play.setup import SETUP, prepare, start
from companion.games.thrones.play.state import (
    PHASE_WORDS,
    PHASES,
    CardInPlay,
    HouseInPlay,
    ThronesState,
    total_power,
)
from companion.games.thrones.play.veiled_game import veiled
from models.field import drop_empty
from models.message import joined, say


def table_view(state: ThronesState, side: str | None) -> dict[str, Any]:
    """Everything public, and the own secrets of a side."""
    found: dict[str, Any] = {
        "step": state.step,
        "first": state.first,
        "active_player": state.active or None,
        "seats": {one.id: house_view(state, one, one.id == side) for one in state.houses},
        "cards": {one.id: card_view(state, one) for one in state.cards},
        "modifiers": [
            drop_empty({"id": one.id, "target": one.target, "stat": one.stat, "by": one.operation,
                  "value": one.value, "until": one.until, "why": one.why, "source": one.source})
            for one in state.modifiers
        ],
    }  # fmt: skip
    if state.window is not None:
        window = state.window
        found["window"] = {"id": window.id, "holder": window.holder, "passes": window.passes}
    if state.challenge is not None:
        found["challenge"] = challenge_view(state)
    if state.winner:
        found["how"] = state.how
        found["standings"] = standings(state)
    return found


def standings(state: ThronesState) -> list[dict[str, Any]]:
    """The places: the winner, then by power, then who gave up or was eliminated; equals share a
    place (AGOT-END-3)."""
    power = {seat: total_power(state, seat) for seat in state.seats}
    ranks = {seat: (not state.house(seat).eliminated, power[seat]) for seat in state.seats}
    others = sorted(
        (one for one in state.seats if one != state.winner), key=ranks.__getitem__, reverse=True
    )
    return [
        {"place": 1, "seat": state.winner, "power": power[state.winner]},
        *(
            {"place": 2 + sum(ranks[other] > ranks[one] for other in others), "seat": one,
             "power": power[one]}
            for one in others
        ),
    ]  # fmt: skip


def house_view(state: ThronesState, house: HouseInPlay, own: bool) -> dict[str, Any]:
    """What a player has, by number; the plot deck only for its owner."""
    plot = house.plot
    found: dict[str, Any] = {
        "name": house.name,
        "faction": house.faction,
        "agenda": [one.name for one in house.deck.agendas],
        "hand": house.hand,
        "deck": house.draw_deck,
        "gold": house.gold,
        "power": total_power(state, house.id),
        "on_faction_card": house.power,
        "dominance": dominance_total(state, house.id),
        "discard": [house.card(code).name if code else "" for code in house.discard],
        "dead": [house.card(code).name if code else "" for code in house.dead],
        "plots_left": len(house.plots),
        "used_plots": [house.card(code).name for code in house.used],
        "chose_plot": bool(house.chosen),
        "eliminated": house.eliminated,
    }
    if plot is not None:
        values = {one: plot_value(state, house.id, one) for one in PLOT_VALUES}
        found["plot"] = {"name": plot.name, **values}
    more = {"kneeling": house.kneeling, "shadows": len(house.shadows),
            "under_agenda": len(house.under), "named": house.named}  # fmt: skip
    found |= {key: value for key, value in more.items() if value}
    if house.allowed:
        found["allowed"] = list(house.allowed)
    if house.title:
        found["title"] = house.title
    if own:
        found["plots"] = [house.card(code).name for code in house.plots]
        found["chosen"] = house.card(house.chosen).name if house.chosen else None
        found["taken"] = house.taken
        if house.shadows:
            found["in_shadows"] = [house.card(code).name if code else "" for code in house.shadows]
        found["placed"] = [house.card(code).name for code in house.placed or ()]
    return found


def card_view(state: ThronesState, card: CardInPlay) -> dict[str, Any]:
    """A card in play with its numbers now."""
    found: dict[str, Any] = {
        "name": card.name,
        "type": card.type,
        "owner": card.owner,
        "controller": card.controller,
        "kneeling": card.kneeling,
        "power": card.power or None,
        "host": card.host,
        "duplicates": len(card.duplicates) or None,
        "tokens": dict(card.tokens) or None,
        "tag": card.tag,
        "keywords": current_keywords(state, card),
    }
    if card.type == "character":
        found["strength"] = strength(state, card)
        found["icons"] = [kind for kind in CHALLENGES if has_icon(state, card, kind)]
    found["gives"] = dict(dict(state.gives).get(card.facts.code, ()))
    return drop_empty(found)


def challenge_view(state: ThronesState) -> dict[str, Any]:
    """The challenge with both totals."""
    found = state.challenge
    assert found is not None
    return {
        "type": found.type,
        "attacker": found.attacker,
        "defender": found.defender,
        "initiated_against": found.against,
        "attackers": list(found.attackers),
        "defenders": list(found.defenders),
        "bypassed": list(found.bypassed),
        "attack": challenge_side(state, found.attacker).total,
        "defence": challenge_side(state, found.defender).total,
        "winner": found.winner or None,
        "unopposed": found.unopposed,
        "keywords": list(found.keywords),
    }


REVEALED = ("set-up-revealed", "plots-revealed", "titles-revealed")
"""Events that turn over what players had chosen in secret."""


class ThronesPlay(DeckArmies, CommandPlay[ThronesState, ThronesContext]):
    """A game behind the play interface; `games/api/play.py` documents the methods."""

    game_name = GAME_NAME
    setup = SETUP
    commands = REGISTRY
    events = EVENTS

    def context(self, state: ThronesState) -> ThronesContext:
        return ThronesContext(state)

    def reveals(self, event: Event) -> bool:
        return event.type in REVEALED

    def timing_refusal(
        self, state: ThronesState, rule: CommandRule[ThronesContext]
    ) -> Refusal | None:
        return timing_refusal(state, rule.name)

    def settle(self, ctx: ThronesContext) -> None:
        flow.settle(ctx)

    veiled = staticmethod(veiled)
    prepare = staticmethod(prepare)
    start = staticmethod(start)

    def view(self, state: ThronesState, side: str | None = None) -> dict[str, Any]:
        return {**super().view(state, side), **table_view(state, side)}

    def moment(self, state: ThronesState) -> GameMoment:
        asked = answers.asked_seats(state)
        digit = next((int(key) for key, name in PHASES.items() if name == state.phase), 0)
        return GameMoment(
            round=state.round,
            phase=state.phase,
            turn=10 * state.round + digit if state.round else 0,
            side=state.active if state.active in asked else asked[0] if len(asked) == 1 else None,
            sides=state.seats,
            score={seat: total_power(state, seat) for seat in state.seats},
            winner=state.winner or None,
            names={one.id: one.name for one in state.houses},
            part=PHASE_WORDS[state.phase],
            readings=tuple(state.readings.texts()),
        )

    pending = staticmethod(answers.pending)
    authority = staticmethod(authority)
    options = staticmethod(answers.options)

    def report_sentence(self, state: ThronesState, event: Event) -> str:
        return "" if event.type in ROUTINE else EVENTS.title(event)

    def part_begun(self, event: Event, before: GameMoment) -> GameMoment | None:
        step = str(event.data.get("step", "")) if event.type == "step" else ""
        if step not in PHASE_TITLES:
            return None
        phase = PHASES[step[0]]
        number = before.round + (step[0] == "1")
        turn = 10 * number + int(step[0])
        return replace(before, round=number, phase=phase, turn=turn, part=PHASE_WORDS[phase])

    def occasion(self, state: ThronesState) -> str:
        """The kind of game, and which deck rules the table waived; the decks say more."""
        played = say("Melee") if state.melee else say("Joust")
        waived = (text.partition(":")[0] for house in state.houses for text in house.allowed)
        rules = joined(dict.fromkeys(waived))
        if not rules:
            return played
        return say("{game}; our table allows {rules}", game=played, rules=rules)

    def armies(self, state: ThronesState) -> Sequence[ArmySummary]:
        """The decks: faction and agendas, every player's characters in play and dead; and what the
        table allowed."""
        found = []
        for house in state.houses:
            cards = [
                UnitSummary(say("Our table allows it"), None, broken) for broken in house.allowed
            ]
            cards += [
                UnitSummary(
                    card.name,
                    None,
                    say("in play with {n} power", n=card.power) if card.power else say("in play"),
                )
                for card in state.controlled(house.id, "character")
            ]
            cards += [
                UnitSummary(house.card(code).name, None, say("dead"), True)
                for code in house.dead
                if code
            ]
            faction = FACTION_WORDS.get(house.faction, house.faction)
            leader = joined([faction, *(card.name for card in house.deck.agendas)], " · ")
            found.append(ArmySummary(house.id, house.name, leader, tuple(cards)))
        return found
