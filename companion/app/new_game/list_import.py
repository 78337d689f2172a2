"""A list of units, figures or cards from outside the app: pasted, or read from a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from kivy.uix.widget import Widget

from companion.app.context import AppContext
from companion.app.widgets.controls import TouchButton
from companion.app.widgets.file_picker import FilePicker
from companion.app.widgets.layouts import row
from companion.app.widgets.text_entry import TextEntry, clipboard_text
from companion.engine.app_words import _
from models import CompanionError
from models.field import decode, read_bytes

FOLDER = "armies"
"""Where lists are kept in the app's folder, of whatever game."""

Read = Callable[[str], object]


def paste_list(
    app: AppContext, text: str, hint: str, read: Read, above: Sequence[Widget] = ()
) -> None:
    """Open a sheet with a field for a list, which `read` gets."""
    entry = TextEntry(text, hint, 9)
    entry.name = "list-text"

    def paste() -> None:
        entry.text = clipboard_text()

    use = TouchButton(_("Read the list"), lambda: read(entry.text), "primary", name="read-list")
    copied = TouchButton(_("Paste"), paste, name="paste")
    app.open_sheet(_("Paste a list"), [*above, entry, row(copied, use)])


def pick_list(app: AppContext, endings: tuple[str, ...], read: Callable[[Path], object]) -> None:
    """Open a file picker in the folder of lists."""
    folder = app.service.folder / FOLDER
    start = folder if folder.is_dir() else Path.home()
    app.open_sheet(_("From a file"), [FilePicker(start, endings, read)])


def read_list(app: AppContext, path: Path, read: Read) -> None:
    """Give the text of a file to `read`; what cannot be read is named in a toast."""
    try:
        read(decode(read_bytes(path), path.name))
    except CompanionError as error:
        app.toast(str(error))
