"""The column beside the table: one card that says what to do now, and the dock under it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.render.compositor import CachedLayer
from companion.app.render.theme import FONTS, THEME
from companion.app.turn.card import Card, TurnOwner
from companion.app.turn.dice_entry import DiceEntry, Done
from companion.app.turn.dock import Dock
from companion.app.turn.entry_form import EntryForm, Pieces
from companion.app.turn.turn_cards import card_of
from companion.app.widgets.controls import CardBox, Rows, Text
from companion.app.widgets.page import TouchGuard
from companion.app.widgets.seat_widgets import SeatBanner
from companion.engine.app_words import _
from companion.engine.snapshot import CameraView, Snapshot
from companion.engine.turn.entered_dice import EnteredDice, completed
from companion.engine.turn.selection import form_key, offer_key
from companion.engine.turn.turn_view import Rolling
from companion.games.api.prompt import ActionOffer, DiceRequest, PromptForm
from models import Pose, Table
from models.board_table import BoardPiece

LONG_TITLE = 26
"""A longer title is written smaller."""


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
        self.add_widget(self.dock)
        self.snapshot = Snapshot()
        self.live = CameraView()
        self.picked: tuple[str, str, str] | None = None
        """The offer that the primary button carries out: kind, piece and target."""
        self.rolling: Rolling | None = None
        self.tapped = False
        """Whether the piece was selected after the newest step."""
        self.unfolded = False
        self.focus = ""
        """The id of the prompt that the players want to answer first."""
        self.opened = ""
        """The form that lies open instead of the prompt: its `form_key`."""
        self.form: EntryForm | None = None
        """The form on the card: a tap on a piece that it asks for answers it."""
        self.on_map = False
        """Whether the players go on without the lost camera."""
        self._about: object = None
        self._shown: object = None
        self._entry: tuple[object, DiceEntry] | None = None

    def show(self, snapshot: Snapshot) -> None:
        """Show the newest snapshot."""
        about = (snapshot.path, snapshot.view.decided if snapshot.view else 0, snapshot.chosen)
        if about != self._about:
            step = self._about is None or about[:2] != self._about[:2]  # type: ignore[index]
            # A screen that is shown again keeps the selection, and so its card.
            self.tapped = not step or (self._about is None and snapshot.chosen is not None)
            self._about = about
            self.rolling, self.unfolded = None, False
            if step:
                self.focus, self.opened, self.picked = "", "", None
            self.rows.scroll_y = 1
        elif place_of(snapshot) != place_of(self.snapshot):
            self.tapped = False  # it was moved, not asked about
        if self.rolling is not None and snapshot.offers != self.snapshot.offers:
            self.rolling = self.rolling_now(self.rolling, snapshot)
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
        self.rebuild(self._build)

    def _build(self) -> None:
        key = self.content()
        if key != self._shown:
            self._shown, self.form = key, None
            self.show_card(card_of(self))
            self.owner.mark_pieces()
        if self._entry is not None:
            self._entry[1].answered()

    def content(self) -> object:
        """Everything the card is built from; new positions of trays alone change none of it."""
        snapshot, score = self.snapshot, self.snapshot.score
        lost = self.live.sight == "lost" and not self.on_map
        return (
            self._about,
            snapshot.seats,
            snapshot.prompts,
            snapshot.offers,
            snapshot.piece(snapshot.chosen),
            [(one.id, one.name, one.short, one.seat, one.state) for one in snapshot.pieces],
            [(one.unit, one.title, one.detail, one.rules, one.in_turn) for one in snapshot.notices],
            snapshot.due,
            snapshot.cell_moves,
            snapshot.camera_questions,
            [(one.id, one.title) for one in snapshot.pages],
            score if score is None or score.winner else score.confirm,
            "" if snapshot.prompts or snapshot.view is None else snapshot.view.headline,
            THEME.text,
            self.rolling,
            self.tapped,
            self.unfolded,
            self.focus,
            self.opened,
            self.picked,
            lost and self.live.why,
        )

    def anew(self) -> None:
        """Build the card again, after a preference changed."""
        self._shown = None
        self.build()

    def show_card(self, card: Card) -> None:
        self.head.show(card)
        self.rows.fill(card.body)
        self.foot.clear_widgets()
        for one in card.foot:
            self.foot.add_widget(one)
        self.card.rim(card.rim)

    # -- what the cards do -------------------------------------------------------------------

    def pick(self, offer: ActionOffer) -> None:
        """The primary button carries out this offer; another piece is selected first."""
        self.picked = offer_key(offer)
        if offer.piece and offer.piece != self.snapshot.chosen:
            self.owner.choose(offer.piece)
        else:
            self.build()

    def take(self, offer: ActionOffer) -> None:
        """Carry out an offer, after its dice if the players roll them."""
        if offer.moves and offer.dice is None and self.owner.move_piece(offer):
            return
        if offer.dice is None:
            self.owner.send(*offer.commands)
            return
        self.roll(dice_card(offer, offer.dice, self.snapshot))

    def roll(self, rolling: Rolling) -> None:
        """Let the players enter dice, or the app roll, then send the commands."""
        if self.owner.liked.dice == "app" and rolling.dice.request.optional:
            self.owner.send(*rolling.commands)
            return
        self.rolling = rolling
        self.rows.scroll_y = 1
        self.build()

    def rolled(self, rolling: Rolling, command: Mapping[str, Any] | None) -> None:
        """The dice are there: the last command is completed with them."""
        self.rolling = None
        self.owner.send(*completed(rolling.commands, command))

    @staticmethod
    def rolling_now(rolling: Rolling, snapshot: Snapshot) -> Rolling:
        """The same commands with the odds of the newest positions."""
        for offer in snapshot.offers:
            if offer.commands == rolling.commands and offer.dice is not None:
                return dice_card(offer, offer.dice, snapshot)
        return rolling

    def entry(self, about: object, request: DiceRequest, done: Done) -> DiceEntry:
        """The dice being entered; a card that is built anew keeps them."""
        key = (self._about, about, THEME.text)
        kept = self._entry
        if kept is not None and kept[0] == key and kept[1].renew(request, done):
            found = kept[1]
        else:
            found = DiceEntry(request, done, self.owner.liked.dice, self.owner.prefer_dice)
            self._entry = (key, found)
        if found.parent is not None:
            found.parent.remove_widget(found)
        return found

    def cancel_roll(self) -> None:
        """Do not roll for the offer after all."""
        self.rolling = None
        self.build()

    def unfold(self) -> None:
        """Show what is not allowed, with the reasons, or hide it."""
        self.unfolded = not self.unfolded
        self.build()

    def ask(self, prompt: str) -> None:
        """Show another prompt first."""
        self.focus = prompt
        self.build()

    def open(self, form: PromptForm | None) -> None:
        """Open a form in place of the prompt, or close it."""
        if form is not None and form.seat:
            self.owner.open_private(form)
            return
        self.opened = form_key(form) if form is not None else ""
        self.rows.scroll_y = 1
        self.build()

    def fill_in(self, form: PromptForm, pieces: Pieces) -> EntryForm:
        """The form on the card; its button is pinned at the foot."""
        self.form = EntryForm(form, self.owner.send, pieces, True, self.owner.mark_pieces)
        return self.form

    def play_on(self) -> None:
        """Go on without the camera."""
        self.on_map = True
        self.owner.camera("map")
        self.build()


def place_of(snapshot: Snapshot) -> Pose | BoardPiece | None:
    """Where the selected piece stands."""
    table, chosen = snapshot.trays, snapshot.chosen
    if table is None or chosen is None or chosen not in table:
        return None
    return table.unit(chosen).pose if isinstance(table, Table) else table.piece(chosen)


def dice_card(offer: ActionOffer, dice: DiceRequest, snapshot: Snapshot) -> Rolling:
    detail = " · ".join(_(part) for part in (offer.detail, offer.odds) if part)
    piece = snapshot.piece(offer.piece)
    acts = (piece.seat,) if piece is not None else ()
    return Rolling(offer.text, offer.commands, EnteredDice.begin(dice), detail, acts)


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

    def show(self, card: Card) -> None:
        self.clear_widgets()
        self.words.clear_widgets()
        if card.seat is not None:
            self.mark.set_seat(card.seat)
            self.add_widget(self.mark)
        long = len(card.title) > LONG_TITLE
        self.title.font_size = THEME.size("large" if long else "title")
        self.title.set_text(card.title)
        self.words.add_widget(self.title)
        if card.text:
            self.lower.set_text(card.text)
            self.words.add_widget(self.lower)
        self.add_widget(self.words)
        if card.close is not None:
            self.add_widget(card.close)
