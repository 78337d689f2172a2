"""The core set's tokens: how many are in use, and when they run out."""

from __future__ import annotations

from companion.games.api.page import PageCard, Section
from companion.games.thrones.play.state import ThronesState, total_power
from models.lazy_message import say

CORE_TOKENS = {"gold": 30, "power": 30, "influence": 10}
"""The tokens of a core set (AGOT-CMP-14)."""
TOKEN_WORDS = {
    "gold": say("Gold in the treasury"),
    "power": say("Power in the treasury"),
    "influence": say("Influence tokens in the treasury"),
}


def tokens_in_use(state: ThronesState) -> dict[str, int]:
    """The tokens that players and cards have; others than gold and power are influence tokens
    (AGOT-CMP-16)."""
    return {
        "gold": sum(one.gold for one in state.houses),
        "power": sum(total_power(state, one) for one in state.seats),
        "influence": sum(n for card in state.cards for _, n in card.tokens),
    }


def treasury_section(state: ThronesState) -> Section:
    """What one core set leaves in the treasury; other markers replace what runs out
    (AGOT-TOK-1, AGOT-TOK-11)."""
    cards = []
    for kind, used in tokens_in_use(state).items():
        left = CORE_TOKENS[kind] - used
        short = say("{n} too few: use other markers", n=-left) if left < 0 else ""
        cards.append(
            PageCard(
                f"treasury-{kind}",
                TOKEN_WORDS[kind],
                (short,) if short else (),
                "",
                "cards",
                count=max(0, left),
            )
        )
    return Section(say("Treasury"), tuple(cards), "row")
