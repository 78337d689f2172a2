"""Files by touch: choosing one, folder by folder, and the card of a written file, to open or
share it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.app.device.sharing import FileSharing, file_sharing
from companion.app.render.theme import THEME
from companion.app.widgets.controls import CardBox, Text, TouchButton
from companion.app.widgets.layouts import grid
from companion.engine.app_words import _
from models.field import visible

MOST = 60
"""The limit on the entries shown for a folder."""


class FilePicker(BoxLayout):
    """Lists files; `done` gets the one that was tapped."""

    def __init__(self, folder: Path, endings: Sequence[str], done: Callable[[Path], Any]) -> None:
        super().__init__(orientation="vertical", spacing=THEME.gap("small"), size_hint_y=None)
        self.bind(minimum_height=self.setter("height"))
        self.endings, self.done = tuple(endings), done
        self.folder = folder
        self.enter(folder)

    def enter(self, folder: Path) -> None:
        """List a folder, or show that it cannot be read."""
        self.folder = folder
        self.clear_widgets()
        self.add_widget(Text(visible(str(folder)), "small", "soft"))
        if folder.parent != folder:
            self.add_widget(
                TouchButton(
                    f"↑  {_('up')}", lambda: self.enter(folder.parent), "quiet", name="folder:up"
                )
            )
        try:
            found = sorted(folder.iterdir(), key=lambda path: path.name.casefold())
            folders = [path for path in found if path.is_dir() and not path.name.startswith(".")]
            files = [path for path in found if path.name.endswith(self.endings) and path.is_file()]
        except OSError as error:
            self.add_widget(Text(str(error.strerror or error), colour="bad"))
            return
        for path in folders[:MOST]:
            self.add_widget(
                TouchButton(
                    f"▸  {visible(path.name)}",
                    partial(self.enter, path),
                    align="left",
                    name=f"folder:{path.name}",
                )
            )
        for path in files[:MOST]:
            self.add_widget(
                TouchButton(
                    visible(path.name),
                    partial(self.done, path),
                    "primary",
                    align="left",
                    name=f"file:{path.name}",
                )
            )
        if not files:
            wanted = ", ".join(f"*{ending}" for ending in self.endings)
            self.add_widget(Text(_("no file here ({wanted})", wanted=wanted), colour="soft"))


class FileCard(CardBox):
    """One or more written files; `say` tells what could not be done."""

    def __init__(self, paths: Sequence[Path], say: Callable[[str], object], hint: str = "") -> None:
        super().__init__(rim="good")
        self.say = say
        self.device: FileSharing = file_sharing()
        self.add_widget(Text("✓ " + _("Written"), "large", "good", bold=True))
        for path in paths:
            self.add_widget(Text(path.name, bold=True))
            share = _("Share") if self.device.shares else _("Show in its folder")
            presses = [
                TouchButton(_("Open"), partial(self.open, path), name=f"open:{path.name}"),
                TouchButton(share, partial(self.share, path), name=f"share:{path.name}"),
            ]
            self.add_widget(grid(presses, 2))
        if hint:
            self.add_widget(Text(hint, bold=True))

    def open(self, path: Path) -> None:
        """Open the file in the program that belongs to it."""
        if not self.device.open(path):
            self.say(_("No program here opens it. The file is {path}", path=path))

    def share(self, path: Path) -> None:
        """Share the file, or show it in its folder."""
        if not self.device.share(path):
            self.say(_("No program here opens it. The file is {path}", path=path))
