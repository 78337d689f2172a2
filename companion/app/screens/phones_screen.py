"""Phones at the table: the code to scan, who is here, and the end of it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.context import AppContext
from companion.app.widgets.controls import Text, TouchButton
from companion.app.widgets.page import ScreenPage
from companion.engine.app_words import _
from models import CompanionError

CODE_DP = 300
QUIET = 4
"""The light border that a camera needs, in modules of the code."""
PAPER, INK = (0.97, 0.95, 0.89, 1), (0.06, 0.07, 0.1, 1)


class ScanCode(Widget):
    """An address as a square to scan."""

    def __init__(self, address: str) -> None:
        import segno  # only this screen needs it

        super().__init__(size_hint=(None, None), size=(dp(CODE_DP), dp(CODE_DP)))
        self._rows = [list(row) for row in segno.make(address, error="m").matrix]
        self.bind(pos=self.draw, size=self.draw)

    def draw(self, *_: Any) -> None:
        """Dark squares on light paper."""
        self.canvas.clear()
        side = self.width / (len(self._rows) + 2 * QUIET)
        with self.canvas:
            Color(*PAPER)
            Rectangle(pos=self.pos, size=self.size)
            Color(*INK)
            for number, row in enumerate(self._rows, 1):
                for place, dark in enumerate(row):
                    if dark:
                        x = self.x + (place + QUIET) * side
                        y = self.top - (number + QUIET) * side
                        Rectangle(pos=(x, y), size=(side, side))


class PhonesScreen(ScreenPage):
    """Starts the server when the players ask for it, and shows how to join."""

    def __init__(self, app: AppContext) -> None:
        super().__init__(_("Phones at the table"), app.back)
        self.app = app
        self.renew()

    def renew(self, *_: Any) -> None:
        """Show who is here now."""
        self.rebuild(lambda: self.fill(list(self.content())))

    def content(self) -> Iterator[Widget]:
        server = self.app.phones.server
        yield Text(_("Dice, hands and plots in your own hand. The tablet stays the table."))
        if server is None:
            yield Text(
                _("Others in the same Wi-Fi can read along: play in one that you trust."),
                colour="soft",
            )
            yield TouchButton(_("Let phones join"), self.start, "primary", name="phones-on")
            return
        server.changed = lambda: Clock.schedule_once(self.renew, 0)
        yield ScanCode(server.join_url)
        yield Text(
            _("{address} – code {code}", address=server.url, code=server.lobby.code),
            "large",
            bold=True,
        )
        yield Text(
            _("1. Same Wi-Fi as this tablet. 2. Scan the square with the phone. 3. Take a seat."),
            colour="soft",
        )
        seats = {seat.id: _(seat.name) for seat in self.app.service.snapshot.seats}
        for screen in server.people():
            what = seats.get(screen.seat) or _("watches; shows no hands")
            since = time.strftime("%H:%M", time.localtime(screen.joined_s))
            here = _("since {time}", time=since) if screen.here else _("away")
            under = f"{screen.name} · {here}" if screen.name else here
            yield TouchButton(
                _("{player}: throw out", player=what),
                partial(self.throw_out, screen.id),
                under=under,
                name=f"throw-out:{screen.seat}",
            )
        yield TouchButton(_("New code"), server.new_code, name="new-code")
        yield TouchButton(_("Turn phones off"), self.stop, "quiet", name="phones-off")

    def start(self) -> None:
        """Listen from now on."""
        try:
            self.app.phones.start()
        except CompanionError as error:
            self.app.toast(_(str(error)))
        self.renew()

    def stop(self) -> None:
        """Listen no more."""
        self.app.phones.stop()
        self.renew()

    def throw_out(self, screen: str) -> None:
        """Take a screen off the table."""
        if self.app.phones.server is not None:
            self.app.phones.server.throw_out(screen)
        self.renew()

    def leave(self) -> None:
        """Another screen is shown."""
        if self.app.phones.server is not None:
            self.app.phones.server.changed = lambda: None
