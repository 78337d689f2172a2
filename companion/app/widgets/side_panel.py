"""The panel beside the table: moves that were detected, the prompt, the selected unit's offers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.engine.app_words import _, ruler
from companion.app.engine.offers import Offer
from companion.app.engine.snapshot import Notice, Snapshot
from companion.app.render.cached_layer import CachedLayer
from companion.app.render.theme import SKIN
from companion.app.widgets.controls import CardBox, Rows, Text, TouchButton, heading
from companion.app.widgets.dice_input import DiceInput
from companion.app.widgets.layouts import ButtonGrid, grid
from companion.app.widgets.prompt_card import prompt

MOST_PRESSES = 48
"""The size of the cache of offer buttons."""
TWO_COLUMNS_DP = 450
SIGNS = {"charge": "⇒", "shot": "⇢", "melee": "×", "break": "×", "move": "↑", "forgo": "–"}


class Owner(Protocol):
    """The callbacks of the panel."""

    def send(self, *commands: Mapping[str, Any]) -> None:
        """Send commands to the game."""

    def choose(self, unit: str | None) -> None:
        """Select a unit."""

    def form(self, verb: str, given: Mapping[str, Any]) -> None:
        """Open a command's form."""

    def say(self, text: str, why: str = "") -> None:
        """Show a toast."""

    def accept(self) -> None:
        """Accept a detected move."""

    def correct(self) -> None:
        """Reject a detected move."""

    def play_card(self) -> None:
        """Play a card from a hand."""

    def score(self) -> None:
        """Open the score."""

    def every_command(self) -> None:
        """List all commands."""


