"""A photo with what was found on it, what was expected and not found, and what is unread."""

from __future__ import annotations

from collections.abc import Iterable

from PIL import Image, ImageDraw

from companion.overlay.canvas import font

Outline = tuple[list[tuple[float, float]], str, str]
"""Corners in pixels, a role (found, missing or unread), and the words beside them."""

COLOURS = {"found": (60, 190, 90), "missing": (235, 70, 60), "unread": (240, 170, 40)}
LARGEST_PX = 2400


def draw_explained(photo: Image.Image, outlines: Iterable[Outline]) -> Image.Image:
    """The photo with an outline and words for each place."""
    scale = min(1.0, LARGEST_PX / max(photo.size))
    drawn = photo.convert("RGB").resize((round(photo.width * scale), round(photo.height * scale)))
    pen = ImageDraw.Draw(drawn)
    letters = max(12, drawn.width // 90)
    face, line = font(letters, True), max(2, drawn.width // 500)
    for corners, role, words in outlines:
        rim = [((x + 0.5) * scale, (y + 0.5) * scale) for x, y in corners]
        pen.line([*rim, rim[0]], fill=COLOURS[role], width=line, joint="curve")
        left, low = min(x for x, _ in rim), max(y for _, y in rim) + line
        wide = pen.textlength(words, font=face)
        left = max(0.0, min(left, drawn.width - wide - letters / 2))
        low = min(low, drawn.height - 1.4 * letters)
        pen.rectangle(
            (left, low, left + wide + letters / 2, low + 1.3 * letters), fill=(20, 20, 24)
        )
        pen.text((left + letters / 4, low), words, font=face, fill=COLOURS[role])
    return drawn
