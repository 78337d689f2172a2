"""The column beside the table: one card that says what to do now, and the dock under it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.core.window import Window
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.render.compositor import CachedLayer
from companion.app.render.theme import FONTS, THEME
from companion.app.turn.card import Card, TurnOwner, upright
from companion.app.turn.dice_entry import DiceEntry
from companion.app.turn.dock import DOCK_DP, Dock
from companion.app.turn.entry_form import EntryForm
from companion.app.turn.paired_rows import paired
from companion.app.turn.prompt_cards import SHORT_DP, keys_close, steps_of_height
from companion.app.turn.turn_cards import card_of
from companion.app.widgets.controls import CardBox, Rows, Text
from companion.app.widgets.page import TouchGuard
from companion.app.widgets.seat_widgets import SeatBanner
from companion.engine.app_words import _
from companion.engine.files.begun_dice import BegunDice
from companion.engine.moves.cell_ways import way_name
from companion.engine.snapshot import CameraView, Snapshot
from companion.engine.turn.card_records import CardView
from companion.engine.turn.filled_form import FilledForm
from companion.engine.turn.handles import AgreeTap, LookTap, MoveTap
from companion.engine.turn.turn_records import ChoiceView, DiceView, FormView
from companion.engine.turn.turn_screen import STALE, TurnScreen
from companion.games.api.play import Plain, Refusal
from companion.games.api.prompt import ActionOffer

LONG_TITLE, LONG_LOW = 26, 18
"""A longer title is written smaller; on a low card sooner."""


class TabletTurn(TurnScreen):
    """The turn at the shared tablet: what it sends goes through the table screen."""

    def __init__(self, owner: TurnOwner) -> None:
        super().__init__()
        self.owner = owner
        self.sent = False
        """Whether the newest tap was sent to the game."""

    def words(self, text: str) -> str:
        """A text in the app's language."""
        return _(text)

    def send(self, commands: Sequence[Plain]) -> None:
        """Send commands; taps do nothing until the game has answered."""
        self.rolling, self.sent = None, True
        self.handles.sleep()
        self.owner.send(*commands)

    def select(self, piece: str | None) -> None:
        """Select a piece."""
        self.owner.choose(piece)

    def look(self, tap: LookTap) -> None:
        """Open what one player answers or fills in alone."""
        self.owner.look_alone(tap)

    def take_up(self, offer: ActionOffer) -> bool:
        """Let a finger move the tray of an action."""
        return self.owner.move_piece(offer)

    def agree(self, tap: AgreeTap) -> None:
        """What the players at the tablet say to a proposal from a phone."""
        self.owner.answer_proposal(tap.proposal, tap.agrees)

    def ask_coach(self, seat: str) -> None:
        """Show what a seat could do best, or put that away."""
        self.owner.ask_coach(seat)

    def decide(self, tap: MoveTap) -> None:
        """What the players say of a move that the camera saw."""
        self.sent = tap.says != "begin"
        match tap.says:
            case "keep":
                self.owner.keep_move(tap.about, tap.action, tap.commands)
            case "correct":
                self.owner.correct_places((tap.about,))
            case "later":
                self.owner.decide_later(tap.about)
            case "all":
                self.owner.decide_all(tap.about)
            case "no":
                self.owner.refuse_question(tap.about)
            case "back":
                self.owner.put_back(tap.about)
            case "begin":
                due = self.seen.due_move(tap.about)
                if due is not None:
                    self.owner.move_piece(due)
            case "stay":
                self.owner.stay(tap.about)
            case "end":
                self.owner.end_move(tap.about, tap.end)
            case "place":
                self.owner.place_piece(tap.about, tap.cell, tap.end)


SENT = 0.4
"""How strong the buttons are drawn from a tap to its answer: what was tapped is seen to be sent."""


