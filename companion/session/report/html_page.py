"""The battle report as one self-contained HTML page with maps, chart and dice."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Callable, Iterator
from html import escape
from typing import Any

from companion.games.api.play import ArmySummary, RolledDice, UnitSummary
from companion.overlay.map_theme import side_looks
from companion.session.report.chart import rgb, score_chart
from companion.session.report.markdown_report import (
    army_name,
    called,
    chapter_title,
    counts_points,
    dice_title,
    facts,
    heading,
    mean,
    outcome,
    rolled,
    sentences,
    telling,
    turn_title,
)
from companion.session.report.page_style import STYLE
from companion.session.report.story import Chapter, Story, StoryBeat, Turn
from companion.text.translation import _, language, ruler, translate
from models.any_table import AnyTable

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
            name = escape(called(side, story.names))
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
    counted = _("{points} points").format(points=points) if counts_points(army) else ""
    yield f"{escape(' · '.join(part for part in (army.leader, counted) if part))}</p><ul>"
    yield from (member_row(one) for one in army.members)
    yield "</ul></section>"


def member_row(one: UnitSummary) -> str:
    """One row of an army."""
    kind = ' class="lost"' if one.lost else ""
    cost = f'<span class="cost">{one.points}</span>' if one.points is not None else ""
    fate = f'<span class="fate">{escape(translate(one.fate))}</span>' if one.fate else ""
    return f'<li{kind}>{cost}<span class="who">{escape(one.name)}</span>{fate}</li>'


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
            yield from turn_parts(story, turn)
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


def turn_parts(story: Story, turn: Turn) -> Iterator[str]:
    """A turn: whose it is, and its steps."""
    look = side_looks(story.sides).get(turn.side or "")
    edge = f' style="border-color:{rgb(look)}"' if turn.side and look else ""
    yield f'<section class="turn"{edge}><h3>{escape(turn_title(turn))}</h3><ol class="steps">'
    yield from (step(beat) for beat in turn.beats if telling(beat))
    yield "</ol>"


def step(beat: StoryBeat) -> str:
    """A step and its dice."""
    rolls = "".join(map(dice, beat.rolls))
    under = f'<div class="rolled">{rolls}</div>' if rolls else ""
    kind = ' class="note"' if beat.is_note else ""
    return f"<li{kind}>{escape(sentences(beat))}{under}</li>"


def dice(roll: RolledDice) -> str:
    """The dice of a roll: six-sided ones are square, others are round with their name."""
    why = translate(roll.what) if roll.die == 6 else f"D{roll.die}"
    faces = "".join(f'<span class="die d{roll.die}">{face}</span>' for face in roll.faces)
    return (
        f'<span class="dice" aria-label="{escape(rolled(roll))}">'
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
    """A table of dice results, with a bar for the share of each face."""
    faces_of = range(1, die + 1)
    heads = "".join(f"<th>{face}</th>" for face in faces_of)
    yield (
        f'<table class="rolls"><thead><tr><th>{escape(_("Side"))}</th>{heads}'
        f"<th>{escape(_('dice'))}</th><th>{escape(_('mean'))}</th></tr></thead><tbody>"
    )
    looks = side_looks(story.sides)
    for side, faces in story.faces(die).items():
        colour = rgb(looks[side]) if side in looks else "#68635a"
        cells = "".join(f"<td>{faces[face]}{bar(faces, face, colour)}</td>" for face in faces_of)
        name = escape(called(side, story.names)) or "–"
        yield (
            f"<tr><td>{name}</td>{cells}<td>{faces.total()}</td>"
            f"<td>{ruler().number(mean(faces), 2)}</td></tr>"
        )
    yield "</tbody></table>"


def bar(faces: Counter[int], face: int, colour: str) -> str:
    """The share of one face among all dice, as a bar."""
    share = faces[face] / max(faces.values())
    return f'<i style="width:{100 * share:.0f}%;background:{colour}"></i>'
