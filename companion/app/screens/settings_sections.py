"""Sections of the settings: the data of this device with backup and restore, the players' own
tray sizes, and what the program is made of.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from kivy.uix.widget import Widget

from calibration.setup import known_trays
from companion import games
from companion.app.context import AppContext
from companion.app.widgets.controls import CardBox, Text, TouchButton
from companion.app.widgets.file_picker import FileCard, FilePicker
from companion.app.widgets.layouts import grid, row, stepper
from companion.engine.app_words import _, ruler
from companion.engine.files import preferences
from companion.engine.files.backup import (
    BACKUPS,
    BackupPaths,
    back_up,
    backup_name,
    backups,
    restore,
)
from companion.engine.files.backup_zip import Contents, contents
from companion.engine.threads import BackgroundTask, TaskStep
from companion.text.lengths import CM_PER_IN
from companion.text.translation import translate
from companion.version import VERSION
from models import CompanionError
from models.catalogue import own_place, reset_size, set_size, shipped_trays
from models.field import visible
from models.message import word
from models.unit import Tray

if TYPE_CHECKING:
    from importlib.metadata import Distribution


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
        return self.app.service.folder / BACKUPS

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
        found: Sequence[Path] = ()
        why = _("no backup yet")
        try:
            found = backups(self.folder)
        except CompanionError as error:
            why = translate(str(error))
        for path in found[:SHOWN]:
            ask = partial(self.ask, path)
            card.add_widget(
                TouchButton(visible(path.stem), ask, "quiet", _("restore …"), align="left",
                      name=f"restore:{path.stem}")
            )  # fmt: skip
        if not found:
            card.add_widget(Text(why, "small", "faint"))
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
        self.app.open_sheet(_("Backup"), [FileCard((path,), self.app.toast, str(path.parent))])

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
        told = _(
            "Games: {games}, set-ups: {setups}, from {made}",
            games=held.games,
            setups=held.setups,
            made=held.made,
        )
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


STEP_IN = {"in": 0.05, "cm": 0.1 / CM_PER_IN}
LEAST_IN, MOST_IN = 1.0, 12.0

Side = Literal["width", "depth"]


class TraySettings:
    """One kind is open at a time; the others are a row each."""

    def __init__(self, app: AppContext, rebuild: Callable[[], Any]) -> None:
        self.app, self.rebuild = app, rebuild
        self.open = ""

    def widgets(self) -> Sequence[Widget]:
        """Every kind with its size."""
        if own_place() is None:
            return (Text(_("Own sizes are switched off on this device."), colour="soft"),)
        try:
            known, shipped = known_trays(), shipped_trays()
        except CompanionError as error:
            card = CardBox(rim="bad")
            card.add_widget(Text(str(error), colour="bad"))
            return (card,)
        what = _("Measure your own trays and set them here; new games use the new sizes.")
        kinds = [self.kind(tray, shipped.get(name)) for name, tray in known.items()]
        return (Text(what, "small", "soft"), *kinds)

    def kind(self, tray: Tray, shipped: Tray | None) -> Widget:
        """The row of a kind, or its card if it is open."""
        length = ruler().length
        own = shipped is not None and (tray.width, tray.depth) != (shipped.width, shipped.depth)
        size = f"{length(tray.width)} × {length(tray.depth)}"
        if own:
            size += " · " + _("own size")
        if self.open != tray.name:
            return TouchButton(
                _(word("tray", tray.name)), partial(self.unfold, tray.name), "plain", size,
                align="left",
                name=f"tray-size:{tray.name}",
            )  # fmt: skip
        card = CardBox(rim="accent")
        card.add_widget(Text(_(word("tray", tray.name)), bold=True))
        sides: tuple[tuple[Side, str, float], ...] = (
            ("width", _("across the front"), tray.width),
            ("depth", _("front to back"), tray.depth),
        )
        for side, words, value in sides:
            card.add_widget(Text(words, "small", "soft"))
            card.add_widget(
                stepper(
                    length(value), partial(self.step, tray, side), f"{tray.name}-{side}",
                    value <= LEAST_IN, value >= MOST_IN,
                )
            )  # fmt: skip
        buttons = [
            TouchButton(_("Done"), partial(self.unfold, ""), "primary", name="tray-size-done")
        ]
        if own:
            reset = partial(self.reset, tray.name)
            buttons.append(TouchButton(_("Shipped size"), reset, "quiet", name="tray-size-reset"))
        card.add_widget(grid(buttons, 2))
        return card

    def unfold(self, name: str) -> None:
        """Open a kind, or close all."""
        self.open = name
        self.rebuild()

    def step(self, tray: Tray, side: Side, by: int) -> None:
        """Change a size by a step and save it."""
        sizes = {"width": tray.width, "depth": tray.depth}
        wanted = sizes[side] + by * STEP_IN[self.app.service.preferences.units]
        sizes[side] = round(min(max(wanted, LEAST_IN), MOST_IN), 3)
        try:
            set_size(tray.name, sizes["width"], sizes["depth"])
        except (CompanionError, OSError) as error:
            self.app.toast(str(error))
        self.rebuild()

    def reset(self, name: str) -> None:
        """Reset to the default size."""
        try:
            reset_size(name)
        except (CompanionError, OSError) as error:
            self.app.toast(str(error))
        self.rebuild()


OURS = "table-companion"
LONGEST_LICENCE = 40


def about_widgets() -> Sequence[Widget]:
    """The cards with our version, what it is made of, and installed games."""
    own = CardBox()
    own.add_widget(Text(_("Table Companion {version}", version=VERSION), bold=True))
    told = _(
        "Free software under the MIT licence. "
        "The games belong to their publishers, who have no part in it."
    )
    own.add_widget(Text(told, "small", "soft"))
    parts = CardBox()
    parts.add_widget(Text(_("Made with"), bold=True))
    for line in (f"Python {platform.python_version()} · PSF-2.0", *components()):
        parts.add_widget(Text(line, "small", "soft"))
    return [own, *installed_games(), parts]


def installed_games() -> list[Widget]:
    """The games from elsewhere; one that does not work says why."""
    if not games.installed():
        return []
    card = CardBox()
    card.add_widget(Text(_("Installed games"), bold=True))
    for package in games.installed():
        reason = games.BROKEN.get(package)
        card.add_widget(left_out(package, reason) if reason else Text(package, "small", "soft"))
    return [card]


def broken_games() -> list[Widget]:
    """A line about each installed game that does not work."""
    return [left_out(game, reason) for game, reason in games.BROKEN.items()]


def left_out(game: str, reason: str) -> Text:
    """A line about an installed game that does not work."""
    told = _("{game} does not work and is left out: {reason}", game=game, reason=reason)
    return Text(told, "small", "warn")


def components() -> Iterator[str]:
    """Name, version and licence of every package that the companion needs."""
    from importlib.metadata import PackageNotFoundError, distribution, requires

    try:
        needed = requires(OURS) or []
    except PackageNotFoundError:  # a tablet has no such records
        needed = []
    for name in [re.split(r"[<>=!~; \[]", one)[0] for one in needed if "extra ==" not in one]:
        try:
            found = distribution(name)
        except PackageNotFoundError:
            continue
        yield f"{found.metadata['Name']} {found.version} · {licence(found)}"


def licence(found: Distribution) -> str:
    """The licence of a package in a few words, as its own records give it."""
    told = found.metadata
    known = next((told[key] for key in ("License-Expression", "License") if key in told), "")
    if known and len(known) <= LONGEST_LICENCE:
        return known
    listed = told.get_all("Classifier") or []
    licences = [one.rpartition(" :: ")[2] for one in listed if one.startswith("License")]
    return ", ".join(licences) or known.splitlines()[0][:LONGEST_LICENCE]
