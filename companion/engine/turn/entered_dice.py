"""Dice as players enter them: a count, a total or every face, one kind of dice after the other.

dice = EnteredDice.begin(request)
dice = dice.with_faces([4, 2])            # or with_number(1); a refusal if they do not fit
dice.command                              # None while further dice are missing
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.engine.turn.turn_records import DiceKey, SymbolView
from companion.games.api.play import Plain, Refusal
from companion.games.api.prompt import DiceRequest, DiceSymbol, Tone
from models.field import shown
from models.message import joined, say

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
    if request.text and (counts or not request.count_field):
        return request.text
    if counts and lowest(request):
        return say("What is the total?")
    if counts and request.wanted is not None:
        return say("How many show {wanted}+?", wanted=request.wanted)
    return say("What did you roll?")


def entered_text(dice: EnteredDice) -> str:
    """What is entered so far."""
    faces = (value if isinstance(value, list) else [value] for _, value in dice.given)
    return say("Entered: {dice}.", dice=joined(str(face) for found in faces for face in found))


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
        "",
        request.sides,
        text=say("How many of them show {face}?", face=request.sides),
        count_field=request.top_field,
        chances=tuple(
            math.comb(count, n) * (faces - 1) ** (count - n) / faces**count
            for n in range(count + 1)
        ),
        optional=False,
    )


def count_keys(request: DiceRequest) -> Iterator[DiceKey]:
    """A key for each number of successes, or for each total."""
    low, chances = lowest(request), chances_of(request)
    for place, chance in enumerate(chances or (None,) * (request.count + 1)):
        number = low + place
        yield DiceKey(number, str(number), chance, verdict(request, number) if low else "")


def face_keys(request: DiceRequest) -> Iterator[DiceKey]:
    """A key for each face of a die, or for each of its symbols."""
    for symbol in dict.fromkeys(request.symbols):
        view = symbol_view(symbol, request.symbols.count(symbol))
        face = request.symbols.index(symbol) + 1
        yield DiceKey(face, symbol.name, None, symbol.tone, view)
    if request.symbols:
        return
    single = request.count == 1 and len(request.chances) == request.sides
    for face in range(1, request.sides + 1):
        tone = verdict(request, face) if request.count == 1 else ""
        yield DiceKey(face, str(face), request.chances[face - 1] if single else None, tone)


def symbol_view(symbol: DiceSymbol, faces: int = 0) -> SymbolView:
    """A symbol as a record, on so many faces of its die."""
    return SymbolView(symbol.symbol, symbol.name, faces, symbol.detail, symbol.icon, symbol.colour)


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
        return self.so_far if self.complete else None

    @property
    def so_far(self) -> dict[str, Any]:
        """The command with the dice that are entered; the game rolls the others."""
        return {**self.requests[0].command, **dict(self.given)}

    @property
    def app_rolls(self) -> bool:
        """Whether the game may roll all dice that are still missing."""
        return all(one.optional for one in self.requests[self.place :])

    def renewed(self, request: DiceRequest) -> EnteredDice | None:
        """What was entered so far for the same dice with other odds; None for other dice."""
        if shape(request) != shape(self.requests[0]):
            return None
        return replace(self, requests=(request, *self.asked, *request.extra))

    def replayed(self, given: Iterable[tuple[str, Any]]) -> EnteredDice:
        """With the kinds of dice that were entered before, as far as they fit."""
        dice = self
        for field, value in given:
            request = dice.request
            if dice.complete or field not in (request.field, request.count_field):
                return self
            faces = value if isinstance(value, list) else [value]
            by_faces = field == request.field
            after = dice.with_faces(faces) if by_faces else dice.with_number(value)
            if isinstance(after, Refusal):
                return self
            dice = after
        return self if dice.complete else dice

    # -- entering ----------------------------------------------------------------------------

    def with_faces(self, faces: object) -> EnteredDice | Refusal:
        """Every face of the current request, checked."""
        request = self.request
        if not request.field:
            return Refusal(INPUT, say("these dice are counted"))
        if not isinstance(faces, Sequence) or isinstance(faces, str) or len(faces) != request.count:
            asked = say("{n} face is asked for", "{n} faces are asked for", n=request.count)
            return Refusal(INPUT, asked)
        rolled: list[int] = []
        for face in faces:
            number = face_number(request, face)
            if number is None:
                return Refusal(INPUT, say("{face} is no face of this die", face=shown(face)))
            rolled.append(number)
        signs: list[Any] = [*rolled]
        if request.symbols:
            signs = [request.symbols[number - 1].symbol for number in rolled]
        return self._with(request.field, signs[0] if request.single else signs, sum(rolled))

    def with_number(self, number: object) -> EnteredDice | Refusal:
        """A count or a total, checked."""
        request = self.request
        if not request.count_field:
            return Refusal(INPUT, say("these dice are entered face by face"))
        low, high = lowest(request), highest(request)
        if type(number) is not int or not low <= number <= high:
            why = say("a number from {low} to {high} is asked for", low=low, high=high)
            return Refusal(INPUT, why)
        after = self._with(request.count_field, number, number)
        if not request.top_field or not number:
            return after
        asked, place = (top_faces(request, number),), self.place + 1
        requests = (*self.requests[:place], *asked, *self.requests[place:])
        return replace(after, requests=requests, asked=asked)

    def _with(self, field: str, value: object, total: int) -> EnteredDice:
        request, place = self.request, self.place + 1
        passed = bool(lowest(request)) and verdict(request, total) == "good"
        while passed and place < len(self.requests) and self.requests[place].if_failed:
            place += 1
        return replace(self, place=place, given=(*self.given, (field, value)))


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


def completed(commands: Sequence[Plain], command: Plain | None) -> tuple[Plain, ...]:
    """Commands of which the last one gets its dice; without dice the game rolls."""
    return tuple(commands) if command is None else (*commands[:-1], command)
