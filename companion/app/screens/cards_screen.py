"""Cards and board: zones and who holds them, decks, discards, hands behind a held button."""

from __future__ import annotations

from functools import partial
from typing import Any

from kivy.uix.widget import Widget

from companion.app.context import AppContext
from companion.app.engine.app_words import _
from companion.app.engine.snapshot import Snapshot
from companion.app.render.theme import SKIN
from companion.app.widgets.controls import CardBox, Text, TouchButton, heading
from companion.app.widgets.layouts import grid
from companion.app.widgets.page import ScreenPage


class Reveal(TouchButton):
    """A button that shows a hand only while it is held."""

    def __init__(self, app: AppContext, side: str, text: str) -> None:
        super().__init__(text, None, "plain", name=f"show:{side}")
        self.app, self.side = app, side

    def on_press(self) -> None:
        """Show the hand."""
        super().on_press()
        self.app.desk.peek(self.side)

    def on_touch_up(self, touch: Any) -> Any:
        """Hide the hand, wherever the finger is lifted."""
        if touch.grab_current is self:
            self.app.desk.peek(None)
        return super().on_touch_up(touch)


class CardsScreen(ScreenPage):
    """Shows the board, the NCUs, and each player's cards."""

    def __init__(self, app: AppContext) -> None:
        super().__init__(_("Cards and board"), app.back)
        self.app = app
        self._held: list[Text] = []
        self._seen: object = None
        self.show(app.desk.snapshot)

    def show(self, snapshot: Snapshot) -> None:
        """Show the newest snapshot; a held hand is filled in without rebuilding the screen."""
        key = (snapshot.path, snapshot.state.get("seq"), snapshot.may_play)
        if self._seen == key:
            self.reveal(snapshot)
            return
        self._seen = key
        state = snapshot.state
        widgets: list[Widget] = [heading(_("TACTICS BOARD"))]
        zones = state.get("zones") or {}
        ncus = state.get("ncus") or {}
        widgets.append(
            grid([self.zone(name, zone, ncus) for name, zone in zones.items()], 3)
            if zones
            else Text(_("no board"), colour="soft")
        )
        if snapshot.may_play:
            waiting = snapshot.pending or {}
            card = CardBox(rim="accent")
            who = ", ".join(_(name) for name in snapshot.may_play)
            card.add_widget(Text(_("Cards may be played now by {who}", who=who), bold=True))
            if waiting.get("say"):
                card.add_widget(Text(_(str(waiting["say"])), "small", "soft"))
            play = TouchButton(_("Play a card"), self.app.play_card, "primary", name="play-card")
            card.add_widget(play)
            widgets.append(card)
        self._held = []
        for name, player in (state.get("players") or {}).items():
            widgets.append(heading(f"{SKIN.mark(player['side'])} {_(name)}".upper()))
            widgets.append(self.player(name, player))
        widgets.append(heading(_("NON-COMBAT UNITS")))
        widgets.append(
            grid(
                [self.ncu(key, ncu) for key, ncu in ncus.items()],
                2,
            )
        )
        self.fill(widgets)

    def zone(self, name: str, zone: Any, ncus: Any) -> CardBox:
        holder = zone.get("ncu") if isinstance(zone, dict) else zone
        side = ncus.get(holder, {}).get("side") if holder else None
        card = CardBox(rim=f"side-{SKIN.place(side)}" if side else "")
        card.add_widget(Text(_(name), "large", bold=True, align="center"))
        told = f"{SKIN.mark(side)} {ncus[holder]['name']}" if side else _("free")
        card.add_widget(Text(told, "body", SKIN.side(side), align="center"))
        return card

    def ncu(self, key: str, ncu: Any) -> CardBox:
        """The card of a non-combat unit."""
        card = CardBox()
        name = f"{SKIN.mark(ncu['side'])} {key} · {ncu['name']}"
        card.add_widget(Text(name, colour=SKIN.side(ncu["side"]), bold=True))
        card.add_widget(
            Text(_("activated") if ncu["activated"] else _("not activated"), "small", "soft")
        )
        return card

    def player(self, name: str, player: Any) -> CardBox:
        """A player's deck, hand and discards."""
        card = CardBox()
        piles = [
            pile(_("deck"), player["deck"]),
            pile(_("hand"), player["hand"]),
            pile(_("discarded"), len(player["discard"])),
        ]
        card.add_widget(grid(piles, 3))
        discard = " · ".join(reversed(player["discard"])) or _("nothing")
        card.add_widget(Text(_("discarded: {cards}", cards=discard), "body", "soft"))
        ask = TouchButton(_("Show it after a question"), partial(self.app.show_hand, name), "quiet")
        ask.name = f"ask:{name}"
        hold = Reveal(self.app, player["side"], _("Hold to show the hand"))
        card.add_widget(grid([hold, ask], 2))
        held = Text("", "body", "accent")
        held.height = 0
        held.player = name
        self._held.append(held)
        card.add_widget(held)
        return card

    def reveal(self, snapshot: Snapshot) -> None:
        """Fill in the hand whose button is held, and clear the others."""
        players = snapshot.hidden.get("players") or {}
        for held in self._held:
            cards = players.get(held.player, {}).get("hand_cards") or ()
            held.put(" · ".join(cards))


def pile(name: str, count: int) -> CardBox:
    """A pile of cards: how many, and which."""
    card = CardBox("raised", pad="small")
    card.add_widget(Text(str(count), "title", bold=True, align="center"))
    card.add_widget(Text(name, "small", "soft", align="center"))
    return card
