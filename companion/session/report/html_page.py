"""The battle report as one self-contained HTML page: its style, maps, score chart and dice."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from itertools import pairwise
from typing import Any

from companion import games
from companion.games.api.play import ArmySummary, RolledDice, UnitSummary
from companion.overlay.map_theme import SideStyle, side_looks
from companion.session.report.markdown_report import (
    army_name,
    called,
    chapter_title,
    counts_points,
    dice_title,
    die_name,
    faces_of,
    facts,
    heading,
    mean,
    named,
    names_in,
    outcome,
    rolled,
    sentences,
    shown_rolls,
    telling,
    turn_title,
    what_of,
)
from companion.session.report.story import Chapter, Story, StoryBeat, Turn
from companion.text.translation import _, capital, language, ruler, translate
from models.message import say
from models.table import AnyTable

WIDTH, HEIGHT = 640, 280
LEFT, RIGHT, TOP, BOTTOM = 44, 110, 18, 36
DASHES = {"solid": "", "striped": "9 4", "dotted": "2 4", "double": "14 3 3 3"}
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)

Scores = Sequence[tuple[int, Mapping[str, int]]]


def score_chart(
    scores: Scores, sides: Sequence[str], title: str, names: Mapping[str, str] | None = None
) -> str:
    """The chart as a self-contained SVG element; every score starts at zero."""
    points = [(0, dict.fromkeys(sides, 0)), *scores]
    last = max(1, points[-1][0])
    values = [score.get(side, 0) for _, score in points for side in sides]
    low, top = min([0, *values]), max([1, *values])
    step = next((one for one in STEPS if (top - low) / one <= 6), STEPS[-1])
    top = -(-top // step) * step
    low = low // step * step

    def x(number: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * number / last

    def y(score: int) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (top - score) / (top - low)

    looks = side_looks(sides)
    words = {side: called(side, names or {}) for side in sides}
    parts = [
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        f' aria-label="{escape(title)}" xmlns="http://www.w3.org/2000/svg">'
    ]
    parts += [
        f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(score):.1f}"'
        f' y2="{y(score):.1f}"/><text class="axis" x="{LEFT - 8}" y="{y(score) + 4:.1f}"'
        f' text-anchor="end">{score}</text>'
        for score in range(low, top + 1, step)
    ]
    parts += [
        f'<text class="axis" x="{x(number):.1f}" y="{HEIGHT - 12}"'
        f' text-anchor="middle">{number}</text>'
        for number, _ in points
    ]
    heights = label_heights([y(points[-1][1].get(side, 0)) for side in sides])
    for side, height in zip(sides, heights, strict=True):
        found = [(x(number), y(score.get(side, 0))) for number, score in points]
        parts += line(found, looks[side])
        parts.append(
            f'<text class="name" x="{found[-1][0] + 12:.1f}" y="{height + 4:.1f}"'
            f' fill="{rgb(looks[side])}">{escape(words[side])} {points[-1][1].get(side, 0)}</text>'
        )
    return "".join([*parts, "</svg>"])


def line(points: Sequence[tuple[float, float]], look: SideStyle) -> list[str]:
    """The line of a side with its markers."""
    way = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dash = f' stroke-dasharray="{DASHES[look.bar]}"' if DASHES.get(look.bar) else ""
    drawn = f'<polyline points="{way}" fill="none" stroke="{rgb(look)}" stroke-width="2.5"{dash}/>'
    return [drawn, *(mark(x, y, look) for x, y in points)]


def mark(x: float, y: float, look: SideStyle) -> str:
    """The marker of a side, the same as on the map."""
    shapes = {
        "diamond": ((0, -6), (6, 0), (0, 6), (-6, 0)),
        "square": ((-4.5, -4.5), (4.5, -4.5), (4.5, 4.5), (-4.5, 4.5)),
        "triangle": ((0, -6), (5.5, 4), (-5.5, 4)),
    }
    if look.mark not in shapes:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{rgb(look)}"/>'
    corners = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in shapes[look.mark])
    return f'<polygon points="{corners}" fill="{rgb(look)}"/>'


def rgb(look: SideStyle) -> str:
    """The colour of a side in CSS notation."""
    return "#{:02x}{:02x}{:02x}".format(*look.colour)


def label_heights(wanted: Sequence[float], apart: float = 16) -> list[float]:
    """The heights of the names at the line ends, moved down until none overlaps another."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    heights = list(wanted)
    for before, after in pairwise(order):
        heights[after] = max(heights[after], heights[before] + apart)
    return heights


