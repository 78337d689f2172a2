"""Which camera sees the board, and which tag stands on which figure."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from kivy.uix.widget import Widget

from companion.app.new_game.wizard_step import FormStep, NewGameWizard
from companion.app.render.theme import THEME
from companion.app.widgets.controls import Text, TouchButton, heading
from companion.app.widgets.file_card import FileCard
from companion.app.widgets.layouts import choice, grid
from companion.engine.app_words import _
from companion.engine.figure_tags import (
    TAG_NAMES,
    drafted_pieces,
    exchanged,
    figure_tags,
    tag_numbers,
)
from companion.engine.files.print_jobs import print_figures
from companion.engine.task import BackgroundTask
from companion.games.api.piece_view import PieceView


class CameraStep(FormStep):
    """The choice of the camera, and the tag of every figure."""

    def __init__(self, wizard: NewGameWizard) -> None:
        super().__init__(wizard)
        self.written: tuple[Path, ...] = ()

    def build(self) -> None:
        """Show the cameras."""
        draft = self.draft
        cameras = [(_("no camera"), "none"), (_("practice camera"), "practice")]
        if self.camera_profile:
            cameras.append((self.camera_profile, "camera"))
        told = {
            "none": _("Without a camera everything is done by tapping figures and spaces."),
            "practice": _("A virtual camera shows the board with tagged figures, to try it out."),
            "camera": _("The camera sees the tags on the figures' stands."),
        }
        widgets: list[Widget] = [
            self.card(
                _("Camera"),
                choice(cameras, draft.camera, self.use, 3),
                Text(told[draft.camera], colour="soft"),
            )
        ]
        if not self.camera_profile:
            go = TouchButton(
                _("Set up a camera"), lambda: self.app.go("camera"), "quiet", name="to-camera"
            )
            widgets.append(go)
        if draft.camera != "none":
            widgets += self.tags()
        self.rows.fill([*widgets, *self.problems()])

    # -- tags -------------------------------------------------------------------------------

    def tags(self) -> Iterator[Widget]:
        """Which tag stands on which figure; a tap changes it."""
        pieces = drafted_pieces(self.draft)
        if not pieces:
            return
        tags = figure_tags(self.draft.tags, (one.id for one in pieces))
        numbers = tag_numbers(tags)
        signs = {
            seat.side: THEME.mark_of(seat.colour or number + 1)
            for number, seat in enumerate(self.draft.seats)
        }
        yield heading(_("TAGS · TAP TO CHANGE"))
        yield grid(
            [
                TouchButton(
                    f"{signs.get(one.seat, '')} {_(one.name)}",
                    partial(self.ask, one, tags),
                    "plain" if one.id in numbers else "quiet",
                    _("tag {n}", n=numbers[one.id]) if one.id in numbers else _("no tag is left"),
                    align="left",
                    name=f"tag:{one.id}",
                )
                for one in pieces
            ],
            2,
        )
        names = {numbers[one.id]: _(one.name) for one in pieces if one.id in numbers}
        yield TouchButton(
            _("Print these tags with the names"), partial(self.write, names), name="print-tags"
        )
        if self.written:
            hint = _("Print at 100 %, then measure the check ruler on the sheet.")
            yield FileCard(self.written, self.app.toast, hint)

    def ask(self, piece: PieceView, tags: dict[str, str]) -> None:
        """Ask for the tag of a figure; whoever has it gets the figure's own."""
        names = {one.id: _(one.name) for one in drafted_pieces(self.draft)}
        presses = [
            TouchButton(
                str(number),
                partial(self.give, piece.id, tag, tags),
                "ink" if tags.get(tag) == piece.id else "plain" if tag in tags else "quiet",
                names.get(tags.get(tag, ""), _("free")),
                name=f"number:{number}",
            )
            for tag, number in TAG_NAMES.items()
        ]
        self.app.open_sheet(_("The tag of {figure}", figure=_(piece.name)), [grid(presses, 3)])

    def give(self, piece: str, tag: str, tags: dict[str, str]) -> None:
        """Give a tag to a figure."""
        self.app.close_sheet()
        self.change_draft(tags=exchanged(tags, piece, tag))

    def write(self, names: dict[int, str]) -> None:
        """Write the sheet of these tags."""
        folder, paper = self.app.service.folder / "print", "a4"
        if self.app.camera_profile is not None:
            paper = self.app.camera_profile.notes.paper
        work = BackgroundTask(
            _("Writing sheets"),
            lambda step: (print_figures(names, folder, paper),),
            self.finished,
        )
        self.app.wait_for(work)

    def finished(self, paths: tuple[Path, ...]) -> None:
        """Show where the file is."""
        self.written = paths
        self.build()

    def use(self, camera: str) -> None:
        """Choose another camera; the one that was set up is opened at once."""
        if camera == "camera":
            self.app.see_through()
        else:
            self.app.service.close_camera()
        self.change_draft(camera=camera)
