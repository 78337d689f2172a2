"""The card of a written file: what it is, and buttons to open and share it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from companion.app.device.sharing import FileSharing, file_sharing
from companion.app.widgets.controls import CardBox, Text, TouchButton
from companion.app.widgets.layouts import grid
from companion.engine.app_words import _


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
