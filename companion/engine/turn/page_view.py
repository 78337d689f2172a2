"""What one viewer sees beside the turn: the game's pages, the score, the corrections of a piece."""

from __future__ import annotations

from dataclasses import replace

from companion.engine.snapshot import Snapshot
from companion.engine.turn.handles import LookTap
from companion.engine.turn.selection import named_pieces
from companion.engine.turn.turn_records import (
    BoxView,
    ChoiceView,
    FormView,
    PageView,
    PromptView,
    ScoreLineView,
    ScorePageView,
    SeatScoreView,
    SectionView,
)
from companion.engine.turn.turn_view import ViewMaker
from companion.games.api.prompt import Prompt, PromptForm
from companion.games.api.screen_views import (
    Page,
    PageCard,
    PieceView,
    ScoreLine,
    ScoreView,
    SeatScore,
)
from companion.text.translation import capital
from models.message import joined, say


def page_view(maker: ViewMaker, page: Page) -> PageView:
    """A page of the game with its buttons."""
    words = maker.words
    sections = tuple(
        SectionView(
            words(section.title),
            tuple(box_view(maker, (page.id, section.title), card) for card in section.cards),
            section.shape,
            section.seat,
            words(section.text),
            section.piece,
            words(section.tag),
        )
        for section in page.sections
    )
    seats = maker.snapshot.secrets if maker.seat is None else ()
    view = maker.snapshot.view
    rivals = view.rivals if view is not None else ()  # nobody looks into the hand of the app
    hands = tuple(
        hand(maker, page, seat) for place, seat in seats if place == page.id and seat not in rivals
    )
    title, badge = words(page.title), words(page.badge)
    return PageView(page.id, title, sections, (), hands, page.icon, badge)


def box_view(maker: ViewMaker, about: tuple[str, str], card: PageCard) -> BoxView:
    """One box of a page."""
    words = maker.words
    return BoxView(
        capital(words(card.title)),
        tuple(capital(words(line)) for line in card.lines),
        card.seat,
        card.count,
        tuple(maker.buttons(card.choices, (*about, card.id))),
        card.id,
        card.icon,
        card.tone,
        card.spent,
        card.turned,
        card.secret,
        card.piece,
        card.icons,
        card.marked,
        words(card.badge),
        words(card.note),
        card.colour,
        card.drawn,
    )


def hand(maker: ViewMaker, page: Page, seat: str) -> ChoiceView:
    """The button behind which a player sees what others must not see."""
    look = LookTap(seat, "page", page.id, page.title)
    tap = maker.handles.add("c", (page.id, "look", seat), look)
    text = maker.words(say("Show my cards"))
    return ChoiceView(
        tap, text, (seat,), maker.name(seat), asks=("look",), icon="lock", name=f"hand:{seat}"
    )


WHAT_SCORES = say("What scores in this game")


def score_view(maker: ViewMaker, score: ScoreView) -> ScorePageView:
    """The points, what each line rests on, and the button that takes them."""
    words = maker.words
    confirm = (score.confirm,) if score.confirm is not None else ()
    return ScorePageView(
        tuple(seat_score(maker, one) for one in score.seats),
        tuple(score_line(maker, number, line) for number, line in enumerate(score.lines)),
        next(maker.buttons(confirm, ("score", "confirm")), None),
        score.winner,
        words(won_text(maker.snapshot, score)) if score.winner else "",
        words(score.how),
        tuple(maker.buttons(score.ends, ("score", "ends"))),
        words(WHAT_SCORES) if score.terms else "",
        tuple(capital(words(one)) for one in score.terms),
    )


def seat_score(maker: ViewMaker, score: SeatScore) -> SeatScoreView:
    """A player's points, and the form that sets them right."""
    form, about = score.form, ("score", score.seat)
    forms = maker.form(form, about, form.by, ()) if form and maker.may(form.by) else iter(())
    told = joined([one for one in (score.place, score.detail) if one], " · ")
    unit, detail = maker.words(score.unit), capital(maker.words(told))
    return SeatScoreView(score.seat, score.points, score.goal, unit, detail, next(forms, None))


def won_text(snapshot: Snapshot, score: ScoreView) -> str:
    """Who has won."""
    seat = snapshot.seat(score.winner)
    return say("A draw") if seat is None else say("{side} wins", side=seat.name)


def score_line(maker: ViewMaker, number: int, line: ScoreLine) -> ScoreLineView:
    """One reason for points."""
    choices = tuple(maker.buttons(line.choices, ("score", number)))
    text, detail = capital(maker.words(line.text)), capital(maker.words(line.detail))
    return ScoreLineView(text, line.points, line.seat, line.piece, line.sure, choices, detail)


def corrections_view(maker: ViewMaker, piece: PieceView) -> PageView:
    """What may be corrected at a piece."""
    about, pieces = ("piece", piece.id), named_pieces(maker.snapshot, ())
    box = box_view(maker, about, PageCard("", piece.name, choices=piece.corrections))
    forms = tuple(
        view
        for form in piece.forms
        if maker.may(form.by)
        for view in maker.form(form, about, form.by, pieces)
    )
    title = say("{piece}: effect or correction", piece=piece.name)
    boxes = (box,) if box.choices else ()
    return PageView("piece", maker.words(title), (SectionView("", boxes),), forms)


# -- for one pair of eyes -------------------------------------------------------------------------


def secret_view(maker: ViewMaker, prompt: Prompt) -> PromptView | None:
    """A secret prompt as its player sees it alone; None if there is nothing to choose.

    A form that asks for the same without a cover is left out.
    """
    open_forms = tuple(form for form in prompt.forms if not form.seat)
    view = maker.prompt(replace(prompt, forms=open_forms), None)
    return view if view.choices or view.forms else None


def private_form(maker: ViewMaker, found: tuple[Prompt, PromptForm] | None) -> FormView | None:
    """A form with the values that only its player may see; None if it has nothing to choose."""
    if found is None:
        return None
    prompt, form = found
    pieces = named_pieces(maker.snapshot, ())
    return next(maker.form(form, prompt.id, form.by or (form.seat,), pieces), None)
