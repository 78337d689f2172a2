"""A tray that was moved: the notice of which action explains its place."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

from companion import games
from companion.engine.moves.move_verdict import (
    MoveVerdict,
    Verdicts,
    allowed,
    missed,
    off_line_words,
    out_of_turn,
)
from companion.engine.moves.tray_places import lies_over, line_end, off_line, place_name, still
from companion.engine.snapshot import Notice, Snapshot
from companion.games.api.play import Plain
from companion.games.api.prompt import ActionOffer
from companion.games.api.rules import GameRules
from models import Pose, Table
from models.message import joined, say

ROUNDED_IN = 0.005
"""Who is too far is offered a legal place a hair inside the limit."""
TOLD_DEG = 3.0
"""A turn by less is not told: measurements tremble."""


class PlaceJudge(Protocol):
    """A game in play, asked about the place of a piece."""

    def entry(self, table: Table, piece: str) -> Plain | None:
        """Whether a piece that comes in may stand where a table shows it, whatever its way."""

    def gain(self, table: Table, piece: str) -> str:
        """What a piece has from standing where a table shows it."""


def explained(
    table: Table,
    unit: str,
    end: Pose,
    readings: Any,
    snapshot: Snapshot | None = None,
    offers: Sequence[ActionOffer] = (),
    judge: PlaceJudge | None = None,
) -> Notice | None:
    """The game's judgement of the move; None if the tray is back at its old place."""
    if still(table.unit(unit).pose, end):
        return None
    return MovedTray(table, unit, end, readings, snapshot or Snapshot(), offers, judge).notice()


