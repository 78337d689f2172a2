"""Choosing a file by touch: one folder at a time, large rows, only files that fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.app.render.theme import THEME
from companion.app.widgets.controls import Text, TouchButton
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
