"""Who takes a step: what the seats that give a command may do alone, and who must agree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from companion.games.api.authority import decided_together
from companion.games.api.play import ANYBODY, Authority, Plain, Play, Refusal
from companion.session.fold import History, Position
from models.message import joined, say

HOST = ("set-up", "setup", "save")
"""Commands that no seat gives: they concern the file, and so whoever opened it."""


def unauthorised(history: History, command: Plain, by: tuple[str, ...]) -> Refusal | None:
    """Why these seats may not give a command; without seats it is the host, who may do anything."""
    if not by:
        return None
    do = command.get("do")
    if do in HOST:
        return Refusal("SEATS", say("only the host may do this"))
    if do in ("undo", "redo"):
        asked = consent_needed(history, str(do), command.get("count"), by)
        asked = asked or (others(history, by) if "to" in command else ())
        return must_agree(history, asked) if asked else None
    here = history.now
    if here.play is None:
        return None
    for state, part in parts_in_turn(here.play, here.state, command):
        refusal = not_theirs(history, here.play.authority(state, part), by)
        if refusal is not None:
            return refusal
    return None


def parts_in_turn(play: Play[Any], state: Any, command: Plain) -> Iterator[tuple[Any, Plain]]:
    """A command and the state in which it is given; of several together each as it comes."""
    parts = command.get("commands") if command.get("do") == "together" else None
    if not isinstance(parts, list):
        yield state, command
        return
    for part in parts:
        if not isinstance(part, dict):
            return
        yield state, part
        decision = play.decide(state, part)
        for event in () if isinstance(decision, Refusal) else decision.events:
            state = play.apply(state, event)


def not_theirs(history: History, found: Authority, by: tuple[str, ...]) -> Refusal | None:
    """Why these seats may not give what others decide."""
    here = history.now
    if not found.seats:
        return None
    if found.together:
        asked = here.rivals.human([seat for seat in found.seats if seat not in by])
        return must_agree(history, asked) if asked else None
    if any(seat in by or seat in here.rivals.ids for seat in found.seats):
        return None
    return Refusal("SEATS", say("only {players} may do this", players=named(history, found.seats)))


def must_agree(history: History, seats: Iterable[str]) -> Refusal:
    """The refusal of what several seats decide together."""
    return Refusal("AGREE", say("{players} must agree", players=named(history, seats)))


def named(history: History, seats: Iterable[str]) -> str:
    """Seats by the names of their players."""
    here = history.now
    names = here.play.moment(here.state).names if here.play is not None else {}
    return joined([names.get(seat) or say(seat) for seat in seats])


def consent_needed(
    history: History, word: str, count: object = None, by: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """The seats that must agree before these take steps back, or do them again; none: they may.

    The host may, and a seat may take back its own newest steps. For a step of others these are
    asked, and everybody for one that nobody has signed, or that has shown a secret.
    """
    if not by:
        return ()
    undone = history.undone.down() if history.undone is not None else iter(())
    if not isinstance(count, int):
        count = history.back if word == "undo" else history.again
    steps = islice(history.now.down() if word == "undo" else undone, max(count, 0))
    asked: dict[str, None] = {}
    for position in steps:
        signed = authors_of(position.whole)
        everybody = not signed or revealing(position)
        asked |= dict.fromkeys(others(history, by) if everybody else signed)
    return history.now.rivals.human([seat for seat in asked if seat not in by])


def revealing(position: Position) -> bool:
    """Whether a step has shown everybody what somebody had chosen in secret."""
    play, step = position.play, position.step
    if play is None or step is None:
        return False
    reveals = getattr(play, "reveals", None)  # games from elsewhere may know of no secrets
    own = (event for event in step.events() if not event.type.startswith("session."))
    return reveals is not None and any(reveals(event) for event in own)


def authors_of(position: Position) -> tuple[str, ...]:
    """The seats that took a step together; none if nobody signed it."""
    return position.step.by if position.step is not None else ()


def others(history: History, by: tuple[str, ...]) -> tuple[str, ...]:
    """All seats but these."""
    here = history.now
    sides = here.play.moment(here.state).sides if here.play is not None else ()
    return here.rivals.human([seat for seat in sides if seat not in by])


@dataclass(frozen=True, slots=True)
class JointCommands:
    """Commands that wait until everybody whom they concern has given them."""

    commands: tuple[Plain, ...]
    agreed: tuple[str, ...]
    missing: tuple[str, ...]
    asks: str = ""
    """What the missing seats are asked to agree to; empty where each has a button of its own."""
    joins: bool = False
    """Whether it belongs to the newest step."""


class Agreements:
    """What seats have agreed to since the newest step, until all whom it concerns have."""

    def __init__(self) -> None:
        self._seq = 0
        self._waiting: tuple[JointCommands, ...] = ()

    def join(
        self,
        history: History,
        commands: Sequence[Plain],
        by: tuple[str, ...],
        asks: str = "",
        joins: bool = False,
    ) -> JointCommands:
        """What seats give now, with the seats that still have to agree to it.

        Where one player taps a button for more than another has tapped, they agree to what both
        want. With `asks` the others are shown what they are asked; of a move that no rule explains
        everybody is asked.
        """
        if history.seq != self._seq:
            self._seq, self._waiting = history.seq, ()
        given = tuple(commands)
        if not by:
            return JointCommands(given, (), (), asks, joins)
        given = own_part(history, given, by)
        shorter = (one.commands for one in self._waiting if begins(given, one.commands))
        given = next(shorter, given)
        before = [
            seat for one in self._waiting if begins(one.commands, given) for seat in one.agreed
        ]
        agreed = tuple(dict.fromkeys((*before, *by)))
        missing = missing_seats(history, given, agreed)
        if asks and not takes_back(given):
            missing = others(history, agreed)
        found = JointCommands(given, agreed, missing, asks, joins)
        if missing:
            rest = (one for one in self._waiting if one.commands != given)
            self._waiting = (*rest, found)
        return found

    def waiting(self, history: History) -> tuple[JointCommands, ...]:
        """What waits for somebody."""
        return self._waiting if history.seq == self._seq else ()

    def decline(self, proposal: JointCommands) -> None:
        """Somebody does not agree."""
        self._waiting = tuple(one for one in self._waiting if one != proposal)


def own_part(
    history: History, commands: tuple[Plain, ...], by: tuple[str, ...]
) -> tuple[Plain, ...]:
    """Commands without what comes after them and only others decide; all, if none is left."""
    here = history.now
    if here.play is None or len(commands) == 1:
        return commands
    found = [here.play.authority(here.state, command).seats for command in commands]
    others_ = (at for at, seats in enumerate(found) if seats and not set(by) & set(seats))
    return commands[: next(others_, len(commands))] or commands


def begins(commands: Sequence[Plain], first: Sequence[Plain]) -> bool:
    """Whether commands begin with others."""
    return list(commands[: len(first)]) == list(first)


def takes_back(commands: Sequence[Plain]) -> bool:
    """Whether they undo or redo."""
    return len(commands) == 1 and commands[0].get("do") in ("undo", "redo")


def missing_seats(
    history: History, commands: Sequence[Plain], by: tuple[str, ...]
) -> tuple[str, ...]:
    """The seats without which these may not give the commands, where they decide together."""
    if takes_back(commands):
        return consent_needed(history, str(commands[0]["do"]), commands[0].get("count"), by)
    here = history.now
    found = (
        decided_together([here.play.authority(here.state, command) for command in commands])
        if here.play is not None
        else ANYBODY
    )
    joins = found.together and any(seat in found.seats for seat in by)
    return here.rivals.human([seat for seat in found.seats if seat not in by]) if joins else ()
