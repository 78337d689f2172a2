"""How strong a rival is: `python -m tests.rival.strength GAME NUMBER LEVEL OPPONENT` plays whole
games, each twice with the seats exchanged so that a side's advantage cancels out, and prints each
and the count. OPPONENT is random, scripted, or another level. FIRST is the
number of the first game; a MODE is one of the miniatures game, with ready armies and terrain.
"""

from __future__ import annotations

import statistics
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

from companion.cli.balance import Player, begun, played, searching, share
from companion.games.api.play import Plain
from companion.games.api.rival import Rival
from companion.session.game_lookup import find_rival
from tests.arguments import arguments
from tests.rival.battles import battle, joust
from tests.rival.scripted import at_random, scripted


def player(rival: Rival[Any], kind: str, side: str, seed: int = 0) -> Player:
    """A player of that kind on a seat."""
    known = {"random": at_random, "scripted": scripted}
    return known[kind](rival.play, seed) if kind in known else searching(rival, kind, side)


def timed(thinks: Player, times: list[float]) -> Player:
    """A player whose decisions are timed."""

    def choose(state: Any, side: str) -> Sequence[Plain]:
        start = time.thread_time()
        chosen = thinks(state, side)
        times.append(time.thread_time() - start)
        return chosen

    return choose


def main(game: str, number: int, level: str, opponent: str, first: int, mode: str) -> None:
    rival = find_rival(game)
    assert rival is not None
    opened = (lambda seed: battle(game, seed, mode)) if mode else (lambda seed: ())
    if game == "thrones":
        opened = lambda seed: joust(2 * seed)  # noqa: E731
    sides = rival.play.moment(begun(game, 0, opened(0))).sides
    results: Counter[str] = Counter()
    times: list[float] = []
    for seed in range(first, first + number):
        pair, place = divmod(seed, 2)
        mine, other = sides[place], sides[1 - place]
        me = timed(player(rival, level, mine), times)
        players = {mine: me, other: player(rival, opponent, other, pair)}
        end = rival.play.moment(played(rival, begun(game, pair, opened(pair)), players))
        result = "won" if end.winner == mine else "lost" if end.winner == other else "drawn"
        results[result] += 1
        print(seed, mine, result, dict(end.score), dict(results), flush=True)
    median, most = statistics.median(times), sorted(times)[int(0.95 * len(times))]
    low, high = share(results["won"], number)
    print(
        f"{game}: {level} against {opponent}: {dict(results)} of {number}: {low:.0%} to {high:.0%}"
    )
    print(
        f"a decision takes {median:.3f} s of a processor"
        f" (95 % within {most:.3f} s, at most {max(times):.3f} s)"
    )


if __name__ == "__main__":
    main(
        *arguments(game="tactics", number=10, level="captain", opponent="random", first=0, mode="")
    )
