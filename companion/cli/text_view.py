"""The record of the screen as lines of text, for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from companion.engine.turn.clock_view import clock_face
from companion.engine.turn.turn_records import (
    CellTap,
    ChoiceView,
    ClockSideView,
    DiceView,
    FormView,
    OfferView,
    PageView,
    PieceLine,
    PlaceView,
    PromptView,
    ScorePageView,
    SymbolView,
    TurnView,
)


def text_of(view: TurnView, everything: bool = False) -> Iterator[str]:
    """A view as lines of text."""
    score = ", ".join(f"{view.seats.get(seat, seat)} {n}" for seat, n in view.score.items())
    yield ""
    yield " · ".join(part for part in (view.headline, score) if part)
    for text in (view.result, view.notice):
        if text:
            yield f"» {text}"
    if view.guide is not None:
        yield f"→ {view.guide.step}: {view.guide.text}"
        if view.guide.why:
            yield f"  {view.guide.why}"
        if view.guide.leave is not None:
            yield choice_line(view.guide.leave)
    if view.winner:
        yield f"★ {view.seats.get(view.winner, view.winner)}"
    if view.placing is not None:
        yield from place_lines(view.placing)
    for prompt in view.prompts:
        yield from prompt_lines(prompt, view)
    names = {piece.id: piece.name for piece in view.pieces}
    for offer in view.offers:
        yield offer_line(offer, names)
    if view.undo:
        yield f"  undo  {view.undo}"
    if view.redo:
        yield f"  redo  {view.redo}"
    if everything:
        yield from beside_lines(view)


def prompt_lines(prompt: PromptView, view: TurnView) -> Iterator[str]:
    """A prompt with its facts, dice, buttons and forms."""
    asked = ", ".join(view.seats.get(seat, seat) for seat in prompt.acts)
    yield f"■ {prompt.title}" + (f" ({asked})" if asked else "")
    if prompt.text:
        yield f"  {prompt.text}"
    if prompt.why:
        yield f"  ({prompt.why})"
    for total in prompt.totals:
        name = view.seats.get(total.seat, total.seat)
        yield f"  = {name} {total.total}: {total.detail}"
    for fact in prompt.facts:
        about = f" [{', '.join(words for _piece, words in fact.about)}]" if fact.about else ""
        yield f"  – {fact.text}{about}"
    if prompt.rolled:
        yield f"  [{' '.join(map(str, prompt.rolled))}]"
    if prompt.before:
        yield f"  {prompt.before}"
    for dice in prompt.dice:
        yield dice_line(dice)
    for choice in prompt.choices:
        yield choice_line(choice)
    yield from (f"  ↷ {end.text}" for end in prompt.ends if end.text)
    names = {piece.id: piece.name for piece in view.pieces}
    for tap in prompt.pieces:
        yield with_detail(f"  {tap.tap} {names.get(tap.piece, tap.piece)}", tap.text)
    yield from cell_lines(prompt.cells)
    for form in prompt.forms:
        yield from form_lines(form)


def dice_line(dice: DiceView) -> str:
    """Dice to enter, with the chance of each number."""
    die = f"{dice.count} D{dice.sides}"
    if dice.symbols:
        die = f"{dice.count} × " + " / ".join(symbol_text(one) for one in dice.symbols)
    keys = (*dice.count_keys, *dice.face_keys)
    chances = ", ".join(f"{key.text}: {key.odds}" for key in keys if key.odds)
    asked = " / ".join(dict.fromkeys(text for text in (dice.text, dice.face_text) if text))
    return f"  {dice.tap}  {asked} {die}" + (f"  {chances}" if chances else "")


def cell_lines(cells: Iterable[CellTap]) -> Iterator[str]:
    """Spaces to tap: each with what happens there, those that say nothing more in one line."""
    bare = []
    for cell in cells:
        where = f"{cell.tap} {cell.place or f'[{cell.cell}]'}"
        if cell.text or cell.detail:
            yield with_detail(f"  {where}  {cell.text}".rstrip(), cell.detail)
        else:
            bare.append(where)
    if bare:
        yield "  " + "  ".join(bare)


def with_detail(line: str, more: str) -> str:
    """A line with what more there is to say."""
    return f"{line} – {more}" if more else line


def symbol_text(symbol: SymbolView) -> str:
    """What is entered for a symbol, its name, and what it does."""
    detail = f" ({symbol.detail})" if symbol.detail else ""
    return f"{symbol.symbol} {symbol.name}{detail}"


def choice_line(choice: ChoiceView) -> str:
    """One button."""
    return with_detail(f"  {choice.tap}  {choice.text}", choice.detail)


def form_lines(form: FormView) -> Iterator[str]:
    """A form with the values to choose from."""
    yield with_detail(f"  {form.tap}  {form.text}", form.detail)
    for entry in form.fields:
        options = ", ".join(f"{option.value} ({option.text})" for option in entry.options)
        limits = f"{entry.least} … {entry.most}" if entry.kind == "number" else ""
        begins = f" = {entry.value}" if entry.value not in (None, "", ()) else ""
        yield f"      {entry.name}{begins}: {entry.text} {options or limits}".rstrip()
    if form.tallies:
        yield f"      = {' / '.join(form.tallies)}"
    if form.single_text:
        yield f"      {form.single_text}"


def offer_line(offer: OfferView, names: dict[str, str]) -> str:
    """What a piece may do, with its odds."""
    name = names.get(offer.piece, offer.piece)
    verdict = with_detail(offer.verdict, offer.reason) if offer.verdict not in ("", "yes") else ""
    parts = [offer.text, offer.variant, offer.odds, offer.detail, offer.expected, verdict]
    cells = " ".join(f"{cell.tap} [{cell.cell}]" for cell in offer.cells)
    text = " · ".join(part for part in parts if part)
    return f"  {offer.tap}  {name}: {text}" + (f"\n      {cells}" if cells else "")


def beside_lines(view: TurnView) -> Iterator[str]:
    """The pieces, the pages and what is refused."""
    for refused in view.refused:
        yield f"  ✕ {refused.text}: {refused.reason} ({', '.join(refused.why)})"
    for piece in view.pieces:
        yield from piece_lines(piece)
    if view.cards is not None:
        yield from card_lines(view.cards, view.seats)
    for page in (*view.pages, *([view.corrections] if view.corrections else [])):
        yield from page_lines(page)
    if view.score_page is not None:
        yield from score_lines(view.score_page, view)
    yield from view.log
    if view.clock.used and view.clock.text:
        yield f"  {view.clock.text}"
    if view.clock.used:
        yield from (f"  {one.name} {clock_face(shown_time(one))}" for one in view.clock.sides)
    sides = (choice for one in view.clock.sides for choice in one.choices)
    yield from (f"  [{one.tap}] {one.text}" for one in (*view.clock.choices, *sides))


def shown_time(side: ClockSideView) -> float:
    """The seconds that are left to a player, or were used where no time is set."""
    return side.used if side.left is None else side.left


def piece_lines(piece: PieceLine) -> Iterator[str]:
    """A piece: what is left of it, where it stands, what it bears and what is known of it."""
    where = piece.cell or " ".join(f"{value:g}" for value in piece.place)
    left = f"{piece.left}/{piece.most}" if piece.left is not None else ""
    parts = (piece.id, piece.name, left, where, *(f"[{badge}]" for badge in piece.badges))
    yield "  " + " ".join(part for part in parts if part)
    yield from (f"      {line}" for line in (*piece.lines, piece.note) if line)


def card_lines(table: Mapping[str, Any], seats: Mapping[str, str]) -> Iterator[str]:
    """The cards that lie on the table, by player, and the contest."""
    for row in table.get("seats", ()):
        parts = [row.get(key, "") for key in ("detail", "tag", "title", "note", "text")]
        parts += [f"{one['count']} {one['text']}" for one in counts(row)]
        yield f"■ {seats.get(row['seat'], row['seat'])}: " + " · ".join(filter(None, parts))
        for plot in filter(None, (row.get("plot"),)):
            yield f"  {plot['title']}"
    contest = table.get("contest")
    if contest:
        parts = [contest.get(key, "") for key in ("title", "text", "note")]
        yield "■ " + " · ".join([*filter(None, parts), *contest.get("lines", ())])
        for side in contest["sides"]:
            told_of = with_detail(f"{side['total']}", side.get("detail", ""))
            yield f"  {seats.get(side['seat'], side['seat'])} {told_of}"


def counts(row: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """What a player has of everything that is counted."""
    return [*row.get("numbers", ()), *row.get("piles", ())]


def page_lines(page: PageView) -> Iterator[str]:
    """A page with its boxes, buttons and forms."""
    yield with_detail(f"■ {page.title}", page.badge)
    for section in page.sections:
        heading = " – ".join(part for part in (section.title, section.tag, section.text) if part)
        if heading:
            yield f"  {heading}"
        for box in section.boxes:
            count = f" {box.count}" if box.count is not None else ""
            told = [text for text in (box.badge, box.note, *box.lines) if text]
            yield f"  {box.title}{count}: {'; '.join(told)}".rstrip(": ")
            yield from (f"  {choice_line(choice)}" for choice in box.choices)
    yield from map(choice_line, page.hands)
    for form in page.forms:
        yield from form_lines(form)


def score_lines(page: ScorePageView, view: TurnView) -> Iterator[str]:
    """The points, their reasons and what can be done about them."""
    for one in page.seats:
        goal = f"/{one.goal}" if one.goal else ""
        detail = f" ({one.detail})" if one.detail else ""
        name = view.seats.get(one.seat, one.seat)
        yield f"  {name} {one.points}{goal} {one.unit}".rstrip() + detail
        if one.form is not None:
            yield from form_lines(one.form)
    for line in page.lines:
        told = f" – {line.detail}" if line.detail else ""
        yield f"  {line.points:+d} {line.text}{told}" + ("" if line.sure else " ?")
        yield from (f"  {choice_line(choice)}" for choice in line.choices)
    if page.confirm is not None:
        yield choice_line(page.confirm)
    yield from (f"  {line}" for line in (page.terms_title, *page.terms) if line)
    yield from map(choice_line, page.ends)
    if page.won:
        yield f"★ {page.won} {page.how}".rstrip()


def place_lines(place: PlaceView) -> Iterator[str]:
    """A place that was tried for a tray."""
    where = f"{place.x:g} {place.y:g} {place.heading:g}"
    yield f"■ {place.title} ({where}): {place.verdict} {place.text}" + (
        f" – {place.why}" if place.why else ""
    )
    yield from map(choice_line, place.choices)
