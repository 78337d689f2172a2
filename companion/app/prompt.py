"""What the game waits for, as a card: its words and one button per way to go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from kivy.uix.widget import Widget

from companion.app.dice import DiceInput
from companion.app.kit import Card, Press, Text, grid
from companion.app.snapshot import Snapshot
from companion.app.theme import SKIN
from companion.app.words import _
from companion.session.play import Plain

Send = Callable[..., Any]

LATER = ("modify", "attack-result", "play", "order", "ability", "reroll", "pass-test", "use-card")
"""Ways that are rarely taken: they come last and quietly."""


def prompt(
    snapshot: Snapshot,
    send: Callable[..., Any],
    form: Callable[[str, Mapping[str, Any]], Any],
    choose: Callable[[str], Any],
) -> Card | None:
    """The card of what waits first; None while nothing does."""
    waiting = snapshot.pending
    if waiting is None:
        return None
    data = {**waiting, **(waiting.get("data") or {})}
    card = Card(rim="accent")
    side = waiting.get("side")
    who = f"{SKIN.mark(side)} {_(side)}" if side else _("both players")
    card.add_widget(Text(f"{_(waiting['what'])} · {who}", "small", SKIN.side(side), bold=True))
    card.add_widget(Text(_(str(waiting["say"]))))
    for extra in facts(data):
        card.add_widget(extra)
    verbs = list(waiting.get("commands") or ())
    first = [verb for verb in verbs if verb not in LATER]
    last = [verb for verb in verbs if verb in LATER]
    for verb in first:
        for widget in ways(verb, snapshot, data, send, form, choose):
            card.add_widget(widget)
    if last:
        quiet = [
            Press(_(verb), partial(form, verb, {}), "quiet", name=f"verb:{verb}") for verb in last
        ]
        card.add_widget(grid(quiet, 2))
    return card


def facts(data: Mapping[str, Any]) -> Iterator[Widget]:
    """Odds, modifiers and dice that lie: whatever the game tells with its question."""
    if "chance" in data:
        chance = f"{100 * data['chance']:.0f} %"
        text = _("passes {chance} · morale {morale}+", chance=chance, morale=data.get("morale"))
        mods = ", ".join(f"{name} {value:+d}" for name, value in data["modifiers"].items())
        yield Text(text + (f" · {mods}" if mods else ""), "body", "accent", bold=True)
    faces = data.get("faces") or data.get("rolled")
    if faces:
        yield Text(_("dice: {faces}", faces="  ".join(str(face) for face in faces)), bold=True)
    for one in data.get("may_spend") or ():
        yield Text(_("may be spent: {token}", token=one), "small", "warn")


def ways(
    verb: str,
    snapshot: Snapshot,
    data: Mapping[str, Any],
    send: Send,
    form: Callable[[str, Mapping[str, Any]], Any],
    choose: Callable[[str], Any],
) -> Iterator[Widget]:
    """One command as the buttons that need no form, where that is possible."""
    listed = snapshot.commands.get(verb)
    if listed is None:
        return
    needed = [one for one in listed["fields"] if one["required"]]
    if verb in ("roll", "panic"):
        yield from dice(verb, snapshot, data, send)
    elif verb == "activate":
        yield Text(_("tap a tray on the table, or choose here:"), "small", "soft")
        yield grid(
            [unit_press(unit, snapshot, send, choose) for unit in data.get("units") or ()], 4
        )
    elif verb == "action":
        unit = str((snapshot.state.get("acting") or {}).get("unit") or "")
        if unit and snapshot.chosen != unit:
            yield Press(_("Show what {unit} may do", unit=unit), lambda: choose(unit), "primary")
        yield Press(
            _("Forgo the action"), lambda: send({"do": "action", "action": "forgo"}), "quiet"
        )
    elif not needed:
        yield Press(_(verb), lambda: send({"do": verb}), "primary", name=f"verb:{verb}")
        if any(one["name"] == "confirm" for one in listed["fields"]):
            return
    elif len(needed) == 1 and needed[0]["kind"] == "flag":
        name = needed[0]["name"]
        yield grid(
            [
                Press(
                    f"{_(verb)}: {_(word)}",
                    partial(send, {"do": verb, name: value}),
                    "primary" if value else "plain",
                    name=f"{verb}:{word}",
                )
                for word, value in (("yes", True), ("no", False))
            ],
            2,
        )
    elif len(needed) == 1 and needed[0].get("options"):
        name, free = needed[0]["name"], data.get(f"{needed[0]['name']}s")
        yield Text(_(verb), bold=True)
        yield grid(
            [
                Press(
                    _(option),
                    partial(send, {"do": verb, name: option}),
                    name=f"{verb}:{option}",
                )
                for option in needed[0]["options"]
                if free is None or option in free
            ],
            3,
        )
    else:
        yield Press(_(verb), lambda: form(verb, {}), name=f"verb:{verb}")


def dice(verb: str, snapshot: Snapshot, data: Mapping[str, Any], send: Send) -> Iterator[Widget]:
    """Dice that wait to be rolled, with what they will probably do beside them."""
    attack = snapshot.state.get("attack") or {}
    test: dict[str, Any] = {"test": data["test"]} if verb == "panic" else {}
    count = 2 if verb == "panic" else int(attack.get("dice") or 0)
    if verb == "roll" and data["what"] == "defense-dice":
        count = int(attack.get("hits") or 0)
    if snapshot.expected and verb == "roll":
        yield Text(_("expected: {told}", told=snapshot.expected), "small", "accent")

    def done(faces: list[int] | None) -> None:
        command: Plain = {"do": verb, **test}
        send(command if faces is None else {**command, "faces": faces})

    yield DiceInput(count, done)


def unit_press(unit: str, snapshot: Snapshot, send: Send, choose: Callable[[str], Any]) -> Press:
    """A unit that may be activated: on the table it is shown first, beside it it just acts."""
    on_table = snapshot.table is not None and unit in snapshot.table
    name = snapshot.state.get("ncus", {}).get(unit, {}).get("name", "")
    act = (lambda: choose(unit)) if on_table else (lambda: send({"do": "activate", "unit": unit}))
    short = name.split()[0] if name else ""
    return Press(unit, act, "plain", short, name=f"unit:{unit}")
