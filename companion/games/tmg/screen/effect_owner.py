"""Whose effect something is, as players say it where points depend on it."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.api.prompt import Entry
from companion.games.tmg.play.names import GameNames
from companion.games.tmg.play.state.game_state import GameState
from companion.games.tmg.play.state.mode_play import play_of
from models.message import say

DUEL = 2


def owner_entries(state: GameState, names: GameNames) -> Iterator[Entry]:
    """Whose effect it is: of several opponents only one scores (TMG-VIC-8), and some units score
    more (TMG-MODE-COK-11, -12, TMG-MODE-FAB-7)."""
    play = play_of(state)
    counts = play.commander_kills or play.commander_prize or play.marked
    if len(state.playing) <= DUEL and not counts:
        return
    sides = tuple((side, names.of(side)) for side in state.playing)
    units = tuple(
        (unit.id, names.of(unit.id))
        for unit in state.standing()
        if unit.marked or (play.commander_kills and unit.commander)
    )
    options = (*units, *sides, ("nobody", say("nobody")))
    yield Entry("by", say("Whose effect is it?"), "option", options)
