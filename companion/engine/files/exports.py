"""Files that players take out of the app: a saved game as JSON, Markdown or HTML, and sheets to
print as PDF.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from calibration.printing.pdf import PAPERS, SheetText
from calibration.printing.piece_sheets import (
    CLIP_MOUNT,
    CLIP_TAG_MM,
    FIGURE_MOUNT,
    FIGURE_TAG_MM,
    clips_pdf,
    figures_pdf,
)
from calibration.printing.sheets import (
    REFERENCE_IDS,
    TRAY_IDS,
    Order,
    board_pdf,
    references_pdf,
    tags_pdf,
    usual_mount,
)
from companion.engine.app_words import _
from companion.engine.threads import BackgroundTask, TaskStep
from companion.overlay.map_theme import TEXT, TEXT_BOLD
from companion.session.report.html_page import html, map_png
from companion.session.report.markdown_report import markdown
from companion.session.report.replay import text as json_text
from companion.session.report.story import Story, build_story
from companion.session.storage import read
from models import Table, atomic_write

FORMS = {"html": "Page with maps", "md": "Markdown", "json": "JSON"}
"""File suffix and label of each format."""


def story_of(path: Path) -> Story:
    """The story of a game's log."""
    return build_story(read(path).steps)


def exporting(
    path: Path, form: str, folder: Path, then: Callable[[Path], object]
) -> BackgroundTask:
    """The background task that writes the export; `then` gets the file."""

    def work(step: TaskStep) -> Path:
        step(0.02, _("reading the game"))
        steps = read(path).steps
        step(0.1, _("telling it"))
        if form == "json":
            told = json_text(steps)
        else:
            story = build_story(steps)
            told = markdown(story) if form == "md" else page(story, step)
        step(0.98, _("writing"))
        atomic_write.make_folder(folder)
        target = folder / f"{path.stem}.{form}"
        atomic_write.write_text(target, told)
        return target

    return BackgroundTask(_("Export"), work, then)


def page(story: Story, step: TaskStep) -> str:
    """The HTML page, with a progress step for every map."""
    most = max(1, sum(len(chapter.turns) for chapter in story.chapters))
    count = 0

    def paint(table: Table, title: str) -> bytes:
        nonlocal count
        count += 1
        step(0.1 + 0.85 * min(count / most, 1.0), title)
        return map_png(table, title)

    return html(story, paint)


TAGS_PRINTED = 24
PAPER_NAMES = {"a4": "A4", "letter": "Letter"}
SHEET_TEXT = SheetText(_, TEXT, TEXT_BOLD)
"""Sheets are written in the app's language."""


@dataclass(frozen=True, slots=True)
class SheetKind:
    """A kind of sheet: its name, its purpose, and the function that draws it."""

    title: str
    what: str
    draw: Callable[[str, float, tuple[float, float]], bytes]
    usual: bool = True
    """Whether it is chosen before the players choose."""


SHEETS = {
    "references": SheetKind(
        "Reference tags",
        "lie around the table's rim; the sheet says where",
        lambda paper, size_mm, table: references_pdf(
            Order(REFERENCE_IDS, 40.0, paper), table, SHEET_TEXT
        ),
    ),
    "tags": SheetKind(
        "Tray tags",
        "one for every tray",
        lambda paper, size_mm, table: tags_pdf(
            Order(TRAY_IDS[:TAGS_PRINTED], size_mm, paper, mount=usual_mount(size_mm)), SHEET_TEXT
        ),
    ),
    "figures": SheetKind(
        "Figure tags",
        "on paper stands, one for every figure of a game on a board",
        lambda paper, size_mm, table: figures_pdf(
            Order(TRAY_IDS[:TAGS_PRINTED], FIGURE_TAG_MM, paper, mount=FIGURE_MOUNT),
            text=SHEET_TEXT,
        ),
        usual=False,
    ),
    "cards": SheetKind(
        "Card tags",
        "clipped to the front of cards in play, one for every card",
        lambda paper, size_mm, table: clips_pdf(
            Order(TRAY_IDS, CLIP_TAG_MM, paper, mount=CLIP_MOUNT), SHEET_TEXT
        ),
        usual=False,
    ),
    "lens-board": SheetKind(
        "Lens board",
        "shows the camera its own lens",
        lambda paper, size_mm, table: board_pdf(paper, SHEET_TEXT),
    ),
}
PAPER_KINDS = tuple((PAPER_NAMES.get(name, name), name) for name in PAPERS)


def print_sheets(
    names: Sequence[str],
    folder: Path,
    step: TaskStep,
    paper: str = "a4",
    size_mm: float = 25.0,
    table: tuple[float, float] = (48.0, 48.0),
) -> tuple[Path, ...]:
    """Write sheets and return their paths; those completed before a cancellation stay."""
    atomic_write.make_folder(folder)
    written = []
    for number, name in enumerate(names):
        step(number / len(names), _(SHEETS[name].title))
        data = SHEETS[name].draw(paper, size_mm, table)
        step((number + 0.7) / len(names))
        path = folder / f"{name}.pdf"
        atomic_write.write_bytes(path, data)
        written.append(path)
    return tuple(written)


def print_figures(names: Mapping[int, str], folder: Path, paper: str = "a4") -> Path:
    """Write the sheet of figures' tags: these numbers, each with the name of its figure."""
    atomic_write.make_folder(folder)
    order = Order(tuple(sorted(names)), FIGURE_TAG_MM, paper, mount=FIGURE_MOUNT)
    path = folder / "figures.pdf"
    atomic_write.write_bytes(path, figures_pdf(order, names, SHEET_TEXT))
    return path
