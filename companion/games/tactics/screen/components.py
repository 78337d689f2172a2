"""What lies on and beside the board: the tokens that the table must show, and the box's dice.

The counts of cardboard tokens are not printed (TAC-CMP-7): the page says how many are in use.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.api.page import PageCard, Section
from companion.games.tactics.play.state import SkirmishState
from companion.games.tactics.rules.objectives import LOOT_MARKS, OBJECTIVE
from models.lazy_message import say

DICE_IN_BOX = 8
"""The ten-sided dice of a set (TAC-CMP-2)."""


def tokens_in_use(state: SkirmishState) -> dict[str, int]:
    """How many tokens of each kind the table shows now (TAC-CMP-7)."""
    board = [one for one in state.figures if one.on_board]
    marks = [word for words in state.board.marks.values() for word in words]
    return {
        "objective": marks.count(OBJECTIVE),
        "loot": sum(word in LOOT_MARKS for word in marks),
        "equipment": sum(bool(one.equipment) for one in board),
        "wounds": sum(one.wounds for one in board),
        "captive": sum(one.fate == "captive" for one in state.figures),
        "shaken": sum(one.shaken for one in board),
        "frozen": sum(one.frozen for one in board),
        "nemesis": sum(len(one.nemeses) for one in board),
        "points": sum(squad.vp for squad in state.squads),
        "start": int(bool(state.first)),
    }


TOKEN_WORDS = {
    "objective": say("objectives"),
    "loot": say("loot"),
    "equipment": say("equipment"),
    "wounds": say("wounds"),
    "captive": say("captives"),
    "shaken": say("shaken"),
    "frozen": say("frozen"),
    "nemesis": say("nemeses"),
    "points": say("victory points"),
    "start": say("start marker"),
}


def token_section(state: SkirmishState) -> Section:
    """The tokens on the table, for whoever compares it with the app."""
    holder = next((squad.player for squad in state.squads if squad.id == state.first), "")
    cards = tuple(
        PageCard(
            f"token-{kind}",
            TOKEN_WORDS[kind],
            (holder,) if kind == "start" and holder else (),
            count=count,
        )
        for kind, count in tokens_in_use(state).items()
    )
    return Section(say("Tokens on the table"), cards, "grid")


def dice_hint(count: int) -> Iterator[str]:
    """What to do when a roll needs more dice than the box holds (TAC-CMP-2)."""
    if count > DICE_IN_BOX:
        yield say(
            "{n} dice, but the box holds {most}: roll {most} first, then the rest",
            n=count,
            most=DICE_IN_BOX,
        )
