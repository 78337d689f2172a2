"""A game session: takes commands, returns answers and durable steps. The app uses it too.

with Session.open(Path("saturday.game")) as session:
    session.answer({"do": "set-up", "game": "...", ...})
    session.answer({"do": "undo"})
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, TypeVar

from companion.games import package_of
from companion.games.api.play import Accepted, Decision, Event, Plain, Refusal
from companion.session import builtin_commands
from companion.session.authors import Agreements, unauthorised
from companion.session.fold import History, Position, fold_in_time, grow, undo_title
from companion.session.game_lookup import find_play, find_rival, games_to_play
from companion.session.log import LATEST_MS, Gone, Log, Unwritten
from companion.session.rivals import rival_seats, rivals_of_setup
from companion.session.step import BY, CLOCK, JOINED, SETUP, LogStep, body_of, title
from companion.session.storage import Damage, open_log, save_as
from companion.text import translation
from models import BadInput, CompanionError, UnknownName
from models.field import Field, shown
from models.message import say

Now = Callable[[], int]
T = TypeVar("T")
LONGEST_TITLE = 500
LONGEST_WORD = 40
BROKEN = "BUG"
"""The reason given when a game's code fails; nothing was changed and the game continues."""


def steady_now(not_before_ms: int = 0) -> Now:
    """Milliseconds since 1970 that keep running evenly when the system clock is changed.

    They continue from the last step: on a device whose clock was set back since then, time would
    otherwise stand still until the clock has caught up. Time in which the device sleeps counts.
    """
    start_ms = max(time.time_ns() // 1_000_000, not_before_ms)
    start = ticks_ns()
    return lambda: min(start_ms + (ticks_ns() - start) // 1_000_000, LATEST_MS)


def ticks_ns() -> int:
    """Monotonic nanoseconds, including the time the device sleeps where that is available."""
    boot: int | None = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic_ns() if boot is None else time.clock_gettime_ns(boot)


@dataclass(slots=True)
class Session:
    """One open game: its event log and the history folded from it."""

    log: Log
    history: History
    now: Now
    damage: Damage | None = None
    agreements: Agreements = field(default_factory=Agreements)

    @classmethod
    def open(cls, path: Path, now: Now | None = None) -> Session:
        """Open a game's file, or create a new one."""
        log, steps, damage = open_log(path)
        try:
            history = fold_in_time(steps)
            session = cls(log, history, now or steady_now(history.at_ms), damage)
            translation.set_game(package_of(history.now.play))
            if session.history.clock.running:
                session.take([Event(CLOCK, {"lost": True})])
        except Unwritten:
            log.close()
            raise
        except CompanionError as error:
            log.close()
            raise BadInput(str(path), "", str(error)) from error
        return session

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the clock and close the file."""
        try:
            if self.history.clock.running:
                self.take([Event(CLOCK, {"pause": True})])
        except CompanionError:
            pass  # the next time the file is opened, the running clock is found and stopped
        finally:
            self.log.close()

    # -- commands ---------------------------------------------------------------------------

    def answer(
        self,
        command: Plain,
        by: tuple[str, ...] = (),
        follows: bool = False,
        joins: bool = False,
    ) -> dict[str, Any]:
        """Carry out a command, or return a refusal; never raises.

        `by` are the seats that give it together and sign its step; without them it is the host.
        What `follows` from a step of theirs needs nobody's consent. What `joins` the newest step is
        undone with it.
        """
        return self.reply(command, lambda answer: answer, by, follows, joins)

    def reply(
        self,
        command: Plain,
        form: Callable[[dict[str, Any]], T],
        by: tuple[str, ...] = (),
        follows: bool = False,
        joins: bool = False,
    ) -> T:
        """The same, converted by `form` before the step is made durable."""
        translation.set_game(package_of(self.history.now.play))
        try:
            side, command = self.seat_in(command, "for")
            author, command = self.seat_in(command, "author")
            by = (*by, author) if author is not None else by
            refusal = None if follows else unauthorised(self.history, command, by)
            decision = refusal or self.decide(command)
            if isinstance(decision, Refusal):
                return form(refused(decision))
            step, history = None, self.history
            if decision.events:
                step, history = self.draft(decision, by, joins)
                translation.set_game(package_of(history.now.play))  # a set-up begins with its words
            # The answer is complete before the step is durable: a failure leaves no trace.
            seen = view(history, side, self.now(), self.damage)
            if side is not None or command.get("do") == "state":
                offer(history.now, seen, side)
            answer = form({"ok": True, "seq": history.seq, **decision.answer, "state": seen})
            if step is not None:
                self.keep(step, history)
            return answer
        except Gone as error:
            return form(refused(Refusal("GONE", str(error))))
        except Unwritten as error:
            return form(refused(Refusal("DISK", str(error))))
        except BadInput as error:
            return form(refused(Refusal("INPUT", str(error))))
        except UnknownName as error:
            return form(refused(Refusal("UNKNOWN", str(error))))
        except CompanionError as error:
            return form(refused(Refusal("INPUT", str(error))))
        except Exception as error:
            # The game at the table continues: nothing was logged, so the state is unchanged.
            problem = f"{type(error).__name__}: {shown(str(error), 200)}"
            return form(refused(Refusal(BROKEN, problem)))

    def decide(self, command: Plain) -> Decision:
        """Decide a command: built-in ones here, all others by the game."""
        do = command.get("do")
        if isinstance(do, str) and len(do) <= LONGEST_WORD and do.replace("-", "").isalnum():
            pass  # the usual case, and the fastest to recognise
        elif "do" in command:
            do = Field(command).member("do").text(LONGEST_WORD)
        else:
            example = '{"do": "help"}'
            return Refusal(
                "INPUT", say("the command has no 'do'; {example} lists them", example=example)
            )
        if do in ("set-up", "setup"):
            return self.set_up(command)
        if do == "save":
            return self.save_as(builtin_commands.save(self.history, command))
        if do in builtin_commands.COMMANDS:
            return builtin_commands.COMMANDS[do].decide(self.history, command)
        here = self.history.now
        if here.play is None:
            return Refusal(
                "SET-UP", say("no game is set up yet, so there is no {command}", command=shown(do))
            )
        return here.play.decide(here.state, command)

    def set_up(self, command: Plain) -> Decision:
        """Start the game."""
        if self.history.now.play is not None:
            return Refusal("SET-UP", say("the game is set up already; undo that first"))
        known = games_to_play()
        if "game" not in command:
            return Refusal("SET-UP", say("say which 'game': {games}", games=", ".join(known)))
        game = Field(command).member("game").choice(known)
        own = {"game", "rivals", "coach"}
        asked = {"seed": secrets.randbits(48), **{k: v for k, v in command.items() if k not in own}}
        play, rival = find_play(game), find_rival(game)
        if rival is not None and rival.deals and "rivals" in command:
            asked[rival.deals] = rival_seats(command)
        setup = play.prepare(game, asked)
        if isinstance(setup, Refusal):
            return setup
        begun = Event(SETUP, {"game": game, "setup": setup})
        if not own & {*command} - {"game"}:
            return Accepted((begun,))
        seats = play.moment(play.start(game, setup)).sides
        rivals = tuple(rivals_of_setup(command, seats if rival is not None else ()))
        return Accepted((begun, *rivals))

    # -- the log ----------------------------------------------------------------------------

    def take(self, events: Sequence[Event]) -> None:
        """Log a step that the session itself adds."""
        self.keep(*self.draft(Accepted(tuple(events))))

    def draft(
        self, decided: Accepted, by: tuple[str, ...] = (), joins: bool = False
    ) -> tuple[LogStep, History]:
        """The next step and the history with it, in memory only."""
        at_ms = self.now()
        own = (*decided.events, Event(BY, {"seats": list(by)})) if by else decided.events
        own = (*own, Event(JOINED, {})) if joins else own
        text = title(
            self.history.now.play, decided.events, undo_title(self.history, decided.events)
        )
        step, history = self.grown(at_ms, text, decided, own)
        handover = self.handover(history)
        if handover is not None:
            step, history = self.grown(at_ms, text, decided, (*own, handover))
        return step, history

    def grown(
        self, at_ms: int, text: str, decided: Accepted, events: tuple[Event, ...]
    ) -> tuple[LogStep, History]:
        """These events as a step, and the history with it.

        They are applied in the form in which they are read back from the log: the state is always
        the one that reading the file later gives.
        """
        step = LogStep.sealed(self.history.last, at_ms, text[:LONGEST_TITLE], body_of(events))
        return step, grow(self.history, step, title_text=text, decided=decided)

    def keep(self, step: LogStep, history: History) -> None:
        """Make a drafted step durable, and only then take over its history."""
        self.log.append(step)
        self.history = history

    def save_as(self, named: Decision) -> Decision:
        """Save the whole game to a new file and continue there."""
        if isinstance(named, Refusal):
            return named
        target = self.log.path.parent / named.answer["file"]
        self.log = save_as(self.log, target)
        return Accepted(answer={"file": str(target)})

    def handover(self, history: History) -> Event | None:
        """The event that switches the running clock to the side the game now waits for."""
        clock, here = history.clock, history.now
        if not (clock.running and clock.follows):
            return None
        if here.play is None:
            return Event(CLOCK, {"pause": True})
        moment = here.play.moment(here.state)
        if moment.winner is not None:
            return Event(CLOCK, {"pause": True})
        if moment.side is not None and moment.side != clock.runs:
            return Event(CLOCK, {"run": moment.side})
        return None

    # -- queries ----------------------------------------------------------------------------

    def seat_in(self, command: Plain, key: str) -> tuple[str | None, Plain]:
        """The side that the answer is for ("for": "blue") or that gives the command ("author"), and
        the command without that field."""
        if key not in command:
            return None, command
        here = self.history.now
        sides = here.play.moment(here.state).sides if here.play is not None else ()
        side = Field(command).member(key).choice(sides)
        return side, {name: value for name, value in command.items() if name != key}

    def state(self, side: str | None = None) -> dict[str, Any]:
        """The whole state as visible to that side; None: as visible to everybody."""
        return view(self.history, side, self.now(), self.damage)


def view(
    history: History, side: str | None, now_ms: int, damage: Damage | None = None
) -> dict[str, Any]:
    """A history as the state view that `{"do": "state"}` returns."""
    here = history.now
    state: dict[str, Any] = {"game": here.game or None}
    if here.play is None:
        state |= {"round": 0, "phase": "set-up", "active": None, "winner": None, "units": {}}
    else:
        state |= here.play.view(here.state, side)
        if "pending" not in state:
            state["pending"] = pending(here)
    state["seq"] = history.seq
    state["notes"] = [
        {"seq": note.seq, "text": note.text, **({"side": note.side} if note.side else {})}
        for note in here.notes
    ]
    state["log"] = [title.line for _, title in history.tail]
    state["undo"] = here.whole.title or None
    state["redo"] = history.undone.position.title if history.undone else None
    if history.clock.used:
        state["clock"] = history.clock.to_json(now_ms)
    if damage is not None:
        state["damage"] = damage.to_json()
    return state


def offer(here: Position, seen: dict[str, Any], side: str | None) -> None:
    """Add to each prompt of a view the commands that would be accepted as its answer.

    The game tries each of them, which takes longer than the rest of an answer, so it is done only
    when the state, or the view of one side, is requested.
    """
    offers = getattr(here.play, "options", None)
    if offers is not None:
        for prompt, offered in zip(seen["pending"], offers(here.state, side), strict=True):
            prompt.update(house_ruled(here, offered))


def house_ruled(here: Position, offered: Mapping[str, Any]) -> Mapping[str, Any]:
    """Of a house rule's game only what its own `decide` accepts: its base has tried the rest."""
    play = here.play
    listed = offered.get("options")
    if play is None or not listed or type(play).__module__.startswith("companion."):
        return offered
    taken = [one for one in listed if not isinstance(play.decide(here.state, one), Refusal)]
    return {**offered, "options": taken}


def pending(here: Position) -> list[dict[str, Any]]:
    """What the game waits for, as JSON objects."""
    assert here.play is not None
    return [
        {
            "what": one.what,
            "side": one.side,
            "say": one.say,
            "commands": list(one.commands),
            **one.data,
        }
        for one in here.play.pending(here.state)
    ]


def refused(refusal: Refusal) -> dict[str, Any]:
    more = {"asks": refusal.asks} if refusal.asks else {}
    return {"ok": False, "why": refusal.why, "say": say(refusal.say), **more}
