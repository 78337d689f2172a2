"""The open readings of the handbook as settings, each with its default (AGOT-OR-n)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.api.rules import ReadingSwitch
from companion.games.shared.readings import parse_readings
from models.lazy_message import say


@dataclass(frozen=True, slots=True)
class ThronesReadings:
    """What the players agreed on where the book is silent; the defaults are the catalogue's."""

    set_up_attachments: str = "own"
    intimidate: str = "participating"
    higher_total: str = "nobody"
    power_claim: str = "faction-card"
    last_two: str = "titles"
    end_order: str = "power-first"
    redirect: str = "any"
    ambush_limited: str = "exempt"
    stealth_twice: str = "allowed"

    @classmethod
    def parse(cls, texts: Sequence[str]) -> ThronesReadings:
        """The settings from texts `NAME=VALUE`; an unknown name or value is refused."""
        return parse_readings(cls(), SWITCHES, texts)


def switch(number: int, name: str, choices: str, words: str) -> ReadingSwitch:
    """One open reading; the first choice is the default."""
    return ReadingSwitch(f"AGOT-OR-{number}", name, tuple(choices.split()), words)


SWITCHES = (
    switch(3, "set-up-attachments", "own any", say("set-up attachments go on own cards only")),
    switch(
        5,
        "intimidate",
        "participating controlled",
        say("an intimidating character must participate as attacker"),
    ),
    switch(
        7,
        "higher-total",
        "nobody lower-side",
        say("who wins if the side with the higher total cannot win"),
    ),
    switch(9, "power-claim", "faction-card all-cards", say("where a power claim takes power from")),
    switch(14, "last-two", "titles none", say("whether two players left go on with titles")),
    switch(
        15,
        "end-order",
        "power-first elimination-first",
        say("what counts first: 15 power or an empty deck"),
    ),
    switch(
        17,
        "redirect",
        "any of-others",
        say("which challenges the Crown Regent may redirect"),
    ),
    switch(
        18,
        "ambush-limited",
        "exempt counted",
        say("whether ambush counts as marshaling a limited card"),
    ),
    switch(
        19,
        "stealth-twice",
        "allowed forbidden",
        say("whether two characters may bypass the same one"),
    ),
)
