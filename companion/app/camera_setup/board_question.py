"""What players are asked about a board under a camera during a game: where it lies, or whether it
still lies there.
"""

from __future__ import annotations

from companion.app.context import AppContext
from companion.app.widgets.controls import Text, TouchButton
from companion.engine.app_words import _
from companion.engine.snapshot import BoardQuestion


def ask_for_board(app: AppContext, question: BoardQuestion) -> None:
    """Ask in a sheet; both answers can be given later from the menu."""

    def show() -> None:
        app.close_sheet()
        app.go("board")

    def later() -> None:
        app.close_sheet()
        app.service.leave_board()

    title, text = {
        "where": (
            _("Where does the board lie?"),
            _(
                "The camera sees the table, but nobody has shown it the board yet. Until then the "
                "game is on the map."
            ),
        ),
        "moved": (
            _("The camera was moved"),
            _("Look whether the grid still lies on the board."),
        ),
    }[question]
    app.open_sheet(
        title,
        [
            Text(text, colour="soft"),
            TouchButton(_("Show it on the picture"), show, "primary", name="board-show"),
            TouchButton(_("Later"), later, name="board-later"),
        ],
    )
