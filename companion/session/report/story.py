"""A recorded game grouped by round and turn, with titles and dice, without undone steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from companion import games
from companion.games.api.play import ArmySummary, Event, GameMoment, RolledDice
from companion.games.api.rules import agreed
from companion.session.fold import Position, fold, steps_played
from companion.session.game_view import game_events, screen_of
from companion.session.step import BY, CLOCK, NOTE, REDO, UNDO, LogStep
from companion.text import translation
from models.table import AnyTable

UNCOUNTED = (BY, CLOCK, UNDO, REDO)


@dataclass(frozen=True, slots=True)
class StoryBeat:
    """One step that was not undone: its title, its dice, and the game after it."""

    seq: int
    at_ms: int
    title: str
    rolls: tuple[RolledDice, ...]
    moment: GameMoment | None
    sentences: tuple[str, ...] = ()
    """The sentences for the battle report, without purely technical events."""
    is_note: bool = False
    by: tuple[str, ...] = ()
    """The seats that took it, where they have signed it."""
    begins: GameMoment | None = None
    """The part of the round that begins with it; None: it belongs to the part before it."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The steps of one turn, and the table after it."""

    number: int
    side: str | None
    beats: tuple[StoryBeat, ...]
    table: AnyTable | None = None
    part: str = ""
    """What the game calls this part of the round, where nobody has a turn."""
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Chapter:
    """The turns of one round (0: before the first) and the score after it."""

    round: int
    turns: tuple[Turn, ...]
    score: Mapping[str, int]
    names: Mapping[str, str] = field(default_factory=dict)
    """The players' names of sides that are no words of their own."""


