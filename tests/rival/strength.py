"""How strong a rival is: `python -m tests.rival.strength GAME NUMBER LEVEL OPPONENT` plays whole
games, each twice with the seats exchanged so that a side's advantage cancels out, and prints each
and the count. OPPONENT is random, scripted, or another level. FIRST is the number of the first
game. NOTES is a file that keeps the results: what it holds is not played again, so that short runs
add up.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from companion.cli.balance import Player, begun, played, searching, share
from companion.games.api.play import Plain
from companion.games.api.rival import Rival
from companion.session.game_lookup import find_rival
from tests.arguments import arguments
from tests.rival.battles import opened
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


def one_game(game: str, level: str, opponent: str, number: int) -> dict[str, Any]:
    """One game of a level against an opponent, and how it ended for the level."""
    rival = find_rival(game)
    assert rival is not None
    pair, place = divmod(number, 2)
    state, times = begun(game, pair, opened(game, pair)), list[float]()
    sides = rival.play.moment(state).sides
    mine, other = sides[place], sides[1 - place]
    me = timed(player(rival, level, mine), times)
    players = {mine: me, other: player(rival, opponent, other, pair)}
    end = rival.play.moment(played(rival, state, players))
    result = "won" if end.winner == mine else "lost" if end.winner == other else "drawn"
    times.sort()
    return {
        "of": [game, level, opponent, number],
        "side": mine,
        "result": result,
        "score": dict(end.score),
        "median_s": round(times[len(times) // 2], 3),
        "most_s": round(times[-1], 3),
    }


def kept(notes: str) -> Iterator[dict[str, Any]]:
    """The results that a file holds."""
    if notes and Path(notes).is_file():
        yield from map(json.loads, Path(notes).read_text().splitlines())


def main(game: str, number: int, level: str, opponent: str, first: int, notes: str) -> None:
    wanted = [[game, level, opponent, one] for one in range(first, first + number)]
    results = [one for one in kept(notes) if one["of"] in wanted]
    done = [one["of"] for one in results]
    for place, one in enumerate(wanted, first):
        if one not in done:
            results.append(one_game(game, level, opponent, place))
            print(json.dumps(results[-1]), flush=True)
            if notes:
                with Path(notes).open("a") as file:
                    print(json.dumps(results[-1]), file=file)
    for name, found in (
        ("", results),
        *((f" as {side}", of(results, side)) for side in sides(results)),
    ):
        print(f"{game}: {level} against {opponent}{name}: {count(found)}")
    print(
        f"a decision takes {max(one['median_s'] for one in results)} s of a processor in the middle"
        f" of a game at most, the longest {max(one['most_s'] for one in results)} s"
    )


def sides(results: Sequence[dict[str, Any]]) -> list[str]:
    return sorted({one["side"] for one in results})


def of(results: Sequence[dict[str, Any]], side: str) -> list[dict[str, Any]]:
    return [one for one in results if one["side"] == side]


def count(results: Sequence[dict[str, Any]]) -> str:
    """How many were won, and between which shares the true one lies."""
    found = Counter(one["result"] for one in results)
    low, high = share(found["won"], len(results))
    return (
        f"won {found['won']}, drawn {found['drawn']}, lost {found['lost']} of {len(results)}:"
        f" {low:.0%} to {high:.0%}"
    )


if __name__ == "__main__":
    main(
        *arguments(game="tactics", number=10, level="captain", opponent="random", first=0, notes="")
    )
