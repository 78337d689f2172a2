"""The score: the end of the round in rule order, points proposed with their reasons."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.uix.widget import Widget

from companion.app.kit import Card, Press, Text, grid, heading, row
from companion.app.page import Page
from companion.app.snapshot import Snapshot
from companion.app.theme import SKIN
from companion.app.words import _

if TYPE_CHECKING:
    from companion.app.app import CompanionApp


class ScoreScreen(Page):
    """Points by side, what is offered, the steps of the round, the log."""

    def __init__(self, app: CompanionApp) -> None:
        super().__init__(_("Score"), app.back)
        self.app = app
        self._seen: object = None
        self.show(app.desk.snapshot)

    def show(self, snapshot: Snapshot) -> None:
        """The newest state."""
        if self._seen == (snapshot.path, snapshot.state.get("seq")):
            return
        self._seen = (snapshot.path, snapshot.state.get("seq"))
        state = snapshot.state
        widgets: list[Widget] = []
        if state.get("winner"):
            won = (
                _("A draw")
                if state["winner"] == "draw"
                else _("{side} wins", side=_(state["winner"]))
            )
            widgets.append(Text(won, "huge", "accent", bold=True, align="center"))
            widgets.append(Text(_(str(state.get("how") or "")), colour="soft", align="center"))
        widgets.append(grid([self.side(side, snapshot) for side in state.get("vp") or {}], 2))
        widgets += self.offered(snapshot)
        widgets.append(heading(_("OBJECTIVES")))
        tokens = state.get("objectives") or {}
        widgets.append(
            grid([self.token(key, one, snapshot) for key, one in tokens.items()], 2)
            if tokens
            else Text(_("none"), colour="soft")
        )
        widgets.append(heading(_("THIS ROUND, STEP BY STEP")))
        widgets.append(self.steps(snapshot))
        widgets.append(heading(_("WHAT HAPPENED")))
        log = Card()
        for line in reversed(list(state.get("log") or ())):
            log.add_widget(Text(f"{line['seq']}  {line['title']}", "small", "soft"))
        widgets.append(log)
        self.fill(widgets)

    def side(self, side: str, snapshot: Snapshot) -> Card:
        """A side's points, and buttons that set them right."""
        state = snapshot.state
        card = Card(rim=f"side-{SKIN.place(side)}")
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
                Press("−1", lambda: add(-1), name=f"vp:{side}:-1"),
                Press("+1", lambda: add(1), name=f"vp:{side}:+1"),
            )
        )
        return card

    def offered(self, snapshot: Snapshot) -> list[Widget]:
        """What the table gives: each line with its reason, to be struck out or confirmed."""
        found: list[Any] = list(snapshot.state.get("offers") or ())
        scoring = (snapshot.pending or {}).get("what") == "score"
        if not scoring:
            return []
        card = Card(rim="accent")
        card.add_widget(Text(_("Points offered by the table"), "large", bold=True))
        if not found:
            card.add_widget(Text(_("none this round"), colour="soft"))
        for number, one in enumerate(found, 1):
            told = f"{SKIN.mark(one['side'])} +{one['vp']}  {one['why']}"
            if one.get("say"):
                told += f" · {one['say']}"
            line = Text(told, colour=SKIN.side(one["side"]))
            drop = Press(
                _("Strike out"), partial(self.drop, number), "quiet", name=f"drop:{number}"
            )
            drop.size_hint_x = 0.35
            card.add_widget(row(line, drop))
        card.add_widget(
            Press(
                _("Confirm these points"),
                lambda: self.app.desk.do({"do": "score", "confirm": True}),
                "primary",
                name="confirm-score",
            )
        )
        return [card]

    def drop(self, number: int) -> None:
        """Take an offer away."""
        self.app.desk.do({"do": "score", "drop": number})

    def token(self, key: str, one: Any, snapshot: Snapshot) -> Card:
        """An objective and who holds it."""
        holder = one.get("controlled") or one.get("unit")
        side = snapshot.state["units"].get(holder, {}).get("side") if holder else None
        card = Card()
        card.add_widget(Text(f"{key} · {_(str(one['name']))} · {one['vp']} VP", bold=True))
        told = f"{SKIN.mark(side)} {holder}" if holder else _("nobody")
        card.add_widget(Text(told, colour=SKIN.side(side)))
        return card

    def steps(self, snapshot: Snapshot) -> Card:
        """The pipeline of the round, the running step marked."""
        card = Card()
        told = []
        for step in snapshot.state.get("pipeline") or ():
            now = step.startswith("[")
            name = _(step.strip("[]"))
            accent = "".join(f"{round(part * 255):02x}" for part in SKIN.colour("accent")[:3])
            told.append(f"[b][color={accent}]» {name}[/color][/b]" if now else name)
        card.add_widget(Text("   ".join(told), "small", "soft", raw=True))
        return card
