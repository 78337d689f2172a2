"""The view of one viewer, made from a snapshot: prompts, offers, pages, each with its handles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from companion.engine.rival_turn import COACH
from companion.engine.snapshot import Snapshot
from companion.engine.turn.entered_dice import (
    EnteredDice,
    chances_by_number,
    count_keys,
    entered_text,
    face_keys,
    lowest,
    question,
    shape,
    symbol_view,
)
from companion.engine.turn.filled_form import FilledForm
from companion.engine.turn.handles import (
    CancelTap,
    CoachTap,
    DiceTap,
    FormTap,
    Handles,
    LookTap,
    OfferTap,
    SelectTap,
    SendTap,
    TapTarget,
    question_name,
)
from companion.engine.turn.selection import (
    choice_name,
    command_words,
    form_key,
    may_move,
    named_pieces,
    on_its_page,
    selectable,
    suited,
)
from companion.engine.turn.turn_records import (
    CellTap,
    ChoiceView,
    DiceKey,
    DiceView,
    EndView,
    FactView,
    FieldView,
    FormView,
    GuideView,
    OfferView,
    OptionView,
    PieceLine,
    PieceTap,
    PromptView,
    RefusedView,
    SymbolView,
    TotalView,
)
from companion.games.api.play import Plain
from companion.games.api.prompt import (
    ActionOffer,
    Choice,
    DiceRequest,
    Entry,
    Fact,
    Look,
    Prompt,
    PromptForm,
    TargetCell,
    TrayEnd,
)
from companion.games.api.screen_views import PieceView
from companion.session.authors import JointCommands
from companion.text.translation import capital
from companion.text.verdicts import percent
from models.board import cell_text
from models.message import LazyMessage, joined, say
from models.unit import corners

Translate = Callable[[str], str]
Seats = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rolling:
    """Commands of which the last one waits for its dice."""

    text: str
    commands: tuple[Plain, ...]
    dice: EnteredDice
    detail: str
    acts: tuple[str, ...]


TOGETHER = say("happens when every player has tapped it")
"""What is decided together is said so to a player who taps alone, on a screen of their own."""


def rules_line(rules: str) -> LazyMessage | str:
    """The numbers of rules with their word; nothing where there are none."""
    count = len(rules.split(", "))
    return say("Rule {rules}", "Rules {rules}", n=count, rules=rules) if rules else ""


def joint_look(choice: Choice, joint: JointCommands | None, seat: str | None) -> Look:
    """How a choice looks while some players have tapped one that takes all of them."""
    if joint is None:
        return "plain" if choice.look == "primary" else choice.look
    return "quiet" if seat in joint.agreed else "primary"


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

    app_rolls: bool = False
    """Whether this viewer lets the app roll whatever it may roll."""

    def may(self, acts: Sequence[str]) -> bool:
        """Whether this viewer may act where these seats are asked; nobody named: everybody."""
        rivals = self.snapshot.view.rivals if self.snapshot.view is not None else ()
        return self.shared or not acts or any(one in (self.seat, *rivals) for one in acts)

    # -- prompts -------------------------------------------------------------------------------

    def prompt(self, prompt: Prompt, entered: EnteredDice | None) -> PromptView:
        """A prompt with what this viewer may answer."""
        prompt = self.jointly(prompt)
        acts = tuple(seat for seat in prompt.seats if seat not in prompt.answered)
        about = (prompt.id, str(prompt.title), str(prompt.text), acts)
        forms = tuple(self.forms(prompt, about, acts))
        begun = self.begun(prompt, entered)
        text, facts = prompt.text, prompt.facts
        choices = (*self.prompt_choices(prompt, about, acts), *self.coach(prompt, about, acts))
        if begun is not None and begun.place and self.may(acts):
            text = entered_text(begun)
            facts = tuple(fact for fact in facts if fact.chance is None)
            forms = ()  # the dice lie: what comes before a roll or instead of it is past
            choices = (self.take_back(about, acts),)
        page = next((one.title for one in self.snapshot.pages if one.id == prompt.page), "")
        return PromptView(
            self.words(prompt.title),
            capital(self.words(text)),
            acts,
            tuple(self.prompt_dice(prompt, about, acts, begun)),
            choices,
            tuple(self.piece_taps(prompt, about, acts)),
            tuple(self.cell_taps(prompt, about, acts)),
            forms[0] if forms else None,
            forms,
            prompt.id,
            tuple(self.fact(one) for one in facts),
            tuple(
                face if isinstance(face, int) else self.words(face.name) for face in prompt.rolled
            ),
            prompt.rule,
            prompt.seats,
            prompt.secret,
            prompt.page,
            self.words(page or say("Score")) if prompt.page else "",
            tuple(TotalView(t.seat, t.total, self.words(t.detail)) for t in prompt.totals),
            rolled_symbols=tuple(
                self.symbol(symbol_view(face))
                for face in prompt.rolled
                if not isinstance(face, int)
            ),
            ends=tuple(self.ends(prompt.ends)),
            rolled_sides=prompt.rolled_sides,
            before=self.before_roll(choices) if prompt.dice is not None else "",
            why=self.words(rules_line(prompt.rule)),
        )

    def before_roll(self, choices: Sequence[ChoiceView]) -> str:
        """The choices that come before the dice, in one line: who rolls first loses them."""
        names = joined(one.text for one in choices if one.look == "plain" and not one.elsewhere)
        return self.words(say("Before the roll, see below: {names}", names=names)) if names else ""

    def fact(self, fact: Fact) -> FactView:
        """A fact, and the pieces it speaks of."""
        about = tuple((piece, self.words(text)) for piece, text in fact.about)
        text = capital(self.words(fact.text))
        if fact.chance is not None and "%" not in text:
            text = f"{text} · {percent(fact.chance)}"
        return FactView(text, fact.tone, fact.chance, about)

    def ends(self, ends: Iterable[TrayEnd]) -> Iterator[EndView]:
        """Where the trays of a prompt go."""
        table = self.snapshot.trays
        for end in ends:
            for unit, pose in end.shown(table) if table is not None else ():
                yield EndView(unit.id, tuple(corners(unit.at(pose))), end.text)

    def coach(self, prompt: Prompt, about: object, acts: Seats) -> Iterator[ChoiceView]:
        """The button that asks the coach, and the one that puts its advice away."""
        view = self.snapshot.view
        if prompt.id == COACH:
            tap = self.handles.add("c", (about, COACH), CoachTap())
            back = self.words(say("Back to the game"))
            yield ChoiceView(tap, back, acts, look="quiet", name="coach")
            return
        decides = len(acts) == 1 and not prompt.secret and prompt.dice is None
        if view is None or not view.coach or not decides or acts[0] in view.rivals:
            return
        if self.may(acts):
            tap = self.handles.add("c", (about, COACH), CoachTap(acts[0]))
            text = self.words(say("Ask the coach"))
            yield ChoiceView(tap, text, acts, look="quiet", icon="star", name="coach")

    def begun(self, prompt: Prompt, entered: EnteredDice | None) -> EnteredDice | None:
        """The dice of a prompt, from where they are entered so far; None without any."""
        if prompt.dice is None or prompt.secret:
            return None
        renewed = entered.renewed(prompt.dice) if entered is not None else None
        return renewed or EnteredDice.begin(prompt.dice)

    def prompt_dice(
        self, prompt: Prompt, about: object, acts: Sequence[str], begun: EnteredDice | None
    ) -> Iterator[DiceView]:
        """The dice of a prompt that are to be entered now."""
        if begun is not None and self.may(acts):
            yield self.dice(begun, (begun.requests[0].command,), about, prompt.id)

    def dice(
        self, dice: EnteredDice, commands: tuple[Plain, ...], about: object, prompt: str = ""
    ) -> DiceView:
        """The dice that are entered now."""
        request = dice.request
        key = (about, shape(dice.requests[0]), dice.place, dice.given)
        counted = bool(request.count_field)
        faces = tuple(self.key(one) for one in face_keys(request) if request.field)
        return DiceView(
            self.handles.add("d", key, DiceTap(dice, commands, prompt)),
            request.count,
            request.sides,
            request.wanted,
            chances_by_number(request),
            self.words(question(request, counted)),
            tuple(one.symbol for one in faces if one.symbol is not None),
            bool(lowest(request)),
            counted,
            dice.app_rolls,
            len(dice.requests) - dice.place - 1,
            bool(request.field),
            self.words(question(request, False)),
            tuple(self.key(one) for one in count_keys(request) if counted),
            faces,
            question_name("d", key),
        )

    def key(self, key: DiceKey) -> DiceKey:
        """A key with its text in the viewer's language."""
        symbol = self.symbol(key.symbol) if key.symbol is not None else None
        odds = "" if key.chance is None else percent(key.chance)
        return replace(key, text=self.words(key.text), symbol=symbol, odds=odds)

    def symbol(self, symbol: SymbolView) -> SymbolView:
        """A symbol with its words in the viewer's language."""
        name, detail = self.words(symbol.name), self.words(symbol.detail)
        return replace(symbol, name=name, detail=detail)

    def prompt_choices(
        self, prompt: Prompt, about: object, acts: tuple[str, ...]
    ) -> Iterator[ChoiceView]:
        """The buttons of a prompt; a secret is chosen by each seat alone, without more words where
        nobody else sits at the table."""
        view = self.snapshot.view
        solo = view is not None and prompt.secret and len(acts) == 1 and view.alone(acts[0])
        if prompt.secret and self.seat is None:
            for seat in acts:
                button = self.look_alone(seat, about, prompt)
                text = self.words(prompt.title)
                yield replace(button, text=text, detail="", look="primary") if solo else button
        first, confirmed = selectable(self.snapshot, prompt), on_its_page(self.snapshot, prompt)
        choices, left_out = suited(prompt, self.app_rolls)
        rivals = view.rivals if view is not None else ()
        for number, choice in enumerate(choices):
            if choice.look == "folded" and choice.by and all(one in rivals for one in choice.by):
                continue  # nobody here may use it
            for button in self.choice(choice, about, choice.by or acts, number):
                elsewhere = choice.piece in first or choice is confirmed or choice in left_out
                yield replace(button, elsewhere=True) if elsewhere else button
        if self.seat is not None or solo:
            return
        for form in prompt.forms:
            if form.seat and form.seat not in rivals:  # nobody looks into a rival's cards
                button = self.fill_alone(form, about)
                alone = view is not None and view.alone(form.seat)  # nobody has to look away
                yield replace(button, detail="", icon="") if alone else button

    def look_alone(self, seat: str, about: object, prompt: Prompt) -> ChoiceView:
        """The button with which one player looks alone at the shared tablet."""
        look = LookTap(seat, "prompt", prompt.id, prompt.title)
        tap = self.handles.add("c", (about, "look", seat), look)
        detail, name = self.words(say("choose in secret")), f"secret:{seat}"
        return ChoiceView(tap, self.name(seat), (seat,), detail, asks=("look",), name=name)

    def fill_alone(self, form: PromptForm, about: object) -> ChoiceView:
        """The button with which one player fills in a form alone."""
        key = (about, "look", form.seat, form_key(form))
        look = LookTap(form.seat, "form", form_key(form), form.text)
        tap = self.handles.add("c", key, look)
        text, name = self.words(form.text), f"form:{form_key(form)}"
        return ChoiceView(
            tap,
            text,
            (form.seat,),
            self.words(form.detail),
            look=form.look,
            asks=("look",),
            icon="lock",
            name=name,
        )

    def name(self, seat: str) -> str:
        """The name of the player on a seat."""
        player = self.snapshot.seat(seat)
        return self.words(player.name) if player is not None else seat

    def choice(
        self, choice: Choice, about: object, acts: tuple[str, ...] = (), number: int = 0
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
            self.words(self.tapped_by(choice) or choice.detail),
            choice.piece,
            choice.look,
            self.asked_dice(choice.dice),
            choice.icon,
            choice_name(choice, number),
            shared=choice.shared,
            passes=choice.passes,
        )

    def tapped_by(self, choice: Choice) -> str:
        """Of what is decided together: who has tapped it, or that it takes all."""
        if not choice.shared:
            return ""
        tapped = self.joint(choice)
        if tapped is not None and self.seat in tapped.agreed:
            missing = joined([self.name(seat) for seat in tapped.missing])
            return say("waits for {players}", players=missing)
        if tapped is not None:
            players = joined([self.name(seat) for seat in tapped.agreed])
            return say("already tapped: {players}", players=players)
        return "" if self.shared or choice.detail else TOGETHER

    def joint(self, choice: Choice) -> JointCommands | None:
        """What some players have tapped of a button that takes all."""
        tapped = (one for one in self.snapshot.proposals if not one.asks)
        return next((one for one in tapped if one.commands == choice.commands), None)

    def jointly(self, prompt: Prompt) -> Prompt:
        """Gold is what the others have tapped already; what this viewer has tapped only waits."""
        found = [self.joint(one) if one.shared else None for one in prompt.choices]
        if self.shared or not any(found):
            return prompt
        return replace(
            prompt,
            choices=tuple(
                replace(choice, look=joint_look(choice, joint, self.seat))
                for choice, joint in zip(prompt.choices, found, strict=True)
            ),
        )

    def asked_dice(self, dice: DiceRequest | None) -> tuple[str, ...]:
        """Whether a tap asks for dice first."""
        return ("dice",) if dice is not None and not (self.app_rolls and dice.optional) else ()

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
            tap = self.handles.add("p", (about, piece), target)
            yield PieceTap(tap, piece, self.short(piece), piece in first)

    def short(self, piece: str) -> str:
        """The short name of a piece."""
        known = self.snapshot.piece(piece)
        return self.words((known.short if known else "") or self.snapshot.name(piece))

    def cell_taps(self, prompt: Prompt, about: object, acts: Sequence[str]) -> Iterator[CellTap]:
        """The cells that answer a prompt."""
        for target in prompt.cells if not prompt.secret else ():
            by = target.by or tuple(acts)
            if target.commands and self.may(by):
                does = SendTap(target.commands, acts=by, shared=target.shared)
                yield self.cell(target, about, does)

    def cell(self, target: TargetCell, about: object, does: SendTap) -> CellTap:
        """One cell and what a tap on it does."""
        name = cell_text(target.cell)
        tap = self.handles.add("s", (about, name, target.commands), does)
        text, detail = self.words(target.text), self.words(target.detail)
        acts, piece = does.acts, target.piece
        place = capital(self.words(target.place))
        return CellTap(tap, name, text, detail, acts, does.shared, target.mark, piece, place)

    def forms(self, prompt: Prompt, about: object, acts: Sequence[str]) -> Iterator[FormView]:
        """The forms that this viewer may fill in."""
        for form in prompt.forms:
            private = form.seat and (form.seat != self.seat or self.asks_twice(prompt, form))
            by = form.by or ((form.seat,) if form.seat else tuple(acts))
            if not private and self.may(by):
                yield from self.form(form, about, by, named_pieces(self.snapshot, prompt.pieces))

    def asks_twice(self, prompt: Prompt, form: PromptForm) -> bool:
        """Whether a form without a cover asks a viewer who needs none for what buttons ask."""
        words = {one.commands[0].get("do") for one in prompt.choices if one.commands}
        return prompt.secret and not self.shared and form.command.get("do") in words

    def form(
        self,
        form: PromptForm,
        about: object,
        acts: tuple[str, ...],
        pieces: Sequence[tuple[str, str]],
    ) -> Iterator[FormView]:
        """A form with its fields; none if it has nothing to choose from."""
        view = form_view(form, self.words, pieces, acts=acts)
        if any(one.kind == "option" and one.required and not one.options for one in view.fields):
            return
        key = (about, str(form.text), form.command, [entry.field for entry in form.entries])
        target = FormTap(FilledForm.begin(view), form.command, acts, form.shared, form.other_dice)
        tap = self.handles.add("f", key, target)
        yield replace(view, tap=tap, question=question_name("f", key))

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
        return ChoiceView(tap, self.words(say("Not now")), acts, look="quiet", name="not-now")

    def take_back(self, about: object, acts: tuple[str, ...]) -> ChoiceView:
        """The button that enters the dice of a prompt from the beginning."""
        tap = self.handles.add("c", (about, "take back"), CancelTap())
        return ChoiceView(
            tap, self.words(say("Enter the dice anew")), acts, look="quiet", name="anew"
        )

    def cover(self) -> ChoiceView:
        """The button that covers again what one seat looked at."""
        tap = self.handles.add("c", ("cover", self.seat), LookTap(None))
        return ChoiceView(tap, self.words(say("Not now")), (str(self.seat),), look="quiet")

    # -- the guide -------------------------------------------------------------------------------

    def guide(self) -> GuideView | None:
        """What to tap now in a guided turn, for those who may."""
        view = self.snapshot.view
        guide = view.guide if view is not None else None
        if guide is None or view is None or not self.may(view.active):
            return None
        selected = bool(guide.piece) and guide.piece == self.snapshot.chosen
        leave = list(self.choice(guide.leave, "guide")) if guide.leave is not None else []
        return GuideView(
            self.words(say("Step {number} of {of}", number=guide.number, of=guide.of)),
            self.words(guide.then if selected else guide.text),
            self.words(guide.why),
            "" if selected else guide.piece,
            leave[0] if leave else None,
        )

    # -- offers ----------------------------------------------------------------------------------

    def offer_acts(self, offer: ActionOffer) -> tuple[str, ...]:
        """Who may carry out an offer: the player of its piece."""
        piece = self.snapshot.piece(offer.piece)
        return offer.by or ((piece.seat,) if piece is not None else ())

    def offers(self) -> Iterator[OfferView]:
        """What may be done now."""
        for offer in self.snapshot.offers:
            if offer.possible and self.may(self.offer_acts(offer)):
                yield self.offer(offer)

    def offer(self, offer: ActionOffer) -> OfferView:
        """One offer with its odds."""
        acts = self.offer_acts(offer)
        key = (offer.kind, offer.piece, offer.target, str(offer.text), offer.commands)
        about = offer.target or next(
            (word for word in command_words(offer.commands)[-1:] if word != offer.kind), ""
        )
        return OfferView(
            self.handles.add("o", key, OfferTap(offer, acts)),
            offer.piece,
            self.words(offer.text),
            offer.chance,
            offer.dice.wanted if offer.dice is not None else None,
            ("cell",) if not offer.commands else self.asked_dice(offer.dice),
            offer.target,
            self.words(offer.detail),
            self.words(offer.odds),
            self.words(offer.expected),
            offer.verdict,
            self.words(self.reason(offer)),
            tuple(self.offer_cells(offer, acts)),
            offer.kind,
            f"offer:{offer.kind}:{about}" if about else f"offer:{offer.kind}",
            not (offer.target or offer.dice or offer.cells or self.snapshot.tabled),
            acts,
            offer.shared,
            offer.moves and offer.dice is None,
            offer.family,
            offer.closes,
            self.words(offer.variant),
        )

    def reason(self, offer: ActionOffer) -> str:
        """What the button of an offer repeats: also that its tap rolls the dice."""
        rolled = offer.dice is not None and not self.asked_dice(offer.dice)
        if not rolled or offer.verdict != "yes":
            return offer.reason
        return joined([one for one in (offer.reason, say("the app rolls")) if one], " · ")

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
                name = f"refused:{offer.kind}:{offer.target}"
                yield RefusedView(offer.piece, text, offer.rules, reason, offer.kind, name)

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
            tuple(capital(self.words(line)) for line in piece.lines),
            tuple(self.words(badge.text) for badge in piece.badges),
            cell,
            place,
            piece.leader,
            self.words(piece.short),
            may_move(self.snapshot, piece.id),
            self.words(piece.note),
            bool(piece.puts),
        )

    def buttons(self, choices: Sequence[Choice], about: object) -> Iterator[ChoiceView]:
        """The buttons of a box or a line."""
        for number, choice in enumerate(choices):
            yield from self.choice(choice, about, choice.by, number)


