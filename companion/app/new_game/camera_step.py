"""The camera over a board: which one, where the board lies under it, and every figure's tag."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from kivy.uix.widget import Widget

from calibration.board_place import BoardPlace
from companion.app.new_game.wizard_step import FormStep, NewGameWizard
from companion.app.render.theme import THEME
from companion.app.widgets.controls import CardBox, Text, TouchButton, heading
from companion.app.widgets.file_picker import FileCard
from companion.app.widgets.layouts import choice, grid
from companion.engine.app_words import _, ruler
from companion.engine.camera.board_fitting import outside, too_large
from companion.engine.files.exports import print_figures
from companion.engine.snapshot import CameraView
from companion.engine.tag_assignment import (
    TAG_NAMES,
    drafted_board,
    drafted_pieces,
    exchanged,
    figure_tags,
    tag_numbers,
)
from companion.engine.threads import BackgroundTask
from companion.games.api.screen_views import PieceView
from models.board import Board


class CameraStep(FormStep):
    """The choice of the camera, the place of the board, and the tag of every figure."""

    def __init__(self, wizard: NewGameWizard) -> None:
        self.board: Board | None = None
        self._told: object = None
        """The camera's state that the step shows."""
        super().__init__(wizard)
        self.written: tuple[Path, ...] = ()
        worker = self.app.service.camera_worker
        if self.camera_profile and worker is not None and self.draft.camera == "none":
            self.app.service.drafting.plan(replace(self.draft, camera="camera"))

    def build(self) -> None:
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
        self.board = drafted_board(draft)
        self._told = self.state()
        if draft.camera == "camera":
            widgets += self.place()
        if draft.camera != "none":
            widgets += self.tags()
        self.rows.fill([*widgets, *self.problems()])
        self.wizard.show_foot()

    @property
    def waits(self) -> bool:
        unplaced = self.board is not None and self.board_place is None
        return self.draft.camera == "camera" and unplaced and self.app.service.live.sight == "live"

    # -- the board under the camera -----------------------------------------------------------

    def state(self) -> object:
        """What the camera's card is built from."""
        live = self.app.service.live
        stands = live.camera.view.position if live.camera is not None else ()
        place = self.board_place
        moved = place is not None and bool(stands) and not place.seen_from(stands)
        return live.sight, live.why, bool(stands), moved

    @property
    def board_place(self) -> BoardPlace | None:
        """Where the board of this game lies under the camera."""
        board, profile = self.board, self.app.camera_profile
        if board is None or profile is None:
            return None
        return profile.setup.board_place(board)

    def place(self) -> Iterator[Widget]:
        """Whether the camera sees the table, whether its set-up suits, where the board lies."""
        live, profile = self.app.service.live, self.app.camera_profile
        if live.sight == "lost":
            lost = CardBox(rim="bad")
            lost.add_widget(Text("✕ " + _("This camera is lost"), "large", "bad", bold=True))
            lost.add_widget(Text(_(live.why), colour="soft"))
            lost.add_widget(
                TouchButton(
                    _("Use another camera"), lambda: self.app.go("camera"), name="other-camera"
                )
            )
            yield lost
        board = self.board
        if board is None or profile is None:
            return
        setup, place = profile.setup, self.board_place
        trays = [tray.unit for tray in setup.trays if not tray.tray.round]
        if trays:
            yield Text(
                _(
                    "“{name}” was set up with trays. Figures carry tags of their own on paper "
                    "stands: print them below.",
                    name=profile.name,
                ),
                colour="warn",
            )
        card = CardBox(rim="good" if place is not None else "warn")
        yield card
        if place is None:
            size = f"{ruler().short(setup.table_width)} × {ruler().short(setup.table_depth)}"
            told = _(
                "The camera knows the table of {size}, but not yet where this board lies on it.",
                size=size,
            )
            card.add_widget(Text("! " + told, colour="warn"))
            if too_large(board, setup):
                told = _(
                    "This board is larger than that table. Lay the references for a larger one, "
                    "and tell the set-up its size."
                )
                card.add_widget(Text(told, colour="warn"))
                again = TouchButton(
                    _("Set up the camera"), lambda: self.app.go("camera"), name="set-up-again"
                )
                card.add_widget(again)
        else:
            fits = _("fits to {length}", length=ruler().fine(place.told_off_in(board)))
            good = place.fits(board)
            told = _("The board lies where you showed it: {fit}.", fit=fits)
            sign, colour = ("✓", "good") if good else ("!", "warn")
            card.add_widget(Text(f"{sign} {told}", colour=colour))
            if outside(place, board, setup):
                told = _("A part of the board lies beyond the table's edge: is that right?")
                card.add_widget(Text("! " + told, colour="warn"))
            camera = live.camera
            if camera is not None and not place.seen_from(camera.view.position):
                told = _("The camera was moved since: look whether the grid still fits.")
                card.add_widget(Text("! " + told, colour="warn"))
        press = _("Show where the board lies") if place is None else _("Look at the grid")
        seen = live.sight == "live"
        card.add_widget(
            TouchButton(
                press,
                lambda: self.app.go("board"),
                "primary" if self.waits else "plain",
                ready=seen,
                name="board-place",
            )
        )
        if not seen and live.sight != "lost":
            state = _(live.why) if live.why else _("the camera starts …")
            card.add_widget(Text(state, "small", "soft"))

    def look(self, live: CameraView) -> None:
        """Show when the camera is found, lost or moved."""
        if self.draft.camera == "camera" and self.state() != self._told:
            self.build()

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
            _("Print these tags with the names"), partial(self.print_tags, names), name="print-tags"
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

    def print_tags(self, names: dict[int, str]) -> None:
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
