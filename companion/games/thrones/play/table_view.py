"""The state as other programs see it: zones by number, cards in play, the challenge."""

from __future__ import annotations

from typing import Any

from companion.games.thrones.play.numbers import (
    PLOT_VALUES,
    challenge_side,
    dominance_total,
    plot_value,
    strength,
)
from companion.games.thrones.play.state import (
    CardInPlay,
    HouseInPlay,
    ThronesState,
    total_power,
)
from models.field import drop_empty


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
    return found


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
    if house.title:
        found["title"] = house.title
    if own:
        found["plots"] = [house.card(code).name for code in house.plots]
        found["chosen"] = house.card(house.chosen).name if house.chosen else None
        found["taken"] = house.taken
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
        "keywords": list(card.facts.keywords),
    }
    if card.type == "character":
        found["strength"] = strength(state, card)
        found["icons"] = list(card.facts.icons)
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
