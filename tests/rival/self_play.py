"""Whole games of rivals against each other, as a test: `python -m tests.rival.self_play GAME N`.

After every step the state must be what its events make of it, no two pieces may share a cell, and
what the prompts offer must be accepted; what a rival announces is what it does. At the end it
prints which rule numbers were reached in play: those that a function names that has run.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from types import FrameType
from typing import Any

from companion import games
from companion.cli.balance import begun, played, searching
from companion.games.api.play import Plain, Refusal
from companion.games.api.rival import LEVELS, Rival
from companion.games.thrones.play.state import ThronesState
from companion.session.game_lookup import find_rival
from models import Table
from models.board_table import BoardTable
from tests.arguments import arguments
from tests.reachability import cited, product
from tests.rival.announced import announcing
from tests.rival.battles import battle, joust
from tests.rival.joust_referee import JoustReferee
from tests.rule_report import catalogues

Ran = set[tuple[str, str]]
"""Functions that have run: their modules and qualified names."""
SOME = 3
"""How many of the offered commands are tried at each step."""


def recording(ran: Ran) -> Callable[[FrameType, str, Any], None]:
    """A profiler that notes every function of a game that is called."""
    known: set[Any] = set()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code not in known:
            known.add(code)
            module = str(frame.f_globals.get("__name__", ""))
            if module.startswith("companion.games."):
                ran.add((module, code.co_qualname.replace(".<locals>", "")))

    return note


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


MODES = {
    "tmg-2021": ("GOT", "FFC", "DWD", "HAR", "COK", "FAB", "HWS", "WOW", "DWW", "SOS"),
    "tmg-2018": ("GOT", "FFC", "COK", "WOW", "SOS"),
}


def opened(game: str, seed: int) -> Sequence[Plain]:
    """The set-up of one game: of miniatures one mode after the other, of the card game two ready
    decks; else the practice game."""
    if game == "thrones":
        return joust(seed)
    modes = MODES.get(game, ())
    return [*battle(game, seed, modes[seed % len(modes)], 30)] if modes else []


def main(game: str, number: int) -> None:
    rival = find_rival(game)
    assert rival is not None
    ran, wins = Ran(), Counter[str]()
    levels = [one.id for one in LEVELS[:2]]
    for seed in range(number):
        state = begun(game, seed, opened(game, seed))
        players = {
            side: announcing(rival, searching(rival, levels[(seed + place) % 2], side))
            for place, side in enumerate(rival.play.moment(state).sides)
        }
        sys.setprofile(recording(ran) if seed < 20 else None)
        end = played(rival, state, players, checked(rival, Random(seed)))
        sys.setprofile(None)
        wins[str(rival.play.moment(end).winner)] += 1
        print(f"{seed + 1} of {number}: {dict(wins)}", flush=True)
    program, _ = product()
    rules = cited(program)
    tracked = [
        one.number for one in catalogues()[game.partition("-")[0]].values() if one.tag == "tracked"
    ]
    reached = [one for one in tracked if rules.get(one, set()) & ran]
    missed = [one for one in tracked if one not in reached]
    share = len(reached) / max(1, len(tracked))
    print(f"{game}: {len(reached)} of {len(tracked)} tracked rules reached in play ({share:.0%})")
    print("not reached:", " ".join(missed))


if __name__ == "__main__":
    main(*arguments(game="tactics", number=10))
