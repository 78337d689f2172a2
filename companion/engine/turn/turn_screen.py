"""What a viewer of a turn sees and has begun: a picked offer, dice half entered, a prompt put
first; and what each tap does. A screen derives from it and says how commands are sent.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from companion.engine.moves.cell_ways import way_name
from companion.engine.moves.tray_move import asked_move
from companion.engine.snapshot import Snapshot
from companion.engine.turn.aimed_cells import offer_against, target_at
from companion.engine.turn.card_records import CardView
from companion.engine.turn.card_view import CardMaker
from companion.engine.turn.clock_view import clock_view
from companion.engine.turn.entered_dice import INPUT, EnteredDice, completed
from companion.engine.turn.handles import (
    AgreeTap,
    CancelTap,
    CoachTap,
    DiceTap,
    FormTap,
    Handles,
    LookTap,
    MoveTap,
    OfferTap,
    PlaceTap,
    SelectTap,
    SendTap,
    TapTarget,
)
from companion.engine.turn.page_view import (
    corrections_view,
    page_view,
    private_form,
    score_view,
    secret_view,
)
from companion.engine.turn.placing import Placing, place_view
from companion.engine.turn.selection import (
    OfferKey,
    corrected,
    form_key,
    offer_key,
    piece_actions,
)
from companion.engine.turn.turn_records import (
    ClockView,
    FormView,
    PageView,
    PlaceView,
    PromptView,
    ScorePageView,
)
from companion.engine.turn.turn_view import Rolling, ViewMaker
from companion.games.api.play import Plain, Refusal
from companion.games.api.prompt import ActionOffer, DiceRequest, TargetCell, rerolled_dice
from companion.session.game_view import GameView
from models import Pose, Table
from models.board import Cell
from models.board_table import BoardPiece
from models.field import Field, shown
from models.message import joined, say
from models.unit import Point

Made = TypeVar("Made")
View = TypeVar("View")

STALE = Refusal("STALE", say("this is not offered any more"))


class TurnScreen(ABC):
    """The turn as one viewer sees it: a seat, or the shared tablet (no seat), where all act."""

    def __init__(self, seat: str | None = None) -> None:
        self.seat = seat
        self.seen = Snapshot()
        self.handles = Handles()
        self.rolling: Rolling | None = None
        self.entered: EnteredDice | None = None
        """The dice of a prompt as far as they are entered."""
        self.picked: OfferKey | None = None
        """The offer that the button carries out: its kind, piece and target."""
        self.shown = ""
        """The handle of the choice whose row was tapped: the button at the foot does it."""
        self.focus = ""
        """The id of the prompt that the viewer wants to answer first."""
        self.tapped = False
        """Whether the piece was selected after the newest step."""
        self.app_rolls = False
        """Whether this viewer lets the app roll whatever it may roll."""
        self.placing: Placing | None = None
        """The tray in this viewer's fingers."""
        self.step: tuple[str, int] | None = None
        """The game and its newest step that is more than new positions."""

    @abstractmethod
    def words(self, text: str) -> str:
        """A text in the viewer's language."""

    @abstractmethod
    def send(self, commands: Sequence[Plain]) -> Refusal | None:
        """Send commands to the game."""

    @abstractmethod
    def select(self, piece: str | None) -> Refusal | None:
        """Select a piece, or none."""

    @abstractmethod
    def look(self, tap: LookTap) -> None:
        """Let one seat look alone."""

    def take_up(self, offer: ActionOffer) -> bool:
        """Let a finger move the piece of an action; False where no finger can."""
        return False

    def decide(self, tap: MoveTap) -> Refusal | None:
        """What the players say of a move that a camera saw, or that is due."""
        return STALE

    def agree(self, tap: AgreeTap) -> Refusal | None:
        """What this viewer says to the proposal of another one."""
        return STALE

    def ask_coach(self, seat: str) -> Refusal | None:
        """Show what a seat could do best, or put that away."""
        return STALE

    def put_down(self, placing: Placing, action: str, commands: Sequence[Plain]) -> Refusal | None:
        """Leave a tray where it was tried, in one step with its action."""
        return STALE

    def leave_there(self, placing: Placing) -> Refusal | None:
        """Carry out the action of a tray that stays where it is."""
        return STALE

    def try_at(self, placing: Placing, pose: Pose) -> Refusal | None:
        """Try a tray at another place; nothing is recorded."""
        return STALE

    # -- looking -------------------------------------------------------------------------------

    def see(self, snapshot: Snapshot) -> None:
        """The newest snapshot: a step ends what was begun, other odds do not."""
        before, self.seen = self.seen, snapshot
        step = snapshot.path, snapshot.view.decided if snapshot.view is not None else 0
        if step != self.step:
            # A screen that is shown again keeps the selection, and so its card; but what waits for
            # the piece that acts is not hidden by it.
            piece = snapshot.piece(snapshot.chosen)
            again = self.step is None and snapshot.chosen_at == step[1]
            again |= self.tapped and corrected(before.view, snapshot.view, snapshot.chosen)
            self.tapped = again and piece is not None and piece.state != "acting"
            self.step, self.focus = step, ""
            self.rolling = self.entered = self.picked = self.placing = None
        elif (before.chosen, before.chosen_at) != (snapshot.chosen, snapshot.chosen_at):
            self.tapped, self.rolling = not snapshot.by_itself, None
        elif place_of(before) != place_of(snapshot):
            self.tapped = False  # it was moved, not asked about
        if self.rolling is not None and snapshot.offers != before.offers:
            self.rolling = self.renewed(self.rolling)
        self.handles.wake()

    def go_on_entering(self, given: Sequence[tuple[str, Any]]) -> None:
        """Go on with dice of the first prompt that were entered before the app ended."""
        asked = next((one.dice for one in self.seen.prompts if one.dice is not None), None)
        if given and asked is not None:
            self.entered = EnteredDice.begin(asked).replayed(given)

    def renewed(self, rolling: Rolling) -> Rolling:
        """The same commands with the odds of the newest positions."""
        for offer in self.seen.offers:
            if offer.commands == rolling.commands and offer.dice is not None:
                dice = rolling.dice.renewed(offer.dice) or EnteredDice.begin(offer.dice)
                return replace(rolling, dice=dice, detail=detail_of(offer))
        return rolling

    def maker(self, seat: str | None) -> ViewMaker:
        """Makes views as a seat sees them."""
        return ViewMaker(
            self.seen, self.handles, self.words, seat, self.seat is None, self.app_rolls
        )

    def card(self, blind: bool = False) -> CardView:
        """The card of what to do now; its handles replace the earlier ones.

        `blind`: the camera is lost and the players do not play on without it.
        """
        self.handles.begin()
        begun = self.rolling, self.entered, self.picked, self.focus, self.tapped
        card = CardMaker(self.maker(self.seat), *begun, blind, self.shown).card()
        self.handles.end()
        return card

    # -- beside the turn -----------------------------------------------------------------------

    def page(self, page: str) -> PageView | None:
        """A page of the game; its handles replace the earlier ones."""
        found = next((one for one in self.seen.pages if one.id == page), None)
        return self.made(page_view, found) if found is not None else None

    def score_page(self) -> ScorePageView | None:
        """The score; its handles replace the earlier ones."""
        score = self.seen.score
        return self.made(score_view, score) if score is not None else None

    def corrections(self, piece: str) -> PageView | None:
        """What may be corrected at a piece; its handles replace the earlier ones."""
        found = self.seen.piece(piece)
        return self.made(corrections_view, found) if found is not None else None

    def clock(self) -> ClockView:
        """The players' clock; its handles replace the earlier ones."""
        return self.made(clock_view, self.seen.state.get("clock") or {})

    def place(self) -> PlaceView | None:
        """The tray in this viewer's fingers; its handles replace the earlier ones."""
        return self.made(place_view, self.placing) if self.placing is not None else None

    def alone(self, tap: LookTap, own: GameView) -> PageView | PromptView | FormView | None:
        """What one seat looks at alone at a shared tablet, made of what that seat sees.

        None if there is nothing to look at. Its handles replace the earlier ones.
        """
        self.seen = replace(self.seen, view=own)
        match tap.what:
            case "page":
                pages = (one for one in own.pages if one.id == tap.name)
                page = next(pages, None)
                return self.made(page_view, page, tap.seat) if page is not None else None
            case "prompt":
                asked = next((one for one in own.prompts if one.id == tap.name), None)
                return self.made(secret_view, asked, tap.seat) if asked is not None else None
        found = (
            (prompt, form)
            for prompt in own.prompts
            for form in prompt.forms
            if form_key(form) == tap.name
        )
        return self.made(private_form, next(found, None), tap.seat)

    def made(
        self, make: Callable[[ViewMaker, Made], View], about: Made, seat: str | None = None
    ) -> View:
        """A record with new handles."""
        self.handles.begin()
        view = make(self.maker(seat or self.seat), about)
        self.handles.end()
        return view

    # -- what was begun ------------------------------------------------------------------------

    def picked_offer(self) -> ActionOffer | None:
        """The offer that the viewer picked and has not carried out."""
        return next((offer for offer in self.seen.offers if offer_key(offer) == self.picked), None)

    def aimed(self) -> ActionOffer | None:
        """The offer that the button carries out: the picked one, else the best."""
        return piece_actions(self.seen, None, "", self.picked).picked

    # -- taps ----------------------------------------------------------------------------------

    def tap(self, given: Mapping[str, Any]) -> Refusal | None:
        """What a tap on a handle of the newest view does."""
        target = self.handles.find(given["tap"])
        if target is None:
            return STALE
        fitting = fitting_keys(target)
        if isinstance(target, FormTap):
            given = {"values": {}, **given}
        for key in given:
            if key != "tap" and key not in fitting:
                return Refusal(INPUT, say("{key} does not belong to this tap", key=shown(key)))
        match target:
            case DiceTap(dice, commands, prompt):
                return self.roll(dice, commands, given, prompt)
            case SendTap(commands, dice, text, detail, acts):
                move = asked_move(self.seen, commands) if dice is None else None
                if move is not None and self.take_up(move):
                    return None
                return self.start(commands, dice, text, detail, acts, given)
            case OfferTap(offer, acts):
                return self.take(offer, acts, given)
            case FormTap(form, command, acts, _, others):
                values = Field(dict(given), "intent").member("values").members()
                filled = form.with_values(values)
                done = filled if isinstance(filled, Refusal) else filled.finished()
                if isinstance(done, Refusal):
                    return done
                whole, dice = {**command, **done}, None
                if form.form.rolls:
                    dice = rerolled_dice(done[form.form.rolls], others, whole)
                return self.start((whole,), dice, form.form.text, "", acts, {})
            case SelectTap(piece):
                return self.select(piece)
            case MoveTap():
                return self.decide(target)
            case PlaceTap():
                return self.put(target)
            case AgreeTap():
                return self.agree(target)
            case CoachTap(seat):
                return self.ask_coach(seat)
            case LookTap():
                self.look(target)
            case CancelTap():
                self.rolling = self.entered = self.picked = self.placing = None
        return None

    def put(self, tap: PlaceTap) -> Refusal | None:
        """Put down the tray that was tried, at another place, or where it stood."""
        placing = self.placing
        if placing is not None and tap.at is not None:
            return self.try_at(placing, tap.at)
        self.placing = None
        if placing is None:
            return STALE
        if tap.stays:
            return self.leave_there(placing)
        return self.carry_out_at(placing, tap.action, tap.commands)

    def carry_out_at(
        self, placing: Placing, action: str, commands: Sequence[Plain]
    ) -> Refusal | None:
        """Carry out an action by where its tray was put; one with dice by rolling them, and the
        tray then goes as far as they let it."""
        rolls = placing.rolls(action, commands)
        if rolls is not None:
            return self.take(rolls, self.maker(self.seat).offer_acts(rolls), {})
        return self.put_down(placing, action, commands)

    def show_first(self, prompt: str) -> None:
        """Put another prompt first."""
        self.focus = prompt

    def pick(self, tap: str) -> Refusal | None:
        """The button carries out this offer from now on; its piece is selected."""
        target = self.handles.find(tap)
        return self.pick_offer(target.offer) if isinstance(target, OfferTap) else STALE

    def pick_offer(self, offer: ActionOffer) -> Refusal | None:
        """The button carries out this offer from now on; its piece is selected."""
        self.picked = offer_key(offer)
        if offer.piece and offer.piece != self.seen.chosen:
            return self.select(offer.piece)
        return None

    def tap_cell(self, cell: Cell, piece: str | None, point: Point | None = None) -> bool:
        """A tap on a cell with a piece on it, or none; whether it means anything now."""
        target = target_at(self.seen, self.picked, cell, point)
        if target is not None:
            self.take_cell(*target)
            return True
        offer = offer_against(self.seen, self.picked, piece) if piece else None
        if offer is None:
            return False
        if offer_key(offer) == self.picked and offer.commands:
            self.take(offer, (), {})
        else:
            self.pick_offer(offer)
        return True

    def take_cell(self, offer: ActionOffer | None, target: TargetCell) -> Refusal | None:
        """Do what a tap on a cell does: the camera's question, a prompt, or an aimed offer."""
        moved = next(iter(self.seen.cell_moves), None)
        if moved is not None and target in moved.cells:
            if len(moved.ways) > 1:  # a button says which
                return None
            return self.decide(MoveTap("place", moved.piece, cell=target.cell))
        if offer is None:
            return self.send(target.commands)
        acts = self.maker(self.seat).offer_acts(offer)
        return self.start(target.commands, offer.dice, offer.text, detail_of(offer), acts, {})

    def take(
        self, offer: ActionOffer, acts: tuple[str, ...], given: Mapping[str, Any]
    ) -> Refusal | None:
        """Carry out an offer: after its dice, aimed at a cell, or with where its piece goes."""
        if not offer.commands:
            self.picked = offer_key(offer)
            return None
        if (offer.moves or way_name(offer)) and offer.dice is None and self.take_up(offer):
            return None
        if offer.closes:
            self.select(None)
        return self.start(offer.commands, offer.dice, offer.text, detail_of(offer), acts, given)

    def start(
        self,
        commands: tuple[Plain, ...],
        dice: DiceRequest | None,
        text: str,
        detail: str,
        acts: tuple[str, ...],
        given: Mapping[str, Any],
    ) -> Refusal | None:
        """Send commands at once, or ask for the dice of the last one first."""
        if dice is None or (self.app_rolls and dice.optional and len(given) <= 1):
            return self.send(commands)
        begun = Rolling(text, commands, EnteredDice.begin(dice), detail, acts)
        if "faces" in given or "count" in given:
            return self.roll(begun.dice, commands, given, begun=begun)
        self.rolling = begun
        return None

    def roll(
        self,
        dice: EnteredDice,
        commands: tuple[Plain, ...],
        given: Mapping[str, Any],
        prompt: str = "",
        begun: Rolling | None = None,
    ) -> Refusal | None:
        """Enter dice; the last ones send the commands. A bare tap lets the game roll. `begun` is
        what rolls them, where it was not shown before."""
        if "faces" in given and "count" in given:
            return Refusal(INPUT, say("give 'faces' or 'count', not both"))
        if "faces" in given:
            entered = dice.with_faces(given["faces"])
        elif "count" in given:
            entered = dice.with_number(given["count"])
        elif not dice.app_rolls:
            return Refusal(INPUT, say("give 'faces' or 'count': the game does not roll these dice"))
        else:
            self.entered = None
            return self.send(completed(commands, dice.so_far if dice.place else None))
        if isinstance(entered, Refusal):
            return entered
        if entered.command is not None:
            self.entered = None
            return self.send(completed(commands, entered.command))
        if prompt:
            self.entered = entered
        elif rolling := begun or self.rolling:
            self.rolling = replace(rolling, dice=entered)
        return None


def detail_of(offer: ActionOffer) -> str:
    """What stands under an offer while its dice are rolled."""
    return joined([text for text in (offer.detail, offer.odds) if text], " · ")


def place_of(snapshot: Snapshot) -> Pose | BoardPiece | None:
    """Where the selected piece stands."""
    table, chosen = snapshot.table, snapshot.chosen
    if table is None or chosen is None or chosen not in table:
        return None
    return table.unit(chosen).pose if isinstance(table, Table) else table.piece(chosen)


def fitting_keys(target: TapTarget) -> frozenset[str]:
    """The further keys that a tap on this may have."""
    if isinstance(target, FormTap):
        return frozenset({"values"})
    asks_dice = isinstance(target, DiceTap) or (
        isinstance(target, SendTap) and target.dice is not None
    )
    offered = isinstance(target, OfferTap) and target.offer.dice is not None
    return frozenset({"faces", "count"} if asks_dice or offered else ())