class CardColumn(TouchGuard, CachedLayer, BoxLayout):
    """Shows the most urgent card; its primary button is pinned at its foot."""

    def __init__(self, owner: TurnOwner, **more: Any) -> None:
        super().__init__(
            "back", orientation="vertical", padding=dp(10), spacing=THEME.gap("small"), **more
        )
        self.owner = owner
        self.card = CardBox("card", rim="line", size_hint_y=1)
        self.head = CardHead()
        self.rows = Rows()
        self.foot = BoxLayout(
            orientation="vertical", size_hint_y=None, spacing=THEME.gap("small"), height=0
        )
        self.foot.bind(minimum_height=self.foot.setter("height"))
        for one in (self.head, self.rows, self.foot):
            self.card.add_widget(one)
        self.dock = Dock(owner.go)
        self.add_widget(self.card)
        self.take_dock()
        self.turn = TabletTurn(owner)
        self.snapshot = Snapshot()
        self.live = CameraView()
        self.view = CardView()
        """The card that is shown."""
        self.unfolded = False
        self.opened = ""
        """The name of the form that lies open instead of the prompt."""
        self.shown_piece = ""
        """The piece of the choice that a row shows and the button at the foot would do."""
        self.low = False
        """Whether every line is needed: what the head would tell scrolls with the rows."""
        self.form: EntryForm | None = None
        self._filled: dict[tuple[object, str], EntryForm] = {}
        """The form on the card: a tap on a piece that it asks for answers it."""
        self.on_map = False
        """Whether the players go on without the lost camera."""
        self._wide = False
        """Whether short rows lie beside each other."""
        self._steps = steps_of_height(self)
        """What the height decided about the card that is shown."""
        self._renew = Clock.create_trigger(lambda _: self.anew(), 0)
        self.bind(width=self._widened, height=self._heightened)
        self._touched = False
        """Whether a finger was on the window since this card came."""
        self.naming = ""
        """The piece whose tap leads back to a question that it answers."""
        self._waits = False
        """Whether a tap was sent and the game has not answered: the card stays as it was tapped."""
        self._newest: Snapshot | None = None
        """What came meanwhile."""
        self._shown: object = None
        self._entry: tuple[tuple[object, ...], DiceEntry] | None = None
        self.begun = BegunDice()
        """The dice that are entered in part, as they are on disk."""

    def tap_context(self, gold: bool) -> object:
        """What is asked around a control of the card; gold carries the game on, step by step."""
        view, asked = self.view, self.view.prompt
        piece = view.piece.id if view.piece is not None else ""
        about = view.kind, asked.id, asked.title, asked.text, asked.acts, piece, self.opened
        return (*about, self.turn.step) if gold else about

    def on_parent(self, _column: Any, parent: Any) -> None:
        """Know of every finger while it is shown: one on the table may change the card."""
        Window.unbind(on_touch_down=self._finger)
        if parent is not None:
            Window.bind(on_touch_down=self._finger)

    def _finger(self, *_: Any) -> None:
        self._touched = True

    def lower(self, low: bool) -> None:
        """Leave as much height as can be to the rows of the card, as on a small upright screen."""
        if low is not self.low:
            self.low, self.padding = low, dp(6 if low else 10)
            self.anew()

    @property
    def room(self) -> float:
        """Its height without the pages under the card."""
        return float(self.height - (self.dock.height if self.dock.parent is self else 0.0))

    def take_dock(self) -> None:
        """Have the dock under the card."""
        self.dock.size_hint, self.dock.height = (1, None), dp(DOCK_DP)
        self.dock.spacing = THEME.gap("tiny")
        self.add_widget(self.dock)

    def _widened(self, *_: Any) -> None:
        if upright(self) or self._wide:
            self._wide = upright(self)
            self._renew()

    def _heightened(self, *_: Any) -> None:
        if self._shown is not None and steps_of_height(self) != self._steps:
            self._renew()

    def show(self, snapshot: Snapshot) -> None:
        """Show the newest snapshot, when the game has answered what was sent."""
        if self._waits:
            self._newest = snapshot
            return
        self.strengthen(1.0)
        step, chosen = self.turn.step, self.snapshot.chosen
        self.turn.see(snapshot)
        if self.turn.step is not None and self.turn.step != step:
            self.opened = self.turn.shown = self.shown_piece = ""
            before, self.begun = self.begun, self.owner.begun_dice(*self.turn.step)
            if (before.faces or before.given) and before.game == self.turn.step[0]:
                self.owner.keep_dice(BegunDice())  # they are in the log, or taken back
            self.turn.go_on_entering(self.begun.given)
        if self.turn.step != step or chosen != snapshot.chosen:
            self.unfolded, self.rows.scroll_y = False, 1
        self.snapshot = snapshot
        self.dock.show(snapshot)
        self.build()

    def look(self, live: CameraView) -> None:
        """Show that the camera is lost, or that it is back."""
        lost, was = live.sight == "lost", self.live.sight == "lost"
        self.live = live
        if not lost:
            self.on_map = False
        if lost != was:
            self.build()

    def build(self) -> None:
        """Build the card, if it would differ from the one that is shown."""
        if not self._waits:
            self.rebuild(self._build)

    def strengthen(self, opacity: float) -> None:
        """Draw what can be tapped so strong."""
        self.rows.opacity = self.foot.opacity = opacity

    def answered(self) -> None:
        """The game has answered a tap, or refused it."""
        newest, self._waits, self._newest = self._newest, False, None
        self.strengthen(1.0)
        self.empty_dice()
        if newest is not None:
            self.show(newest)
        else:
            self.build()

    def drop_stale_dice(self) -> None:
        """Dice of an earlier step are asked for no more: no camera waits for them."""
        if self._entry is not None and self._entry[0][0] != self.turn.step:
            self._entry[1].close()
            self._entry = None

    def empty_dice(self) -> None:
        """Dice that were sent can be entered again: the game may have refused them."""
        if self._entry is not None:
            self._entry[1].empty()

    def _build(self) -> None:
        lost = self.live.sight == "lost" and not self.on_map
        self.turn.app_rolls = self.owner.liked.dice == "app"
        self.drop_stale_dice()
        before, self.view = self.view, self.turn.card(lost)
        if self.view.prompt.id != before.prompt.id:
            self.rows.scroll_y = 1  # as when the coach answers
        if self.view.kind != before.kind and (self.view.uncalled or before.uncalled):
            self.owner.guard.rest(self.card)
        if self.view.subject != before.subject:
            if self.view.by_itself(before, self._touched):
                self.owner.guard.remember(self.card)
            else:
                self.owner.guard.forget()
            self._touched = False
        opened = self.unfolded, self.opened, self.turn.shown
        looks = *opened, self.snapshot.chosen, self.snapshot.seats, THEME.text
        key = (self.turn.step, self.view, looks, lost and self.live.why)
        if key != self._shown:
            self._shown, self.form, self._steps = key, None, steps_of_height(self)
            self.show_card(card_of(self))
            self.owner.mark_pieces()
            if self.view.kind == "piece":
                self.owner.aim(self.turn.aimed())
        if self.naming and self.snapshot.chosen == self.naming:
            named, self.naming = self.naming, ""
            if self.form is not None and named not in self.form.filled.chosen():
                self.form.tap(named)

    def anew(self) -> None:
        """Build the card again, after a preference changed."""
        self._shown = None
        self.build()

    def show_card(self, card: Card) -> None:
        """Show this card."""
        self.strengthen(1.0)
        if self.low and card.text:
            told = Text(card.text, "body", "soft")
            body = [*card.body, told] if self.view.kind == "piece" else [told, *card.body]
            card = replace(card, text="", body=body)
        self.head.show(card, LONG_LOW if self.room < dp(SHORT_DP) else LONG_TITLE)
        scrolled = self.view.kind == "piece" and self.rows.scroll_y < 1
        inner = self.width - 2 * (self.padding[0] + THEME.gap()) - self.rows.column.padding[2]
        self.rows.fill([*paired(card.body, inner)] if upright(self) else card.body)
        if scrolled:  # the row that was tapped stays under the finger
            self.rows.hold(lambda: None, 0.0)
        self.foot.clear_widgets()
        for one in card.foot:
            self.foot.add_widget(one)
        self.card.rim(card.rim)

    # -- what the cards do -------------------------------------------------------------------

    def act(self, tap: str, **given: Any) -> None:
        """A tap on something that the card offers; a form that is sent is closed."""
        self.turn.sent = False
        refusal = self.turn.tap({"tap": tap, **given})
        if refusal is None and self.turn.sent:
            self.strengthen(SENT)
            self._waits = True
            self.owner.when_done(self.answered)
        else:
            self.empty_dice()
        if refusal is None and "values" in given:
            self.opened = ""
            self.owner.close_form()
        self.done(refusal)

    def pick(self, tap: str) -> None:
        """The primary button carries out this offer; another piece is selected first.

        Moving the tray under a camera begins it too.
        """
        self.done(self.turn.pick(tap))
        offer = self.turn.picked_offer()
        if offer is not None:
            self.owner.intend(offer.piece, offer.kind if offer.moves else way_name(offer))

    def done(self, refusal: Refusal | None) -> None:
        """Say why not, and show what was begun; a second finger on a button does nothing."""
        entered = self.turn.entered
        if entered is not None and entered.given != self.begun.given:
            self.keep_dice()
        if refusal is not None and refusal is not STALE:
            self.owner.say(_(refusal.say))  # its rule is told where somebody asks why
        rolling = self.view.kind == "roll"
        self.build()
        if self.view.kind == "roll" and not rolling:
            self.rows.scroll_y = 1

    def take(self, offer: ActionOffer) -> None:
        """Carry out an offer, after its dice."""
        self.done(self.turn.take(offer, (), {}))

    def keep_dice(self, question: str = "", faces: Sequence[int] = ()) -> None:
        """What is entered so far is on disk, and stays there until its step is."""
        if self.turn.step is None:
            return
        entered = self.turn.entered
        given = entered.given if entered is not None else ()
        begun = BegunDice(*self.turn.step, given, question if faces else "", tuple(faces))
        if begun != self.begun:
            self.begun = begun
            self.owner.keep_dice(begun)

    def entry(self, dice: DiceView) -> DiceEntry:
        """The dice being entered; a card that is built anew keeps them."""
        camera, low = self.owner.liked.dice == "camera", keys_close(self)
        key = (self.turn.step, dice.tap, THEME.text, camera, low, self.view.seat)
        kept = self._entry
        if kept is not None and kept[0] == key:
            found = kept[1]
            found.renew(dice)
        else:
            if kept is not None:
                kept[1].close()
            act, liked = partial(self.act, dice.tap), self.owner.liked
            found = DiceEntry(
                dice,
                act,
                liked.dice,
                self.owner.prefer_dice,
                self.live.number > 0,
                self.begun.faces if self.begun.question == dice.question else (),
                partial(self.keep_dice, dice.question),
                low,
                self.snapshot.seat(self.view.seat),
            )
            reader = self.owner.dice_camera
            if reader is not None:
                found.watch(reader, self.owner.throw_taken, liked.dice_at_once)
            self._entry = (key, found)
        if found.parent is not None:
            found.parent.remove_widget(found)
        found.asked = (self.turn.step, self.view.prompt.id, dice.then, dice.count, dice.sides)
        return found

    def show_first(self, choice: ChoiceView) -> None:
        """Show what a row would do; the button at the foot does it."""
        self.turn.shown, self.shown_piece = choice.tap, choice.piece
        self.build()

    def unfold(self) -> None:
        """Show what is not allowed, with the reasons, or hide it."""
        self.unfolded = not self.unfolded
        self.build()

    def ask(self, prompt: str) -> None:
        """Show another prompt first."""
        self.turn.show_first(prompt)
        self.build()

    def open(self, form: FormView | None) -> None:
        """Open a form in place of the prompt, or close it."""
        self.opened = form.name if form is not None else ""
        self.rows.scroll_y = 1
        self.build()

    def open_in_sheet(self, form: FormView) -> None:
        """Open a form over the screen."""
        self.owner.open_form(form, self.entry_form(form))

    def fill_in(self, form: FormView, gold: bool = True) -> EntryForm:
        """The form on the card; its button is pinned at the foot, `gold` where nothing else is the
        next step.

        What was entered is there again after a look at another piece.
        """
        about = self.turn.step, form.name
        kept = {key: one for key, one in self._filled.items() if key[0] == self.turn.step}
        given = kept[about].filled.entered if about in kept else {}
        self.form = self.entry_form(form, True, given, gold)
        self._filled = {**kept, about: self.form}
        return self.form

    def marked(self, form: FormView) -> bool:
        """Whether players have marked dice on the table to roll again."""
        kept = self._filled.get((self.turn.step, form.name))
        return bool(form.rolls and kept is not None and kept.filled.given.get(form.rolls))

    def entry_form(
        self,
        form: FormView,
        pinned: bool = False,
        entered: Mapping[str, Any] | None = None,
        gold: bool = True,
    ) -> EntryForm:
        """A form to fill in, with what was entered before."""

        def send(filled: FilledForm) -> None:
            self.act(form.tap, values=filled.values)

        changed = self.owner.mark_pieces if pinned else None
        changed = self.anew if form.rolls and pinned else changed  # what is marked is gold
        filled = FilledForm.begin(form)
        filled = replace(filled, given={**filled.given, **(entered or {})})
        return EntryForm(filled, send, pinned, changed, gold)

    def play_on(self) -> None:
        """Go on without the camera."""
        self.on_map = True
        self.owner.camera("map")
        self.build()