@dataclass(frozen=True)
class MovedTray:
    """A tray that now stands elsewhere than the game has it, and what its rules say of that.

    A unit with a move that is already decided is judged by that one alone, another one by the
    moves among its `offers`. One that has none of them may not move now. `judge` is the game in
    play.
    """

    table: Table
    unit: str
    end: Pose
    readings: Any
    snapshot: Snapshot
    offers: Sequence[ActionOffer]
    judge: PlaceJudge | None

    @property
    def start(self) -> Pose:
        """Where the game has it."""
        return self.table.unit(self.unit).pose

    @cached_property
    def after(self) -> Table:
        """The table with the tray where it stands now."""
        return self.table.moved(self.unit, self.end)

    @property
    def game(self) -> GameRules:
        """The rules that judge it."""
        return games.find(self.table.game)

    @cached_property
    def due(self) -> ActionOffer | None:
        """The move that is already decided."""
        return self.snapshot.due_move(self.unit)

    @cached_property
    def moving(self) -> tuple[ActionOffer, ...]:
        """The moves that it may have made."""
        if self.due:
            return (self.due,)
        found = (
            tuple(one for one in offers if (one.moves or one.ends) and one.possible)
            for offers in (self.offers, self.asked)
        )
        return (*next((some for some in found if some), ()), *self.begun_by_hand())

    @cached_property
    def asked(self) -> tuple[ActionOffer, ...]:
        """What the first prompt lets it do with a move."""
        return tuple(asked_moves(self.snapshot, self.unit))

    @cached_property
    def covered(self) -> str | None:
        """The tray over which it lies."""
        return lies_over(self.after, self.unit)

    @property
    def covers(self) -> str:
        """That it lies over another tray, in words."""
        if self.covered is None:
            return ""
        return say("It lies over {unit}.", unit=self.snapshot.name(self.covered))

    @cached_property
    def checked(self) -> Verdicts:
        """The verdict of the rules on its place as the end of each move."""
        entry = self.judge.entry(self.after, self.unit) if self.judge and self.due else None
        if self.due is not None and entry is not None:
            return {self.due.kind: MoveVerdict.read(entry)}
        return verdicts(self.table, self.unit, self.end, self.readings, self.moving)

    @cached_property
    def by_place(self) -> tuple[ActionOffer, ...]:
        """The moves that are judged by the places alone that the rules name."""
        return tuple(one for one in self.moving if one.ends and one.kind not in self.checked)

    @cached_property
    def verdicts(self) -> Verdicts:
        """The verdict on its place as the end of each move."""
        return {**at_named_places(self.by_place, self.unit, self.end), **self.checked}

    @cached_property
    def fitting(self) -> tuple[ActionOffer, ...]:
        """The moves that explain where it stands."""
        known = (one for one in self.moving if explains(one, self.verdicts.get(one.kind)))
        return tuple(
            one for one in known if one not in self.by_place or place_name(one, self.unit, self.end)
        )

    @cached_property
    def meant(self) -> tuple[ActionOffer, ...]:
        """The charges that a hand meant and only did not lay as they end."""
        if self.covered is not None:
            return ()
        found = (one for one in self.moving if askew(one, self.verdicts.get(one.kind)))
        return tuple(one for one in found if one not in self.fitting)

    @property
    def askew(self) -> Verdicts:
        """How those charges lie."""
        found = {one.kind: (one.text, self.verdicts[one.kind].askew) for one in self.meant}
        return {kind: replace(one, told=text) for kind, (text, one) in found.items() if one}

    # -- the notice --------------------------------------------------------------------------

    def notice(self) -> Notice:
        """Which action explains the move, or why none does."""
        if self.snapshot.view is not None and not self.moving:
            return self.out_of_turn()
        notice = self.judged()
        legal = [name for name, one in self.verdicts.items() if one.possible]
        if legal and (self.fitting or not self.moving):
            return self.legal(notice, legal)
        if self.due is not None and self.due.kind not in self.verdicts:
            return replace(notice, detail=self.due.text, legal=True, actions=self.moving)
        detail, rules = self.missed(self.askew or self.verdicts)
        detail = joined(filter(None, (self.covers, detail)), " · ")
        notice = replace(notice, detail=detail, rules=rules, possible=self.covered is None)
        if self.meant:  # where it stands is asked after its dice
            return replace(notice, unsure=True, actions=self.meant)
        return self.refused(notice)

    def out_of_turn(self) -> Notice:
        """A tray that has no move to make."""
        why = joined(filter(None, (out_of_turn(self.snapshot, self.unit), self.covers)), " ")
        return Notice(self.unit, self.title(), why, False, self.start, self.after, False,
                      possible=self.covered is None, barred=self.barred())  # fmt: skip

    def title(self) -> str:
        """How far it moved and turned."""
        far = math.hypot(self.end.x - self.start.x, self.end.y - self.start.y)
        turned = abs((self.end.heading - self.start.heading + 180) % 360 - 180)
        name = self.snapshot.name(self.unit)
        if turned < TOLD_DEG:
            return say("{unit} moved {length:.2f}″", unit=name, length=far)
        return say("{unit} moved {length:.2f}″ and turned {turn:.0f}°", unit=name, length=far,
                   turn=turned)  # fmt: skip

    def judged(self) -> Notice:
        """The notice with what each action says of the move."""
        found = self.verdicts
        return Notice(
            self.unit,
            self.title(),
            "",
            False,
            self.start,
            self.after,
            over={name: one.over for name, one in found.items()},
            missing={name: one.missing for name, one in found.items() if one.missing is not None},
            why={name: self.why_not(name) for name in found},
            costs={name: one.costs(self.snapshot) for name, one in found.items()},
        )

    def why_not(self, name: str) -> str:
        """Why an action does not explain the move."""
        lines = next((one.lines for one in self.moving if one.kind == name), ())
        off = off_line(self.start, self.end, lines)
        told = (off_line_words(off) if off else "", self.verdicts[name].fault(self.game.reason))
        return joined(filter(None, told), " · ")

    def legal(self, notice: Notice, legal: Sequence[str]) -> Notice:
        """The notice of a move that actions explain, or may explain."""
        gain = self.judge.gain(self.after, self.unit) if self.judge is not None else ""
        kinds = [one.kind for one in self.fitting] or legal
        unsure = all(self.verdicts[name].unsure for name in kinds)
        doubtful = () if unsure else tuple(one for one in legal if self.verdicts[one].unsure)
        detail = self.allowed([one for one in legal if one not in doubtful])
        detail = joined(filter(None, (detail, gain)), " · ")
        every = (*self.offers, *self.asked)
        fitting = (*self.fitting, *aimed_elsewhere(self.fitting, every))
        notice = replace(notice, detail=detail, legal=True, unsure=unsure, actions=fitting,
                         doubtful=doubtful, doubt=self.allowed(doubtful),
                         agreeable=tuple(self.agreeable(fitting)))  # fmt: skip
        meant = tuple(one for one in self.meant if one not in fitting)
        if not unsure or not meant:
            return notice
        miss, _ = missed(self.askew, {}, self.game.reason)  # so near to an enemy it may be meant
        return replace(notice, detail=joined((detail, miss), "; "), actions=(*fitting, *meant))

    def allowed(self, names: Sequence[str]) -> str:
        """These actions, as text, with what is too close to call about them and what they cost."""
        return allowed(self.verdicts, names, self.snapshot, self.game.reason)

    def missed(self, found: Verdicts) -> tuple[str, tuple[str, ...]]:
        """The move that comes nearest, and why it is not allowed."""
        off = {one.kind: off_line(self.start, self.end, one.lines) for one in self.moving}
        return missed(found, off, self.game.reason)

    def refused(self, notice: Notice) -> Notice:
        """The notice of a move that nothing explains: what both may agree to, and the legal places
        nearby."""
        agreeable = tuple(self.agreeable()) if notice.possible else ()
        near = {one.kind: self.nearer(one) for one in self.moving}
        nearest = {kind: place for kind, place in near.items() if place is not None}
        return replace(notice, agreeable=agreeable, nearest=nearest, barred=self.barred())

    def agreeable(self, fitting: Sequence[ActionOffer] = ()) -> Iterator[ActionOffer]:
        """What both may agree to, as the rules do not explain the place by it."""
        kinds = {one.kind for one in fitting}
        return (one for one in self.moving if one.dice is None and one.kind not in kinds)

    def barred(self) -> str:
        """Why nothing may stand there; that another tray is in the way is told apart."""
        if self.covered is not None:
            return ""
        return self.game.barred(self.after, self.unit, self.readings)

    def nearer(self, offer: ActionOffer) -> Pose | None:
        """The last legal place on the way to one that is too far, or that is beside the line
        of a straight move."""
        start, found = self.start, self.verdicts.get(offer.kind)
        over = found.over if found is not None else 0.0
        beside = off_line(start, self.end, offer.lines)
        end = line_end(start, self.end, offer.lines)
        far = math.hypot(end.x - start.x, end.y - start.y)
        left = far - over - ROUNDED_IN if over else far
        if offer.target or not (over or beside) or left <= 0:
            return None
        x, y = (a + (b - a) * left / far for a, b in ((start.x, end.x), (start.y, end.y)))
        place = replace(end, x=x, y=y)
        again = verdicts(self.table, self.unit, place, self.readings, (offer,)).get(offer.kind)
        return place if again is not None and again.answer == "yes" else None

    def begun_by_hand(self) -> Iterator[ActionOffer]:
        """The best action with a move of its own that a hand has made already, as that move."""
        every = (*self.offers, *self.asked)
        best = next((one for one in every if one.begins_with and one.possible), None)
        if best is not None:
            offer = replace(best, kind=best.begins_with, target="")
            found = verdicts(self.table, self.unit, self.end, self.readings, (offer,))
            if offer.kind in found and found[offer.kind].possible:
                yield offer