@dataclass(frozen=True, slots=True)
class Story:
    game: str
    chapters: tuple[Chapter, ...]
    end: GameMoment | None
    taken_back: int = 0
    armies: tuple[ArmySummary, ...] = ()
    occasion: str = ""

    @property
    def names(self) -> Mapping[str, str]:
        """The players' names of sides that are no words of their own."""
        return self.end.names if self.end is not None else {}

    @property
    def beats(self) -> Iterator[StoryBeat]:
        """All steps that were not undone."""
        return (beat for chapter in self.chapters for turn in chapter.turns for beat in turn.beats)

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides that played."""
        return self.end.sides if self.end else ()

    def faces(self, die: int = 6) -> dict[str, Counter[int]]:
        """How often each side rolled each face of dice with that many faces."""
        found: dict[str, Counter[int]] = {side: Counter() for side in self.sides}
        for beat in self.beats:
            for roll in (one for one in beat.rolls if one.die == die):
                found.setdefault(roll.side or "", Counter()).update(roll.faces)
        return {side: faces for side, faces in found.items() if faces}

    def columns(self, die: int) -> list[tuple[str, tuple[int, ...]]]:
        """What a table of such dice counts: each number, or each symbol with all its faces."""
        rolls = (roll for beat in self.beats for roll in beat.rolls if roll.die == die)
        symbols = next((roll.symbols for roll in rolls if roll.symbols), ())
        found: dict[str, tuple[int, ...]] = {}
        for face in range(1, die + 1):
            name = translation.translate(symbols[face - 1]) if symbols else str(face)
            found[name] = (*found.get(name, ()), face)
        return list(found.items())

    def dice(self) -> list[int]:
        """The kinds of dice that were rolled, most faces first."""
        return sorted({roll.die for beat in self.beats for roll in beat.rolls}, reverse=True)

    def agreed(self) -> Iterator[str]:
        """How the players read open rules otherwise than usual."""
        if self.end is not None and self.end.readings:
            yield from agreed(games.find(self.game), self.end.readings)

    def scores(self) -> list[tuple[int, Mapping[str, int]]]:
        """The score after each round that was started."""
        return [(one.round, one.score) for one in self.chapters if one.round > 0]


def build_story(steps: Iterable[LogStep]) -> Story:
    log = list(steps)
    history = fold(log)
    beats = [beat for position in steps_played(history) for beat in beats_of(position)]
    moments = [beat.moment for beat in beats if beat.moment is not None]
    rounds = [
        (number, list(group)) for number, group in groupby(placed(beats), key=lambda one: one.round)
    ]
    chapters = []
    for index, (number, group) in enumerate(rounds):
        # The step that ends a round may score it and start the next one at once.
        after = group[-1].beat.moment
        if index + 1 == len(rounds) and moments:
            after = moments[-1]
        score, names = (after.score, after.names) if after else ({}, {})
        chapters.append(Chapter(number, tuple(turns(group)), dict(score), names))
    here = history.now
    translation.set_game(games.package_of(here.play))
    return Story(
        here.game,
        tuple(chapters),
        moments[-1] if moments else None,
        taken_back(log, {beat.seq for beat in beats}),
        tuple(here.play.armies(here.state)) if here.play else (),
        here.play.occasion(here.state) if here.play else "",
    )


def taken_back(steps: Iterable[LogStep], counting: Container[int]) -> int:
    """How many steps of the game were undone."""
    return sum(
        step.seq not in counting and not all(event.type in UNCOUNTED for event in step.events())
        for step in steps
    )


def beats_of(position: Position) -> Iterator[StoryBeat]:
    """A position of the history as beats of the story: one for each part of a round that its step
    reaches."""
    step, play = position.step, position.play
    assert step is not None
    moment = play.moment(position.state) if play is not None else None
    notes = [str(event.data["text"]) for event in step.events() if event.type == NOTE]
    for begun, events in parts_of(position):
        rolls = tuple(roll for event in events for roll in play.dice(event)) if play else ()
        told = (*report_lines(position, events), *notes)
        sentences = tuple(filter(None, told))
        yield StoryBeat(step.seq, step.at_ms, position.title, rolls, moment, sentences,
                        bool(notes), step.by, begun)  # fmt: skip
        notes = []


def parts_of(position: Position) -> Iterator[tuple[GameMoment | None, Sequence[Event]]]:
    """The events of a step, those apart with which another part of a round begins."""
    play, below = position.play, position.below
    begins = getattr(play, "part_begun", None)  # games from elsewhere may know of no parts
    found: list[Event] = []
    here = None
    if begins is not None and below is not None and below.play is not None:
        now = play.moment(below.state) if play is not None else None
        for event in game_events(position):
            if (begun := begins(event, now)) is not None:
                yield here, found
                here, now, found = begun, begun, []
            found.append(event)
    else:
        found = list(game_events(position))
    yield here, found


def report_lines(position: Position, events: Sequence[Event]) -> Sequence[str]:
    """The sentences of a step: by the game's screen, or event by event."""
    play, below = position.play, position.below
    if play is None:
        return ()
    screen = screen_of(position.game)
    if screen is not None and below is not None and below.play is not None:
        found = screen.report_lines(below.state, events, position.state)
        if found is not None:
            return found
    return [play.report_sentence(position.state, event) for event in events]


@dataclass(frozen=True, slots=True)
class PlacedStep:
    """A beat with the round, the turn and the side during whose turn it happened."""

    beat: StoryBeat
    round: int = 0
    turn: int = 0
    side: str | None = None
    part: str = ""


def placed(beats: Iterable[StoryBeat]) -> Iterator[PlacedStep]:
    """Each beat with the round and turn before it: a step that ends a turn belongs to that turn."""
    before: GameMoment | None = None
    for beat in beats:
        before = beat.begins or before
        if before is None:
            yield PlacedStep(beat)
        else:
            yield PlacedStep(beat, before.round, before.turn, before.side, before.part)
        before = beat.moment or before


def turns(group: list[PlacedStep]) -> Iterator[Turn]:
    """The beats of one round, grouped by turn."""
    for (number, part), found in groupby(group, key=lambda one: (one.turn, one.part)):
        there = list(found)
        last = there[-1].beat.moment
        beats = tuple(one.beat for one in there)
        side = there[0].side if number and not part else None
        table, names = (last.table, last.names) if last is not None else (None, {})
        yield Turn(number, side, beats, table, part, names)


def lasted_ms(story: Story) -> int:
    """The time from the first step to the last, without breaks longer than an hour."""
    times = [beat.at_ms for beat in story.beats]
    hour = 3_600_000
    return sum(after - before for before, after in pairwise(times) if after - before < hour)
