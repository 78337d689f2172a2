"""The cards of a turn, from the game's records: prompt, piece, dice, moves, camera, end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

from kivy.metrics import dp
from kivy.uix.stacklayout import StackLayout
from kivy.uix.widget import Widget

from companion.app.engine.app_words import _
from companion.app.engine.snapshot import CameraView, Notice, Snapshot
from companion.app.files.preferences import Preferences
from companion.app.render.theme import SKIN
from companion.app.widgets.controls import CardBox, Text, TouchButton, heading
from companion.app.widgets.dice_entry import DiceEntry, percent
from companion.app.widgets.dice_input import Die
from companion.app.widgets.entry_form import EntryForm
from companion.app.widgets.layouts import grid, row
from companion.app.widgets.option_row import OptionRow
from companion.app.widgets.task_modal import Gauge
from companion.games.api.offer import ActionOffer
from companion.games.api.piece_view import PieceView
from companion.games.api.prompt import Choice, DiceRequest, Fact, Prompt
from companion.games.api.score_view import ScoreView
from companion.games.api.seats import SeatView
from models.lazy_message import say

BEST = 3
"""How many offers the overview names."""
SHORT = 16
"""A text up to this length fits half the width of the card."""
TINTS = {"good": "good", "bad": "bad", "warn": "warn", "": "soft"}
FACE_SIDES = 6


class Owner(Protocol):
    """What the cards ask of the screen."""

    @property
    def liked(self) -> Preferences:
        """The preferences: how dice are entered."""
        ...

    def prefer_dice(self, how: str) -> None:
        """Remember how dice are entered."""

    def send(self, *commands: Mapping[str, Any]) -> None:
        """Send commands to the game."""

    def choose(self, unit: str | None) -> None:
        """Select a piece."""

    def say(self, text: str, why: str = "") -> None:
        """Show a toast."""

    def keep_move(self, unit: str) -> None:
        """Accept a detected move."""

    def put_back(self, unit: str) -> None:
        """Reject a detected move."""

    def go(self, place: str) -> None:
        """Open a page."""

    def secret(self, prompt: Prompt, seat: str) -> None:
        """Let one player answer a secret prompt."""

    def camera(self, act: str) -> None:
        """Reconnect, choose another camera, or play on the map."""


class Column(Protocol):
    """The column that shows the cards, with what the players chose in it."""

    owner: Owner
    snapshot: Snapshot
    live: CameraView
    picked: tuple[str, str, str] | None
    rolling: ActionOffer | None
    unfolded: bool
    focus: str
    on_map: bool

    def pick(self, offer: ActionOffer) -> None:
        """The primary button carries out this offer."""

    def take(self, offer: ActionOffer) -> None:
        """Carry out an offer."""

    def rolled(self, offer: ActionOffer, command: Mapping[str, Any] | None) -> None:
        """The dice of an offer are there."""

    def drop(self) -> None:
        """Do not roll for the offer after all."""

    def unfold(self) -> None:
        """Show what is not allowed, or hide it."""

    def ask(self, prompt: str) -> None:
        """Show another prompt first."""

    def play_on(self) -> None:
        """Go on without the camera."""


@dataclass
class Card:
    """A card: its head, what scrolls, and what is pinned at its foot."""

    title: str
    text: str = ""
    seat: SeatView | None = None
    body: list[Widget] = field(default_factory=list)
    foot: list[Widget] = field(default_factory=list)
    rim: str = "line"
    close: Widget | None = None


def offer_key(offer: ActionOffer) -> tuple[str, str, str]:
    """What makes an offer the same in the next snapshot."""
    return offer.kind, offer.piece, offer.target or offer.text


def card_of(column: Column) -> Card:
    """The most urgent card."""
    snapshot = column.snapshot
    prompt = first_prompt(column)
    entering = column.rolling is not None or (prompt is not None and prompt.dice is not None)
    if column.live.sight == "lost" and not column.on_map:
        return camera_card(column)
    if snapshot.notices and not entering:
        return moves_card(column)
    if column.rolling is not None:
        card = roll_card(column, column.rolling)
    elif snapshot.score is not None and snapshot.score.winner:
        card = won_card(column, snapshot.score)
    else:
        card = prompt_or_piece(column, prompt)
    if entering:  # a tray that comes to rest must not push the dice away
        for notice in snapshot.notices:
            card.body.append(move_box(column, notice))
    return card


def first_prompt(column: Column) -> Prompt | None:
    """The prompt to answer now: the one the players chose, else the most urgent."""
    prompts = column.snapshot.prompts
    chosen = next((one for one in prompts if one.id == column.focus), None)
    return chosen or (prompts[0] if prompts else None)


def prompt_or_piece(column: Column, prompt: Prompt | None) -> Card:
    """The prompt; while it asks for a piece, the selected piece and what it may do."""
    piece = column.snapshot.piece(column.snapshot.chosen)
    asks_piece = prompt is None or (not prompt.dice and (prompt.pieces or not prompt.choices))
    if piece is not None and asks_piece:
        return piece_card(column, piece, prompt)
    if prompt is None:
        return Card(
            _("Nothing to decide"), _(column.snapshot.view.headline if column.snapshot.view else "")
        )
    return prompt_card(column, prompt)


# -- the prompt ----------------------------------------------------------------------------------


def prompt_card(column: Column, prompt: Prompt) -> Card:
    """What the game waits for."""
    seat = column.snapshot.seat(prompt.seats[0]) if len(prompt.seats) == 1 else None
    card = Card(_(prompt.title), _(prompt.text), seat)
    card.body += [fact_line(one) for one in prompt.facts]
    if prompt.rolled:
        card.body.append(dice_row(prompt.rolled))
    if prompt.secret:
        card.body += secret_rows(column, prompt)
    elif prompt.dice is not None:
        add_dice(column, card, prompt)
    if prompt.pieces:
        card.body += overview(column, prompt)
    card.body += [
        EntryForm(form, column.owner.send, lambda: named(column.snapshot, prompt.pieces))
        for form in prompt.forms
    ]
    add_choices(column, card, prompt)
    card.body += others(column, prompt)
    return card


def add_dice(column: Column, card: Card, prompt: Prompt) -> None:
    """The dice of a prompt: keys, or one button where the app rolls."""
    request = prompt.dice
    assert request is not None
    send = column.owner.send
    if column.owner.liked.dice == "app" and request.optional:
        card.body.append(
            TouchButton(
                _("Enter own dice"),
                partial(column.owner.prefer_dice, "count"),
                "quiet",
                size="small",
                name="own-dice",
            )
        )
        card.foot.append(
            TouchButton(
                roll_text(request), partial(send, request.command), "primary", name="app-rolls"
            )
        )
        return

    def done(filled: Mapping[str, Any] | None) -> None:
        send(request.command if filled is None else filled)

    card.body.append(DiceEntry(request, done, column.owner.liked.dice, column.owner.prefer_dice))
    if request.optional:
        card.body.append(always_rolls(column))


def roll_text(request: DiceRequest) -> str:
    """The text of the button that lets the app roll."""
    return _(say("Roll {n} die", "Roll {n} dice", n=request.count))


def always_rolls(column: Column) -> TouchButton:
    """A button that lets the app roll from now on."""
    return TouchButton(
        _("Let the app roll from now on"),
        partial(column.owner.prefer_dice, "app"),
        "bare",
        size="small",
        name="app-always",
    )


def add_choices(column: Column, card: Card, prompt: Prompt) -> None:
    """The choices: rows in the body, at most one primary button at the foot."""
    send = column.owner.send
    primary = next((one for one in prompt.choices if one.look == "primary"), None)
    chosen = column.snapshot.chosen
    tapped = next((one for one in prompt.choices if one.piece and one.piece == chosen), None)
    quiet: list[TouchButton] = []
    for number, one in enumerate(prompt.choices):
        if one is primary:
            continue
        name = choice_name(one, number)
        act = partial(send, *one.commands)
        if one.look == "quiet":
            quiet.append(TouchButton(_(one.text), act, "quiet", _(one.detail), name=name))
        else:
            card.body.append(
                OptionRow(
                    _(one.text), act, _(one.detail), kind=one.icon, chosen=one is tapped, name=name
                )
            )
    if prompt.page and not prompt.secret:
        title = next((one.title for one in column.snapshot.pages if one.id == prompt.page), "")
        place = prompt.page if prompt.page == "score" else f"page:{prompt.page}"
        look = "plain" if primary or card.foot else "primary"
        press = TouchButton(
            _("Open: {page}", page=_(title) if title else _("Score")),
            partial(column.owner.go, place),
            look,
            name="to-page",
        )
        (card.foot if look == "primary" else card.body).append(press)
    if quiet:
        short = all(len(one.text) <= SHORT for one in quiet)
        card.foot.insert(0, grid(quiet, 2 if short else 1))
    if primary is not None:
        look = "plain" if any(is_gold(one) for one in card.foot) else "primary"
        card.foot.append(
            TouchButton(
                _(primary.text),
                partial(send, *primary.commands),
                look,
                _(primary.detail),
                name=choice_name(primary, 0),
            )
        )


def is_gold(widget: Widget) -> bool:
    """Whether a widget is the primary button."""
    return isinstance(widget, TouchButton) and widget.look == "primary"


def choice_name(choice: Choice, number: int) -> str:
    """A stable name of a choice's button: its first command's words."""
    if not choice.commands:
        return f"choice:{number}"
    command = choice.commands[-1]
    words = [str(value) for key, value in command.items() if isinstance(value, str | bool | int)]
    return f"choice:{':'.join(words)}"


def secret_rows(column: Column, prompt: Prompt) -> Iterator[Widget]:
    """One row for each player who still has to answer alone."""
    for seat in prompt.seats:
        found = column.snapshot.seat(seat)
        name = _(found.name) if found is not None else seat
        if seat in prompt.answered:
            yield Text(f"{SKIN.mark(seat)} {name}: {_('has chosen')} ✓", colour="soft")
        else:
            yield OptionRow(
                f"{SKIN.mark(seat)} {name}",
                partial(column.owner.secret, prompt, seat),
                _("choose in secret"),
                name=f"secret:{seat}",
            )


def overview(column: Column, prompt: Prompt) -> Iterator[Widget]:
    """The best offers of the pieces that are asked for, then the other pieces."""
    snapshot = column.snapshot
    best: dict[str, ActionOffer] = {}
    for offer in snapshot.offers if snapshot.chosen is None else ():
        if offer.verdict != "no" and offer.piece and offer.commands:
            best.setdefault(offer.piece, offer)
    shown = list(best.values())[:BEST]
    if shown:
        yield heading(_("BEST CHANCES"))
    for offer in shown:
        yield OptionRow(
            _(snapshot.name(offer.piece)),
            partial(column.pick, offer),
            _(offer.text),
            _(offer.odds),
            offer.kind,
            name=f"best:{offer.piece}",
        )
    named_already = {offer.piece for offer in shown}
    # A piece with a choice of its own has a row of its own.
    named_already |= {one.piece for one in prompt.choices if one.piece}
    rest = [one for one in prompt.pieces if one not in named_already]
    if rest:
        yield heading(_("ALSO READY") if shown else _("READY"))
        yield grid(
            [
                TouchButton(
                    _(short_name(snapshot, one)),
                    partial(column.owner.choose, one),
                    size="small",
                    name=f"unit:{one}",
                )
                for one in rest
            ],
            3,
        )


def others(column: Column, prompt: Prompt) -> Iterator[Widget]:
    """The prompts that wait behind this one."""
    rest = [one for one in column.snapshot.prompts if one.id != prompt.id]
    if rest:
        yield heading(_("THEN"))
    for one in rest:
        yield OptionRow(_(one.title), partial(column.ask, one.id), name=f"prompt:{one.id}")


def fact_line(fact: Fact) -> Widget:
    """Something already known, with its chance as a bar."""
    sign = {"good": "✓ ", "bad": "✕ ", "warn": "? "}.get(fact.tone, "")
    text = Text(f"{sign}{_(fact.text)}", "body", TINTS[fact.tone] if fact.tone else "text")
    if fact.chance is None:
        return text
    box = CardBox("panel", pad="tiny")
    box.padding = 0
    text.bold = True
    box.add_widget(text)
    box.add_widget(Gauge(fact.chance, "good"))
    box.add_widget(Text(percent(fact.chance), "small", "soft"))
    return box


def dice_row(faces: Sequence[int | str]) -> Widget:
    """Dice that lie on the table."""
    box = StackLayout(size_hint_y=None, spacing=SKIN.gap("tiny"))
    box.bind(minimum_height=box.setter("height"))
    for face in faces:
        if isinstance(face, int) and 1 <= face <= FACE_SIDES:
            box.add_widget(Die(face, None, 40))
        else:
            mark = Text(_(str(face)), "large", bold=True, align="center")
            mark.size_hint_x, mark.width = None, dp(44)
            box.add_widget(mark)
    return box


def named(snapshot: Snapshot, pieces: Sequence[str]) -> list[tuple[Any, str]]:
    """Pieces with their names, for a form; all of them if none is named."""
    chosen = pieces or [one.id for one in snapshot.pieces if one.state != "lost"]
    return [(one, snapshot.name(one)) for one in chosen]


def short_name(snapshot: Snapshot, piece: str) -> str:
    """The short name of a piece."""
    found = snapshot.piece(piece)
    return found.short or found.name if found is not None else piece


# -- a piece -------------------------------------------------------------------------------------


def piece_card(column: Column, piece: PieceView, prompt: Prompt | None) -> Card:
    """The selected piece: what it may do, the best first, and why not the rest."""
    snapshot = column.snapshot
    star = " ★" if piece.leader else ""
    close = TouchButton("✕", partial(column.owner.choose, None), "bare", name="unchoose")
    close.size_hint, close.size = (None, None), (SKIN.target, SKIN.target)
    card = Card(_(piece.name) + star, left_text(piece), snapshot.seat(piece.seat), close=close)
    card.body += [Text(_(line), "body", "soft") for line in piece.lines]
    if piece.badges:
        card.body.append(Text(" · ".join(_(one.text) for one in piece.badges), "body", "warn"))
    legal = [one for one in snapshot.offers if one.verdict != "no" and one.commands]
    refused = [one for one in snapshot.offers if one.verdict == "no" or not one.commands]
    picked = next((one for one in legal if offer_key(one) == column.picked), None)
    if picked is None and legal:
        picked = legal[0]
    card.body += [offer_row(column, one, one is picked) for one in legal]
    if refused:
        card.body += why_not(column, refused)
    own = [one for one in prompt.choices if one.piece == piece.id] if prompt is not None else []
    for number, one in enumerate(own):
        card.body.append(
            OptionRow(
                _(one.text),
                partial(column.owner.send, *one.commands),
                _(one.detail),
                kind=one.icon,
                name=choice_name(one, number),
            )
        )
    if piece.corrections:
        card.foot.append(
            TouchButton(
                _("Correct…"),
                partial(column.owner.go, f"correct:{piece.id}"),
                "bare",
                size="small",
                name="correct-piece",
            )
        )
    if picked is not None:
        card.foot.append(
            TouchButton(_(picked.text), partial(column.take, picked), "primary", name="do-offer")
        )
    elif not own:
        card.body.append(Text(_("Nothing to do for it now."), colour="soft"))
    return card


def left_text(piece: PieceView) -> str:
    """What is left of a piece, as a line."""
    if piece.left is None or piece.most is None:
        return ""
    return _("{left} of {most} left", left=piece.left, most=piece.most)


def offer_row(column: Column, offer: ActionOffer, picked: bool) -> OptionRow:
    """The row of an offer; the picked one is what the primary button does."""
    parts = [_(offer.detail), _(offer.expected)]
    if offer.verdict == "unsure":
        parts.append(f"? {_(offer.reason) if offer.reason else _('too close to call')}")
    return OptionRow(
        _(offer.text),
        partial(column.pick, offer),
        "\n".join(part for part in parts if part),
        _(offer.odds),
        offer.kind,
        picked,
        name=f"offer:{offer.kind}:{offer.target}" if offer.target else f"offer:{offer.kind}",
    )


def why_not(column: Column, refused: Sequence[ActionOffer]) -> Iterator[Widget]:
    """The fold of what is not allowed."""
    sign = "▲" if column.unfolded else "▼"
    yield OptionRow(
        _("Why not…?"),
        column.unfold,
        edge=f"{len(refused)} {sign}",
        kind="ask",
        look="quiet",
        name="why-not",
    )
    if not column.unfolded:
        return
    for one in refused:
        yield OptionRow(
            _(one.text),
            partial(column.owner.say, f"{_(one.text)}: {_(one.reason)}", ", ".join(one.rules)),
            _(one.reason),
            kind=one.kind,
            look="quiet",
            ready=False,
            name=f"refused:{one.kind}:{one.target}",
        )


# -- dice of an offer, moves, camera, the end ---------------------------------------------------


def roll_card(column: Column, offer: ActionOffer) -> Card:
    """The dice that an offer rolls."""
    request = offer.dice
    assert request is not None
    detail = " · ".join(_(part) for part in (offer.detail, offer.odds) if part)
    card = Card(_(offer.text), detail, owner_of(column.snapshot, offer.piece))
    card.body.append(
        DiceEntry(
            request,
            partial(column.rolled, offer),
            column.owner.liked.dice,
            column.owner.prefer_dice,
        )
    )
    card.foot.append(TouchButton(_("Not now"), column.drop, "quiet", name="not-now"))
    return card


def moves_card(column: Column) -> Card:
    """The moves that were detected, one after the other."""
    notice, *rest = column.snapshot.notices
    owner = column.owner
    card = Card(notice.title, "", owner_of(column.snapshot, notice.unit))
    sign, tint = ("✓", "good") if notice.legal else ("?" if not notice.in_turn else "✕", "bad")
    card.body.append(
        Text(f"{sign} {notice.detail}", "body", "warn" if not notice.in_turn else tint)
    )
    if rest:
        card.body.append(heading(_("ALSO MOVED")))
        card.body += [move_box(column, one) for one in rest]
    keep = TouchButton(
        _("Keep"),
        partial(owner.keep_move, notice.unit),
        "primary" if notice.legal else "plain",
        name="accept",
    )
    back = TouchButton(_("Put back"), partial(owner.put_back, notice.unit), name="correct")
    card.foot += [back, keep] if notice.legal else [keep, back]
    return card


def move_box(column: Column, notice: Notice) -> CardBox:
    """A move that waits for its turn to be decided; it can be decided at once too."""
    box = CardBox("raised", pad="small")
    box.add_widget(Text(notice.title, bold=True))
    tint = "warn" if not notice.in_turn else "good" if notice.legal else "bad"
    box.add_widget(Text(notice.detail, "small", tint))
    owner, unit = column.owner, notice.unit
    box.add_widget(
        row(
            TouchButton(_("Keep"), partial(owner.keep_move, unit), "quiet", name=f"accept:{unit}"),
            TouchButton(
                _("Put back"), partial(owner.put_back, unit), "quiet", name=f"correct:{unit}"
            ),
        )
    )
    return box


def camera_card(column: Column) -> Card:
    """The camera is lost: what can be done."""
    act = column.owner.camera
    why = column.live.why
    card = Card(_("The camera is gone"), _(why) if why else "", rim="bad")
    card.body += [
        Text(_("Nothing is lost. The game knows every tray as it stood.")),
        OptionRow(
            _("Use another camera"),
            partial(act, "other"),
            _("or check the cable: it comes back by itself"),
            name="camera:other",
        ),
        OptionRow(
            _("Play on the map"),
            column.play_on,
            _("move the trays by finger; switch back any time"),
            name="camera:map",
        ),
    ]
    card.foot.append(
        TouchButton(
            _("Reconnect now"), partial(act, "reconnect"), "primary", name="camera:reconnect"
        )
    )
    return card


def won_card(column: Column, score: ScoreView) -> Card:
    """The end of the game."""
    seat = column.snapshot.seat(score.winner)
    if seat is None:
        title = _("A draw")
    else:
        title = _("{side} wins", side=_(seat.name))
    card = Card(title, _(score.how), seat)
    card.body += [
        Text(f"{SKIN.mark(one.seat)} {seat_name(column.snapshot, one.seat)}: {one.points}", "large")
        for one in score.seats
    ]
    card.foot.append(
        TouchButton(
            _("Report, replay, export"),
            partial(column.owner.go, "past"),
            "primary",
            name="look-back",
        )
    )
    return card


def owner_of(snapshot: Snapshot, piece: str) -> SeatView | None:
    """The player of a piece."""
    found = snapshot.piece(piece)
    return snapshot.seat(found.seat) if found is not None else None


def seat_name(snapshot: Snapshot, seat: str) -> str:
    """The name of the player on a seat."""
    found = snapshot.seat(seat)
    return _(found.name) if found is not None else _(seat)
