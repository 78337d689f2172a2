"""What players enter in single modes: a castle wall's arrows, large reserves."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.api.play import Pending
from companion.games.api.prompt import Entry, PromptForm
from companion.games.tmg.play.names import GameNames
from companion.games.tmg.play.state.game_state import GameState
from companion.games.tmg.rules.combat.dice import dice_rules
from companion.games.tmg.screen.choice_words import ANSWERS
from companion.games.tmg.screen.prompt_forms import units_of
from models.message import say

MANY_WAYS = 40
"""More reserves than this are chosen unit by unit."""


def mode_forms(state: GameState, names: GameNames, one: Pending, ways: int) -> Iterator[PromptForm]:
    """The forms of a mode's own prompts."""
    if one.what == "action" and state.wall(str(one.data["unit"])):
        yield arrows_form(state, names)
    if one.what == "reserves" and ways > MANY_WAYS:
        yield reserve_form(state, names, one)


def arrows_form(state: GameState, names: GameNames) -> PromptForm:
    """A castle wall shoots; how well stands on its card alone (TMG-MODE-SOS-18), and from where it
    is measured in no book: its player says what it sees."""
    rules, (dice, hit) = dice_rules(state.year), state.arrows
    foes = tuple(
        choice for side in state.opponents(state.active) for choice in units_of(state, names, side)
    )
    entries = [
        Entry("target", say("Whom does it shoot at?"), "option", foes),
        Entry("dice", say("Attack dice on its card"), "number", (), 1, 30, dice or 1),
        Entry("hit", say("To-hit value on its card"), "number", (), 2, 6, hit or 4),
    ]
    if rules.zones_help_shots:
        arcs = tuple((arc, ANSWERS["zone"][arc]) for arc in ("front", "flank", "rear"))
        entries.append(Entry("zone", say("From which side?"), "option", arcs))
    if rules.cover_defense:
        hidden = tuple((value, ANSWERS["cover"][value]) for value in (False, True))
        entries.append(Entry("cover", say("Is Cover between them?"), "option", hidden))
    return PromptForm(say("Shoot arrows"), {"do": "action", "action": "arrows"}, tuple(entries))


def reserve_form(state: GameState, names: GameNames, one: Pending) -> PromptForm:
    """The units that start in reserve, where there are too many ways to list (COK-13, SOS-10)."""
    units = tuple(one.data["units"])
    entries = [
        Entry(
            "units",
            say("Tap the units that start in reserve."),
            "several",
            tuple((unit, names.of(unit)) for unit in units),
            most=len(units),
            value=[],
        )
    ]
    leads = any(ncu.commander and ncu.side == one.side for ncu in state.ncus)
    led = tuple((unit, names.of(unit)) for unit in units if state.unit(unit).attachments)
    if one.data.get("deployed") and leads and led:
        text = say("Whose attachment stands in for the commander?")
        entries.append(Entry("leader", text, "option", led, required=False))
    command = {"do": "reserve", "side": one.side}
    return PromptForm(say("These start in reserve"), command, tuple(entries))