class SidePanel(CachedLayer, BoxLayout):
    """Shows cards, the most urgent on top."""

    def __init__(self, owner: Owner, **more: Any) -> None:
        super().__init__("panel", padding=(dp(8), dp(8), dp(2), dp(4)), **more)
        self.owner = owner
        self.rows = Rows()
        self.add_widget(self.rows)
        self.rolling: Offer | None = None
        self._last: Snapshot | None = None
        self._chosen: str | None = None
        self._shown: object = None
        self._kept: dict[str, tuple[object, Widget | None]] = {}
        self._presses: dict[object, OfferButton] = {}
        self._allowed, self._refused = ButtonGrid(), ButtonGrid()
        self._unit = UnitPanel(owner)
        self._headings = (
            heading(_("ALLOWED")),
            heading(_("NOT ALLOWED · HOLD OR TAP FOR THE REASON")),
        )
        self._every = TouchButton(
            _("Every command"), owner.every_command, "quiet", name="every-command"
        )
        self.bind(width=self._widened)

    @property
    def columns(self) -> int:
        """How many allowed offers are shown side by side."""
        return 2 if self.width >= dp(TWO_COLUMNS_DP) else 1

    def _widened(self, *_: Any) -> None:
        if self._last is not None:
            self.show(self._last)

    def keep(self, name: str, key: object, make: Callable[[], Widget | None]) -> Widget | None:
        """The card of this name, cached while its key stays, so that dice entered in it survive."""
        if name not in self._kept or self._kept[name][0] != key:
            self._kept[name] = (key, make())
        return freed(self._kept[name][1])

    def press(self, offer: Offer, make: Callable[[Offer], OfferButton]) -> OfferButton:
        """The button of an offer, from the cache if there is one with the same text."""
        words = (offer.title, offer.detail, offer.expected, offer.say, offer.why)
        key = (make, offer.kind, offer.sure, *words)
        found = self._presses.pop(key, None) or make(offer)
        self._presses[key] = found
        if len(self._presses) > MOST_PRESSES:
            del self._presses[next(iter(self._presses))]
        found.offer = offer
        freed(found)
        return found

    def show(self, snapshot: Snapshot) -> None:
        """Show the newest snapshot."""
        if snapshot.chosen != self._chosen or (
            self._last is not None and snapshot.state.get("seq") != self._last.state.get("seq")
        ):
            self._chosen, self.rolling = snapshot.chosen, None
            self.rows.scroll_y = 1
        self._last = snapshot
        # Replacing a button while a finger is on it, even by an equal one, would lose the tap.
        seq = snapshot.state.get("seq")
        about = (snapshot.path, seq, snapshot.chosen, snapshot.old_offers, snapshot.notice)
        key = (*about, self.rolling, self.columns)
        if key != self._shown:
            self._shown = key
            self.rows.fill(list(self.cards(snapshot)))

    def cards(self, snapshot: Snapshot) -> Iterator[Widget]:
        """All cards, in order."""
        owner = self.owner
        busy = snapshot.pending is not None and snapshot.pending["what"] not in (
            "turn-start",
            "action",
        )
        acting = (snapshot.state.get("acting") or {}).get("unit")
        asked = self.keep(
            "prompt",
            (snapshot.path, snapshot.state.get("seq"), snapshot.chosen == acting),
            lambda: prompt(
                snapshot, owner.send, owner.form, owner.choose, owner.play_card, owner.score
            ),
        )
        # A unit that has no allowed offer is not what the players wait for.
        idle = not any(offer.legal for offer in snapshot.old_offers)
        first = asked if busy or idle or snapshot.chosen is None else None
        notice = [moved(snapshot.notice, owner)] if snapshot.notice is not None else []
        # A tray may come to rest while dice are being entered; its card must not move them.
        entering = self.rolling is not None or (busy and first is not None)
        if not entering:
            yield from notice
        winner = snapshot.state.get("winner")
        if winner:
            yield won(str(winner), str(snapshot.state.get("how") or ""))
        if self.rolling is not None:
            offer = self.rolling
            card = self.keep("roll", offer, lambda: self.roll_card(offer))
            if card is not None:
                yield card
        if first is not None:
            yield first
        if entering:
            yield from notice
        if snapshot.chosen is not None:
            self._unit.show(snapshot)
            yield self._unit
            yield from self.offered(snapshot)
        if asked is not None and first is None:
            yield asked
        yield self._every

    def offered(self, snapshot: Snapshot) -> Iterator[Widget]:
        """The offers: allowed ones as buttons, the others with their reason."""
        legal = [offer for offer in snapshot.old_offers if offer.legal]
        others = [offer for offer in snapshot.old_offers if not offer.legal]
        if legal:
            yield self._headings[0]
            self._allowed.fill([self.press(one, self.allowed) for one in legal], self.columns)
            yield self._allowed
        if others:
            yield self._headings[1]
            presses = [self.press(offer, self.refused) for offer in others]
            self._refused.fill(presses, self.columns + 1)
            yield self._refused

    def allowed(self, offer: Offer) -> OfferButton:
        """The button of an allowed action."""
        under = "\n".join(part for part in (offer.detail, offer.expected) if part)
        return OfferButton(
            f"{SIGNS[offer.kind]}  {offer.title}",
            self.take,
            under=under,
            tint=SKIN.colour("good" if offer.sure else "warn"),
            align="left",
            name=f"offer:{offer.kind}:{offer.target}" if offer.target else f"offer:{offer.title}",
        )

    def refused(self, offer: Offer) -> OfferButton:
        """The button of a refused action, which shows the reason."""
        press = OfferButton(
            offer.title,
            self.tell,
            look="quiet",
            under=offer.say,
            ready=False,
            size="small",
            name=f"refused:{offer.kind}:{offer.target}",
        )
        press.hold = press.pressed
        return press

    def tell(self, offer: Offer) -> None:
        """Show why an action is refused."""
        self.owner.say(f"{offer.title}: {offer.say}", offer.why)

    def take(self, offer: Offer) -> None:
        """Send the offer's commands, after entering its dice if it has any."""
        if offer.dice and self._last is not None:
            self.rolling = offer
            self.rows.scroll_y = 1
            self.show(self._last)
        else:
            self.owner.send(*offer.commands)

    def roll_card(self, offer: Offer) -> CardBox:
        """The dice input of a charge or retreat."""
        card = CardBox(rim="accent")
        card.add_widget(Text(offer.title, "large", bold=True))
        for text in (offer.detail, offer.expected):
            if text:
                card.add_widget(Text(text, "body", "soft"))

        def done(faces: list[int] | None) -> None:
            *before, last = offer.commands
            self.rolling = None
            self.owner.send(*before, last if faces is None else {**last, "faces": faces})

        card.add_widget(DiceInput(offer.dice, done))
        card.add_widget(TouchButton(_("Not now"), self.drop, "quiet", name="not-now"))
        return card

    def drop(self) -> None:
        """Cancel entering the dice."""
        self.rolling = None
        if self._last is not None:
            self.show(self._last)


