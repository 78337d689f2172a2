"""The battle report as one page of HTML that needs nothing else: maps, chart and dice inside."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from html import escape

from companion.overlay.theme import side_looks
from companion.session.chart import rgb, score_chart
from companion.session.report import (
    FACES,
    chapter_title,
    facts,
    heading,
    mean,
    outcome,
    rolled,
    turn_title,
)
from companion.session.story import Beat, Story, Turn
from companion.words import _, language, tell
from models import Table

Paint = Callable[[Table, str], bytes]
"""A table and a title as the bytes of a PNG."""

STYLE = """
:root{color-scheme:light;--ink:#262421;--soft:#68635a;--paper:#faf9f6;--rule:#d6cfbe}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:1.5rem;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
h1{font-size:1.8rem;margin:.2rem 0}h2{margin:2.2rem 0 .6rem;border-bottom:2px solid var(--rule)}
h3{font-size:1rem;margin:1.4rem 0 .3rem}
.outcome{font-size:1.25rem;font-weight:600}
.facts{color:var(--soft);padding:0;list-style:none}
.facts li{display:inline-block;margin-right:1.5rem}
ol.steps{padding-left:1.2rem;margin:.3rem 0;list-style:disc}
.note{font-style:italic}
.dice{display:inline-flex;gap:.2rem;margin-left:.5rem;vertical-align:middle;color:var(--soft)}
.die{border:1px solid var(--soft);border-radius:.25rem;min-width:1.35rem;text-align:center;
font-variant-numeric:tabular-nums;line-height:1.3rem;font-size:.85rem;background:#fff;
color:var(--ink)}
.why{font-size:.85rem}
img{display:block;width:100%;max-width:44rem;height:auto;margin:.6rem 0;
border:1px solid var(--rule)}
.chart{width:100%;max-width:44rem;height:auto;background:#fff;border:1px solid var(--rule)}
.chart .grid{stroke:var(--rule)}.chart .axis{font-size:12px;fill:var(--soft)}
.chart .name{font-size:14px;font-weight:600}
table{border-collapse:collapse;margin:.6rem 0}
th,td{padding:.25rem .7rem;border-bottom:1px solid var(--rule);text-align:right}
th:first-child,td:first-child{text-align:left}
.turn{border-left:.35rem solid var(--rule);padding-left:.8rem;break-inside:avoid}
"""


def html(story: Story, paint: Paint | None = None) -> str:
    """The whole page; without a painter there are no maps."""
    return "".join(parts(story, paint))


def parts(story: Story, paint: Paint | None) -> Iterator[str]:
    """The page from top to bottom."""
    yield (
        f'<!DOCTYPE html>\n<html lang="{language()}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(heading(story))}</title><style>{STYLE}</style></head><body>"
        f"<h1>{escape(heading(story))}</h1>"
        f'<p class="outcome">{escape(outcome(story.end))}</p><ul class="facts">'
    )
    yield from (f"<li>{escape(fact)}</li>" for fact in facts(story))
    yield "</ul>"
    if story.scores():
        yield f"<h2>{escape(_('Score by round'))}</h2>"
        yield score_chart(story.scores(), story.sides, _("Score by round"))
    drawn: Table | None = None
    for chapter in story.chapters:
        yield f"<h2>{escape(chapter_title(chapter))}</h2>"
        for turn in chapter.turns:
            yield from turn_parts(story, turn)
            if paint is not None and turn.table is not None and turn.table != drawn:
                drawn = turn.table
                yield picture(paint, turn.table, chapter.round, turn)
            yield "</section>"
    if story.faces():
        yield f"<h2>{escape(_('Dice'))}</h2>"
        yield from dice_parts(story)
    yield "</body></html>\n"


def turn_parts(story: Story, turn: Turn) -> Iterator[str]:
    """A turn: whose, and its steps."""
    look = side_looks(story.sides).get(turn.side or "")
    edge = f' style="border-color:{rgb(look)}"' if turn.side and look else ""
    yield f'<section class="turn"{edge}><h3>{escape(turn_title(turn))}</h3><ol class="steps">'
    yield from (step(beat) for beat in turn.beats)
    yield "</ol>"


def step(beat: Beat) -> str:
    """A step and its dice."""
    rolls = "".join(
        f'<span class="dice" aria-label="{escape(rolled(roll))}">'
        f'<span class="why">{escape(tell(roll.what))}</span>'
        + "".join(f'<span class="die">{face}</span>' for face in roll.faces)
        + "</span>"
        for roll in beat.rolls
    )
    kind = ' class="note"' if beat.is_note else ""
    return f"<li{kind}>{escape(tell(beat.title))}{rolls}</li>"


def picture(paint: Paint, table: Table, number: int, turn: Turn) -> str:
    """The map after a turn, inside the page."""
    title = _("Round {round}, after turn {turn}").format(round=number, turn=turn.number)
    if turn.number == 0:
        title = _("Before the first turn")
    data = base64.b64encode(paint(table, title)).decode("ascii")
    return f'<img loading="lazy" alt="{escape(title)}" src="data:image/png;base64,{data}">'


def dice_parts(story: Story) -> Iterator[str]:
    """The dice in a table."""
    heads = "".join(f"<th>{face}</th>" for face in FACES)
    yield (
        f"<table><thead><tr><th>{escape(_('Side'))}</th>{heads}"
        f"<th>{escape(_('dice'))}</th><th>{escape(_('mean'))}</th></tr></thead><tbody>"
    )
    for side, faces in story.faces().items():
        cells = "".join(f"<td>{faces[face]}</td>" for face in FACES)
        yield (
            f"<tr><td>{escape(tell(side)) or '–'}</td>{cells}<td>{faces.total()}</td>"
            f"<td>{mean(faces):.2f}</td></tr>"
        )
    yield "</tbody></table>"
