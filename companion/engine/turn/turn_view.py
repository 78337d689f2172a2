"""The view of one viewer, made from a snapshot: prompts, offers, pages, each with its handles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from companion.engine.snapshot import Snapshot
from companion.engine.turn.entered_dice import (
    EnteredDice,
    chances_by_number,
    face_keys,
    lowest,
    question,
    shape,
)
from companion.engine.turn.filled_form import FilledForm
from companion.engine.turn.handles import (
    CancelTap,
    DiceTap,
    FormTap,
    Handles,
    LookTap,
    OfferTap,
    SelectTap,
    SendTap,
    TapTarget,
)
from companion.engine.turn.selection import named_pieces, selectable
from companion.engine.turn.turn_records import (
    BoxView,
    CellTap,
    ChoiceView,
    DiceView,
    FactView,
    FieldView,
    FormView,
    OfferView,
    OptionView,
    PageView,
    PieceLine,
    PieceTap,
    PromptView,
    RefusedView,
    SymbolView,
)
from companion.games.api.play import Plain
from companion.games.api.prompt import (
    ActionOffer,
    Choice,
    DiceRequest,
    Prompt,
    PromptForm,
    TargetCell,
)
from companion.games.api.screen_views import Page, PieceView, ScoreView
from models.board import cell_text
from models.message import say

Translate = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Rolling:
    """Commands of which the last one waits for its dice."""

    text: str
    commands: tuple[Plain, ...]
    dice: EnteredDice
    detail: str = ""
    acts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ViewMaker:
    """Makes the parts of a view for one viewer, in the viewer's language.

    `seat` is whose eyes look: a seat, or None for everybody at the shared tablet. `shared` says
    whether all seats act here.
    """

    snapshot: Snapshot
    handles: Handles
    words: Translate
    seat: str | None
    shared: bool

    def may(self, acts: Sequence[str]) -> bool:
        """Whether this viewer may act where these seats are asked; nobody named: everybody."""
        return self.shared or not acts or self.seat in acts

    # -- prompts -------------------------------------------------------------------------------

    def prompt(self, prompt: Prompt, entered: EnteredDice | None) -> PromptView:
        acts = tuple(seat for seat in prompt.seats if seat not in prompt.answered)
        about = (prompt.id, str(prompt.title), str(prompt.text), acts)
        forms = tuple(self.forms(prompt, about, acts))
        return PromptView(
            self.words(prompt.title),
            self.words(prompt.text),
            acts,
            tuple(self.prompt_dice(prompt, about, acts, entered)),
            tuple(self.prompt_choices(prompt, about, acts)),
            tuple(self.piece_taps(prompt, about, acts)),
            tuple(self.cell_taps(prompt, about, acts)),
            forms[0] if forms else None,
            forms,
            prompt.id,
            tuple(FactView(self.words(f.text), f.tone, f.chance) for f in prompt.facts),
            tuple(one if isinstance(one, int) else self.words(one.name) for one in prompt.rolled),
            prompt.rule,
        )

    def prompt_dice(
        self, prompt: Prompt, about: object, acts: Sequence[str], entered: EnteredDice | None
    ) -> Iterator[DiceView]:
        """The dice of a prompt, from where they are entered so far."""
        if prompt.dice is None or prompt.secret or not self.may(acts):
            return
        renewed = entered.renewed(prompt.dice) if entered is not None else None
        dice = renewed or EnteredDice.begin(prompt.dice)
        yield self.dice(dice, (prompt.dice.command,), about, prompt.id)

    def dice(
        self, dice: EnteredDice, commands: tuple[Plain, ...], about: object, prompt: str = ""
    ) -> DiceView:
        """The dice that are entered now."""
        request, total = dice.request, bool(lowest(dice.request))
        key = (about, shape(dice.requests[0]), dice.place, dice.given)
        return DiceView(
            self.handles.add("d", key, DiceTap(dice, commands, prompt)),
            request.count,
            request.sides,
            request.wanted,
            chances_by_number(request),
            self.words(question(request, bool(request.count_field))),
            tuple(self.symbols(request)),
            total,
            bool(request.count_field),
            request.optional and dice.place == 0,
            len(dice.requests) - dice.place - 1,
        )

    def symbols(self, request: DiceRequest) -> Iterator[SymbolView]:
        """The symbols of a die, each once."""
        for key in face_keys(request) if request.symbols else ():
            assert key.symbol is not None
            about = self.words(key.symbol.detail)
            yield SymbolView(key.symbol.symbol, self.words(key.text), key.faces, about)

    def prompt_choices(
        self, prompt: Prompt, about: object, acts: tuple[str, ...]
    ) -> Iterator[ChoiceView]:
        """The buttons of a prompt; a secret is chosen by each seat alone."""
        if prompt.secret and self.seat is None:
            for seat in acts:
                yield self.look_alone(seat, say("choose in secret"), about)
        for choice in prompt.choices:
            yield from self.choice(choice, about, choice.by or acts)
        if self.seat is not None:
            return
        for form in prompt.forms:
            if form.seat:
                yield self.look_alone(form.seat, form.text, about)

    def look_alone(self, seat: str, text: str, about: object) -> ChoiceView:
        """The button with which one player looks alone at the shared tablet."""
        player = self.snapshot.seat(seat)
        name = self.words(player.name) if player is not None else seat
        tap = self.handles.add("c", (about, "look", seat), LookTap(seat))
        return ChoiceView(tap, f"{name}: {self.words(text)}", (seat,), asks=("look",))

    def choice(
        self, choice: Choice, about: object, acts: tuple[str, ...] = ()
    ) -> Iterator[ChoiceView]:
        """One button, if this viewer may press it."""
        if not self.may(acts):
            return
        key = (about, str(choice.text), choice.commands, choice.seat, choice.piece)
        target = SendTap(
            choice.commands, choice.dice, choice.text, choice.detail, acts, choice.shared
        )
        yield ChoiceView(
            self.handles.add("c", key, target),
            self.words(choice.text),
            acts,
            self.words(choice.detail),
            choice.piece,
            choice.look,
            ("dice",) if choice.dice is not None else (),
        )

    def piece_taps(self, prompt: Prompt, about: object, acts: Sequence[str]) -> Iterator[PieceTap]:
        """The pieces that may be tapped: each is selected, or sends its only choice."""
        if not self.may(acts):
            return
        first = selectable(self.snapshot, prompt)
        for piece in prompt.pieces:
            own = [choice for choice in prompt.choices if choice.piece == piece]
            target: TapTarget = SelectTap(piece)
            if piece not in first and len(own) == 1:
                choice, by = own[0], own[0].by or tuple(acts)
                target = SendTap(
                    choice.commands, choice.dice, choice.text, choice.detail, by, choice.shared
                )
            yield PieceTap(self.handles.add("p", (about, piece), target), piece)

    def cell_taps(self, prompt: Prompt, about: object, acts: Sequence[str]) -> Iterator[CellTap]:
        for target in prompt.cells if not prompt.secret else ():
            by = target.by or tuple(acts)
            if self.may(by):
                does = SendTap(target.commands, acts=by, shared=target.shared)
                yield self.cell(target, about, does)

    def cell(self, target: TargetCell, about: object, does: TapTarget) -> CellTap:
        name = cell_text(target.cell)
        tap = self.handles.add("s", (about, name, target.commands), does)
        return CellTap(tap, name, self.words(target.text), self.words(target.detail))

    def forms(self, prompt: Prompt, about: object, acts: Sequence[str]) -> Iterator[FormView]:
        """The forms that this viewer may fill in."""
        for form in prompt.forms:
            private = form.seat and form.seat != self.seat
            by = form.by or ((form.seat,) if form.seat else tuple(acts))
            if not private and self.may(by):
                yield from self.form(form, about, by, named_pieces(self.snapshot, prompt.pieces))

    def form(
        self,
        form: PromptForm,
        about: object,
        acts: tuple[str, ...],
        pieces: Sequence[tuple[str, str]],
    ) -> Iterator[FormView]:
        """A form with its fields; none if it has nothing to choose from."""
        filled = FilledForm.begin(form, tuple(pieces))
        entries = tuple(
            FieldView(
                entry.field,
                entry.kind,
                tuple(OptionView(v, self.words(text)) for v, text in filled.options(entry)),
                self.words(entry.text),
                entry.least,
                entry.most,
                entry.value,
                entry.required,
                entry.only_for,
            )
            for entry in form.entries
        )
        if any(e.kind == "option" and e.required and not e.options for e in entries):
            return
        key = (about, str(form.text), form.command, [entry.field for entry in form.entries])
        yield FormView(
            self.handles.add("f", key, FormTap(filled, acts, form.shared)),
            entries,
            self.words(form.text),
            self.words(form.detail),
            acts,
        )

    # -- what was begun --------------------------------------------------------------------------

    def rolling(self, rolling: Rolling) -> PromptView:
        """The dice that an offer or a choice rolls."""
        about = ("rolling", rolling.commands)
        return PromptView(
            self.words(rolling.text),
            self.words(rolling.detail),
            rolling.acts,
            (self.dice(rolling.dice, rolling.commands, about),),
            (self.not_now(about, rolling.acts),),
            id="rolling",
        )

    def aiming(self, offer: ActionOffer, acts: tuple[str, ...]) -> PromptView:
        """The cells at which the picked offer may be aimed."""
        about = ("aiming", offer.kind, offer.piece, str(offer.text))
        return PromptView(
            self.words(offer.text),
            self.words(say("Tap a marked space")),
            acts,
            choices=(self.not_now(about, acts),),
            cells=tuple(self.offer_cells(offer, acts)),
            id="aiming",
        )

    def not_now(self, about: object, acts: tuple[str, ...]) -> ChoiceView:
        """The button that goes back."""
        tap = self.handles.add("c", (about, "not now"), CancelTap())
        return ChoiceView(tap, self.words(say("Not now")), acts, look="quiet")

    def cover(self) -> ChoiceView:
        """The button that covers again what one seat looked at."""
        tap = self.handles.add("c", ("cover", self.seat), LookTap(None))
        return ChoiceView(tap, self.words(say("Not now")), (str(self.seat),), look="quiet")

    # -- offers ----------------------------------------------------------------------------------

    def offer_acts(self, offer: ActionOffer) -> tuple[str, ...]:
        """Who may carry out an offer: the player of its piece."""
        piece = self.snapshot.piece(offer.piece)
        return offer.by or ((piece.seat,) if piece is not None else ())

    def offers(self) -> Iterator[OfferView]:
        """What may be done now."""
        for offer in self.snapshot.offers:
            acts = self.offer_acts(offer)
            if not offer.possible or not self.may(acts):
                continue
            key = (offer.kind, offer.piece, offer.target, str(offer.text), offer.commands)
            asks = ("cell",) if not offer.commands else ("dice",) if offer.dice else ()
            yield OfferView(
                self.handles.add("o", key, OfferTap(offer, acts)),
                offer.piece,
                self.words(offer.text),
                offer.chance,
                offer.dice.wanted if offer.dice is not None else None,
                asks,
                offer.target,
                self.words(offer.detail),
                self.words(offer.odds),
                self.words(offer.expected),
                offer.verdict,
                self.words(offer.reason),
                tuple(self.offer_cells(offer, acts)),
            )

    def offer_cells(self, offer: ActionOffer, acts: tuple[str, ...]) -> Iterator[CellTap]:
        """The cells at which an offer may be aimed."""
        about = (offer.kind, offer.piece, offer.target, str(offer.text))
        for target in offer.cells:
            dice = offer.dice
            does = SendTap(target.commands, dice, offer.text, offer.detail, acts, offer.shared)
            yield self.cell(target, about, does)

    def refused(self) -> Iterator[RefusedView]:
        """What may not be done, with the reason."""
        for offer in self.snapshot.offers:
            if not offer.possible:
                text, reason = self.words(offer.text), self.words(offer.reason)
                yield RefusedView(offer.piece, text, offer.rules, reason)

    # -- beside the turn ---------------------------------------------------------------------------

    def piece(self, piece: PieceView) -> PieceLine:
        """A piece as everybody sees it."""
        cell, place = "", tuple[float, ...]()
        if (board := self.snapshot.gridded) is not None and piece.id in board:
            where = board.piece(piece.id).cell
            cell = cell_text(where) if where is not None else ""
        if (trays := self.snapshot.trays) is not None and piece.id in trays:
            pose = trays.unit(piece.id).pose
            place = (pose.x, pose.y, pose.heading)
        return PieceLine(
            piece.id,
            self.words(piece.name),
            piece.seat,
            piece.state,
            piece.left,
            piece.most,
            tuple(self.words(line) for line in piece.lines),
            tuple(self.words(badge.text) for badge in piece.badges),
            cell,
            place,
        )

    def page(self, page: Page) -> PageView:
        """A page of the game with its buttons."""
        boxes = []
        for section in page.sections:
            for card in section.cards:
                about = (page.id, section.title, card.id)
                choices = tuple(self.buttons(card.choices, about))
                lines = tuple(self.words(line) for line in card.lines)
                boxes.append(BoxView(self.words(card.title), lines, card.seat, card.count, choices))
        return PageView(page.id, self.words(page.title), tuple(boxes))

    def score_page(self, score: ScoreView) -> PageView:
        """The lines of the score, what can be done about each, and the button that takes them."""
        boxes = [
            BoxView(
                self.words(line.text),
                seat=line.seat,
                count=line.points,
                choices=tuple(self.buttons(line.choices, ("score", number))),
            )
            for number, line in enumerate(score.lines)
        ]
        if score.confirm is not None:
            confirm = tuple(self.buttons((score.confirm,), ("score", "confirm")))
            boxes.append(BoxView(self.words(score.confirm.text), choices=confirm))
        return PageView("score", self.words(say("Score")), tuple(boxes))

    def piece_page(self, piece: PieceView) -> PageView:
        """What may be corrected at the selected piece."""
        about, pieces = ("piece", piece.id), named_pieces(self.snapshot, ())
        box = BoxView(self.words(piece.name), choices=tuple(self.buttons(piece.corrections, about)))
        forms = (
            view
            for form in piece.forms
            if self.may(form.by)
            for view in self.form(form, about, form.by, pieces)
        )
        return PageView("piece", self.words(piece.name), (box,), tuple(forms))

    def buttons(self, choices: Sequence[Choice], about: object) -> Iterator[ChoiceView]:
        """The buttons of a box."""
        for choice in choices:
            yield from self.choice(choice, about, choice.by)
