"""The one card of a screen that shows what to do now: the most urgent thing, as records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.engine.moves.cell_moves import place_corrections
from companion.engine.moves.recorded_move import action_names, agreement, moved_units
from companion.engine.snapshot import AT_WILL, CellMove, Notice, may_stay
from companion.engine.turn.card_records import CardView, PromptLine
from companion.engine.turn.entered_dice import EnteredDice
from companion.engine.turn.golden import with_gold
from companion.engine.turn.handles import AgreeTap, MoveTap, OfferTap
from companion.engine.turn.page_view import won_text
from companion.engine.turn.selection import (
    OPTIONAL,
    OfferKey,
    asks_piece,
    best_offers,
    ending,
    first_prompt,
    in_turn,
    piece_actions,
    urgent_card,
    waiting_behind,
)
from companion.engine.turn.step_names import undo_texts
from companion.engine.turn.turn_records import (
    ChoiceView,
    EndView,
    FactView,
    PromptView,
    TotalView,
)
from companion.engine.turn.turn_view import Rolling, ViewMaker, rules_line
from companion.games.api.game_screen import CameraQuestion
from companion.games.api.prompt import ActionOffer, Prompt
from companion.games.api.screen_views import PieceView, ScoreView
from companion.session.authors import JointCommands, takes_back
from companion.text.translation import capital
from models.message import joined, say
from models.unit import corners

GUIDED = ("prompt", "piece", "roll")
"""The cards on which a guide says what to tap."""


@dataclass(frozen=True, slots=True)
class CardMaker:
    """Makes the card of one viewer from what it sees and from what it has begun."""

    maker: ViewMaker
    rolling: Rolling | None = None
    entered: EnteredDice | None = None
    picked: OfferKey | None = None
    focus: str = ""
    """The prompt that the viewer wants to answer first."""
    tapped: bool = False
    """Whether the piece was selected after the newest step."""
    blind: bool = False
    """Whether the camera is lost and the players do not play on without it."""
    shown: str = ""
    """The handle of the choice whose row was tapped."""

    def card(self) -> CardView:
        """The most urgent card, with its golden button."""
        chosen = self.maker.snapshot.chosen
        return with_gold(self.urgent(), self.shown, chosen, self.maker.app_rolls)

    def urgent(self) -> CardView:
        """The most urgent card."""
        snapshot = self.maker.snapshot
        prompt = next(iter(snapshot.advice), None) or first_prompt(snapshot, self.focus)
        entering = self.rolling is not None or (prompt is not None and prompt.dice is not None)
        kind = urgent_card(snapshot, prompt, self.rolling is not None, self.tapped, self.blind)
        piece, score = snapshot.piece(snapshot.chosen), snapshot.score
        match kind:
            case "camera":
                return CardView(kind)
            case "astray":
                return CardView(kind, self.astray(), moves=tuple(self.seen_moves()))
            case "moves":
                first, *rest = (self.move(notice) for notice in snapshot.notices)
                owner = self.owner(snapshot.notices[0].unit)
                return CardView(kind, first, owner, tuple(rest))
            case "due-move":
                due = max(snapshot.due, key=lambda one: bool(one.ends) and one.kind not in AT_WILL)
                moves = tuple(map(self.move, snapshot.notices))
                return CardView(kind, self.due_move(due), self.owner(due.piece), moves)
            case "cell-move":
                moved = snapshot.cell_moves[0]
                return CardView(kind, self.cell_move(moved), self.owner(moved.piece))
            case "camera-question":
                return CardView(kind, self.question(snapshot.camera_questions[0]))
            case "proposal":
                asked = (one for one in snapshot.proposals if one.asks)
                return CardView(kind, self.proposal(next(asked)))
            case "won" if score is not None:
                card = CardView(kind, self.won(score), score.winner)
            case "piece" if piece is not None:
                card = self.piece(piece, prompt)
            case "prompt" if prompt is not None:
                card = self.prompt(prompt)
            case _:
                card = self.nothing()
        if self.rolling is not None:
            acts = self.rolling.acts
            card = CardView("roll", self.maker.rolling(self.rolling), acts[0] if acts else "")
        if card.kind in GUIDED:
            card = replace(card, guide=self.maker.guide())
        if entering:  # a tray that comes to rest must not push the dice away
            moves = tuple(self.move(one) for one in snapshot.notices if not self.rolls_for(one))
            card = replace(card, moves=moves, due=tuple(map(self.due_row, snapshot.due)))
        return card

    def rolls_for(self, notice: Notice) -> bool:
        """Whether the dice that are entered belong to an action that explains a move."""
        commands = self.rolling.commands if self.rolling is not None else ()
        return any(one.commands == commands for one in notice.actions)

    def owner(self, piece: str) -> str:
        """The seat of a piece."""
        known = self.maker.snapshot.piece(piece)
        return known.seat if known is not None else ""

    # -- the game's own ------------------------------------------------------------------------

    def prompt(self, prompt: Prompt) -> CardView:
        """What the game waits for."""
        maker, seats = self.maker, prompt.seats
        overview = asks_piece(prompt) and maker.snapshot.tabled
        behind = waiting_behind(maker.snapshot, prompt)
        return CardView(
            "prompt",
            maker.prompt(prompt, self.entered),
            seats[0] if len(seats) == 1 else "",
            best=tuple(map(maker.offer, best_offers(maker.snapshot) if overview else ())),
            behind=tuple(
                PromptLine(one.id, maker.words(one.title), self.decided(one, prompt))
                for one in behind
            ),
        )

    def decided(self, waiting: Prompt, shown: Prompt) -> str:
        """Who decides what waits behind a prompt, if it is another player, and what."""
        if waiting.seats == shown.seats or len(waiting.seats) != 1:
            return ""
        seat = self.maker.snapshot.seat(waiting.seats[0])
        parts = (seat.name if seat is not None else "", waiting.text)
        return self.maker.words(joined([one for one in parts if one], ": "))

    def piece(self, piece: PieceView, prompt: Prompt | None) -> CardView:
        """What the selected piece may do, the best first, and why not the rest."""
        maker = self.maker
        actions = piece_actions(maker.snapshot, prompt, piece.id, self.picked)
        offers = {id(offer): maker.offer(offer) for offer in actions.legal}
        about = ("piece", piece.id)
        acts = prompt.seats if prompt is not None else ()
        over = ending(prompt, actions)
        idle = not actions.legal and not actions.choices and prompt is not None
        return CardView(
            "piece",
            PromptView("", maker.words(prompt.text or prompt.title), ())
            if idle and prompt is not None
            else PromptView("", "", ()),
            seat=piece.seat,
            piece=replace(maker.piece(piece), cell="", place=()),
            offers=tuple(offers.values()),
            picked=offers.get(id(actions.picked)),
            refused=tuple(maker.refused()),
            choices=tuple(
                view
                for number, choice in enumerate(actions.choices)
                for view in maker.choice(choice, about, choice.by or acts, number)
            ),
            correctable=bool(piece.corrections or piece.forms),
            ends=next(maker.choice(over, about, over.by or acts), None) if over else None,
        )

    def won(self, score: ScoreView) -> PromptView:
        """The end of the game."""
        title = won_text(self.maker.snapshot, score)
        words = self.maker.words
        totals = tuple(TotalView(one.seat, one.points, words(one.place)) for one in score.seats)
        return PromptView(words(title), words(score.how), (), totals=totals)

    def nothing(self) -> CardView:
        """Nobody is asked."""
        view, words = self.maker.snapshot.view, self.maker.words
        headline = words(view.headline) if view is not None else ""
        return CardView(prompt=PromptView(words(say("Nothing to decide")), headline, ()))

    # -- what a camera saw, and moves that are due ----------------------------------------------

    def moved(self) -> Iterator[PromptView]:
        """Moves and questions of a camera, and moves that are due, each with whom it concerns."""
        snapshot = self.maker.snapshot
        yield from map(self.move, snapshot.notices)
        yield from map(self.due_move, snapshot.due)
        yield from map(self.cell_move, snapshot.cell_moves)
        yield from map(self.question, snapshot.camera_questions)
        asked = [one for one in snapshot.proposals if one.asks]
        yield from map(self.proposal, asked)
        yield from (self.own_proposal(one) for one in asked if self.maker.seat in one.agreed)

    def own_proposal(self, proposal: JointCommands) -> PromptView:
        """What this player has asked the others, until they answer or it is withdrawn."""
        names = joined([self.maker.name(seat) for seat in proposal.missing])
        withdraw = self.say_of(AgreeTap(proposal, False), say("Withdraw the question"), "withdraw")
        return PromptView(
            capital(self.maker.words(say("waits for {players}", players=names))),
            self.maker.words(proposal.asks),
            proposal.agreed,
            choices=(replace(withdraw, acts=proposal.agreed),),
            id="own-proposal",
        )

    def proposal(self, proposal: JointCommands) -> PromptView:
        """What another player asks this one to agree to, with where trays would stand."""
        words = self.maker.words
        names = joined([self.maker.name(seat) for seat in proposal.agreed])
        text = words(proposal.asks)
        if takes_back(proposal.commands) and (step := self.taken_back(proposal)):
            text = f"{text}: {step}"
        yes, no = (AgreeTap(proposal, agrees) for agrees in (True, False))
        return PromptView(
            words(say("Question from {players}: do you agree?", players=names)),
            text,
            proposal.missing,
            choices=(
                self.say_of(yes, say("Agree"), "agree"),
                self.say_of(no, say("Not agreed"), "decline"),
            ),
            id="proposal",
            ends=tuple(
                EndView(unit.id, tuple(corners(unit))) for unit in moved_units(proposal.commands)
            ),
        )

    def taken_back(self, proposal: JointCommands) -> str:
        """The step that would be undone; a question to do one again names it itself."""
        undo = proposal.commands[0]["do"] == "undo"
        texts = undo_texts(self.maker.snapshot.view, "", self.maker.words) if undo else ()
        return texts[0] if texts else ""

    def acts(self, piece: str) -> tuple[str, ...]:
        """Who says what became of a piece: its player."""
        owner = self.owner(piece)
        return (owner,) if owner else ()

    def move(self, notice: Notice) -> PromptView:
        """A tray that was moved: keep it, as which action, or put it back."""
        words = self.maker.words
        open_question = not notice.in_turn or notice.unsure  # only what is certain has a tick
        tone = "warn" if open_question else "good" if notice.legal else "bad"
        fact = (
            self.never(notice.barred)
            if notice.asked
            else FactView(capital(words(notice.detail)), tone)
        )
        doubts = (FactView(capital(words(notice.doubt)), "warn"),) if notice.doubt else ()
        return PromptView(
            words(notice.title),
            "",
            self.acts(notice.unit),
            choices=tuple(self.move_choices(notice)),
            id=notice.unit,
            facts=(fact, *doubts),
            rule=", ".join(notice.rules),
            why=words(rules_line(", ".join(notice.rules))),
        )

    def move_choices(self, notice: Notice) -> Iterator[ChoiceView]:
        """Back, or kept: as the action that explains it, or as a mere correction."""
        unit = notice.unit
        if notice.asked:
            yield self.all_the_same(MoveTap("keep", unit))
        yield self.say_of(MoveTap("back", unit), say("Put back"), "correct")
        yield from self.later(unit)
        if notice.asked:
            return
        strange = not in_turn(self.maker.snapshot, unit)  # a tap meant another's button
        sure = len(notice.actions) == 1 and not (notice.unsure or strange)  # which is theirs
        texts = Counter((offer.kind, str(offer.text)) for offer in notice.actions)
        for offer, name in zip(notice.actions, action_names(notice.actions), strict=True):
            look, text = "primary" if sure else "plain", offer.text
            if texts[offer.kind, str(text)] > 1:  # by which way, or with which weapon
                text = joined((text, offer.detail), " · ")
            yield self.keep(unit, offer, text, f"accept:{name}", look)
        for offer in () if notice.legal else notice.agreeable:
            yield self.keep(unit, offer, agreement(offer), f"agree:{offer.kind}")
        if notice.possible:
            only = say("Only correct the position")
            yield self.say_of(MoveTap("keep", unit), only, "accept", "quiet")

    def later(self, piece: str) -> Iterator[ChoiceView]:
        """Leave a piece where it stands for now; the practice table follows the game by itself."""
        if not self.maker.snapshot.practice:
            yield self.say_of(MoveTap("later", piece), say("Later"), "later", "quiet")

    def all_the_same(self, tap: MoveTap) -> ChoiceView:
        """Take a place over on which nothing may stand."""
        return self.say_of(tap, say("Correct it all the same"), "accept-barred")

    def never(self, why: str) -> FactView:
        """Why nothing may stand in a place."""
        return FactView(self.maker.words(say("Nothing may stand there: {why}.", why=why)), "bad")

    def seen_moves(self) -> Iterator[PromptView]:
        """Everything that a camera saw moved and nobody has decided."""
        yield from map(self.move, self.maker.snapshot.notices)
        yield from map(self.cell_move, self.maker.snapshot.cell_moves)

    def astray(self) -> PromptView:
        """Several pieces that stand elsewhere at once: one answer for all of them."""
        snapshot, words = self.maker.snapshot, self.maker.words
        moved = [one.piece for one in snapshot.cell_moves]
        count = len(moved) + len(snapshot.notices)
        choices = [self.say_of(MoveTap("all", "back"), say("Put them back"), "all-back")]
        if place_corrections(snapshot, moved) or any(one.possible for one in snapshot.notices):
            only = say("Only correct the positions")
            choices.append(self.say_of(MoveTap("all", "correct"), only, "all-correct"))
        if not snapshot.practice:
            choices.append(self.say_of(MoveTap("all", "later"), say("Later"), "all-later", "quiet"))
        title = words(say("{n} pieces stand elsewhere", n=count))
        return PromptView(title, "", (), choices=tuple(choices), id="astray")

    def keep(
        self, unit: str, offer: ActionOffer, text: str, name: str, look: str = "plain"
    ) -> ChoiceView:
        """Keep a move as an action; dice of it are rolled first."""
        acts = self.maker.offer_acts(offer)
        rolls = OfferTap(offer, acts) if offer.dice is not None else None
        return self.say_of(
            rolls or MoveTap("keep", unit, offer.kind, offer.commands), text, name, look
        )

    def due_move(self, move: ActionOffer) -> PromptView:
        """A move that is decided: its tray is still to be moved, or stays where it is."""
        words, must = self.maker.words, move.kind not in OPTIONAL
        text = say("Move the tray")
        if not must:
            text = say("Turn it") if move.kind in ("pivot", "turn") else say("Shift it")
            text = say("Put it elsewhere") if move.kind == "off" else text
        stay = MoveTap("stay", move.piece)
        begin = MoveTap("begin", move.piece)
        how = say("Drag it on the map; under a camera, move the real tray.")
        alone = len(move.ends) == 1
        ends = (
            self.say_of(
                MoveTap("end", move.piece, end=number),
                end.text,
                f"end:{number}",
                "primary" if alone and must else "plain",
            )
            for number, end in enumerate(move.ends)
        )
        gold = must and not move.ends
        stays: tuple[ChoiceView, ...] = ()
        if may_stay(move):
            stays = (self.say_of(stay, say("It stays where it is"), "stay"),)
        return PromptView(
            words(move.text),
            words(move.detail or how),
            self.acts(move.piece),
            choices=(
                *ends,
                *stays,
                self.say_of(begin, text, "move-tray", "primary" if gold else "plain"),
            ),
            id=move.piece,
            ends=tuple(self.maker.ends(move.ends)) if alone and must else (),
        )

    def due_row(self, move: ActionOffer) -> ChoiceView:
        """A move that may be made while dice are entered."""
        row = self.say_of(MoveTap("begin", move.piece), move.text, f"due:{move.piece}")
        return replace(row, icon=move.kind)

    def cell_move(self, move: CellMove) -> PromptView:
        """A piece that the camera sees on another cell: is it there, or on which one?"""
        words, cells = self.maker.words, move.cells
        back = self.say_of(MoveTap("place", move.piece), say("Put back"), "correct")
        choices = [back]
        marked = len(cells) > 1 or move.answerable and not move.legal
        asked = words(say("Tap a marked space")) if marked else ""
        which = len({one.name for one in move.ways}) > 1  # only the players know
        strange = not in_turn(self.maker.snapshot, move.piece)  # a tap meant another's button
        for number, way in enumerate(move.ways):
            keep = MoveTap("place", move.piece, cell=way.cell, end=number)
            text = way.text or say("Keep")
            name = f"accept:{number}" if number else "accept"
            look = "plain" if number or which or strange else "primary"
            button = self.say_of(keep, text, name, look)
            told = joined(filter(None, (way.price, way.harm)), " · ")
            choices.append(replace(button, detail=words(told)))
        only = MoveTap("correct", move.piece)
        correctable = not move.legal and place_corrections(self.maker.snapshot, (move.piece,))
        facts = [FactView(capital(words(move.detail)), "good" if move.legal else "warn")]
        if move.asked:
            choices.insert(0, self.all_the_same(only))
            facts = [self.never(move.barred)]
        elif move.refused:
            facts.append(FactView(capital(words(move.refused)), "bad"))
        elif correctable:
            text = say("Only correct the position")
            choices.insert(0, self.say_of(only, text, "accept", "quiet"))
        choices += self.later(move.piece)
        return PromptView(
            words(move.title),
            asked,
            self.acts(move.piece),
            choices=tuple(choices),
            id=move.piece,
            facts=tuple(facts),
        )

    def question(self, question: CameraQuestion) -> PromptView:
        """Tagged pieces that lie otherwise than the game has them: what does it mean?"""
        words, about = self.maker.words, ("question", question.id)
        choices = [
            replace(view, name=f"question:{number}")
            for number, choice in enumerate(question.choices)
            for view in self.maker.choice(choice, about, choice.by)
        ]
        refuse = MoveTap("no", question.id)
        choices.append(self.say_of(refuse, say("Leave it as it was"), "not-so", "quiet"))
        title, detail = words(question.title), words(question.detail)
        return PromptView(title, detail, (), choices=tuple(choices), id=question.id)

    def say_of(
        self, target: MoveTap | OfferTap | AgreeTap, text: str, name: str, look: str = "plain"
    ) -> ChoiceView:
        """A button that says what becomes of a move."""
        tap = self.maker.handles.add("c", ("move", target, str(text)), target)
        match target:
            case MoveTap():
                acts = self.acts(target.about)
            case AgreeTap():
                acts = target.proposal.missing
            case OfferTap():
                acts = target.acts
        return ChoiceView(tap, self.maker.words(text), acts, look=look, name=name)
