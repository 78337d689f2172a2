"""The open readings of the handbook as settings, each with its default (AGOT-OR-n)."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.shared.readings import GameReadings, reading, switches_of
from models.message import say


@dataclass(frozen=True, slots=True)
class ThronesReadings(GameReadings):
    """What the players agreed on where the book is silent; the defaults are the catalogue's."""

    set_up_attachments: str = reading(
        "AGOT-OR-3",
        {"own": say("on own cards only"), "any": say("on any card")},
        say("set-up attachments go on own cards only"),
    )
    intimidate: str = reading(
        "AGOT-OR-5",
        {
            "participating": say("it participates as attacker"),
            "controlled": say("it is enough to control it"),
        },
        say("an intimidating character must participate as attacker"),
    )
    higher_total: str = reading(
        "AGOT-OR-7",
        {"nobody": say("nobody wins"), "lower-side": say("the other side wins, if it can")},
        say("who wins if the side with the higher total cannot win"),
    )
    power_claim: str = reading(
        "AGOT-OR-9",
        {"faction-card": say("from the faction card"), "all-cards": say("from any card")},
        say("where a power claim takes power from"),
    )
    last_two: str = reading(
        "AGOT-OR-14",
        {"titles": say("with titles"), "none": say("without titles")},
        say("whether two players left go on with titles"),
    )
    end_order: str = reading(
        "AGOT-OR-15",
        {"power-first": say("15 power first"), "elimination-first": say("the empty deck first")},
        say("what counts first: 15 power or an empty deck"),
    )
    redirect: str = reading(
        "AGOT-OR-17",
        {"any": say("any challenge"), "of-others": say("challenges of others")},
        say("which challenges the Crown Regent may redirect"),
    )
    ambush_limited: str = reading(
        "AGOT-OR-18",
        {"exempt": say("it does not count"), "counted": say("it counts")},
        say("whether ambush counts as marshaling a limited card"),
    )
    stealth_twice: str = reading(
        "AGOT-OR-19",
        {"allowed": say("they may"), "forbidden": say("they may not")},
        say("whether two characters may bypass the same one"),
    )
    time_ties: str = reading(
        "AGOT-END-2",
        {
            "named": say("whom the players name"),
            "dominance": say("who would win dominance"),
            "deck": say("who has more cards in the draw deck"),
            "tournament": say(
                "most cards in the draw deck, then last dominance, fewest dead, player order"
            ),
        },
        say("who wins with equal power when time is up"),
    )


SWITCHES = switches_of(ThronesReadings)
