"""The score: the end of the round in rule order, and proposed points with their reasons."""

from __future__ import annotations

from functools import partial
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.context import AppContext
from companion.app.engine.app_words import _
from companion.app.engine.snapshot import Snapshot
from companion.app.files.game_library import about
from companion.app.render.theme import SKIN
from companion.app.widgets.controls import CardBox, Text, TouchButton, heading
from companion.app.widgets.layouts import grid, row
from companion.app.widgets.page import ScreenPage
from companion.app.widgets.score_chart import ScoreChart
from companion.app.widgets.score_map import ScoreMap
from companion.session.game_lookup import Plain


class ScoreScreen(ScreenPage):
    """Points by side, proposed points, the steps of the round, the chart, the log."""

    def __init__(self, app: AppContext) -> None:
        super().__init__(_("Score"), app.back)
        self.app = app
        self._seen: object = None
        self.map = ScoreMap()
        self.remove_widget(self.middle)
        self.body = BoxLayout()
        self.body.add_widget(self.middle)
        self.add_widget(self.body)
        self.bind(size=self.arrange)
        app.desk.recount()
        self.show(app.desk.snapshot)

    def show(self, snapshot: Snapshot) -> None:
        """Show the newest snapshot."""
        key = (snapshot.path, snapshot.state.get("seq"), snapshot.scores, snapshot.board is None)
        if self._seen == key:
            return
        counted = self._seen is None or self._seen[:2] == key[:2]  # type: ignore[index]
        self._seen = key
        if not counted:
            self.app.desk.recount()
        self.beside(snapshot)
        state = snapshot.state
        widgets: list[Widget] = []
        if state.get("winner"):
            widgets += self.end(snapshot)
        widgets.append(grid([self.side(side, snapshot) for side in state.get("vp") or {}], 2))
        widgets += self.offered(snapshot)
        widgets.append(heading(_("THE END OF THE ROUND, STEP BY STEP")))
        widgets.append(self.steps(snapshot))
        widgets.append(heading(_("OBJECTIVES")))
        tokens = state.get("objectives") or {}
        widgets.append(
            grid([self.token(key, one, snapshot) for key, one in tokens.items()], 2)
            if tokens
            else Text(_("none"), colour="soft")
        )
        if snapshot.scores:
            widgets.append(heading(_("Score by round").upper()))
            card = CardBox()
            card.add_widget(
                ScoreChart(snapshot.scores, list(state.get("vp") or {}), state.get("goal"))
            )
            widgets.append(card)
        widgets.append(heading(_("WHAT HAPPENED")))
        log = CardBox()
        for line in reversed(list(state.get("log") or ())):
            log.add_widget(Text(f"{line['seq']}  {line['title']}", "small", "soft"))
        widgets.append(log)
        self.fill(widgets)

    def end(self, snapshot: Snapshot) -> list[Widget]:
        """The winner, and buttons for report and replay."""
        state = snapshot.state
        won = (
            _("A draw") if state["winner"] == "draw" else _("{side} wins", side=_(state["winner"]))
        )
        return [
            Text(won, "huge", "accent", bold=True, align="center"),
            Text(_(str(state.get("how") or "")), colour="soft", align="center"),
            TouchButton(_("Report, replay, export"), self.look_back, "primary", name="look-back"),
        ]

    def look_back(self) -> None:
        """Open the finished game as a past game."""
        from pathlib import Path

        self.app.past(about(Path(self.app.desk.snapshot.path)))

    def side(self, side: str, snapshot: Snapshot) -> CardBox:
        """A side's points, with buttons to correct them."""
        state = snapshot.state
        card = CardBox(rim=f"side-{SKIN.place(side)}")
        card.add_widget(
            Text(f"{SKIN.mark(side)} {_(side)}", "large", SKIN.side(side), True, "center")
        )
        card.add_widget(Text(str(state["vp"][side]), "huge", bold=True, align="center"))
        goal = state.get("goal")
        card.add_widget(Text(_("of {goal} VP", goal=goal), "small", "soft", align="center"))

        def add(points: int) -> None:
            self.app.desk.do({"do": "score", "side": side, "vp": points, "why": _("by hand")})

        card.add_widget(
            row(
                TouchButton("−1", lambda: add(-1), name=f"vp:{side}:-1"),
                TouchButton("+1", lambda: add(1), name=f"vp:{side}:+1"),
            )
        )
        return card

    # -- proposed points ---------------------------------------------------------------------

    def offered(self, snapshot: Snapshot) -> list[Widget]:
        """The proposed points: each line with its reason, numbered as on the map."""
        found: list[Any] = list(snapshot.state.get("offers") or ())
        if (snapshot.pending or {}).get("what") != "score":
            return []
        card = CardBox(rim="accent")
        card.add_widget(Text(_("Points offered by the table"), "large", bold=True))
        if not found:
            card.add_widget(Text(_("none this round"), colour="soft"))
        for number, one in enumerate(found, 1):
            card.add_widget(self.offer(number, one))
        card.add_widget(
            TouchButton(
                _("Confirm these points"),
                lambda: self.app.desk.do({"do": "score", "confirm": True}),
                "primary",
                name="confirm-score",
            )
        )
        return [card]

    def beside(self, snapshot: Snapshot) -> None:
        """Show the map beside the proposed points, or above them in portrait."""
        scoring = (snapshot.pending or {}).get("what") == "score"
        board, table = snapshot.board, snapshot.table
        wanted = scoring and board is not None and table is not None
        if wanted != (self.map.parent is not None):
            self.body.clear_widgets()
            for one in ((self.map,) if wanted else ()) + (self.middle,):
                self.body.add_widget(one)
        if board is not None and table is not None and wanted:
            self.map.put(table, board, list(snapshot.state.get("offers") or ()))

    def arrange(self, *_: Any) -> None:
        """Lay out for landscape or portrait."""
        tall = self.height > self.width
        self.body.orientation = "vertical" if tall else "horizontal"
        self.map.size_hint = (1, 0.55) if tall else (0.6, 1)

    def offer(self, number: int, one: Any) -> Widget:
        """One proposal: side, points, reason; with buttons for fewer, more, or none."""
        box = CardBox("panel", rim="line", pad="small")
        told = f"{number}   {SKIN.mark(one['side'])} +{one['vp']}   {one['why']}"
        box.add_widget(Text(told, "body", SKIN.side(one["side"]), bold=True))
        rule = " · ".join(str(part) for part in (one.get("rule"), one.get("say")) if part)
        if rule:
            box.add_widget(Text(rule, "small", "soft"))
        change = partial(self.change, number)
        box.add_widget(
            row(
                TouchButton("−1", partial(change, one["vp"] - 1), name=f"offer-:{number}"),
                TouchButton("+1", partial(change, one["vp"] + 1), name=f"offer+:{number}"),
                TouchButton(
                    _("Strike out"), partial(self.drop, number), "quiet", name=f"drop:{number}"
                ),
            )
        )
        return box

    def change(self, number: int, points: int) -> None:
        """Change the points of a proposal."""
        if points >= 0:
            self.app.desk.do({"do": "score", "offer": number, "vp": points})

    def drop(self, number: int) -> None:
        """Remove a proposal."""
        self.app.desk.do({"do": "score", "drop": number})

    # -- the round --------------------------------------------------------------------------

    def token(self, key: str, one: Any, snapshot: Snapshot) -> CardBox:
        """An objective and who holds it."""
        holder = one.get("controlled") or one.get("unit")
        side = snapshot.state["units"].get(holder, {}).get("side") if holder else None
        card = CardBox()
        worth = f"{one['vp']} {_('VP')}"
        card.add_widget(Text(f"{key} · {_(str(one['name']))} · {worth}", bold=True))
        told = f"{SKIN.mark(side)} {holder}" if holder else _("nobody")
        card.add_widget(Text(told, colour=SKIN.side(side)))
        if (snapshot.pending or {}).get("what") == "score":
            ask = partial(self.ask_holder, key, str(one["name"]))
            card.add_widget(TouchButton(_("Who holds it?"), ask, "quiet", name=f"holder:{key}"))
        return card

    def ask_holder(self, key: str, name: str) -> None:
        """Every unit, and nobody: nothing changes before one is chosen."""
        units = self.app.desk.snapshot.state.get("units") or {}
        presses = [
            TouchButton(
                f"{SKIN.mark(one['side'])} {unit} · {one['name']}",
                partial(self.hold, {"do": "objective", "token": key, "unit": unit}),
                align="left",
                name=f"holds:{unit}",
            )
            for unit, one in units.items()
            if one["models"]
        ]
        nobody = TouchButton(
            _("nobody"), partial(self.hold, {"do": "objective", "token": key}), name="holds:nobody"
        )
        self.app.open_sheet(f"{key} · {_(name)}", [*presses, nobody])

    def hold(self, command: Plain) -> None:
        """The players say who holds it."""
        self.app.close_sheet()
        self.app.desk.do(command)

    def steps(self, snapshot: Snapshot) -> CardBox:
        """The clean-up steps in rule order: done, current (with its button), to come."""
        card = CardBox()
        steps = list(snapshot.state.get("pipeline") or ())
        now = next((place for place, step in enumerate(steps) if step.startswith("[")), -1)
        names = [step.strip("[]") for step in steps]
        begin = names.index("end-of-round") if "end-of-round" in names else 0
        cleaning = now >= begin
        for place, name in enumerate(names):
            if place < begin:
                continue
            done, here = cleaning and place < now, place == now
            sign = "✓" if done else "»" if here else "·"
            colour = "good" if done else "accent" if here else "soft"
            card.add_widget(Text(f"{sign}  {_(name)}", "body", colour, bold=here))
        if cleaning and (snapshot.pending or {}).get("what") != "score":
            for verb in (snapshot.pending or {}).get("commands") or ():
                known = snapshot.guide.get(verb, ())
                if len(known) == 1 and len(known[0]) == 1:
                    go = partial(self.app.desk.do, known[0])
                    card.add_widget(TouchButton(_(verb), go, "primary", name=f"verb:{verb}"))
        elif not cleaning:
            card.add_widget(Text(_("This comes when all have acted."), "small", "faint"))
        return card
