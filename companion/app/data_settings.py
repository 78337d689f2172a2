"""The data of this device: where it lies, one zip of all of it, and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kivy.uix.widget import Widget

from companion.app import preferences
from companion.app.backup import Places, back_up, backup_name, backups, contents, restore
from companion.app.context import AppContext
from companion.app.files import Files
from companion.app.kit import Card, Press, Text
from companion.app.shelf import row
from companion.app.task import Step, Task
from companion.app.words import _
from companion.words import tell
from models import CompanionError
from models.own_trays import own_place

SHOWN = 5


class DataSettings:
    """The data folder, backups, and restoring one."""

    def __init__(self, app: AppContext, rebuild: Callable[[], Any]) -> None:
        self.app, self.rebuild = app, rebuild

    @property
    def places(self) -> Places:
        """Where the data lies."""
        return Places(self.app.desk.folder, own_place())

    @property
    def folder(self) -> Path:
        """Where backups lie."""
        return self.app.desk.folder / "backups"

    def widgets(self) -> Sequence[Widget]:
        """Folder, backup, restore."""
        folder = Card()
        folder.add_widget(Text(_("Data folder"), bold=True))
        folder.add_widget(Text(str(self.app.desk.folder), "small", "soft"))
        card = Card()
        card.add_widget(Text(_("Backup"), bold=True))
        what = _("One zip file with all games, set-ups, choices and own sizes.")
        card.add_widget(Text(what, "small", "soft"))
        card.add_widget(
            row(
                Press(_("Back up now"), self.back_up, "primary", name="backup"),
                Press(_("Restore from a file …"), self.choose, name="restore-file"),
            )
        )
        found = backups(self.folder)
        for path in found[:SHOWN]:
            ask = partial(self.ask, path)
            card.add_widget(
                Press(path.stem, ask, "quiet", _("restore …"), align="left",
                      name=f"restore:{path.stem}")
            )  # fmt: skip
        if not found:
            card.add_widget(Text(_("no backup yet"), "small", "faint"))
        return (folder, card)

    def back_up(self) -> None:
        """Write one."""
        places, target, copy = self.places, backup_name(self.folder), self.app.desk.copy

        def work(step: Step) -> Path:
            return back_up(places, target, step, copy)

        self.app.wait_for(Task(_("Backing up"), work, self.backed_up))

    def backed_up(self, path: Path) -> None:
        """Say where it lies."""
        self.rebuild()
        self.app.toast(_("Backup written: {path}", path=path), refused=False)

    def choose(self) -> None:
        """A backup from elsewhere."""
        files = Files(Path.home(), (".zip",), self.ask)
        self.app.open_sheet(_("Restore from a file …"), [files])

    def ask(self, path: Path) -> None:
        """What is in it, and whether it is meant."""
        try:
            held = contents(path)
        except CompanionError as error:
            self.app.close_sheet()
            self.app.toast(tell(str(error)))
            return
        told = _("{games} games and {setups} set-ups, from {made}", games=held.games,
                 setups=held.setups, made=held.made)  # fmt: skip
        keeps = _("What is on this device now is kept aside in the data folder.")
        self.app.open_sheet(
            _("Restore this backup?"),
            [
                Text(path.name, "small", "soft"),
                Text(told),
                Text(keeps, colour="soft"),
                Press(_("Restore"), partial(self.restore, path), "primary", name="restore-sure"),
                Press(_("Cancel"), self.app.close_sheet, name="restore-not"),
            ],
        )

    def restore(self, path: Path) -> None:
        """Leave the game, then put the backup in place."""
        self.app.close_sheet()
        desk, places = self.app.desk, self.places
        desk.leave()

        def work(step: Step) -> Path:
            step(0.0, _("closing the game"))
            while not desk.settle(0.2):
                step(0.0)
            return restore(path, places, step)

        self.app.wait_for(Task(_("Restoring"), work, self.restored))

    def restored(self, aside: Path) -> None:
        """Everything anew, from what was restored."""
        self.app.desk.mind.preferences = preferences.load(self.app.desk.folder / "preferences.json")
        self.app.reload()
        self.app.toast(_("Restored. The data from before lies in {path}", path=aside),
                       refused=False)  # fmt: skip
