"""Double taps in whole games: the second tap of two does nothing that nobody has read."""

from __future__ import annotations

import re

from companion.app.scripted.driver import Driver
from companion.app.turn.dice_entry import DiceEntry
from companion.app.widgets.controls import Text
from companion.app.widgets.tap_guard import AWAKE_S
from tests.app.screens import test_tactics

skirmish = test_tactics.skirmish
WARDEN, RIDER, SCOUT = test_tactics.WARDEN, test_tactics.RIDER, "r3"


def prompt(driver: Driver) -> str:
    """What is asked."""
    return str(driver.app.service.snapshot.prompts[0].id)


def twice(driver: Driver, name: str) -> tuple[float, float]:
    """A double tap near the upper right end of a button; the second one when the step is done."""
    driver.until(lambda: driver.find(name) is not None)  # offers are worked out meanwhile
    button = driver.find(name)
    assert button is not None
    driver.place(button)
    right, high = button.x + 0.85 * button.width, button.y + 0.8 * button.height
    here = button.to_window(right, high)
    driver.look_first(*here)
    driver.touch(*here)
    driver.rest()
    driver.touch(*here)
    driver.rest()
    return float(here[0]), float(here[1])


def test_activate_is_not_tapped_into_an_attack(skirmish: Driver) -> None:
    test_tactics.sent(skirmish, {"do": "place", "figure": RIDER, "to": "3,2"})
    skirmish.tap_unit(WARDEN)
    here = twice(skirmish, "do-offer")
    assert prompt(skirmish) == "act"
    skirmish.waited_s += AWAKE_S
    skirmish.touch(*here)
    skirmish.rest()
    assert prompt(skirmish) == "attack-roll", "a tap later it is meant"


def test_kill_is_not_tapped_into_no_surge(skirmish: Driver) -> None:
    """Kill or capture, then surge or not: two rows one over the other."""
    test_tactics.sent(
        skirmish,
        {"do": "place", "figure": SCOUT, "to": "3,2"},
        {"do": "activate", "figure": WARDEN},
        {"do": "attack", "target": SCOUT},
        {"do": "roll", "hits": 1, "tens": 1},
        {"do": "roll", "hits": 0},
    )
    assert prompt(skirmish) == "fate"
    twice(skirmish, "choice:fate:kill")
    assert prompt(skirmish) == "motivation", "it is asked at once, before the surge"


def plain(text: str) -> str:
    """A text without its marks."""
    return re.sub(r"\[.*?\]", "", text).replace("\u00a0", " ")


def test_a_defence_has_the_colours_and_the_name_of_who_rolls_it(skirmish: Driver) -> None:
    """The defender's keys were the attacker's, but for one word over them."""
    test_tactics.sent(
        skirmish,
        {"do": "place", "figure": RIDER, "to": "3,2"},
        {"do": "activate", "figure": WARDEN},
        {"do": "attack", "target": RIDER},
    )
    panel, looks = skirmish.app.screen.panel, []
    for hits in (1, 0):
        (entry,) = [one for one in panel.walk() if isinstance(one, DiceEntry)]
        told = [one.text for one in entry.walk() if isinstance(one, Text)]
        looks.append((entry.side, panel.card.rim_role, panel.head.title.text, plain(told[0])))
        test_tactics.sent(skirmish, {"do": "roll", "hits": hits})
    assert looks == [
        ("side-0", "side-0", "Attack roll", "● Anna · How many show 6+?"),
        ("side-1", "side-1", "Defence roll", "◆ Ben · How many show 5+?"),
    ]
