"""The files that a browser fetches: known by name, read once, the same for everybody."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from companion.overlay.icons import ICONS, MARKS
from companion.overlay.map_theme import NARROW, TEXT, TEXT_BOLD, TITLE

FOLDER = Path(__file__).parent / "static"
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
}
FONTS = {"text.ttf": TEXT, "bold.ttf": TEXT_BOLD, "narrow.ttf": NARROW, "title.ttf": TITLE}


@cache
def page_files() -> dict[str, tuple[bytes, str]]:
    """Every file by its name, with its kind; nothing else is ever read for a request."""
    own = {path.name: path for path in sorted(FOLDER.iterdir()) if path.suffix in KINDS}
    files = {
        name: (path.read_bytes(), KINDS[path.suffix]) for name, path in {**own, **FONTS}.items()
    }
    drawings = json.dumps({**MARKS, **ICONS})
    files["icons.js"] = f"export const ICONS = {drawings};\n".encode(), KINDS[".js"]
    return files
