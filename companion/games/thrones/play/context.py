"""The context of a running command, all command and event types, and what is possible when."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Literal, ParamSpec, get_args

from companion.games.api.play import Refusal
from companion.games.shared.commands import CommandArgs, CommandRegistry, StepContext, no, quoted
from companion.games.shared.event_registry import EventKind
from companion.games.thrones.cards.card import CardFacts
from companion.games.thrones.cards.catalogue import folded
from companion.games.thrones.cards.packs import pack_title
from companion.games.thrones.play.events import (
    card_events,
    count_events,
    effect_events,
    round_events,
)
from companion.games.thrones.play.events.event_kinds import EVENTS
from companion.games.thrones.play.numbers import has_keyword, powers, prized_value
from companion.games.thrones.play.state import (
    COPY,
    FACTION_CARD,
    GOAL,
    CardInPlay,
    HouseInPlay,
    ThronesState,
    ValueModifier,
)
from models.frozen_records import replace
from models.message import say

__all__ = ["EVENTS"]

FieldName = Literal[
    "ability", "against", "all", "as", "assault", "attackers", "blank", "canceled", "card", "cards",
    "change", "command", "count", "decline", "defenders", "depth", "discard", "discarded", "edge",
    "from", "gains", "gold", "host", "how", "instead", "keyword", "kind", "kneel", "kneeling",
    "last", "limit", "line", "loses", "modifier", "name", "operation", "owner", "period",
    "persists", "phase", "plot", "reduce", "save", "seat", "seats", "shadows", "source", "stat",
    "stealth", "strength", "tag", "take", "target", "targets", "text", "times", "timing", "title",
    "to", "token", "trait", "trays", "type", "types", "unique", "until", "use", "value", "what",
    "why", "width", "x",
]  # fmt: skip
"""The fields that commands have."""
CommandFields = CommandArgs[FieldName]


ENDING = ("won", "contested", "eliminated")
MOST_NEAR = 3


P = ParamSpec("P")


class ThronesContext(StepContext[ThronesState]):
    """Collects the events of one command; after each one it is checked whether the game ends."""

    def __init__(self, state: ThronesState) -> None:
        super().__init__(state, EVENTS)
        self.began = state

    def add(
        self, kind: EventKind[ThronesState, P], /, *args: P.args, **fields: P.kwargs
    ) -> ThronesState:
        """Add an event; nothing happens any more in a game that is over (AGOT-WIN-2)."""
        if self.state.winner or (self.state.contest and kind.name not in ENDING):
            return self.state
        super().add(kind, *args, **fields)
        if kind.name not in ENDING:
            self.check_end()
        return self.state

    def check_end(self) -> None:
        """15 power (AGOT-WIN-1) before empty decks, or as the players read it (AGOT-OR-15)."""
        checks = (self.check_power, self.check_decks)
        power_first = self.state.readings.end_order == "power-first"
        for check in checks if power_first else reversed(checks):
            if not self.state.stopped:
                check()

    def check_power(self) -> None:
        """The first player with 15 power wins at once; the first player decides between several."""
        there = [seat for seat, power in powers(self.state).items() if power >= GOAL]
        if len(there) == 1:
            self.add(count_events.won, seat=there[0], player=self.player(there[0]), how="power")
        elif there:
            self.contest(there, "power")  # AGOT-WIN-3

    def check_decks(self) -> None:
        """A player without a draw deck is eliminated at once (AGOT-WIN-5)."""
        state = self.state
        if state.round < 1:
            return
        empty = [seat for seat in state.living if state.house(seat).draw_deck <= 0]
        if len(empty) > 1 and len(empty) == len(state.living):
            self.contest(empty, "deck")  # AGOT-WIN-7, AGOT-DRAW-5
            return
        for seat in empty:
            terminal = self.terminal()
            self.add(
                count_events.eliminated, seat=seat, player=self.player(seat), terminal=terminal
            )
        if empty and len(self.state.living) == 1:
            (last,) = self.state.living
            self.add(
                count_events.won, seat=last, player=self.player(last), how="last"
            )  # AGOT-WIN-6

    def contest(self, seats: list[str], how: str) -> None:
        """Several players would win at once: the first player names the winner."""
        players = ", ".join(map(self.player, seats))
        self.add(count_events.contested, seats=seats, players=players, how=how)

    # -- names -------------------------------------------------------------------------------

    def player(self, seat: str) -> str:
        return self.state.house(seat).name

    def names(self, cards: Iterable[str]) -> list[str]:
        return [self.state.card(one).name for one in cards]

    def element_name(self, target: str) -> str:
        """A card in play, or the player whose faction card is meant."""
        if target.startswith(FACTION_CARD):
            return self.player(target.removeprefix(FACTION_CARD))
        return self.state.card(target).name

    # -- fields ------------------------------------------------------------------------------

    def house(self, args: CommandFields, key: FieldName = "seat", default: str = "") -> HouseInPlay:
        """The player that a command names."""
        state = self.state
        seat = default if default and not args.has(key) else args.choice(key, state.living)
        return state.house(seat)

    def card(self, args: CommandFields, key: FieldName = "card") -> CardInPlay:
        """The card in play that a command names by its id."""
        field = args.field(key)
        return self.state.card(field.choice([one.id for one in self.state.cards]))

    def cards(
        self, args: CommandFields, key: FieldName = "cards", factions: bool = False
    ) -> list[CardInPlay]:
        """The cards in play that a command names, each once; faction cards where they may be."""
        known = {one.id: one for one in self.state.cards}
        if factions:
            known |= {FACTION_CARD + one: self.state.faction_card(one) for one in self.state.living}
        if not args.has(key):
            return []
        field = args.field(key)
        if isinstance(field.raw, str):
            return [known[field.choice(known)]]
        names = [item.choice(known) for item in field.items(100)]
        return [known[one] for one in dict.fromkeys(names)]

    def element(self, args: CommandFields, key: FieldName) -> str:
        """A card in play, or a faction card (`faction:` and the seat)."""
        known = [one.id for one in self.state.cards]
        known += [FACTION_CARD + seat for seat in self.state.living]
        return args.field(key).choice(known)

    # -- changes -----------------------------------------------------------------------------

    def gain_power(self, gains: Iterable[tuple[str, int]], why: str) -> None:
        """Power for cards and factions at one moment."""
        changes = [[target, self.element_name(target), n] for target, n in gains if n]
        if changes:
            self.add(count_events.power, changes=changes, why=why)

    def move_power(self, source: str, target: str, count: int) -> None:
        """Power from one card or faction card to another."""
        self.add(
            count_events.power_moved,
            source=source,
            target=target,
            count=count,
            source_name=self.element_name(source),
            target_name=self.element_name(target),
        )

    def expire(self, until: str) -> None:
        """Effects and limits that last until the end of a challenge, phase or round are over."""
        if any(time == until for time, _ in self.state.delayed):
            self.add(effect_events.delayed_due, until=until)
        ends = {one.until for one in self.state.modifiers}
        if until in ends | {one.period for one in self.state.uses}:
            self.add(count_events.expired, until=until)

    def kneel(self, cards: Iterable[CardInPlay]) -> None:
        found = list(cards)
        if found:
            self.add(
                card_events.knelt,
                cards=[one.id for one in found],
                names=[one.name for one in found],
            )

    def stand(self, cards: Iterable[CardInPlay]) -> None:
        found = list(cards)
        if found:
            self.add(
                card_events.stood,
                cards=[one.id for one in found],
                names=[one.name for one in found],
            )

    def draw(self, draws: Iterable[tuple[str, int]]) -> None:
        """Players draw at once, as many as their decks still have (AGOT-EFF-3)."""
        rows = [
            [seat, self.player(seat), min(n, self.state.house(seat).draw_deck)] for seat, n in draws
        ]
        if any(row[2] for row in rows):
            self.add(round_events.drew, draws=rows)

    def terminal(self) -> list[str]:
        """The cards that are discarded when what they are on leaves play (AGOT-KEY-29)."""
        return [one.id for one in self.state.cards if has_keyword(self.state, one, "terminal")]

    def leave(self, going: Iterable[tuple[CardInPlay, str]], how: str) -> None:
        """Cards leave play at once, each to its pile (AGOT-ZONE-16: of its owner). What a prized
        one was worth the moment before counts (AGOT-KEY-57)."""
        rows = [[card.id, card.name, pile] for card, pile in going]
        if not rows:
            return
        ids = {row[0] for row in rows}
        hanging = self.state.hanging_on(ids)
        terminal = [one for one in self.terminal() if any(one == two.id for two in hanging)]
        deeper = [one.id for one in hanging if one.host not in ids]
        gone = [one for one in self.state.cards if one.id in ids] + list(hanging)
        prizes = [(one.controller, prized_value(self.state, one)) for one in gone]
        returned = [one.name for one in hanging if one.id not in (*terminal, *ids)]
        more = {"returned": returned} if returned else {}
        self.add(card_events.left, cards=rows, how=how, terminal=terminal, deeper=deeper, **more)
        self.pay_prizes(prizes)

    def pay_prizes(self, prizes: Iterable[tuple[str, int]]) -> None:
        """Each opponent of a controller gains the power of the prized card (AGOT-KEY-52). Several
        pay at one moment (AGOT-KEY-53), which may end the game (AGOT-KEY-58, AGOT-WIN-3)."""
        gains: dict[str, int] = {}
        for seat, prize in prizes:
            for one in self.state.opponents(seat) if seat in self.state.living and prize else ():
                gains[FACTION_CARD + one] = gains.get(FACTION_CARD + one, 0) + prize
        self.gain_power(gains.items(), say("prized"))


def deck_card(state: ThronesState, seat: str, name: str, *types: str) -> CardFacts | Refusal:
    """A card of a player's deck by its code or its name; a refusal names the nearest, or the
    versions of a card of which nobody has said which one is meant."""
    name = name.rpartition(COPY)[2]
    house = state.house(seat)
    cards = [card for card, _ in house.deck.cards if not types or card.type in types]
    wanted = folded(name)
    found = named_cards(cards, name)
    left = [card for card in found if card.type == "plot" or state.copies_left(seat, card.code) > 0]
    if left or found:
        return one_version(left or found)
    known = {folded(card.name): card.name for card in cards}
    near = [known[one] for one in get_close_matches(wanted[:80], known, MOST_NEAR, 0.5)]
    if near:
        return no("INPUT", "no card {name} in the deck of {player}; near: {near}",
                  name=quoted(name), player=house.name, near=", ".join(near))  # fmt: skip
    return no("INPUT", "no card {name} in the deck of {player}", name=quoted(name),
              player=house.name)  # fmt: skip


def named_cards(cards: Sequence[CardFacts], name: str) -> list[CardFacts]:
    """The cards that a code means, or a title with or without its pack."""
    wanted = folded(name)
    return [card for card in cards if card.code == name] or [
        card
        for card in cards
        if wanted in map(folded, (card.name, version(card), f"{card.name} ({card.pack})"))
    ]


def version(card: CardFacts) -> str:
    """A card with what tells it from others of its title: its pack, else its code."""
    return f"{card.name} ({pack_title(card) or card.code})"


def one_version(cards: Sequence[CardFacts]) -> CardFacts | Refusal:
    """The card that is meant; versions of one title that print something else are asked for, for
    they are copies of one card (AGOT-GEN-6) with other costs or types."""
    first, *others = cards
    if all(replace(one, code=first.code, pack=first.pack) == first for one in others):
        return first
    versions = ", ".join(dict.fromkeys(map(version, cards)))
    return no("INPUT", "which of these is it: {versions}?", versions=versions)


def find_modifier(
    state: ThronesState, args: CommandFields, key: FieldName
) -> ValueModifier | Refusal:
    number = args.field(key).whole(1, 10**6)
    found = next((one for one in state.modifiers if one.id == number), None)
    return found or no("INPUT", "there is no modifier {number}", number=number)


REGISTRY = CommandRegistry[ThronesContext]((), get_args(FieldName))
command = REGISTRY.command


STEP_RULES = {
    "SETUP-7": "AGOT-SET-8", "SETUP-8": "AGOT-SET-10", "SETUP-9": "AGOT-SET-17",
    "1.2": "AGOT-PLOT-2", "1.3.I": "AGOT-PLOT-11", "1.3.II": "AGOT-PLOT-12",
    "1.3.III": "AGOT-PLOT-14", "1.4": "AGOT-TTL-5", "AW3": "AGOT-MAR-4", "4.2": "AGOT-CHL-4",
    "4.2.X": "AGOT-TTL-21", "4.2.1": "AGOT-CHL-16", "4.2.4": "AGOT-CHL-35",
    "4.2.5": "AGOT-KEY-7", "7.3": "AGOT-TAX-5",
}  # fmt: skip
"""The rule that says when a command of a single step is possible."""
WINDOW_WORDS = ("pass", "act", "ambush", "out-of-shadows")
"""Commands of an action window that is paused by interrupts and reactions."""


BESTOWING = ("bestow",)
OVERRIDES = ("set", "modify", "unmodify", "under-agenda", "name-agenda", "concede")
"""Commands by which the players change a number at any time, in set-up too (AGOT-GEN-2)."""


def timing_refusal(state: ThronesState, word: str) -> Refusal | None:
    """Why a command is not accepted at this moment."""
    rule = REGISTRY.rules[word]
    steps = rule.phases
    if rule.busy:
        return None
    if state.winner:
        return no("AGOT-WIN-2", "the game is over: {player} has won",
                  player=state.house(state.winner).name)  # fmt: skip
    if state.contest and word != "winner":
        return no("AGOT-WIN-3", "first {player} names the winner",
                  player=state.house(state.first).name)  # fmt: skip
    if state.bestowing and word not in BESTOWING and (steps or word in WINDOW_WORDS):
        return no("AGOT-KEY-34", "first {player} says how much gold goes on {card}",
                  player=state.house(state.bestowing.controller).name,
                  card=state.bestowing.name)  # fmt: skip
    if state.triggers and (steps or word in WINDOW_WORDS):
        return no("AGOT-TRG-17", "first: {what}", what=state.triggers[-1].what)
    if state.decision is not None and (steps or word in WINDOW_WORDS):
        return no("AGOT-ORD-13", "first {player} decides",
                  player=state.house(state.chooser).name)  # fmt: skip
    if steps and state.step not in steps:
        return no(STEP_RULES[steps[0]], "{word} is not possible now", word=quoted(word))
    if not steps and state.round < 1 and word not in OVERRIDES:
        return no("AGOT-SET-21", "the game has not begun yet")
    return None
