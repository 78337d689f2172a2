"""Dice as players enter them: a count, a total or every face, one kind of dice after the other.

dice = EnteredDice.begin(request)
dice = dice.with_face(4).with_face(2)     # the last die completes the command
dice.command                              # None while dice are missing
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.games.api.play import Plain, Refusal
from companion.games.api.prompt import DiceRequest, DiceSymbol, Tone
from models.field import shown
from models.message import say

INPUT = "INPUT"
"""The reason of a refusal that no rule gives."""


def lowest(request: DiceRequest) -> int:
    """The smallest number to enter: 0 for a count, as many as there are dice for a total."""
    totals = request.count * (request.sides - 1) + 1
    return request.count if len(request.chances) == totals != request.count + 1 else 0


def highest(request: DiceRequest) -> int:
    """The largest number to enter."""
    return request.count * request.sides if lowest(request) else request.count


def chances_of(request: DiceRequest) -> tuple[float, ...]:
    """The chances that the game gives; for a count without them, those of independent dice."""
    if request.chances or request.wanted is None:
        return request.chances
    hit = min(max((request.sides - request.wanted + 1) / request.sides, 0.0), 1.0)
    return tuple(
        math.comb(request.count, n) * hit**n * (1 - hit) ** (request.count - n)
        for n in range(request.count + 1)
    )


def question(request: DiceRequest, counts: bool) -> str:
    """What is asked, where the game does not say it."""
    if request.text:
        return request.text
    if counts and lowest(request):
        return say("What is the total?")
    if counts and request.wanted is not None:
        return say("How many show {wanted}+?", wanted=request.wanted)
    return say("What did you roll?")


def shape(request: DiceRequest) -> tuple[object, ...]:
    """What dice are entered, without their odds."""
    extra = tuple(shape(dice) for dice in request.extra)
    return dict(request.command), request.field, request.count, request.sides, extra


def top_faces(request: DiceRequest, count: int) -> DiceRequest:
    """The question after a count: how many of these dice show the highest face."""
    faces = request.sides - (request.wanted or 1) + 1
    return DiceRequest(
        count,
        request.command,
        request.top_field,
        text=say("How many of them show {face}?", face=request.sides),
        count_field=request.top_field,
        chances=tuple(
            math.comb(count, n) * (faces - 1) ** (count - n) / faces**count
            for n in range(count + 1)
        ),
        optional=False,
    )


@dataclass(frozen=True, slots=True)
class DiceKey:
    """A number, a face or a symbol to tap, with its chance and whether it succeeds."""

    value: int
    text: str
    chance: float | None = None
    tone: Tone = ""
    symbol: DiceSymbol | None = None
    faces: int = 1
    """How many faces of the die show it."""


def count_keys(request: DiceRequest) -> Iterator[DiceKey]:
    """A key for each number of successes, or for each total."""
    low, chances = lowest(request), chances_of(request)
    for place, chance in enumerate(chances or (None,) * (request.count + 1)):
        number = low + place
        yield DiceKey(number, str(number), chance, verdict(request, number) if low else "")


def face_keys(request: DiceRequest) -> Iterator[DiceKey]:
    """A key for each face of a die, or for each of its symbols."""
    for symbol in dict.fromkeys(request.symbols):
        face, faces = request.symbols.index(symbol) + 1, request.symbols.count(symbol)
        yield DiceKey(face, symbol.name, None, symbol.tone, symbol, faces)
    if request.symbols:
        return
    single = request.count == 1 and len(request.chances) == request.sides
    for face in range(1, request.sides + 1):
        tone = verdict(request, face) if request.count == 1 else ""
        yield DiceKey(face, str(face), request.chances[face - 1] if single else None, tone)


def verdict(request: DiceRequest, number: int) -> Tone:
    """Whether a total, or a single die, succeeds."""
    if request.wanted is None:
        return ""
    return "good" if number >= request.wanted else "bad"


@dataclass(frozen=True, slots=True)
class EnteredDice:
    """The dice of a request and of its extra dice, as far as they are entered."""

    requests: tuple[DiceRequest, ...]
    place: int = 0
    """Which of the requests is entered now."""
    given: tuple[tuple[str, Any], ...] = ()
    """The fields of the command that are complete."""
    rolled: tuple[int, ...] = ()
    """The faces of the current request so far."""
    asked: tuple[DiceRequest, ...] = ()
    """What a count has made the players be asked besides."""

    @classmethod
    def begin(cls, request: DiceRequest) -> EnteredDice:
        """No die of a request is entered yet."""
        return cls((request, *request.extra))

    @property
    def complete(self) -> bool:
        return self.place >= len(self.requests)

    @property
    def request(self) -> DiceRequest:
        """The dice that are entered now."""
        return self.requests[min(self.place, len(self.requests) - 1)]

    @property
    def command(self) -> dict[str, Any] | None:
        """The command with its dice; None while dice are missing."""
        return {**self.requests[0].command, **dict(self.given)} if self.complete else None

    @property
    def left(self) -> int:
        """How many dice of the current request are missing."""
        return self.request.count - len(self.rolled)

    def restarted(self) -> EnteredDice:
        """The same dice, to be entered anew."""
        return EnteredDice.begin(self.requests[0])

    def renewed(self, request: DiceRequest) -> EnteredDice | None:
        """What was entered so far for the same dice with other odds; None for other dice."""
        if shape(request) != shape(self.requests[0]):
            return None
        return replace(self, requests=(request, *self.asked, *request.extra))

    # -- entering ----------------------------------------------------------------------------

    def with_face(self, face: int) -> EnteredDice:
        """One more die; the last one completes the request."""
        rolled = (*self.rolled, face)
        if len(rolled) < self.request.count:
            return replace(self, rolled=rolled)
        request = self.request
        faces: list[Any] = list(rolled)
        if request.symbols:
            faces = [request.symbols[one - 1].symbol for one in rolled]
        passed = bool(lowest(request)) and verdict(request, sum(rolled)) == "good"
        return self._with(request.field, faces[0] if request.single else faces, passed)

    def without_die(self, place: int) -> EnteredDice:
        """A die taken back; two fingers may ask for it at once."""
        return replace(self, rolled=self.rolled[:place] + self.rolled[place + 1 :])

    def with_count(self, number: int) -> EnteredDice:
        """A single number answers the request."""
        request = self.request
        passed = bool(lowest(request)) and verdict(request, number) == "good"
        after = self._with(request.count_field, number, passed)
        if not request.top_field or not number:
            return after
        asked, place = (top_faces(request, number),), self.place + 1
        requests = (*self.requests[:place], *asked, *self.requests[place:])
        return replace(after, requests=requests, asked=asked)

    def _with(self, field: str, value: object, passed: bool) -> EnteredDice:
        place = self.place + 1
        while passed and place < len(self.requests) and self.requests[place].if_failed:
            place += 1
        return replace(self, place=place, given=(*self.given, (field, value)), rolled=())

    # -- what other programs send --------------------------------------------------------------

    def with_faces(self, faces: object) -> EnteredDice | Refusal:
        """Every face of the current request at once, checked."""
        request, dice = self.request, self.restarted_request()
        if not isinstance(faces, Sequence) or isinstance(faces, str) or len(faces) != request.count:
            asked = say("{n} face is asked for", "{n} faces are asked for", n=request.count)
            return Refusal(INPUT, asked)
        for face in faces:
            number = face_number(request, face)
            if number is None:
                return Refusal(INPUT, say("{face} is no face of this die", face=shown(face)))
            dice = dice.with_face(number)
        return dice

    def with_number(self, number: object) -> EnteredDice | Refusal:
        """A count or a total, checked."""
        request = self.request
        if not request.count_field:
            return Refusal(INPUT, say("these dice are entered face by face"))
        low, high = lowest(request), highest(request)
        if type(number) is not int or not low <= number <= high:
            why = say("a number from {low} to {high} is asked for", low=low, high=high)
            return Refusal(INPUT, why)
        return self.with_count(number)

    def restarted_request(self) -> EnteredDice:
        """The current request without the dice entered so far."""
        return replace(self, rolled=())


def face_number(request: DiceRequest, face: object) -> int | None:
    """The number of a face that is given as a number or as a symbol; None if there is none."""
    if type(face) is int and 1 <= face <= request.sides:
        return face
    shown_at = (number for number, one in enumerate(request.symbols, 1) if one.symbol == face)
    return next(shown_at, None)


def chances_by_number(request: DiceRequest) -> Mapping[str, float]:
    """The chance of each number that may be entered, as JSON has it."""
    low = lowest(request)
    return {str(low + place): chance for place, chance in enumerate(chances_of(request))}


def needed_face(request: DiceRequest) -> int | None:
    """The lowest face, or total, that counts after all modifiers; None without such a number."""
    return request.wanted


def completed(commands: Sequence[Plain], command: Plain | None) -> tuple[Plain, ...]:
    """Commands of which the last one gets its dice; without dice the game rolls."""
    return tuple(commands) if command is None else (*commands[:-1], command)
