"""Exports a saved game: JSON, Markdown, or one HTML page with maps and chart."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.engine.app_words import _
from companion.engine.task import BackgroundTask, TaskStep
from companion.session.report.export import text as json_text
from companion.session.report.html_page import html
from companion.session.report.map_picture import map_png
from companion.session.report.markdown_report import markdown
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
        folder.mkdir(parents=True, exist_ok=True)
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