STYLE = """
:root{color-scheme:light;--ink:#262421;--soft:#68635a;--paper:#faf9f6;--rule:#d6cfbe;--card:#fff}
*{box-sizing:border-box}
html{scroll-behavior:smooth}
body{margin:0 auto;max-width:72rem;padding:0 1.5rem 3rem;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
header{text-align:center;padding:2.2rem 0 1rem}
h1{font-size:1.5rem;margin:0;font-weight:600;letter-spacing:.01em}
h2{margin:2.4rem 0 .8rem;border-bottom:2px solid var(--rule);padding-bottom:.2rem;
scroll-margin-top:3rem}
h3{font-size:.95rem;margin:0 0 .3rem;color:var(--soft);font-weight:600}
.score{margin:.4rem 0 0;font-size:4.2rem;line-height:1;font-weight:700;display:flex;gap:1.2rem;
justify-content:center;font-variant-numeric:tabular-nums}
.points small{display:block;font-size:.95rem;font-weight:600;margin-top:.4rem}
.points.winner small::after{content:" \\265B"}
.colon{color:var(--rule)}
.outcome{font-size:1.2rem;font-weight:600;margin:.9rem 0 .3rem}
.facts{color:var(--soft);padding:0;margin:0;list-style:none;font-size:.9rem}
.facts li{display:inline-block;margin:0 .75rem}
.armies{display:grid;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr));gap:1rem;
margin-top:1.2rem}
.army{background:var(--card);border:1px solid var(--rule);border-top:.4rem solid;
border-radius:.4rem;padding:.8rem 1rem}
.army h2{border:0;margin:0;font-size:1.15rem;padding:0}
.leader{margin:0 0 .4rem;color:var(--soft)}
.army ul{list-style:none;margin:0;padding:0}
.army li{display:flex;gap:.6rem;align-items:baseline;padding:.18rem 0;
border-top:1px solid var(--rule)}
.cost{min-width:1.6rem;text-align:right;color:var(--soft);font-variant-numeric:tabular-nums}
.who{flex:1}
.fate{color:var(--soft);font-size:.88rem;text-align:right}
.lost .who{text-decoration:line-through;color:var(--soft)}
nav{position:sticky;top:0;z-index:1;background:var(--paper);border-bottom:1px solid var(--rule);
padding:.5rem 0;margin-top:2rem;display:flex;gap:.4rem;flex-wrap:wrap}
nav a{color:var(--ink);text-decoration:none;border:1px solid var(--rule);border-radius:1rem;
padding:.1rem .8rem;background:var(--card);font-size:.9rem}
.turns{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(20rem,100%),1fr));gap:.8rem;
align-items:start}
.turn{background:var(--card);border:1px solid var(--rule);border-top:.35rem solid var(--rule);
border-radius:.4rem;padding:.7rem .9rem;break-inside:avoid}
.turn:focus-within{grid-column:1/-1}
ol.steps{padding:0;margin:0;list-style:none}
ol.steps li{padding:.12rem 0}
.note{font-style:italic;color:var(--soft)}
.note::before{content:"\\201C"}.note::after{content:"\\201D"}
.rolled{display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin:.1rem 0}
.dice{display:inline-flex;flex-wrap:wrap;gap:.22rem;align-items:center}
.die{border:1px solid var(--soft);border-radius:.28rem;min-width:1.45rem;text-align:center;
font-variant-numeric:tabular-nums;line-height:1.35rem;font-size:.85rem;background:#fff}
.die.d3{border-radius:50%;border-style:dashed}
.why{font-size:.85rem;color:var(--soft);margin-right:.2rem}
figure{margin:.6rem 0 0;cursor:zoom-in}
figure:focus{cursor:zoom-out;outline:none}
img{display:block;width:100%;height:auto;border:1px solid var(--rule);border-radius:.2rem}
.chart{width:100%;max-width:52rem;height:auto;background:var(--card);border:1px solid var(--rule);
border-radius:.4rem;display:block;margin:0 auto}
.chart .grid{stroke:var(--rule)}.chart .axis{font-size:12px;fill:var(--soft)}
.chart .name{font-size:14px;font-weight:600}
table{border-collapse:collapse;margin:.6rem 0;background:var(--card)}
th,td{padding:.3rem .8rem;border:1px solid var(--rule);text-align:right;min-width:3rem;
font-variant-numeric:tabular-nums}
th:first-child,td:first-child{text-align:left}
td i{display:block;height:.3rem;margin-top:.15rem;border-radius:.15rem}
@media(max-width:30rem){body{padding:0 .7rem 2rem}.score{font-size:3rem}th,td{padding:.25rem .35rem;
min-width:1.8rem}}
@media print{nav{display:none}body{max-width:none}.turns{grid-template-columns:1fr 1fr}}
"""


