"""The game's prompt as a card: its text and one button per choice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.stacklayout import StackLayout
from kivy.uix.widget import Widget

from companion.app.engine.app_words import _
from companion.app.engine.snapshot import Snapshot
from companion.app.render.theme import SKIN
from companion.app.widgets.controls import CardBox, Text, TouchButton
from companion.app.widgets.dice_input import DiceInput, Die
from companion.app.widgets.layouts import grid
from companion.app.widgets.task_modal import Gauge

Send = Callable[..., Any]

LATER = (
    "modify",
    "attack-result",
    "play",
    "order",
    "ability",
    "reroll",
    "pass-test",
    "use-card",
    "siege",
)
"""Rarely used commands, which come last and less prominent."""
TEST_DICE = 2
"""The dice of a panic test; further faces are the D3 that counts only if it fails."""


def prompt(
    snapshot: Snapshot,
    send: Callable[..., Any],
    form: Callable[[str, Mapping[str, Any]], Any],
    choose: Callable[[str], Any],
    play: Callable[[], Any],
    score: Callable[[], Any],
) -> CardBox | None:
    """The card of the first prompt; None if there is none."""
    waiting = snapshot.pending
    if waiting is None:
        return None
    data = {**waiting, **(waiting.get("data") or {})}
    card = CardBox(rim="accent")
    side = waiting.get("side")
    who = f"{SKIN.mark(side)} {_(side)}" if side else _("both players")
    card.add_widget(Text(f"{_(waiting['what'])} · {who}", "small", SKIN.side(side), bold=True))
    card.add_widget(Text(_(str(waiting["say"]))))
    if waiting["what"] == "score":  # one page for all of it: offers, map, corrections
        card.add_widget(TouchButton(_("Score"), score, "primary", name="to-score"))
        return card
    for extra in facts(data):
        card.add_widget(extra)
    for again in data.get("rerolls") or ():
        card.add_widget(RepeatChoice(again, send))
    verbs = list(waiting.get("commands") or ())
    first = [verb for verb in verbs if verb not in LATER]
    last = [verb for verb in verbs if verb in LATER and verb != "play"]
    for verb in first:
        look = "primary" if verb == first[0] else "plain"
        for widget in ways(verb, snapshot, data, send, form, choose, look):
            card.add_widget(widget)
    if "play" in verbs and snapshot.may_play:
        card.add_widget(TouchButton(_("Play a card"), play, "quiet", name="play-card"))
    if last:
        quiet = [
            TouchButton(_(verb), partial(form, verb, {}), "quiet", name=f"verb:{verb}")
            for verb in last
        ]
        card.add_widget(grid(quiet, 2))
    return card


def facts(data: Mapping[str, Any]) -> Iterator[Widget]:
    """What the game gives with its prompt: odds, modifiers and rolled dice."""
    if "chance" in data:
        yield from trial_facts(data)
    faces = list(data.get("faces") or data.get("rolled") or ())
    if "chance" in data and len(faces) > TEST_DICE:
        yield dice_row(faces[:TEST_DICE])
        yield Text(_("if it fails: D3 {faces}", faces=" ".join(map(str, faces[TEST_DICE:]))))
    elif faces:
        yield dice_row(faces)
    for one in data.get("may_spend") or ():
        yield Text(_("may be spent: {token}", token=one), "small", "warn")


class RepeatChoice(BoxLayout):
    """A reroll the game offers; pressed, it asks for the dice that are rolled again."""

    def __init__(self, offer: Mapping[str, Any], send: Send) -> None:
        super().__init__(orientation="vertical", size_hint_y=None)
        self.bind(minimum_height=self.setter("height"))
        self.offer, self.send = offer, send
        count = len(offer["places"])
        told = _("Reroll {count}: {why}", count=count, why=_(str(offer["because"])))
        mark = SKIN.mark(offer["side"])
        tint = SKIN.side(offer["side"])
        name = f"again:{offer['because']}"
        self.add_widget(
            TouchButton(f"↻  {told}", self.ask, "plain", f"{mark}", tint=tint, name=name)
        )

    def ask(self) -> None:
        """Ask for the dice."""
        self.clear_widgets()
        self.add_widget(DiceInput(len(self.offer["places"]), self.done))

    def done(self, faces: list[int] | None) -> None:
        """Send the reroll with these faces."""
        command = {"do": "reroll", **self.offer}
        self.send(command if faces is None else {**command, "faces": faces})


def trial_facts(data: Mapping[str, Any]) -> Iterator[Widget]:
    """The facts of a test: its target, what modifies its dice, and the probability to pass."""
    yield Text(_("Morale {morale}+", morale=data.get("morale")), "body", bold=True)
    for name, value in data["modifiers"].items():
        colour = "good" if value > 0 else "bad"
        yield Text(f"{value:+d}  {_(str(name))}", "body", colour)
    if data.get("rolled"):
        return  # after the roll the probability no longer matters
    yield Gauge(data["chance"], "good")
    chance = f"{100 * data['chance']:.0f} %"
    yield Text(_("passes with {chance}", chance=chance), "large", "accent", bold=True)


def dice_row(faces: Sequence[int]) -> Widget:
    """The faces of rolled dice."""
    box = StackLayout(size_hint_y=None, spacing=SKIN.gap("tiny"))
    box.bind(minimum_height=box.setter("height"))
    for face in faces:
        box.add_widget(Die(int(face), None, 40))
    return box


def ways(
    verb: str,
    snapshot: Snapshot,
    data: Mapping[str, Any],
    send: Send,
    form: Callable[[str, Mapping[str, Any]], Any],
    choose: Callable[[str], Any],
    look: str = "primary",
) -> Iterator[Widget]:
    """The buttons of one command, without a form where possible."""
    listed = snapshot.commands.get(verb)
    if listed is None:
        return
    if verb in ("roll", "panic"):
        yield from dice(verb, snapshot, data, send)
    elif verb == "activate":
        yield Text(_("tap a tray on the table, or choose here:"), "small", "soft")
        units = data.get("units") or ()
        yield grid([unit_press(unit, snapshot, send, choose) for unit in units], 4)
    elif verb == "action":
        unit = str((snapshot.state.get("acting") or {}).get("unit") or "")
        if unit and snapshot.chosen != unit:
            yield TouchButton(
                _("Show what {unit} may do", unit=unit), lambda: choose(unit), "primary"
            )
        yield TouchButton(
            _("Forgo the action"),
            lambda: send({"do": "action", "action": "forgo"}),
            "quiet",
            name="forgo-action",
        )
    else:
        yield from guided(verb, snapshot, send, form, look)


def guided(
    verb: str,
    snapshot: Snapshot,
    send: Send,
    form: Callable[[str, Mapping[str, Any]], Any],
    look: str = "primary",
) -> Iterator[Widget]:
    """Buttons for the complete commands the game would accept; a form if text must be typed."""
    known = snapshot.guide.get(verb, ())
    if not known:
        yield TouchButton(_(verb), partial(form, verb, {}), name=f"verb:{verb}")
        return
    if len(known) == 1 and len(known[0]) == 1:
        yield TouchButton(_(verb), partial(send, known[0]), look, name=f"verb:{verb}")
        return
    yield Text(_(verb), bold=True)
    presses, units = [], snapshot.state.get("units") or {}
    fields = snapshot.commands[verb]["fields"]
    for command in known:
        given = [value for name, value in command.items() if name != "do"]
        asked = [one["name"] for one in fields if one["required"] and one["kind"] == "flag"]
        flag = [name for name, value in command.items() if value is True and name not in asked]
        words = [_(name) for name in flag] if len(flag) == len(given) else told(given, snapshot)
        name = ":".join(spelt(one) for one in (flag if len(flag) == len(given) else given))
        presses.append(
            TouchButton(
                " · ".join(words),
                partial(send, command),
                "quiet" if flag else "plain",
                units.get(given[0], {}).get("name", "") if len(given) == 1 and not flag else "",
                size="small" if len(given) > 1 else "body",
                name=f"{verb}:{name}",
            )
        )
    widest = max(len(press.text) for press in presses)
    yield grid(presses, 4 if widest < 6 else 3 if widest < 12 else 2)
    if len(known[0]) > 1 and any(not one["required"] for one in snapshot.commands[verb]["fields"]):
        yield TouchButton(_("More ways"), partial(form, verb, {}), "quiet", name=f"form:{verb}")


def spelt(value: Any) -> str:
    """A value as text for a button."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def told(given: Sequence[Any], snapshot: Snapshot) -> list[str]:
    """Values as text for players: sides with their symbol, others as the game words them."""
    sides = snapshot.state.get("vp") or {}
    words = []
    for value in given:
        if value in sides:
            words.append(f"{SKIN.mark(value)} {_(value)}")
        elif isinstance(value, bool):
            words.append(_("yes") if value else _("no"))
        else:
            words.append(_(str(value)))
    return words


