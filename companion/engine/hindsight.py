"""What a player might have done instead: after a turn against a rival the coach compares it with
the best that there was, and offers to take it back.

Only turns in which no die fell are judged: what dice gave or took is nobody's mistake.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise, takewhile

from companion.games.api.prompt import Choice
from companion.games.api.rival import LEVELS, LineText, Rival, RivalSeat
from companion.games.shared.search import Search, rolls
from companion.session.fold import Position
from companion.session.game_lookup import find_rival
from models.message import joined, say

HINDSIGHT = "hindsight"
"""Where a position keeps what the coach says about the turn before it."""
TOLD = 0.8
"""Points of victory; a smaller difference may be an error of judgement."""


@dataclass(frozen=True, slots=True)
class Hindsight:
    """A better line of the turn before, by how many points, and how many steps lead back to it."""

    told: LineText
    points: float
    steps: int
    ahead: str = Rival.ahead

    @property
    def choice(self) -> Choice:
        """The row that takes the turn back; gold asks before it does."""
        about = {"n": self.points, "line": self.told.text}
        back = {"do": "undo", "count": self.steps}
        taken = say("takes back {n} step", "takes back {n} steps", n=self.steps)
        detail = joined([say(self.ahead[:], **about), taken], " · ")
        return Choice(say("Try your turn again?"), (back,), "shown", detail=detail, icon="undo")


def hindsight(here: Position, stopped: Callable[[], bool] = lambda: False) -> Hindsight | None:
    """What would have been much better than the turn that led here; None if nothing was."""
    rival = find_rival(here.game) if here.rivals.coach and here.rivals.seats else None
    found = turn_before(here, rival) if rival is not None else None
    if rival is None or found is None:
        return None
    start, seat, steps = found
    if phase_of(start) != phase_of(here):
        return None  # what came between was nobody's turn
    if not rival.advises(start.state) or rival.busy(here.state):
        return None  # it cannot know what the player held, or nothing is decided yet
    adviser = RivalSeat(seat, LEVELS[-1].id)
    search = Search(rival, adviser, stopped)
    lines = search.ranked(start.state)
    if not lines or was_done(here, start, search.carried_out(start.state, lines[0].commands)):
        return None
    seen = rival.play.veiled(here.state, seat, 0)
    points = lines[0].value - rival.value(seen, seat, adviser.weights)
    if points < TOLD:
        return None
    told = rival.told(start.state, lines[0].commands)
    return Hindsight(told, points, steps, rival.ahead)


def turn_before(here: Position, rival: Rival[object]) -> tuple[Position, str, int] | None:
    """Where the turn of a person began that led here without a die, whose it was, and how many
    steps it took."""
    found: tuple[Position, str, int] | None = None
    for steps, (after, before) in enumerate(pairwise((here, *list(here.down())[1:])), 1):
        same = rolls(before.state) == rolls(here.state) and before.rivals == here.rivals
        if before.play is None or not same or after.begins:
            break
        asked = next(iter(rival.waits(before.state)), "")
        other = found is not None and turn_of(found[0]) != turn_of(before)
        if asked in here.rivals.ids or other:
            break
        if asked and (found is None or question(rival, found[0]) != question(rival, before)):
            found = before, asked, steps
    return found


def was_done(here: Position, start: Position, after: object) -> bool:
    """Whether the turn that began there came through this state: the player did just that."""
    taken = takewhile(lambda one: one is not start, here.down())
    return any(one.state == after for one in taken)


def question(rival: Rival[object], position: Position) -> tuple[object, ...]:
    """What is asked: new positions of trays alone do not change it."""
    return tuple((one.what, one.side, one.data) for one in rival.play.pending(position.state))


def phase_of(position: Position) -> tuple[object, ...]:
    """In which phase of which round a game is."""
    return tuple(getattr(position.state, one, None) for one in ("phase", "round"))


def turn_of(position: Position) -> tuple[object, ...]:
    """Which turn of a game it is, as far as the game counts them."""
    return tuple(getattr(position.state, one, None) for one in ("phase", "round", "turn", "active"))
