"""How strong a rival is: `python -m tests.rival.strength GAME NUMBER LEVEL OPPONENT` plays whole
games and prints each, then the count. OPPONENT is random, scripted, or another level.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

from companion.games.api.play import Refusal
from companion.games.api.rival import Rival, RivalSeat
from companion.games.shared.search import Search
from companion.session.game_lookup import find_play, find_rival, find_screen
from tests.rival.scripted import Player, at_random, scripted, searching

LONGEST = 5000


def begun(game: str, seed: int) -> Any:
    """A practice game that has begun, with other dice."""
    play = find_play(game)
    set_up, *opening = find_screen(game).practice(game, None)
    told = {key: value for key, value in set_up.items() if key not in ("do", "game", "guide")}
    setup = play.prepare(game, {**told, "seed": seed})
    assert not isinstance(setup, Refusal), setup
    state = play.start(game, setup)
    for command in opening:
        decision = play.decide(state, command)
        assert not isinstance(decision, Refusal), decision
        state = decision.after
    return state


def played(rival: Rival[Any], state: Any, players: Mapping[str, Player], seed: int) -> Any:
    """A whole game; raises where a command is refused or the game does not end."""
    play, chance = rival.play, Random(seed)
    for _ in range(LONGEST):
        prompts = play.pending(state)
        if not prompts:
            return state
        side = prompts[0].side or next(iter(players))
        for command in players[side](play, state, side, chance):
            decision = play.decide(state, command)
            if isinstance(decision, Refusal):
                raise AssertionError(f"{side} was refused {command}: {decision}")
            state = decision.after
    raise AssertionError("the game does not end")


def player(rival: Rival[Any], kind: str, side: str) -> Player:
    """A player of that kind on a seat; a rival takes the time it needs, however busy the device."""
    known = {"random": at_random, "scripted": scripted}
    return known.get(kind) or searching(Search(rival, RivalSeat(side, kind), longest_s=60.0))


def main(game: str, number: int, level: str, opponent: str) -> None:
    rival = find_rival(game)
    assert rival is not None
    sides = rival.play.moment(begun(game, 0)).sides
    results: Counter[str] = Counter()
    times: list[float] = []
    for seed in range(number):
        mine, other = sides[seed % 2], sides[1 - seed % 2]
        thinks = player(rival, level, mine)

        def timed(*about: Any, thinks: Player = thinks) -> Any:
            start = time.thread_time()
            chosen = thinks(*about)
            times.append(time.thread_time() - start)
            return chosen

        players = {mine: timed, other: player(rival, opponent, other)}
        end = rival.play.moment(played(rival, begun(game, seed), players, seed))
        result = "won" if end.winner == mine else "lost" if end.winner == other else "drawn"
        results[result] += 1
        print(seed, mine, result, dict(end.score), dict(results), flush=True)
    median, most = statistics.median(times), sorted(times)[int(0.95 * len(times))]
    print(f"{game}: {level} against {opponent}: {dict(results)} of {number}; a decision takes")
    print(f"{median:.3f} s (95 % within {most:.3f} s, at most {max(times):.3f} s) of a processor")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4])
