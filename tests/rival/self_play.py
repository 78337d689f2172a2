"""Whole games of rivals against each other, as a test: `python -m tests.rival.self_play GAME N`,
from game FIRST on; NOTES is a file that keeps which functions have run.

After every step the state must be what its events make of it, no two pieces may share a cell, and
what the prompts offer must be accepted; what a rival announces is what it does. At the end it
prints which rule numbers were reached in play: those that a function names that has run.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from companion import games
from companion.cli.balance import begun, played, searching
from companion.games.api.play import Refusal
from companion.games.api.rival import LEVELS, Rival
from companion.games.thrones.play.state import ThronesState
from companion.session.game_lookup import find_rival
from models import Table
from models.board_table import BoardTable
from tests.arguments import arguments
from tests.rival.announced import announcing
from tests.rival.battles import every_kind
from tests.rival.joust_referee import JoustReferee
from tests.rival.rules_reached import Ran, kept, recording, report

SOME = 3
"""How many of the offered commands are tried at each step."""


def checked(rival: Rival[Any], chance: Random) -> Callable[[Any], None]:
    """The invariants of every state."""
    play, referee = rival.play, JoustReferee()

    def check(state: Any) -> None:
        now = play.moment(state)
        table = now.table
        if isinstance(table, Table):
            Table.parse(table.text())  # no two trays overlap
            games.find(table.game).report(table)
        if isinstance(table, BoardTable):
            cells = [one.cell for one in table.pieces if one.cell is not None and one.size == 1]
            assert len(cells) == len(set(cells)), f"two pieces on one cell: {sorted(cells)}"
            games.find(table.game).report(table, None)
        if isinstance(state, ThronesState):
            referee.check(state)
        asked = [one for side in rival.waits(state) or (None,) for one in play.options(state, side)]
        offered = [one for given in asked for one in given.get("options", ())]
        form = any(given.get("open") for given in asked)
        waits = [(one.what, one.side, one.commands) for one in play.pending(state)]
        assert offered or form or now.winner, f"nobody may do anything: {waits}"
        for command in chance.sample(offered, min(SOME, len(offered))):
            decision = play.decide(state, command)
            assert not isinstance(decision, Refusal), f"offered and refused: {command} {decision}"
            after = state
            for event in decision.events:
                after = play.apply(after, event)
            assert after == decision.after, f"the events of {command} lead elsewhere"

    return check


def main(game: str, number: int, first: int, notes: str) -> None:
    rival = find_rival(game)
    assert rival is not None
    ran, wins = Ran(), Counter[str]()
    levels = [one.id for one in LEVELS[:2]]
    for seed in range(first, first + number):
        set_up = every_kind(game, seed)
        sys.settrace(recording(ran) if seed < first + 20 else None)
        state = begun(game, seed, set_up)
        players = {
            side: announcing(rival, searching(rival, levels[(seed + place) % 2], side))
            for place, side in enumerate(rival.play.moment(state).sides)
        }
        try:
            end = played(rival, state, players, checked(rival, Random(seed)))
        finally:
            sys.settrace(None)
        wins[str(rival.play.moment(end).winner)] += 1
        kept(notes, ran)
        print(f"game {seed}, {seed - first + 1} of {number}: {dict(wins)}", flush=True)
    print("\n".join(report(game, kept(notes, ran))))


if __name__ == "__main__":
    main(*arguments(game="tactics", number=10, first=0, notes=""))
