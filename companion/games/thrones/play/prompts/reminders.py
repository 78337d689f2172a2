"""What is easily forgotten now: the players' own notes, and cards whose timing words fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.games.api.play import Plain
from companion.games.api.prompt import Choice, Fact
from companion.games.thrones.cards.card_notes import CardNote, card_notes
from companion.games.thrones.cards.packs import timing_words
from companion.games.thrones.play.ability_uses import used_up
from companion.games.thrones.play.dealt_cards import opportunity
from companion.games.thrones.play.flow import next_active
from companion.games.thrones.play.numbers import is_blank
from companion.games.thrones.play.state import FACTION_CARD, ThronesState
from models.message import say

MOST_USES = 9
"""How often a reaction may be marked as used; its own limit is counted by the players."""
WINDOW_MOMENTS = {
    "AW1": "plots", "AW2": "drawn", "AW4A": "initiated", "AW5": "dominance", "AW6": "standing",
    "AW7": "taxation",
}  # fmt: skip
"""What has just happened when an action window opens."""
REACTED = ("AW1", "AW4A", "AW5")
"""The windows that begin with reactions (AGOT-PLOT-19, AGOT-CHL-12, AGOT-DOM-4)."""
LASTS = ("AW1", "AW2", "AW5", "AW6", "AW7")
"""The windows with which a phase ends, whoever was active."""
USED_WORDS = {
    "forced interrupt": say("Forced interrupt resolved"),
    "forced reaction": say("Forced reaction resolved"),
    "reaction": say("Reaction used"),
}
"""The abilities that are reminded of, those that are not optional first (AGOT-TRG-6)."""
STAGE_TIMING = {
    "would": "interrupt", "forced-interrupt": "forced interrupt", "interrupt": "interrupt",
    "forced-reaction": "forced reaction", "reaction": "reaction",
}  # fmt: skip
"""The timing word of each stage of a sequence (AGOT-TRG-2)."""


@dataclass(frozen=True, slots=True)
class OpenCard:
    """A card that everybody sees: in play, a revealed plot, or an agenda."""

    code: str
    name: str
    seat: str
    piece: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """Its timing words."""
        return timing_words().get(self.code, ())


def open_cards(state: ThronesState) -> Iterator[OpenCard]:
    """Every card with timing words or a note whose text counts now; a blank one has none."""
    known = timing_words().keys() | card_notes().keys()
    for card in state.cards:
        if card.facts.code in known and not is_blank(state, card.id):
            yield OpenCard(card.facts.code, card.name, card.controller, card.id)
    for seat in state.living:
        house = state.house(seat)
        for facts in (*((house.plot,) if house.plot else ()), *house.deck.agendas):
            if facts.code in known:
                yield OpenCard(facts.code, facts.name, seat)


def moments(state: ThronesState, card: OpenCard) -> set[str]:
    """The moments of a note that are now, as far as its card is concerned."""
    challenge, window = state.challenge, state.window.id if state.window else ""
    fights = challenge is not None and card.piece in challenge.participants
    found = {WINDOW_MOMENTS[window]} if window in WINDOW_MOMENTS else set()
    if window == "AW3" and card.seat == state.active:
        found.add("marshals")
    if window in ("AW4A", "AW4B") and fights:
        found.add("fights")
    if state.step == "4.2.2" and challenge is not None and challenge.winner:
        if card.seat == challenge.winner:
            found |= {"won", "won-with"} if fights else {"won"}
        elif card.seat == challenge.loser:
            found.add("lost")
    return found


def reminder_facts(state: ThronesState) -> Iterator[Fact]:
    """What to remember before the question of the moment is answered."""
    reminding = state.window is not None or state.step in ("1.3.III", "4.2", "4.2.2")
    if not reminding or state.triggers or state.decision is not None or not state.round:
        return
    notes = card_notes()
    cards = list(open_cards(state))
    due = [card for card in cards if noted_moment(notes, card) in moments(state, card)]
    for card in due:
        text = notes[card.code].text or say("see your photo")
        yield Fact(say("{card}: {note}", card=card_words(state, card), note=text), "warn")
    timely = list(timely_cards(state))
    for word in USED_WORDS:
        if named := [card for card, timing in timely if timing == word]:
            yield Fact(timely_words(word, len(named)), about=pointed(state, named))
    if state.window is not None:
        yield from action_facts(state, cards)


def timely_words(word: str, n: int) -> str:
    """The question whether abilities of a timing apply now."""
    if word == "forced interrupt":
        return say("{n} card has a forced interrupt: does it apply now?",
                   "{n} cards have a forced interrupt: does one apply now?", n=n)  # fmt: skip
    if word == "forced reaction":
        return say("{n} card has a forced reaction: does it apply now?",
                   "{n} cards have a forced reaction: does one apply now?", n=n)  # fmt: skip
    return say("{n} card has a reaction: does it apply now?",
               "{n} cards have a reaction: does one apply now?", n=n)  # fmt: skip


def timely_cards(state: ThronesState) -> Iterator[tuple[OpenCard, str]]:
    """The open cards with an ability that may apply now and was not used yet, each with its timing.

    Where a note says when a card is used, that is the only moment. What is forced is asked for
    before a phase ends too, for nothing else says when it applies (AGOT-ABL-4).
    """
    now = {"reaction", "forced reaction"} if reacts_now(state) else set[str]()
    if ends_phase(state):
        now |= {"forced reaction", "forced interrupt"}
    notes = card_notes() if now else {}
    for card in open_cards(state) if now else ():
        if noted_moment(notes, card) in (None, *moments(state, card)) and not is_used(state, card):
            yield from ((card, word) for word in USED_WORDS if word in now and word in card.words)


def reacts_now(state: ThronesState) -> bool:
    """Whether something has just happened to which cards react."""
    return state.step == "4.2.2" or (state.window is not None and state.window.id in REACTED)


def ends_phase(state: ThronesState) -> bool:
    """Whether the phase ends once nobody acts any more."""
    if state.step in ("AW3", "AW4", "4.2"):
        return not next_active(state)
    return state.window is not None and state.window.id in LASTS


def is_used(state: ThronesState, card: OpenCard) -> bool:
    """Whether its reaction was marked as used since the challenge or the phase began."""
    period = use_period(state)
    return any((one.card, one.period) == (card.piece or card.name, period) for one in state.uses)


def use_period(state: ThronesState) -> str:
    return "challenge" if state.challenge is not None else "phase"


def use_command(state: ThronesState, card: OpenCard) -> Plain:
    """The command that marks a reaction as used."""
    kind = {} if card.piece else {"kind": "max"}  # a plot or an agenda goes by its title
    return {"do": "use", "seat": card.seat, "card": card.piece or card.name, "times": MOST_USES,
            "period": use_period(state), **kind}  # fmt: skip


def noted_moment(notes: Mapping[str, CardNote], card: OpenCard) -> str | None:
    """The moment of the note on a card; None without one."""
    note = notes.get(card.code)
    return note.moment or None if note is not None else None


def action_facts(state: ThronesState, cards: Sequence[OpenCard]) -> Iterator[Fact]:
    """Cards with an action of this phase, and those that the player who may act can use."""
    phase = f"{state.phase} action"
    timely = [card for card in cards if phase in card.words]
    if timely:
        yield Fact(say("{n} card has an action of this phase",
                       "{n} cards have an action of this phase", n=len(timely)),
                   about=pointed(state, timely))  # fmt: skip
    holder = opportunity(state) if state.window else ""
    free = [card for card in cards if "action" in card.words and card.seat == holder]
    if free:
        text = say("{player} has an action on {n} card", "{player} has actions on {n} cards",
                   player=state.house(holder).name, n=len(free))  # fmt: skip
        yield Fact(text, about=pointed(state, free))


def card_words(state: ThronesState, card: OpenCard) -> str:
    """A card and whose it is."""
    return say("{card} ({player})", card=card.name, player=state.house(card.seat).name)


def pointed(state: ThronesState, cards: Sequence[OpenCard]) -> tuple[tuple[str, str], ...]:
    """Cards with their words; a plot or an agenda is found at its player's faction card."""
    return tuple((one.piece or FACTION_CARD + one.seat, card_words(state, one)) for one in cards)


def trigger_choices(state: ThronesState) -> Iterator[Choice]:
    """The open cards with an ability of this stage; each is used once (AGOT-TRG-10)."""
    top = state.triggers[-1]
    word = STAGE_TIMING.get(top.stage, "")
    forced = word.startswith("forced")
    for card in open_cards(state):
        ours = forced or card.seat == top.window.holder
        fresh = (card.seat, card.name) not in top.used
        if word in card.words and ours and fresh and not used_up(state, card.seat, card.name):
            command = {"do": "respond", "seat": card.seat, "ability": card.name}
            yield Choice(say("Use {card}", card=card_words(state, card)), (command,),
                         seat=card.seat, piece=card.piece)  # fmt: skip