def asked_moves(snapshot: Snapshot, unit: str) -> Iterator[ActionOffer]:
    """The moves among what the first prompt lets the players choose for a piece."""
    for asked in snapshot.prompts[:1]:
        for choice in asked.choices:
            if (choice.moves or choice.begins_with) and unit == (choice.piece or asked.mover):
                free = bool(choice.moves and not choice.ends)
                offer = ActionOffer(choice.moves, choice.text, choice.commands, unit, moves=free)
                offer = replace(offer, detail=choice.detail, dice=choice.dice)
                yield replace(offer, ends=choice.ends, begins_with=choice.begins_with)


def asked_move(snapshot: Snapshot, commands: Sequence[Plain]) -> ActionOffer | None:
    """The move that these commands of the first prompt let a piece make that they name: it is
    recorded with where the piece goes. None for any other choice."""
    named = (one.piece for asked in snapshot.prompts[:1] for one in asked.choices)
    moves = (one for piece in filter(None, {*named}) for one in asked_moves(snapshot, piece))
    found = (one for one in moves if one.moves and [*one.commands] == [*commands])
    table = snapshot.trays
    return next((one for one in found if table is not None and one.piece in table), None)


def aimed_elsewhere(
    fitting: Iterable[ActionOffer], offers: Iterable[ActionOffer]
) -> Iterator[ActionOffer]:
    """The same action at others: whom it is aimed at is chosen after the move (TMG-RNG-7)."""
    begun = {one.kind: one.commands for one in fitting if one.begins_with}
    for one in offers:
        if begun.get(one.begins_with, one.commands) != one.commands and one.possible:
            yield replace(one, kind=one.begins_with, target="")


def verdicts(
    table: Table, unit: str, end: Pose, readings: Any, moving: Sequence[ActionOffer]
) -> dict[str, MoveVerdict]:
    """What the rules say of a place as the end of each move; of all where none is named.

    A move whose dice lie goes no farther than they let it.
    """
    own, kinds = table.unit(unit), {one.kind: one.reach for one in moving}
    checked = games.find(table.game).check(table, table.moved(unit, end), unit, readings)
    far = math.hypot(end.x - own.pose.x, end.y - own.pose.y)
    found = {
        name: MoveVerdict.read(one) for name, one in checked.items() if name in kinds or not kinds
    }
    return {
        name: one if (reach := kinds.get(name)) is None else one.limited(reach, own.speed, far)
        for name, one in found.items()
    }


def at_named_places(offers: Iterable[ActionOffer], unit: str, pose: Pose) -> dict[str, MoveVerdict]:
    """The verdict on a move whose places the rules name: it is at one of them, or it is not."""
    found: dict[str, MoveVerdict] = {}
    for one in offers:
        text = place_name(one, unit, pose)
        if text or one.kind not in found:
            answer, why = ("yes", ()) if text else ("no", tuple(one.rules))
            found[one.kind] = MoveVerdict(answer, why, target=one.target, told=text)
    return found


def explains(offer: ActionOffer, verdict: MoveVerdict | None) -> bool:
    """Whether an action explains the move: a charge that reached or missed its own target only."""
    if verdict is None or not verdict.possible:
        return False
    targets = verdict.target, verdict.short
    return not (offer.target and offer.commands) or offer.target in targets


def askew(offer: ActionOffer, verdict: MoveVerdict | None) -> bool:
    """Whether a hand meant an action and only did not lay the tray as it ends."""
    found = verdict.askew if verdict is not None else None
    return found is not None and found.target == offer.target