MAP_PX = (800, 800)
MAP_COLOURS = 64


def map_png(table: AnyTable, title: str) -> bytes:
    """The map of a table as the bytes of a small PNG."""
    from companion.overlay.picture import picture  # Pillow is loaded when a map is painted
    from companion.overlay.shapes import in_words

    scene = replace(in_words(games.find(table.game).board(table), translate), title=title)
    image = picture(scene, MAP_PX).convert("RGB").quantize(MAP_COLOURS)
    data = io.BytesIO()
    image.save(data, "PNG")
    return data.getvalue()


Paint = Callable[[Any, str], bytes]
"""Renders a table with a title to the bytes of a PNG."""


def html(story: Story, paint: Paint | None = None) -> str:
    """The whole page; without `paint` it has no maps."""
    return "".join(parts(story, paint))


def parts(story: Story, paint: Paint | None) -> Iterator[str]:
    """The parts of the page, from top to bottom."""
    title = escape(heading(story))
    yield (
        f'<!DOCTYPE html>\n<html lang="{language()}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head><body>"
    )
    yield from head_parts(story)
    if story.armies:
        yield '<div class="armies">'
        for army in story.armies:
            yield from army_parts(story, army)
        yield "</div>"
    if story.scores():
        yield f"<h2>{escape(_('Score by round'))}</h2>"
        yield score_chart(story.scores(), story.sides, _("Score by round"), story.names)
    yield from chapters_parts(story, paint)
    for die in story.dice():
        yield f"<h2>{escape(dice_title(die))}</h2>"
        yield from dice_parts(story, die)
    yield "</body></html>\n"


# -- head -------------------------------------------------------------------------------------


def head_parts(story: Story) -> Iterator[str]:
    """The title, the players and the result."""
    yield f"<header><h1>{escape(heading(story))}</h1>"
    if story.end is not None:
        looks = side_looks(story.sides)
        yield '<p class="score">'
        for place, side in enumerate(story.sides):
            crown = " winner" if side == story.end.winner else ""
            yield '<span class="colon">:</span>' if place else ""
            name = escape(capital(called(side, story.names)))
            yield (
                f'<span class="points{crown}" style="color:{rgb(looks[side])}">'
                f"{story.end.score.get(side, 0)}<small>{name}</small></span>"
            )
        yield "</p>"
    yield f'<p class="outcome">{escape(outcome(story.end))}</p><ul class="facts">'
    yield from (f"<li>{escape(fact)}</li>" for fact in facts(story))
    yield "</ul></header>"


def army_parts(story: Story, army: ArmySummary) -> Iterator[str]:
    """An army and the fate of its units."""
    look = side_looks(story.sides).get(army.side)
    edge = f' style="border-color:{rgb(look)}"' if look else ""
    points = sum(one.points or 0 for one in army.members)
    name = escape(army_name(army, story.names))
    yield f'<section class="army"{edge}><h2>{name}</h2><p class="leader">'
    counted = translate(say("{n} point", "{n} points", n=points)) if counts_points(army) else ""
    leader = named(army.leader)
    yield f"{escape(' · '.join(part for part in (leader, counted) if part))}</p><ul>"
    yield from (member_row(one) for one in army.members)
    yield "</ul></section>"


def member_row(one: UnitSummary) -> str:
    """One row of an army."""
    kind = ' class="lost"' if one.lost else ""
    cost = f'<span class="cost">{one.points}</span>' if one.points is not None else ""
    fate = f'<span class="fate">{escape(translate(one.fate))}</span>' if one.fate else ""
    return f'<li{kind}>{cost}<span class="who">{escape(named(one.name))}</span>{fate}</li>'


# -- rounds and turns -------------------------------------------------------------------------