class OfferButton(TouchButton):
    """A button whose offer can be replaced by another with the same text."""

    def __init__(self, text: str, hear: Callable[[Offer], None], **more: Any) -> None:
        self.offer: Offer | None = None
        super().__init__(text, self.pressed, **more)
        self._hear = hear

    def pressed(self) -> None:
        """Report the current offer."""
        if self.offer is not None:
            self._hear(self.offer)


def freed(card: Widget | None) -> Widget | None:
    """The widget, removed from its parent."""
    if card is not None and card.parent is not None:
        card.parent.remove_widget(card)
    return card


def moved(notice: Notice, owner: Owner) -> CardBox:
    """The card of a detected move, to accept or reject."""
    card = CardBox(rim="good" if notice.legal else "bad")
    card.add_widget(Text(notice.title, "large", bold=True))
    card.add_widget(Text(notice.detail, "body", "good" if notice.legal else "bad"))
    look = "primary" if notice.legal else "plain"
    buttons = [
        TouchButton(_("Accept"), owner.accept, look, name="accept"),
        TouchButton(_("Correct"), owner.correct, name="correct"),
    ]
    card.add_widget(grid(buttons, 2))
    return card


def won(winner: str, how: str) -> CardBox:
    """The card at the end of the game."""
    card = CardBox(rim="accent")
    told = _("A draw") if winner == "draw" else _("{side} wins", side=_(winner))
    card.add_widget(Text(told, "title", bold=True, align="center"))
    if how:
        card.add_widget(Text(_(how), colour="soft", align="center"))
    return card


class UnitPanel(CardBox):
    """The selected unit: name, numbers, what is left of it, tokens on it."""

    def __init__(self, owner: Owner) -> None:
        super().__init__()
        head = BoxLayout(size_hint_y=None, height=SKIN.target, spacing=SKIN.gap("small"))
        self.title = Text("", "large", bold=True, grow=False)
        close = TouchButton("✕", lambda: owner.choose(None), "bare", name="unchoose")
        close.size_hint, close.size = (None, None), (SKIN.target, SKIN.target)
        self.numbers, self.condition = Text("", "body", "soft"), Text("", "body", "soft")
        head.add_widget(self.title)
        head.add_widget(close)
        for one in (head, self.numbers, self.condition):
            self.add_widget(one)

    def show(self, snapshot: Snapshot) -> None:
        """Show the selected unit."""
        freed(self)
        unit = snapshot.chosen or ""
        facts = snapshot.state.get("units", {}).get(unit, {})
        side = facts.get("side")
        self.title.put(f"{SKIN.mark(side)} {unit} · {facts.get('name', '')}")
        self.title.color = SKIN.side(side)
        self.numbers.put(numbers(facts) if facts else "")
        self.condition.put(condition(facts) if facts else "")


def numbers(facts: Mapping[str, Any]) -> str:
    """The numbers on its card."""
    return _(
        "Speed {speed} · Defense {defense}+ · Morale {morale}+",
        speed=ruler().printed(facts["speed"]),
        defense=facts["defense"],
        morale=facts["morale"] if facts["morale"] is not None else "–",
    )


def condition(facts: Mapping[str, Any]) -> str:
    """What is left of the unit, and the tokens on it."""
    left = _("{models} models · {ranks} ranks", models=facts["models"], ranks=facts["ranks"])
    if len(facts.get("formation", ())) > 1 or facts.get("attachments"):
        left = f"{left} ({ranks(facts)})"
    parts = [left, _("activated") if facts["activated"] else _("not activated")]
    parts += [_("engaged with {units}", units=", ".join(facts["engaged"]))] * bool(facts["engaged"])
    parts += [_(token) for token in facts["tokens"]]
    return " · ".join(parts)


def ranks(facts: Mapping[str, Any]) -> str:
    """The models in each rank, front first: attachments by name, others by number.

    >>> ranks({"name": "Swords", "formation": [["Robb", "Swords", "Swords"], ["Swords"]]})
    'Robb + 2 | 1'
    """
    told = []
    for rank in facts["formation"]:
        people = [name for name in rank if name != facts["name"]]
        plain = len(rank) - len(people)
        told.append(" + ".join([*people, *([str(plain)] if plain else [])]))
    return " | ".join(told)
