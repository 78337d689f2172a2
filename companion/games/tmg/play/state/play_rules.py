"""The differences between the editions in the flow of the game, as data."""

from __future__ import annotations

from dataclasses import dataclass

from models import UnknownName
from models.message import say

ROUNDS = 6  # TMG-VIC-4
HAND = 3  # TMG-RND-19, TMG-DECK-2
CONDITIONS = ("panicked", "vulnerable", "weakened")  # TMG-CON-1
SPENT = {"attack": "weakened", "defense": "vulnerable", "panic": "panicked", "morale": "panicked"}
"""The condition token that an opponent may spend after each kind of roll (TMG-CON-5..7)."""
MOST_HEALED = 3  # TMG-ZON-3
ZONES = ("crown", "wealth", "tactics", "combat", "maneuver")  # TMG-ZON-1
ACTIONS = ("maneuver", "march", "retreat", "attack", "charge")  # TMG-ACT-1
SIZES = {"small": 30, "medium": 40, "large": 50}  # TMG-ARM-2
MISSIONS = 12
OBJECTIVE_CARDS = 10
SIEGE_CARDS = 6
SECRET_MISSIONS = 20


@dataclass(frozen=True, slots=True)
class PlayRules:
    """The rules of one edition; the code asks these and never the year."""

    year: str
    hand_limit: int | None
    """TMG-RND-20."""
    cards_barred_until: str
    """TMG-CHG-26: how long a disorderly charge forbids tactics cards: 'turn' or 'action'."""
    second_is_first: bool
    """TMG-DEP-2: the side that did not choose the zone is first player; else it chooses who is."""
    free_units_score: bool
    """TMG-VIC-8: units of 0 points also give a point."""
    ncu_may_forgo: bool
    """TMG-NCU-5."""
    zone_effects: bool
    """TMG-ZON-2..6: the effects are known; otherwise only the players' board prints them."""
    abilities_share_trigger: bool
    """TMG-TIM-1: every optional effect counts, not only orders and tactics cards."""
    attack_completed_waits: bool
    """TMG-ATK-17, TMG-SRG-3: effects after an attack come before Surge Forward."""
    random_terrain: bool
    """TMG-SET-10, TMG-SET-11."""
    tokens_before_terrain: bool
    """TMG-SET-4."""
    solo_attachments: bool
    """TMG-ATM-3: not mentioned, and therefore allowed, in 2018."""
    innate: bool
    """TMG-CARD-9, TMG-ABL-7: abilities can be lost, innate ones cannot."""
    dangerous_acting: bool
    """TMG-TER-9: acting on Dangerous ground costs wounds, not only moving there."""
    panic_d3: bool
    """TMG-PAN-2: a D3 is rolled with a panic test."""
    goal_needs_more: bool
    """TMG-VIC-2: if two players reach the goal, only equal points continue the game (2018)."""


RULES = {
    rules.year: rules
    for rules in (
        PlayRules(
            year="2021",
            hand_limit=5,
            cards_barred_until="turn",
            second_is_first=False,
            free_units_score=True,
            ncu_may_forgo=True,
            zone_effects=True,
            abilities_share_trigger=False,
            attack_completed_waits=True,
            random_terrain=True,
            tokens_before_terrain=True,
            solo_attachments=False,
            innate=True,
            dangerous_acting=True,
            panic_d3=True,
            goal_needs_more=False,
        ),
        PlayRules(
            year="2018",
            hand_limit=None,
            cards_barred_until="action",
            second_is_first=True,
            free_units_score=False,
            ncu_may_forgo=False,
            zone_effects=False,
            abilities_share_trigger=True,
            attack_completed_waits=False,
            random_terrain=False,
            tokens_before_terrain=False,
            solo_attachments=True,
            innate=False,
            dangerous_acting=False,
            panic_d3=False,
            goal_needs_more=True,
        ),
    )
}


def rules_of(year: str) -> PlayRules:
    try:
        return RULES[year]
    except KeyError:
        raise UnknownName(
            say(
                "no edition {year!r}; there are: {known}", year=year, known=", ".join(sorted(RULES))
            )
        ) from None


def goal_for(points: int) -> int:
    """The victory points needed to win a game of that size (TMG-VIC-3, OR-38).

    >>> [goal_for(points) for points in (30, 40, 50, 60, 70)]
    [8, 10, 12, 14, 16]
    """
    return 8 + 2 * max(0, (points - 30) // 10)