def form_view(
    form: PromptForm,
    words: Translate,
    pieces: Sequence[tuple[str, str]] = (),
    tap: str = "",
    acts: tuple[str, ...] = (),
) -> FormView:
    """A form as a record; `pieces` are what fields for a piece choose from."""

    def field_view(entry: Entry) -> FieldView:
        options = pieces if entry.kind == "piece" and not entry.options else entry.options
        return FieldView(
            entry.field,
            entry.kind,
            tuple(OptionView(value, words(text)) for value, text in options),
            words(entry.text),
            entry.least,
            entry.most,
            entry.value,
            entry.required,
            entry.only_for,
            entry.worth,
            entry.sends,
        )

    word, entries = str(form.command.get("do", "")), tuple(map(field_view, form.entries))
    return FormView(
        tap,
        entries,
        words(form.text),
        words(form.detail),
        acts,
        form.look,
        form.opens,
        f"form:{form_key(form) if form.opens else word}",
        form.shared,
        sent_by_last_tap(entries),
        word,
        tuple(map(words, form.tallies)),
        form.rolls,
        form.most,
        form.single,
        words(form.single_text),
    )


def sent_by_last_tap(entries: Sequence[FieldView]) -> bool:
    """Whether the last tap on an option sends a form: it asks for one option only, and for what
    depends on it."""
    alone = len(entries) == 1 or any(entry.only_for for entry in entries)
    return alone and all(
        entry.kind in ("option", "piece") and entry.required and bool(entry.options)
        for entry in entries
    )