def dice(verb: str, snapshot: Snapshot, data: Mapping[str, Any], send: Send) -> Iterator[Widget]:
    """Input for the dice to be rolled, with the expected result beside it."""
    attack = snapshot.state.get("attack") or {}
    test: dict[str, Any] = {"test": data["test"]} if verb == "panic" else {}
    count = TEST_DICE if verb == "panic" else int(attack.get("dice") or 0)
    if verb == "roll" and data["what"] == "defense-dice":
        count = int(attack.get("hits") or 0)
    if verb == "roll":
        yield from attack_facts(attack)
    if snapshot.expected and verb == "roll":
        yield Text(_("expected: {told}", told=snapshot.expected), "body", "accent", bold=True)

    def done(faces: list[int] | None) -> None:
        command: dict[str, Any] = {"do": verb, **test}
        if faces is not None:
            command["faces"] = faces[:count]
        if faces is not None and len(faces) > count:
            command["d3"] = faces[count]
        send(command)

    yield DiceInput(count, done, with_d3=verb == "panic" and snapshot.with_d3)


def attack_facts(attack: Mapping[str, Any]) -> Iterator[Widget]:
    """What was filled in from the table: weapon, arc, charge bonus, abilities."""
    if not attack:
        return
    parts = [str(attack.get("weapon") or ""), _(str(attack.get("zone") or ""))]
    if attack.get("charge_bonus"):
        parts.append(_("charge: misses are rerolled"))
    parts += [_(str(one)) for one in attack.get("abilities") or ()]
    yield Text(" · ".join(part for part in parts if part), "small", "soft")


def unit_press(
    unit: str, snapshot: Snapshot, send: Send, choose: Callable[[str], Any]
) -> TouchButton:
    """A unit that may be activated: one on the table is selected first, any other acts at once."""
    on_table = snapshot.table is not None and unit in snapshot.table
    name = snapshot.state.get("ncus", {}).get(unit, {}).get("name", "")
    act = (lambda: choose(unit)) if on_table else (lambda: send({"do": "activate", "unit": unit}))
    short = name.split()[0] if name else ""
    return TouchButton(unit, act, "plain", short, name=f"unit:{unit}")
