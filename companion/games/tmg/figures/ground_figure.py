"""Labels on terrain pieces that affect a selected unit."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.tmg.rules.report import MiniaturesReport
from companion.geometry.plane.answer import Answer
from companion.overlay.ground_shapes import WORDS_Z, around
from companion.overlay.shapes import Label, Shape, Style
from companion.text.translation import _
from models import Unit


def ground_words(report: MiniaturesReport, unit: Unit) -> Iterator[Shape]:
    """Labels for wounds when acting on a piece, morale modifiers, and pieces it may attack."""
    ground = report.units[unit.id].ground
    acting = _("D3+1 wounds")
    notes: dict[str, list[tuple[str, Answer]]] = {}
    for name, answer in ground.on.items():
        notes.setdefault(name, []).append((acting, answer))
    for felt in ground.morale.felt:
        text = _("{value:+d} morale").format(value=felt.value)
        notes.setdefault(felt.piece, []).append((text, felt.answer))
    for name, answer in ground.breaks.items():
        notes.setdefault(name, []).append((_("may be attacked"), answer))
    for piece in report.table.terrain:
        found = notes.get(piece.id, ())
        if found:
            sure = all(answer for _text, answer in found)
            lines = [text if answer else f"{text} ?" for text, answer in found]
            style = Style("attack-minor", unit.side, sure)
            yield Label(
                "\n".join(lines), around(piece.outline), style, WORDS_Z + 5, (unit.id, piece.id)
            )
