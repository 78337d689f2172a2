"""The players' clock: the time of each, and the buttons that run and set it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.engine.snapshot import Snapshot
from companion.engine.turn.handles import SendTap
from companion.engine.turn.turn_records import ChoiceView, ClockSideView, ClockView
from companion.engine.turn.turn_view import ViewMaker
from models.message import say

STEP_MIN = 5
USUAL_MIN = 60


def clock_view(maker: ViewMaker, clock: Mapping[str, Any]) -> ClockView:
    """The clock of a state, which is empty where none is used."""
    view = maker.snapshot.view
    times = clock.get("sides", {})
    sides = tuple(
        side_view(maker, seat.id, maker.words(seat.name), times.get(seat.id, {}))
        for seat in (view.seats if view is not None else ())
    )
    running = bool(clock.get("running"))
    return ClockView(
        bool(clock),
        running,
        clock.get("side") or "",
        sides,
        maker.words(together(times)) if len(times) > 1 else "",
        tuple(clock_choices(maker, bool(clock), running)),
    )


def clock_choices(maker: ViewMaker, used: bool, running: bool) -> Iterator[ChoiceView]:
    """Start or pause it, or do without."""
    text = say("Pause the clock") if running else say("Start the clock")
    yield button(maker, "clock-run", text, "primary", action="pause" if running else "start")
    if used:
        yield button(maker, "clock-off", say("Put the clock away"), action="off")


def side_view(maker: ViewMaker, seat: str, name: str, time: Mapping[str, float]) -> ClockSideView:
    """The time of one player; who has none yet gets the usual one first."""
    used, left = time.get("used", 0.0), time.get("left")
    seconds, step = 60 * STEP_MIN, say("{n} min", n=STEP_MIN)
    if left is None:
        usual = say("{n} min", n=USUAL_MIN)
        first = button(maker, f"clock+:{seat}", usual, action="set", side=seat, minutes=USUAL_MIN)
        return ClockSideView(seat, name, used, None, (first,))
    signs = (("clock-", "−", -seconds), ("clock+", "+", seconds))
    steps = tuple(
        button(maker, f"{key}:{seat}", step, action="add", side=seat, seconds=by, sign=sign)
        for key, sign, by in signs
    )
    return ClockSideView(seat, name, used, left, steps)


def button(
    maker: ViewMaker, name: str, text: str, look: str = "plain", sign: str = "", **given: Any
) -> ChoiceView:
    """A button that sends a command to the clock."""
    command = {"do": "clock", **given}
    tap = maker.handles.add("c", ("clock", command), SendTap((command,)))
    return ChoiceView(tap, sign + maker.words(text), (), look=look, name=name)


def running_side(snapshot: Snapshot) -> str:
    """The seat whose time runs; "" while none does."""
    clock = snapshot.state.get("clock") or {}
    return clock["side"] if clock.get("running") else ""


def times_shown(snapshot: Snapshot, later_s: float) -> tuple[tuple[str, str], ...]:
    """The times that a line has room for, by seat, so many seconds after the snapshot was taken.

    Those of two players; of more the one whose clock runs, and "" with that of the whole table.
    """
    clock, runs = snapshot.state.get("clock") or {"sides": {}}, running_side(snapshot)
    used: dict[str, float] = {}
    faces: dict[str, str] = {}
    for seat, time in clock["sides"].items():
        more = later_s if seat == runs else 0.0
        used[seat] = time["used"] + more
        faces[seat] = clock_face(time["left"] - more if "left" in time else used[seat])
    if len(faces) <= 2:
        return tuple(faces.items())
    seat = clock["side"] if clock["side"] in faces else next(iter(faces))
    return (seat, faces[seat]), ("", clock_face(sum(used.values())))


def together(sides: Mapping[str, Mapping[str, float]]) -> str:
    """The time of the whole table: what all have used, and what is left to all."""
    used = clock_face(sum(one["used"] for one in sides.values()))
    if not all("left" in one for one in sides.values()):
        return say("All together: {used} played", used=used)
    left = clock_face(sum(one["left"] for one in sides.values()))
    return say("All together: {used} played, {left} left", used=used, left=left)


def clock_face(seconds: float) -> str:
    """A time as minutes and seconds; negative when overdrawn."""
    whole = int(seconds)
    sign = "−" if whole < 0 else ""
    return f"{sign}{abs(whole) // 60}:{abs(whole) % 60:02d}"
