"""The end of an effect that asks every player: what was chosen happens at once."""

from __future__ import annotations

from companion.games.thrones.play.context import ThronesContext
from companion.games.thrones.play.leaving import leave_play
from companion.games.thrones.play.shared_decision import LEAVING_PILES


def resolve_choices(ctx: ThronesContext) -> None:
    """All have decided: it happens to all chosen cards at once (AGOT-ORD-13)."""
    decision = ctx.state.decision
    assert decision is not None
    chosen = {card for one in decision.choices for card in one.cards}
    cards = [one for one in ctx.state.cards if one.id in chosen]
    ctx.add("all-chose")
    if decision.how == "knelt":
        ctx.kneel(one for one in cards if not one.kneeling)
    elif decision.how == "stood":
        ctx.stand(one for one in cards if one.kneeling)
    elif decision.how:
        saves = {card: by for one in decision.choices for card, by in one.saves}
        pile = LEAVING_PILES[decision.how]
        leave_play(ctx, [(card, pile) for card in cards], decision.how, saves)