class CardHead(BoxLayout):
    """The banner of the seat, the title and one sentence."""

    def __init__(self) -> None:
        super().__init__(size_hint_y=None, spacing=THEME.gap())
        self.bind(minimum_height=self.setter("height"))
        self.mark = SeatBanner()
        self.mark.pos_hint = {"top": 1}
        self.words = BoxLayout(orientation="vertical", size_hint_y=None, spacing=dp(2))
        self.words.bind(minimum_height=self.words.setter("height"))
        self.title = Text("", "title", bold=True)
        self.title.font_name = FONTS["title"]
        self.title.line_height = 0.86
        self.lower = Text("", "body", "soft")

    def show(self, card: Card, long_from: int = LONG_TITLE) -> None:
        """Show the head of this card; a longer title is written smaller."""
        self.clear_widgets()
        self.words.clear_widgets()
        if card.seat is not None:
            self.mark.set_seat(card.seat)
            self.add_widget(self.mark)
        long = len(card.title) > long_from
        self.title.font_size = THEME.size("large" if long else "title")
        self.title.set_text(card.title)
        self.words.add_widget(self.title)
        if card.text:
            self.lower.set_text(card.text)
            self.words.add_widget(self.lower)
        self.add_widget(self.words)
        if card.close is not None:
            self.add_widget(card.close)
