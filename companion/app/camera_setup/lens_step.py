"""Lens calibration: show the board to the camera until it was seen in every part of the picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.widget import Widget

from calibration.camera.charuco_board import (
    CHESS,
    OWN_BOARD,
    BoardSpec,
    BoardView,
    board_view,
    mirrored_board,
)
from calibration.camera.lens import VAGUE_FOCAL
from calibration.camera.lens_calibration import LEAST_VIEWS, LensResult, lens_from
from calibration.camera.lens_coverage import TILT_WAYS, BoardRequest, Coverage
from calibration.camera.other_board import BoardSearch
from companion.app.camera_setup.setup_step import SetupStep
from companion.app.render.picture_view import Mark, mark
from companion.app.widgets.controls import Text, TouchButton, heading
from companion.app.widgets.layouts import row
from companion.app.widgets.modal import Gauge
from companion.engine.app_words import _, ruler
from companion.engine.threads import BackgroundTask, TaskStep
from companion.vision.sources.frame import CameraFrame

BLIND_FRAMES = 12
"""After this many frames without a board, advice is shown."""
MIRROR_EVERY = 6
"""Every so many frames without a board it is looked for in the mirror, and another board."""


class LensStep(SetupStep):
    """Collects views automatically while the players move the board."""

    key = "lens"
    shows = "board"

    def __init__(self, wizard: Any) -> None:
        super().__init__(wizard)
        self.coverage = Coverage()
        self.blind = 0
        self.mirrored = False
        self.board = OWN_BOARD
        """The board that is shown: ours, until another one is recognised."""
        self.search = BoardSearch()
        self.view: BoardView | None = None
        self.gauge = Gauge()
        self.score = Text("", "small", "soft")
        self.chips: dict[str, Text] = {}
        """Which edges of the board have leaned away."""
        self.measured: TouchButton | None = None
        self._shown: tuple[bool, bool] | None = None

    def watch(self, frame: CameraFrame) -> tuple[Coverage, BoardView | None]:
        """Take a view whenever the board shows something new."""
        view = board_view(frame.picture, f"view {len(self.coverage.views) + 1}", self.board)
        if not isinstance(view, BoardView):
            self.blind += 1
            if self.blind % MIRROR_EVERY == 1:
                self.mirrored = mirrored_board(frame.picture, self.board)
            if self.blind % MIRROR_EVERY == 4 and not self.coverage.views:
                self.board = self.search.see(frame.picture) or self.board
            return self.coverage, None
        self.blind, self.mirrored = 0, False
        self.coverage = self.coverage.seen(view)
        return self.coverage, view

    def panel(self) -> Sequence[Widget]:
        """Instructions, progress and buttons."""
        here = self.coverage
        self._shown = (here.possible, here.enough)
        self.chips = {way: Text("", "small", align="center") for way in TILT_WAYS}
        look = "primary" if here.enough else "plain"
        measure = TouchButton(
            _("Measure the lens"), self.measure, look, ready=here.possible, name="lens-measure"
        )
        again = TouchButton(_("Start over"), self.again, "quiet", name="lens-again")
        skip = TouchButton(
            _("Skip"),
            self.skip,
            "quiet",
            _("the lens is then estimated at the table: a little less sure"),
            name="lens-skip",
        )
        what = _(
            "Hold the printed lens board before the camera and move it slowly: near and far, "
            "tilted, into every corner. Pictures are taken by themselves."
        )
        return (
            Text(what, colour="soft"),
            self.gauge,
            self.score,
            heading(_("TILT THE BOARD ALL FOUR WAYS")),
            row(*self.chips.values()),
            measure,
            row(again, skip),
        )

    def refresh(self, found: Any, trouble: str) -> None:
        """Show the next request, the coverage and the error."""
        if trouble and found is None:
            self.tell_trouble(trouble)
            return
        here = self.coverage
        wish = here.wish
        self.gauge.set_share(here.score, "good" if wish.kind == "enough" else "accent")
        told = _(
            "{share} of what is needed · {count} pictures",
            share=f"{here.score:.0%}",
            count=len(here.views),
        )
        if here.result is not None:
            told += " · " + _("error {error} px", error=ruler().number(here.result.misfit_px, 2))
        self.score.set_text(told)
        names = {"left": _("left"), "right": _("right"), "top": _("top"), "bottom": _("bottom")}
        for way, chip in self.chips.items():
            done, name = way in here.ways, names[way]
            chip.set_text(f"{name} ✓" if done else name, "good" if done else "faint")
        if found is not None and found[1] is not None:
            self.in_trouble("")
        if self.tell_fault("mirrored" if self.mirrored else ""):
            return
        if wish.kind == "enough":
            self.status.say("good", _("Enough"), _("Press “Measure the lens”."))
        elif self.blind > BLIND_FRAMES:
            self.status.say("warn", _("No board in sight"), self.unknown() or self.help())
        else:
            head, more = wished(wish)
            if self.board != OWN_BOARD:
                more = f"{board_words(self.board)} {more}"
            self.status.say("line", head, more)
        if (here.possible, here.enough) != self._shown:
            self.wizard.rebuild()

    def help(self) -> str:
        """What to do if the board is not found."""
        return _(
            "Show the whole lens board, flat and not too far away. More light and no shine help; "
            "the board must be glued to something stiff."
        )

    def unknown(self) -> str:
        """Which markers are seen that belong to no board we know."""
        seen = self.search.markers
        if seen is None or self.coverage.views:
            return ""
        return _(
            "{count} tags are seen, but no lens board: print ours and hold it before the camera.",
            count=len(seen.ids),
        )

    def marks(self, found: Any) -> Sequence[Mark]:
        """The cells of the picture, covered ones shaded, the next one outlined; and the board."""
        wide, high = self.wizard.viewer.size_px
        covered = self.coverage.covered
        wish = self.coverage.wish
        drawn = []
        for number, line in enumerate(covered):
            for place, done in enumerate(line):
                left, right = wide * place / len(line), wide * (place + 1) / len(line)
                top, low = high * number / len(covered), high * (number + 1) / len(covered)
                corners = [(left, top), (right, top), (right, low), (left, low)]
                if done:
                    drawn.append(mark(corners, "good", width_dp=0.8, closed=True, fill=0.24))
                elif wish.zone == (number, place):
                    drawn.append(mark(corners, "accent", width_dp=3, closed=True, fill=0.12))
        view = found[1] if found is not None else None
        if view is not None:
            arm = max(wide / 200, dp(1))
            for x, y in view.corners_px:
                drawn.append(mark([(x - arm, y), (x + arm, y)], "accent", width_dp=2))
        return drawn

    def again(self) -> None:
        """Discard the views."""
        self.coverage, self.board, self.search = Coverage(), OWN_BOARD, BoardSearch()
        self.wizard.rebuild()

    def skip(self) -> None:
        """Skip the step: the lens is then estimated from the reference tags."""
        setup = self.camera_profile.setup.with_lens(None)
        self.wizard.keep(setup, lens_skipped=True, lens_px=0.0, lens_views=0)
        self.wizard.forward()

    def do_without(self) -> None:
        """Who goes on without a lens has skipped the step, whichever button it was."""
        if not self.camera_profile.done("lens"):
            self.wizard.keep(self.camera_profile.setup, lens_skipped=True)

    @property
    def complete(self) -> bool:
        """Whether nothing waits to be measured."""
        return not self.coverage.views and super().complete

    def leaving(self, go: Callable[[], Any], onward: bool) -> None:
        """Pictures that are enough are measured first; about fewer the players are asked."""
        views = len(self.coverage.views)
        if self.coverage.enough:
            self.measure(go)
        elif views and (onward or not self.camera_profile.done("lens")):
            self.ask(_("The pictures of the board are not measured yet."), go)
        else:
            super().leaving(go, onward)

    def unfinished(self) -> str:
        """That the lens is not known."""
        if self.camera_profile.done("lens"):
            return ""
        return _("The lens is not measured yet. Without it it is estimated at the table.")

    def measure(self, go: Callable[[], Any] | None = None) -> None:
        """Calibrate the lens from the views, then go on."""
        views = self.coverage.views
        if len(views) < LEAST_VIEWS:
            self.wizard.app.toast(
                _("{count} more pictures are needed first", count=LEAST_VIEWS - len(views))
            )
            return

        def work(step: TaskStep) -> LensResult:
            step(0.2, _("fitting {count} pictures", count=len(views)))
            result = lens_from(views)
            step(1.0)
            return result

        after = partial(self.done, go=go or self.wizard.forward)
        self.wizard.app.wait_for(BackgroundTask(_("Measuring the lens"), work, after))

    def done(self, result: LensResult, go: Callable[[], Any]) -> None:
        """Save the lens and go on."""
        self.wizard.keep(
            self.camera_profile.setup.with_lens(result.lens),
            lens_skipped=False,
            lens_px=round(result.misfit_px, 4),
            lens_views=len(result.used),
        )
        told = _("Lens measured: error {error} px", error=ruler().number(result.misfit_px, 2))
        share = result.lens.sigma[0] / result.lens.matrix[0] if result.lens.sigma else 0.0
        if share > VAGUE_FOCAL:
            told += ". " + _(
                "The focal length is only known to {share} %: tilted boards would make it sharper.",
                share=ruler().number(100 * share, 0),
            )
        self.wizard.app.toast(told, refused=False)
        self.coverage = Coverage()
        go()


def wished(wish: BoardRequest) -> tuple[str, str]:
    """A request as text: what to do, and why or how much."""
    if wish.kind == "zone" and wish.zone is not None:
        rows = (_("top"), _("middle"), _("bottom"))
        columns = (_("left"), _("centre left"), _("centre right"), _("right"))
        place = f"{rows[wish.zone[0]]} {columns[wish.zone[1]]}"
        return (
            _("Move it here: {place}", place=place),
            _("{count} parts of the picture have not seen the board yet.", count=wish.count),
        )
    if wish.kind == "tilt":
        if wish.way is not None:
            return (
                _("Tilt it: {edge} away from the camera", edge=edge_word(wish.way)),
                _("Turn the board 30 to 45 degrees away, {count} more times.", count=wish.count),
            )
        return (
            _("Tilt it more"),
            _("Turn the board 30 to 45 degrees away, {count} more times.", count=wish.count),
        )
    if wish.kind == "more":
        return (
            _("{count} more pictures", count=wish.count),
            _("Hold it somewhere else, at another distance."),
        )
    if wish.kind == "flat":
        return (
            _("The board bends"),
            _("The error is large. Glue the board to something stiff and start over."),
        )
    return (_("Show the lens board"), _("The whole lens board must be in the picture."))


def edge_word(way: str) -> str:
    """An edge of the board, as the picture shows it."""
    return {
        "left": _("left edge"),
        "right": _("right edge"),
        "top": _("top edge"),
        "bottom": _("bottom edge"),
    }[way]


def board_words(board: BoardSpec) -> str:
    """Which board was recognised."""
    wide, high = board.squares
    if board.grid:
        return _("This is a grid of markers of {markers}: it is used.", markers=board.dictionary)
    if board.dictionary == CHESS:
        return _("This is a chessboard of {wide} × {high}: it is used.", wide=wide, high=high)
    return _(
        "This is a board of {wide} × {high} with {markers}: it is used.",
        wide=wide,
        high=high,
        markers=board.dictionary,
    )
