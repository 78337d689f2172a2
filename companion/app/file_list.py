"""Choosing a file of this device: folders and the files that fit, each a button."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.kit import Press, Text
from companion.app.theme import SKIN
from companion.app.words import _

MOST = 200
"""More rows than this nobody scrolls through."""


class FileList(BoxLayout):
    """One folder at a time; hidden files are not shown."""

    def __init__(self, start: Path, suffixes: Collection[str], pick: Callable[[Path], Any]) -> None:
        super().__init__(orientation="vertical", spacing=SKIN.gap("small"), size_hint_y=None)
        self.bind(minimum_height=self.setter("height"))
        self.suffixes, self.pick = frozenset(suffixes), pick
        self.open(start if start.is_dir() else Path.home())

    def open(self, folder: Path) -> None:
        """Show a folder."""
        self.folder = folder
        self.clear_widgets()
        for widget in self.rows():
            self.add_widget(widget)

    def rows(self) -> Sequence[Widget]:
        """Up, folders, files."""
        shown: list[Widget] = [Text(str(self.folder), "small", "soft")]
        if self.folder.parent != self.folder:
            up = partial(self.open, self.folder.parent)
            shown.append(Press("↑  " + _("folder above"), up, "quiet", align="left", name="up"))
        try:
            inside = sorted(self.folder.iterdir(), key=lambda path: path.name.casefold())
        except OSError as error:
            return [*shown, Text(error.strerror or str(error), colour="bad")]
        visible = [path for path in inside if not path.name.startswith(".")]
        folders = [path for path in visible if path.is_dir()]
        files = [path for path in visible if path.suffix.lower() in self.suffixes]
        shown += [
            Press(
                f"▸ {path.name}",
                partial(self.open, path),
                "quiet",
                align="left",
                name=f"folder:{path.name}",
            )
            for path in folders[:MOST]
        ]
        shown += [
            Press(path.name, partial(self.pick, path), align="left", name=f"file:{path.name}")
            for path in files[:MOST]
        ]
        if not files:
            kinds = ", ".join(sorted(self.suffixes))
            shown.append(Text(_("no file here that fits ({kinds})", kinds=kinds), colour="faint"))
        return shown
