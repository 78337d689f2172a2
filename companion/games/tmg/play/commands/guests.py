"""Attachments whose cards say that they join an enemy unit (TMG-ARM-13): their owner says which
one, before or after deployment. Until then they stand nowhere.
"""

from __future__ import annotations

import re

from companion.games.api.play import Refusal
from companion.games.tmg.cards.army_catalogue import Attachment
from companion.games.tmg.play.context import CommandContext, CommandFields, ask, command, no
from companion.games.tmg.play.events import unit_events
from companion.games.tmg.play.state.game_state import GameState, Guest
from companion.games.tmg.play.state.unit_state import DESTROYED, SOLO_TRAYS

HOSTS = "infantry"
"""The type of unit that all of them join, as their cards say."""
MOMENTS = {"guests": "before", "late-guests": "after"}
"""When an attachment joins, by the step of the set-up: before deployment, or after it."""


def guest_now(state: GameState, step: str) -> Guest | None:
    """The attachment that joins an enemy unit in this step; None if there is none, or nowhere for
    it to go."""
    found = (one for one in state.guests if one.attachment.joins == MOMENTS.get(step))
    return next((one for one in found if hosts(state, one)), None)


def hosts(state: GameState, guest: Guest) -> tuple[str, ...]:
    """The enemy units that an attachment may join (TMG-ATM-5)."""
    return tuple(
        one.id
        for one in state.units
        if one.side != guest.side
        and one.type == HOSTS
        and one.place != DESTROYED
        and (one.tray not in SOLO_TRAYS or state.rules.solo_attachments)
        and len(one.attachments) < one.models
    )


@command(
    "join",
    "an attachment joins the enemy unit that its owner chooses, as its card says",
    ask("player", "player", "whose card it is", required=True),
    ask("unit", "unit", "an enemy infantry unit", required=True),
    phases=("set-up",),
)
def join(context: CommandContext, given: CommandFields) -> Refusal | None:
    """It stands in that unit only (TMG-ATM-2, TMG-ARM-9), as its leftmost model (TMG-ATM-6, -8)."""
    state = context.state
    player, guest = state.player(given.need("player")), guest_now(state, state.step)
    if guest is None or guest.player != player.id:
        return no("TMG-ARM-13", "no attachment of {player} joins a unit now", player=player.id)
    unit = state.unit(given.need("unit"))
    name = guest.attachment.name
    if unit.side == guest.side:
        return no("TMG-ARM-13", "{name} joins an enemy unit", name=name)
    if unit.id not in hosts(state, guest):
        return no("TMG-ATM-5", "{name} cannot join {unit}", name=name, unit=unit.id)
    context.add(unit_events.guest_joined, unit=unit.id, name=name, player=player.id)
    return None


def stands_already(state: GameState, card: Attachment) -> Refusal | None:
    """Why a character joins no further unit: it stands in as many as the armies have of it
    (TMG-ARM-9, TMG-ATM-2)."""
    if not card.character:
        return None
    bought = sum(re.split("[;,]", one.army).count(card.id) for one in state.players)
    found = [
        one.id
        for one in state.units
        for joined in one.attachments
        if joined.name == card.label and one.place != DESTROYED
    ]
    if len(found) < max(1, bought):
        return None
    said = "{name} stands in {unit}: take it out there first"
    return no("TMG-ATM-2", said, name=card.label, unit=found[0])
