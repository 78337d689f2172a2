"""Choosing sheets, paper and sizes to print as PDF; in the wizard and on a page of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kivy.uix.widget import Widget

from companion.app.context import AppContext
from companion.app.render.theme import THEME
from companion.app.widgets.controls import Text, TouchButton, heading
from companion.app.widgets.file_picker import FileCard
from companion.app.widgets.layouts import choice, stepper
from companion.app.widgets.page import ScreenPage
from companion.engine.app_words import _
from companion.engine.camera.camera_profile import CameraProfile
from companion.engine.files.exports import PAPER_KINDS, SHEETS, print_sheets
from companion.engine.tag_assignment import on_board
from companion.engine.threads import BackgroundTask

LEAST_MM, MOST_MM = 15.0, 60.0


class PrintPanel:
    """The choices, and the widgets to make them."""

    def __init__(
        self,
        app: AppContext,
        camera_profile: CameraProfile | None,
        rebuild: Callable[[], Any],
        done: Callable[[tuple[Path, ...]], Any] = lambda paths: None,
    ) -> None:
        self.app, self.rebuild, self.done = app, rebuild, done
        notes = camera_profile.notes if camera_profile is not None else None
        self.paper = notes.paper if notes is not None else "a4"
        self.size_mm = notes.tag_mm if notes is not None else 25.0
        setup = camera_profile.setup if camera_profile is not None else None
        self.table = (setup.table_width, setup.table_depth) if setup is not None else (48.0, 48.0)
        self.wanted = {name for name, sheet in SHEETS.items() if sheet.usual}
        if on_board(app.service.drafting.draft):
            self.wanted = self.wanted - {"tags"} | {"figures"}
        self.written: tuple[Path, ...] = ()

    @property
    def folder(self) -> Path:
        """The folder of the PDF files."""
        return self.app.service.folder / "print"

    def widgets(self, golden: bool = True) -> Sequence[Widget]:
        """The widgets for sheets, paper, size and the written files."""
        shown: list[Widget] = [heading(_("WHAT"))]
        for name, sheet in SHEETS.items():
            chosen = name in self.wanted
            shown.append(
                TouchButton(
                    ("✓ " if chosen else "") + _(sheet.title),
                    partial(self.toggle, name),
                    "plain" if chosen else "quiet",
                    _(sheet.what),
                    align="left",
                    tint=THEME.colour("accent") if chosen else None,
                    name=f"sheet:{name}",
                )
            )
        shown += [
            heading(_("PAPER")),
            choice(PAPER_KINDS, self.paper, self.choose_paper),
            heading(_("BLACK SQUARE OF A TRAY TAG")),
            stepper(
                f"{self.size_mm:g} {_('mm')}",
                self.resize,
                "print-mm",
                self.size_mm <= LEAST_MM,
                self.size_mm >= MOST_MM,
            ),
            TouchButton(
                _("Write the sheets"),
                self.print,
                "primary" if golden else "plain",
                ready=bool(self.wanted),
                name="print-go",
            ),
        ]
        if self.written:
            hint = _("Print at 100 %, then measure the check ruler on the sheet.")
            shown.append(FileCard(self.written, self.app.toast, hint))
        else:
            shown.append(Text(_("PDF files in true scale"), "small", "soft"))
        return shown

    def toggle(self, name: str) -> None:
        """Add or remove a kind of sheet."""
        self.wanted ^= {name}
        self.rebuild()

    def choose_paper(self, paper: str) -> None:
        self.paper = paper
        self.rebuild()

    def resize(self, by: int) -> None:
        """Change the size of the tags; larger ones are detected from farther away."""
        self.size_mm = min(max(self.size_mm + by, LEAST_MM), MOST_MM)
        self.rebuild()

    def print(self) -> None:
        """Write the chosen sheets."""
        names = [name for name in SHEETS if name in self.wanted]
        if not names:
            self.app.toast(_("Choose at least one sheet."))
            return
        work = BackgroundTask(
            _("Writing sheets"),
            lambda step: print_sheets(
                names, self.folder, step, self.paper, self.size_mm, self.table
            ),
            self.finished,
        )
        self.app.wait_for(work)

    def finished(self, paths: tuple[Path, ...]) -> None:
        """Show where the files are."""
        self.written = paths
        self.done(paths)
        self.rebuild()


class PrintScreen(ScreenPage):
    """The print panel on a page of its own."""

    def __init__(self, app: AppContext) -> None:
        super().__init__(_("Print tags"), app.back)
        self.panel = PrintPanel(app, app.camera_profile, self.build, self.note)
        self.app = app
        self.build()

    def build(self) -> None:
        """Show all choices."""
        self.fill(self.panel.widgets())

    def note(self, paths: tuple[Path, ...]) -> None:
        """Save in the camera profile what was printed."""
        if self.app.camera_profile is not None:
            noted = dict.fromkeys(
                (*self.app.camera_profile.notes.printed, *(p.stem for p in paths))
            )
            self.app.camera_profile = self.app.camera_profile.saved(
                None,
                printed=tuple(noted),
                paper=self.panel.paper,
                tag_mm=self.panel.size_mm,
                **planned(paths, self.app.camera_profile),
            )


def planned(paths: tuple[Path, ...], profile: CameraProfile) -> dict[str, str]:
    """The note for which table the plan was printed, if it was."""
    return {"planned": profile.plan} if any(one.stem == "references" for one in paths) else {}