def chapters_parts(story: Story, paint: Paint | None) -> Iterator[str]:
    """All rounds, with a link to each."""
    shown = [chapter for chapter in story.chapters if worth_a_chapter(chapter, paint)]
    if len(shown) > 2:
        links = (
            f'<a href="#round{one.round}">{escape(_("Round {round}").format(round=one.round))}</a>'
            for one in shown
            if one.round
        )
        yield f"<nav>{''.join(links)}</nav>"
    drawn: AnyTable | None = None
    for chapter in shown:
        yield f'<h2 id="round{chapter.round}">{escape(chapter_title(chapter))}</h2>'
        yield '<div class="turns">'
        for turn in chapter.turns:
            map_due = paint is not None and turn.table is not None and turn.table != drawn
            if not map_due and not any(telling(beat) for beat in turn.beats):
                continue
            yield from turn_parts(story, turn, turn_title(turn, chapter))
            if map_due and paint is not None and turn.table is not None:
                drawn = turn.table
                yield picture(paint, turn.table, chapter.round, turn)
            yield "</section>"
        yield "</div>"


def worth_a_chapter(chapter: Chapter, paint: Paint | None) -> bool:
    """Whether a round has anything to report or to show."""
    return any(
        any(telling(beat) for beat in turn.beats) or (paint and turn.table is not None)
        for turn in chapter.turns
    )


def turn_parts(story: Story, turn: Turn, title: str) -> Iterator[str]:
    """A turn: whose it is as a `title`, and its steps."""
    look = side_looks(story.sides).get(turn.side or "")
    edge = f' style="border-color:{rgb(look)}"' if turn.side and look else ""
    head = f"<h3>{escape(title)}</h3>" if title else ""
    yield f'<section class="turn"{edge}>{head}<ol class="steps">'
    yield from (step(beat) for beat in turn.beats if telling(beat))
    yield "</ol>"


def step(beat: StoryBeat) -> str:
    """A step and its dice."""
    rolls = "".join(dice(roll, names_in(beat)) for roll in shown_rolls(beat))
    under = f'<div class="rolled">{rolls}</div>' if rolls else ""
    kind = ' class="note"' if beat.is_note else ""
    return f"<li{kind}>{escape(sentences(beat))}{under}</li>"


def dice(roll: RolledDice, names: Mapping[str, str]) -> str:
    """The dice of a roll: six-sided ones are square, others are round with their name."""
    worded = roll.die == 6 or roll.symbols
    why = capital(what_of(roll, names)) if worded else die_name(roll.die)
    each = (escape(face) for face in faces_of(roll))
    faces = "".join(f'<span class="die d{roll.die}">{face}</span>' for face in each)
    return (
        f'<span class="dice" aria-label="{escape(rolled(roll, names))}">'
        f'<span class="why">{escape(why)}</span>{faces}</span>'
    )


def picture(paint: Paint, table: AnyTable, number: int, turn: Turn) -> str:
    """The map after a turn, embedded in the page; a tap enlarges it."""
    title = _("Round {round}, after turn {turn}").format(round=number, turn=turn.number)
    if turn.number == 0:
        title = _("Before the first turn")
    data = base64.b64encode(paint(table, title)).decode("ascii")
    return (
        f'<figure tabindex="0"><img loading="lazy" alt="{escape(title)}"'
        f' src="data:image/png;base64,{data}"></figure>'
    )


# -- dice -------------------------------------------------------------------------------------


def dice_parts(story: Story, die: int) -> Iterator[str]:
    """A table of dice results, with a bar for the share of each number or symbol."""
    columns = story.columns(die)
    numbers = len(columns) == die
    names = [_("Side"), *(name for name, _faces in columns), _("dice"), *([_("mean")] * numbers)]
    heads = "".join(f"<th>{escape(name)}</th>" for name in names)
    yield f'<table class="rolls"><thead><tr>{heads}</tr></thead><tbody>'
    looks = side_looks(story.sides)
    for side, faces in story.faces(die).items():
        colour = rgb(looks[side]) if side in looks else "#68635a"
        counts = [sum(faces[one] for one in shown) for _name, shown in columns]
        cells = "".join(f"<td>{count}{bar(count, max(counts), colour)}</td>" for count in counts)
        name = escape(capital(called(side, story.names))) or "–"
        average = f"<td>{ruler().number(mean(faces), 2)}</td>" if numbers else ""
        yield f"<tr><td>{name}</td>{cells}<td>{faces.total()}</td>{average}</tr>"
    yield "</tbody></table>"


def bar(count: int, most: int, colour: str) -> str:
    """How often something was rolled beside what was rolled most, as a bar."""
    share = count / most
    return f'<i style="width:{100 * share:.0f}%;background:{colour}"></i>'
