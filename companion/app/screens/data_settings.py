"""The data of this device: its folder, backing it up to one zip file, restoring it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kivy.uix.widget import Widget

from companion.app.context import AppContext
from companion.app.widgets.controls import CardBox, Text, TouchButton
from companion.app.widgets.file_picker import FilePicker
from companion.app.widgets.layouts import row
from companion.engine.app_words import _
from companion.engine.files import preferences
from companion.engine.files.backup import BackupPaths, back_up, backup_name, backups, restore
from companion.engine.files.backup_zip import Contents, contents
from companion.engine.task import BackgroundTask, TaskStep
from models.field import visible
from models.own_trays import own_place

SHOWN = 5


class DataSettings:
    """Shows the data folder, makes backups and restores them."""

    def __init__(self, app: AppContext, rebuild: Callable[[], Any]) -> None:
        self.app, self.rebuild = app, rebuild

    @property
    def places(self) -> BackupPaths:
        """The folders that are backed up."""
        return BackupPaths(self.app.service.folder, own_place())

    @property
    def folder(self) -> Path:
        """The folder of the backups."""
        return self.app.service.folder / "backups"

    def short(self, path: Path) -> str:
        """The part of a path below the data folder, which the screen shows.

        A toast with the whole path can be so high that it covers the buttons of the sections.
        """
        return str(path.relative_to(self.app.service.folder))

    def widgets(self) -> Sequence[Widget]:
        """The cards for folder, backup and restore."""
        folder = CardBox()
        folder.add_widget(Text(_("Data folder"), bold=True))
        folder.add_widget(Text(str(self.app.service.folder), "small", "soft"))
        card = CardBox()
        card.add_widget(Text(_("Backup"), bold=True))
        what = _("One zip file with all games, set-ups, choices and own sizes.")
        card.add_widget(Text(what, "small", "soft"))
        card.add_widget(
            row(
                TouchButton(_("Back up now"), self.back_up, "primary", name="backup"),
                TouchButton(_("Restore from a file …"), self.choose, name="restore-file"),
            )
        )
        found = backups(self.folder)
        for path in found[:SHOWN]:
            ask = partial(self.ask, path)
            card.add_widget(
                TouchButton(visible(path.stem), ask, "quiet", _("restore …"), align="left",
                      name=f"restore:{path.stem}")
            )  # fmt: skip
        if not found:
            card.add_widget(Text(_("no backup yet"), "small", "faint"))
        return (folder, card)

    def back_up(self) -> None:
        """Write a backup."""
        places, target, copy = self.places, backup_name(self.folder), self.app.service.copy

        def work(step: TaskStep) -> Path:
            return back_up(places, target, step, copy)

        self.app.wait_for(BackgroundTask(_("Backing up"), work, self.backed_up))

    def backed_up(self, path: Path) -> None:
        """Show where the backup is."""
        self.rebuild()
        self.app.toast(_("Backup written: {path}", path=self.short(path)), refused=False)

    def choose(self) -> None:
        """Pick a backup file from another place."""
        files = FilePicker(Path.home(), (".zip",), self.ask)
        self.app.open_sheet(_("Restore from a file …"), [files])

    def ask(self, path: Path) -> None:
        """Read the backup's contents in a background task, then ask for confirmation."""
        self.app.close_sheet()
        title = _("Reading the backup")
        self.app.wait_for(
            BackgroundTask(title, lambda step: contents(path), partial(self.ask_about, path))
        )

    def ask_about(self, path: Path, held: Contents) -> None:
        """Ask for confirmation."""
        told = _("{games} games and {setups} set-ups, from {made}", games=held.games,
                 setups=held.setups, made=held.made)  # fmt: skip
        keeps = _("What is on this device now is kept aside in the data folder.")
        self.app.open_sheet(
            _("Restore this backup?"),
            [
                Text(visible(path.name), "small", "soft"),
                Text(told),
                Text(keeps, colour="soft"),
                TouchButton(
                    _("Restore"), partial(self.restore, path), "primary", name="restore-sure"
                ),
                TouchButton(_("Cancel"), self.app.close_sheet, name="restore-not"),
            ],
        )

    def restore(self, path: Path) -> None:
        """Close the game, then restore the backup."""
        self.app.close_sheet()
        service, places = self.app.service, self.places
        service.leave()

        def work(step: TaskStep) -> Path:
            step(0.0, _("closing the game"))
            while not service.settle(0.2):
                step(0.0)
            return restore(path, places, step)

        self.app.wait_for(BackgroundTask(_("Restoring"), work, self.restored))

    def restored(self, aside: Path) -> None:
        """Reload everything from the restored data."""
        self.app.service.controller.game.preferences = preferences.load(
            self.app.service.folder / "preferences.json"
        )
        self.app.reload()
        self.app.toast(_("Restored. The data from before lies in {path}", path=self.short(aside)),
                       refused=False)  # fmt: skip
        self.app.say_dropped()
