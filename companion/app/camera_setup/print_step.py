"""Printing the sheets that the other steps need."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kivy.uix.widget import Widget

from companion.app.camera_setup.setup_step import SetupStep
from companion.app.screens.print_screen import PrintPanel
from companion.app.widgets.controls import Text
from companion.engine.app_words import _


class PrintStep(SetupStep):
    """Choice of sheets, without a camera."""

    key = "print"
    live = False

    def __init__(self, wizard: Any) -> None:
        super().__init__(wizard)
        self.sheets = PrintPanel(wizard.app, wizard.camera_profile, wizard.rebuild, self.note)

    def panel(self) -> Sequence[Widget]:
        """The choices, and what comes next."""
        what = _(
            "Print these at 100 %, cut the tags out with their white border, fold the stands and "
            "glue one behind every tray, and glue the lens board to something stiff. Printed "
            "already? Go on."
        )
        return (Text(what, colour="soft"), *self.sheets.widgets())

    def note(self, paths: tuple[Path, ...]) -> None:
        """Save in the notes what was printed, and how."""
        noted = dict.fromkeys((*self.camera_profile.notes.printed, *(path.stem for path in paths)))
        self.wizard.keep(
            None, printed=tuple(noted), paper=self.sheets.paper, tag_mm=self.sheets.size_mm
        )
