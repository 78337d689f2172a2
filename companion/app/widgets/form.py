"""A form for any command of the game; its fields come from the session's help."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.engine.app_words import _, ruler
from companion.app.engine.snapshot import Snapshot
from companion.app.render.theme import SKIN
from companion.app.widgets.controls import CardBox, Text, TouchButton
from companion.app.widgets.dice_input import Die
from companion.app.widgets.layouts import choice, grid, row
from companion.app.widgets.text_entry import TextEntry

UNLISTED = ("set-up", "help", "state", "history", "table")
"""Commands that only screens send."""


def listed(
    commands: Mapping[str, Mapping[str, Any]], open_form: Callable[[str, Mapping[str, Any]], Any]
) -> list[Widget]:
    """A button for the form of every command."""
    return [
        TouchButton(
            _(verb),
            partial(open_form, verb, {}),
            "plain",
            _(str(command["what"])),
            align="left",
            name=f"every:{verb}",
        )
        for verb, command in commands.items()
        if verb not in UNLISTED
    ]


class Form(BoxLayout):
    """The fields, required ones first, and a button that sends the command."""

    def __init__(
        self,
        command: Mapping[str, Any],
        snapshot: Snapshot,
        send: Callable[[dict[str, Any]], Any],
        given: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(orientation="vertical", spacing=SKIN.gap(), size_hint_y=None)
        self.bind(minimum_height=self.setter("height"))
        self.command, self.snapshot, self.send = command, snapshot, send
        self.given: dict[str, Any] = dict(given or {})
        self.more = False
        self.build()

    def build(self) -> None:
        """Show the fields with their current values."""
        self.clear_widgets()
        self.add_widget(Text(_(str(self.command["what"])), colour="soft"))
        fields = list(self.command["fields"])
        shown = [one for one in fields if one["required"] or one["name"] in self.given]
        optional = [one for one in fields if one not in shown]
        for one in [*shown, *(optional if self.more or not shown else ())]:
            self.add_widget(self.entry(one))
        if optional and shown and not self.more:
            self.add_widget(TouchButton(_("More fields"), self.open, "quiet", name="more-fields"))
        self.add_widget(TouchButton(_("Do it"), self.finish, "primary", name="do-it"))

    def open(self) -> None:
        """Show the optional fields too."""
        self.more = True
        self.build()

    def finish(self) -> None:
        """Send the command."""
        filled = {key: value for key, value in self.given.items() if value not in (None, "", [])}
        self.send({"do": self.command["do"], **filled})

    def put(self, name: str, value: Any) -> None:
        """Set a field; the same value again clears it."""
        self.given[name] = None if self.given.get(name) == value else value
        self.build()

    def toggle(self, name: str, value: Any) -> None:
        """Add a value to a list, or remove it."""
        held = list(self.given.get(name) or ())
        held = [one for one in held if one != value] if value in held else [*held, value]
        self.given[name] = held
        self.build()

    def entry(self, one: Mapping[str, Any]) -> Widget:
        """One field with its label."""
        card = CardBox()
        needed = "" if one["required"] else f"  ({_('optional')})"
        card.add_widget(Text(_(one["name"].replace("_", " ").capitalize()) + needed, bold=True))
        if one["what"]:
            card.add_widget(Text(_(one["what"]), "small", "soft"))
        card.add_widget(self.control(one))
        return card

    def control(self, one: Mapping[str, Any]) -> Widget:
        """The input widget for a field's kind."""
        name, kind, now = one["name"], one["kind"], self.given.get(one["name"])
        known = self.known(one)
        if kind == "flag":
            return choice(
                [(_("yes"), True), (_("no"), False)], now, lambda value: self.put(name, value)
            )
        if kind in ("number", "inches"):
            return self.stepper(name, now, ruler().limit if kind == "inches" else str)
        if kind == "dice":
            return self.faces(name)
        if kind == "list" and known:
            buttons = [
                TouchButton(
                    f"✓ {text}" if value in (now or ()) else text,
                    partial(self.toggle, name, value),
                    "ink" if value in (now or ()) else "plain",
                    name=f"choice:{value}",
                )
                for text, value in known
            ]
            return grid(buttons, 3)
        if known:
            columns = 2 if any(len(text) > 14 for text, _ in known) else 4
            return choice(known, now, lambda value: self.put(name, value), columns)
        entry = TextEntry(str(now or ""), _(one["what"] or name))
        entry.bind(text=lambda _, text: self.given.__setitem__(name, text))
        return entry

    def known(self, one: Mapping[str, Any]) -> Sequence[tuple[str, Any]]:
        """The values a field may take, from the state."""
        state, kind = self.snapshot.state, one["kind"]
        if one.get("options"):
            return [(_(str(option)), option) for option in one["options"]]
        units = state.get("units", {})
        if kind == "unit":
            every = [*units, *state.get("ncus", {}), *state.get("walls", {})]
            return [(name, name) for name in every]
        if kind == "NCU":
            return [(f"{key} {ncu['name']}", key) for key, ncu in state.get("ncus", {}).items()]
        if kind == "side":
            return [(f"{SKIN.mark(side)} {_(side)}", side) for side in state.get("vp", {})]
        if kind == "player":
            return [(_(name), name) for name in state.get("players", {})]
        if kind == "token":
            return [(name, name) for name in state.get("objectives", {})]
        if kind == "list" and one["name"] == "places":
            waiting = (self.snapshot.pending or {}).get("data") or {}
            faces = waiting.get("faces") or waiting.get("rolled") or ()
            return [(f"{place + 1}: {face}", place) for place, face in enumerate(faces)]
        if kind == "list" and one["name"] in ("units", "with", "into_melee"):
            return [(name, name) for name in units]
        if one["name"] in ("card", "cards"):
            hidden = self.snapshot.hidden.get("players", {})
            cards = [card for player in hidden.values() for card in player.get("hand_cards", ())]
            return [(card, card) for card in dict.fromkeys(cards)]
        return ()

    def stepper(self, name: str, now: Any, tell: Callable[[Any], str]) -> Widget:
        """A whole number with buttons up and down."""

        def step(by: int) -> None:
            self.given[name] = (self.given.get(name) or 0) + by
            self.build()

        down = TouchButton("−", lambda: step(-1), size="large", name=f"{name}-")
        up = TouchButton("+", lambda: step(1), size="large", name=f"{name}+")
        shown = Text("–" if now is None else tell(now), "large", align="center", bold=True)
        return row(down, shown, up)

    def faces(self, name: str) -> Widget:
        """Dice, entered one by one."""
        held = list(self.given.get(name) or ())

        def add(face: int) -> None:
            self.given[name] = [*held, face]
            self.build()

        keys = row(*(Die(face, partial(add, face)) for face in range(1, 7)))
        told = " ".join(str(face) for face in held) or _("the app rolls")
        clear = TouchButton(_("Clear"), lambda: self.put(name, held), "quiet")
        box = BoxLayout(orientation="vertical", size_hint_y=None, spacing=SKIN.gap("small"))
        box.bind(minimum_height=box.setter("height"))
        for one in (keys, Text(told, "body"), *((clear,) if held else ())):
            box.add_widget(one)
        return box
