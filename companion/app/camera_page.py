"""Setting up a camera: sheets to print, the set-ups on this device, and seeing through one."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from kivy.metrics import dp
from kivy.uix.widget import Widget

from calibration.setup import Setup
from companion.app.kit import Card, Press, Text, field, grid, heading
from companion.app.page import Page
from companion.app.pane import Pane
from companion.app.printing import SHEETS, print_sheet
from companion.app.snapshot import Live, Snapshot
from companion.app.words import _
from companion.vision.look import require
from companion.vision.sources import open_source
from models import CompanionError

if TYPE_CHECKING:
    from companion.app.app import CompanionApp


class PrintScreen(Page):
    """Sheets as PDF files."""

    def __init__(self, app: CompanionApp) -> None:
        super().__init__(_("Print tags"), app.back)
        self.app = app
        self.told = ""
        self.build()

    def build(self) -> None:
        """The sheets, and where the last one went."""
        widgets: list[Widget] = [
            Text(_("Print at 100 %, then measure the check ruler on the sheet."), colour="soft")
        ]
        for name, sheet in SHEETS.items():
            widgets.append(
                Press(
                    _(sheet.title),
                    partial(self.write, name),
                    under=_(sheet.what),
                    align="left",
                    name=f"print:{name}",
                )
            )
        if self.told:
            card = Card(rim="good")
            card.add_widget(Text(self.told))
            widgets.append(card)
        self.fill(widgets)

    def write(self, name: str) -> None:
        """Write one sheet."""
        try:
            path = print_sheet(name, self.app.desk.folder / "print")
            self.told = _("written: {path}", path=path)
        except (CompanionError, OSError) as error:
            self.told = str(error)
        self.build()


class CameraScreen(Page):
    """Steps to a working camera, each of which can be redone alone."""

    def __init__(self, app: CompanionApp) -> None:
        super().__init__(_("Set up a camera"), app.back)
        self.app = app
        self.source = "0"
        self.told = ""
        self.pane = Pane("picture", lambda point: None, lambda *_: False)
        self.pane.size_hint_y = None
        self.pane.height = dp(300)
        self.build()

    def build(self) -> None:
        """Print, lens and table, trays, see."""
        folder = self.app.desk.folder / "setups"
        found = sorted(folder.glob("*.setup.toml")) if folder.is_dir() else []
        widgets: list[Widget] = [
            self.step(
                _("1 Print"),
                _("Reference tags for the table's rim, one tag per tray, and the lens board."),
                [Press(_("Print tags"), lambda: self.app.go("print"), name="print")],
            ),
            self.step(
                _("2 Lens and table"),
                _(
                    "Photograph the lens board a dozen times, then the table with its reference "
                    "tags. On a computer: companion calibrate lens, companion calibrate table. "
                    "Put the set-up file into {folder}.",
                    folder=folder,
                ),
                [],
            ),
        ]
        entry = field(self.source, _("camera number or address"))
        entry.bind(text=lambda _, text: setattr(self, "source", text))
        uses = [
            Press(
                path.name.removesuffix(".setup.toml"),
                partial(self.see, path),
                name=f"setup:{path.name}",
            )
            for path in found
        ]
        empty = Text(_("no set-up on this device yet"), colour="soft")
        third = self.step(_("3 See"), _("Choose a set-up to see the table through."), [entry])
        third.add_widget(grid(uses, 2) if uses else empty)
        widgets.append(third)
        if self.told:
            card = Card(rim="bad")
            card.add_widget(Text(self.told, colour="bad"))
            widgets.append(card)
        if self.pane.parent is not None:
            self.pane.parent.remove_widget(self.pane)
        widgets += [heading(_("LIVE")), self.pane]
        self.fill(widgets)

    def step(self, title: str, what: str, buttons: list[Widget]) -> Card:
        """One step with its words."""
        card = Card()
        card.add_widget(Text(title, "large", bold=True))
        card.add_widget(Text(what, colour="soft"))
        for button in buttons:
            card.add_widget(button)
        return card

    def see(self, path: Path) -> None:
        """See the table through that set-up."""
        try:
            setup = require(Setup.load(path), path.name)
            self.app.desk.look_through(open_source(self.source), setup)
            self.told = ""
        except CompanionError as error:
            self.told = str(error)
        self.build()

    def show(self, snapshot: Snapshot) -> None:
        """The overlay, if a game runs."""
        self.pane.show(snapshot)

    def look(self, live: Live) -> None:
        """The live picture."""
        if live.picture is not None:
            high, wide = live.picture.shape[:2]
            scale = min(self.pane.width / wide, self.pane.height / high)
            self.pane.base = (wide * scale, high * scale)
            self.pane.lay()
        self.pane.look(live)
