"""What a game knows so that the app can play one of its sides, or advise one.

A game's package holds such an object named `RIVAL` in its module `rival`. It sees the rules and
the table as a player does: `Play.veiled` deals anew what its side cannot know, the dice to come
among it. How lines are tried and compared is in `companion.games.shared.search`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from companion.games.api.play import Plain, Play, State
from companion.games.api.prompt import DiceRequest, Fact, TrayEnd
from models.message import say


@dataclass(frozen=True, slots=True)
class RivalLevel:
    """How carefully a rival thinks; no level has better dice."""

    id: str
    name: str
    tries: int
    """How many lines it compares closely."""
    samples: int
    """How often it imagines the dice of a line."""
    slip: float
    """How far its estimate of a line may be off, in points of victory."""
    hasty: bool = False
    """Whether it thinks of one action at a time."""
    odds: bool = False
    """Whether it knows the odds, where others go by the few rolls that they imagine."""


LEVELS = (
    RivalLevel("apprentice", say("Apprentice"), 4, 1, 0.45, hasty=True),
    RivalLevel("captain", say("Captain"), 5, 2, 0.36),
    RivalLevel("commander", say("Commander"), 16, 14, 0.0, odds=True),
)


@dataclass(frozen=True, slots=True)
class Temper:
    """What a rival cares for: the harm it does, the harm it may suffer, the goals of the game."""

    id: str
    name: str
    harm: float = 1.0
    safety: float = 1.0
    goals: float = 1.0


TEMPERS = (
    Temper("steady", say("steady")),
    Temper("bold", say("bold"), harm=1.25, safety=0.6),
    Temper("careful", say("careful"), harm=0.9, safety=1.4),
)


@dataclass(frozen=True, slots=True)
class RivalSeat:
    """A seat that the app plays: its level and its temper, as the log has them."""

    seat: str
    level: str = "captain"
    temper: str = "steady"

    @property
    def skill(self) -> RivalLevel:
        return next(one for one in LEVELS if one.id == self.level)

    @property
    def weights(self) -> Temper:
        return next(one for one in TEMPERS if one.id == self.temper)


@dataclass(frozen=True, slots=True)
class Line:
    """Commands to be given in a row, and a first guess of what they are worth."""

    commands: tuple[Plain, ...]
    guess: float = 0.0


@dataclass(frozen=True, slots=True)
class LineText:
    """A line in words: what is done, by which piece, to whom, and where the piece goes: to a cell
    of a board, or a tray to a place on an open table."""

    text: str
    piece: str = ""
    target: str = ""
    cell: tuple[int, int] | None = None
    end: TrayEnd | None = None
    dice: DiceRequest | None = None
    """Dice that its last command rolls, for players who roll them."""
    hope: TrayEnd | None = None
    """Where its tray will stand if those dice are good enough: shown, not yet moved."""


ACTORS = ("figure", "unit")
"""Values of a line's words that say who acts."""
WON = 1000.0
"""What a victory is worth."""


class Rival(ABC, Generic[State]):
    """One game's rival. Values are in points of victory, for the side that asks."""

    games: tuple[str, ...]
    play: Play[Any]
    note: str = ""
    """What it leaves to people, for whoever seats it."""
    behind: str = say("worth {n:.1f} victory points less")
    ahead: str = say("worth {n:.1f} victory points more: {line}")
    """How its values are told, in what the game is won with."""
    deals: str = ""
    """The field of `set-up` that names the seats it plays, where a game has to know them."""
    seconds: float = 0.2
    """How much of a processor's time one decision may take."""
    guessed: int = 0
    """As how many tries the guess of a line with dice counts, where guesses are exact odds in the
    points of its values."""
    slips: float = 1.0
    """How much further off the weaker levels are in this game, so that they are as weak in each."""

    def value(self, state: Any, side: str, temper: Temper) -> float:
        """What a position is worth to a side."""
        if state.winner:
            return 0.0 if state.winner == "draw" else WON if state.winner == side else -WON
        return self.worth(state, side, temper)

    @abstractmethod
    def worth(self, state: State, side: str, temper: Temper) -> float:
        """The same while the game goes on."""

    def busy(self, state: Any) -> bool:
        """Whether something begun has to be played to its end before a position is judged."""
        return bool(state.tasks)

    def waits(self, state: State) -> Sequence[str]:
        """The sides of which something is wanted now, the most urgent first."""
        return [one.side for one in self.play.pending(state) if one.side]

    def knows(self, state: State, side: str) -> bool:
        """Whether it can take a side over in the middle of a game."""
        return True

    def advises(self, state: State) -> bool:
        """Whether it knows enough to advise the player who is asked now."""
        return True

    def first_action(self, commands: tuple[Plain, ...]) -> tuple[Plain, ...]:
        """What of a line a hasty level thinks of, where a line may be several actions."""
        return commands

    def closing(self, state: State, side: str) -> Sequence[Plain]:
        """What ends the turn of a side where nothing is left to decide; people may do something
        before. Nothing in the turn of others."""
        return ()

    def pause(self, commands: Sequence[Plain]) -> int:
        """After how many commands of a line others may react before the rest; 0: not within it."""
        return 0

    def compared(self, state: State, commands: Sequence[Plain], ways: int) -> int:
        """Of how many ways a line is told to be the best: of one where more would tell what the
        side holds in secret."""
        return ways

    def laid_out(self, game: str, set_up: Plain, number: int) -> Plain:
        """A `set-up` command with the table that rivals need to play by themselves; in battles of
        odd numbers the second side begins."""
        return set_up

    @abstractmethod
    def told(self, state: State, commands: Sequence[Plain]) -> LineText:
        """A line of this state in words."""

    @abstractmethod
    def facts(self, state: State, commands: Sequence[Plain]) -> Sequence[Fact]:
        """What speaks for a line, as players count it: odds, places, points."""

    def deed(self, told: LineText, commands: Sequence[Plain]) -> object:
        """What a line does, whoever of a side does it: what a coach names differs in this."""
        values = getattr(told.text, "values", {})
        what = tuple((key, value) for key, value in values.items() if key not in ACTORS)
        return getattr(told.text, "one", told.text), what

    def lines(self, state: State, side: str) -> Iterable[Line]:
        """What a side may do now: each option of its first prompt. Whoever waits may break off
        after any of them: what takes long to find comes one by one, of every piece first one."""
        return [Line((command,)) for command in asked(self.play, state, side)]


def asked(play: Play[State], state: State, side: str) -> list[Plain]:
    """The commands that answer what a side is asked, its first prompt only."""
    for prompt, offered in zip(play.pending(state), play.options(state, side), strict=True):
        if prompt.side == side and offered.get("options"):
            return list(offered["options"])
    return []


def in_turns(sources: Iterable[Iterator[Line]]) -> Iterator[Line]:
    """The first line of each source, then the second of each, until all are at their end."""
    left = list(sources)
    while left:
        for source in tuple(left):
            line = next(source, None)
            if line is None:
                left.remove(source)
            else:
                yield line
