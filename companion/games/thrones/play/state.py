"""The state of a game: the players, the cards in play, the step, the window and the challenge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from companion.games.shared.step_pipeline import ActionWindow
from companion.games.thrones.cards.card import CardFacts
from companion.games.thrones.cards.deck import DeckList
from companion.games.thrones.cards.titles import MeleeTitle
from companion.games.thrones.play.effects import SharedDecision, TriggerSequence
from companion.games.thrones.rules.card_places import SeatPlace, seat_places
from companion.games.thrones.rules.readings import ThronesReadings
from companion.games.thrones.rules.values import Operation
from models.frozen_records import replace
from models.message import say

GOAL = 15
"""The power that wins (AGOT-WIN-1)."""
HAND = 7
"""The cards of a first hand (AGOT-SET-7, AGOT-SET-19)."""
INTO_SHADOWS = 2
"""The gold for a card that goes face down into shadows (AGOT-SHD-5, AGOT-SHD-12)."""
COPY = ". copy:"
"""What stands between the number of a further copy and the code of its card, where several copies
of a card are chosen from one list: "2. copy:01077"."""
LIMITED_CARDS = 1
"""The limited cards that a player marshals or plays in a round (AGOT-KEY-21)."""
PHASES = {
    "1": "plot", "2": "draw", "3": "marshaling", "4": "challenges", "5": "dominance",
    "6": "standing", "7": "taxation",
}  # fmt: skip
"""The seven phases by the first digit of their steps (AGOT-RND-1)."""
JOUST = 2
"""The players of a joust (AGOT-FMT-1); more play melee (AGOT-FMT-2)."""
FACTION_CARD = "faction:"
"""What stands before a seat where a card or element is asked for: that seat's faction card."""
PHASE_WORDS = {
    "set-up": say("Set-up"),
    "plot": say("Plot phase"),
    "draw": say("Draw phase"),
    "marshaling": say("Marshaling phase"),
    "challenges": say("Challenges phase"),
    "dominance": say("Dominance phase"),
    "standing": say("Standing phase"),
    "taxation": say("Taxation phase"),
}


@dataclass(frozen=True, slots=True)
class ValueModifier:
    """A change of a value by a card's text, entered by the players (AGOT-GEN-2).

    `target` is a card in play or a seat, `stat` the value: strength, gold, initiative, claim,
    reserve, cost, challenge (a player's total), dominance, draw, limited (such cards in a round),
    set-up (the gold of set-up cards), an icon or a keyword. It lasts until the
    end of the `challenge`, `phase` or `round`, or for the whole `game`; with a `source` only while
    that card is in play.
    """

    id: int
    target: str
    stat: str
    operation: Operation
    value: int
    until: str
    why: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class CardUse:
    """A use of a limited ability: "limit" counts per copy, "max" per title (AGOT-ABL-13, -14)."""

    seat: str
    card: str
    kind: str
    period: str


@dataclass(frozen=True, slots=True)
class CardInPlay:
    """A card in play.

    `host` is the card (or `faction:` and a seat) that an attachment is on, which kneels and stands
    for itself (AGOT-ATT-8); `duplicates` are the codes of the duplicates under it, any number
    (AGOT-UNI-8), which are nothing else in play (AGOT-UNI-9, -10).
    """

    id: str
    facts: CardFacts
    owner: str
    """Whose deck held it (AGOT-ZONE-13)."""
    controller: str
    """At first its owner (AGOT-ZONE-14)."""
    name: str
    kneeling: bool = False
    power: int = 0
    host: str = ""
    duplicates: tuple[str, ...] = ()
    tokens: tuple[tuple[str, int], ...] = ()
    protected: bool = False
    """Whether card effects cannot discard it (AGOT-AGD-4)."""
    tag: int | None = None
    """The number of the clip-on tag that a camera knows it by."""

    @property
    def type(self) -> str:
        return self.facts.type


@dataclass(frozen=True, slots=True)
class HouseInPlay:
    """A player: what the companion counts and knows of the zones, each of which is out of play and
    under that player's control (AGOT-ZONE-2, -15).

    `discard`, `dead` and `removed` hold codes, the top last; a card that nobody named is "".
    `plots` are the codes left in the plot deck; `chosen`, `taken` and `placed` are secret until all
    have chosen.
    """

    id: str
    name: str
    colour: int
    faction: str
    deck: DeckList
    mark: str = ""
    hand: int = 0
    draw_deck: int = 0
    gold: int = 0
    """The gold pool, open to all (AGOT-TOK-5); at first all lies in the treasury (AGOT-SET-4,
    AGOT-TOK-2)."""
    power: int = 0
    discard: tuple[str, ...] = ()
    dead: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    plots: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    revealed: str = ""
    chosen: str = ""
    title: str = ""
    taken: str | None = None
    mulligan: bool | None = None
    placed: tuple[str, ...] | None = None
    limited: int = 0
    """The limited cards that were marshaled or played this round."""
    rivals_beaten: tuple[str, ...] = ()
    redirected: bool = False
    kneeling: bool = False
    """Whether the faction card kneels."""
    shadows: tuple[str, ...] = ()
    """The codes in the shadows area, the latest last; "" for a card that nobody named. They are
    neither in hand nor in play (AGOT-SHD-2), of any number (AGOT-SHD-6)."""
    under: tuple[str, ...] = ()
    """The codes under the agenda, in no pile (AGOT-AGD-13)."""
    named: str = ""
    """What was named for the agenda (AGOT-AGD-1)."""
    allowed: tuple[str, ...] = ()
    """The deck rules that the table waived for this player's deck, in words."""
    dealt: tuple[str, ...] = ()
    """The codes of hand and draw deck, in this order, of a deck that the app shuffled for a player
    whom it plays itself; empty where people hold their cards."""
    eliminated: bool = False

    def card(self, code: str) -> CardFacts:
        """A card of this player's deck."""
        return next(card for card, _ in self.deck.cards if card.code == code)

    @property
    def plot(self) -> CardFacts | None:
        """The revealed plot."""
        return self.card(self.revealed) if self.revealed else None


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge that is resolving (AGOT-CHL-13).

    `attacker` is who initiated it (AGOT-CHL-14), `against` the opponent it was initiated against,
    `defender` the one it is resolved against (AGOT-TTL-25, AGOT-CHL-15); nobody else is in it
    (AGOT-FMT-4). `winner` is a seat, or "" before the comparison and if nobody wins.
    """

    type: str
    attacker: str
    against: str
    defender: str
    attackers: tuple[str, ...]
    stealth: tuple[tuple[str, str], ...] = ()
    defenders: tuple[str, ...] = ()
    redirect: str = ""
    """"asked", "choosing" or "done"."""
    compared: bool = False
    winner: str = ""
    difference: int = 0
    unopposed: bool = False
    claimed: bool = False
    keywords: tuple[str, ...] = ()
    next_keyword: str = ""
    """The keyword that the first player has picked (AGOT-KEY-7)."""
    assault: str = ""
    """The location that is blank until the end of the challenge, whoever wins it or leaves it
    (AGOT-KEY-44, -45)."""
    wide: tuple[str, ...] | None = None
    """Who suffers a widened claim besides the defending player; None before it was asked."""
    suffered: tuple[str, ...] = ()
    """Who has suffered the claim already."""
    replaced: str = ""
    """What replaces the claim of the defending player, if a text does (AGOT-EFF-10)."""

    @property
    def participants(self) -> tuple[str, ...]:
        return (*self.attackers, *self.defenders)

    @property
    def bypassed(self) -> tuple[str, ...]:
        """The characters bypassed by stealth (AGOT-KEY-28)."""
        return tuple(target for _, target in self.stealth)

    @property
    def loser(self) -> str:
        if not self.winner:
            return ""
        return self.defender if self.winner == self.attacker else self.attacker

    def without(self, cards: set[str]) -> Challenge:
        """The challenge when cards no longer participate (AGOT-CHL-21, AGOT-CHL-23)."""
        return replace(
            self,
            attackers=tuple(one for one in self.attackers if one not in cards),
            defenders=tuple(one for one in self.defenders if one not in cards),
            assault="" if self.assault in cards else self.assault,
        )


@dataclass(frozen=True, slots=True)
class ThronesState:
    """Everything about a game; `step` is the book's step number, or a window or set-up step."""

    houses: tuple[HouseInPlay, ...]
    titles: tuple[MeleeTitle, ...]
    readings: ThronesReadings
    first: str
    seed: int = 0
    rolls: int = 0
    step: str = "SETUP-7"
    round: int = 0
    active: str = ""
    been_active: tuple[str, ...] = ()
    confirmed: bool = False
    cards: tuple[CardInPlay, ...] = ()
    next_card: int = 1
    modifiers: tuple[ValueModifier, ...] = ()
    next_modifier: int = 1
    gives: tuple[tuple[str, tuple[tuple[str, int], ...]], ...] = ()
    """What the players said that attachments give their host: the code, and a change per value."""
    uses: tuple[CardUse, ...] = ()
    window: ActionWindow | None = None
    leaders: tuple[str, ...] = ()
    """Who won initiative, or between whom chance must decide."""
    aside: tuple[str, ...] = ()
    titles_off: bool = False
    challenge: Challenge | None = None
    declared: tuple[tuple[str, str], ...] = ()
    """The challenges of the active player in this phase: type and opponent."""
    extra: tuple[str, ...] = ()
    """Types that card text lets the active player initiate once more (AGOT-CHL-3)."""
    title_challenges: tuple[str, ...] = ()
    """Types of which the additional challenge of the active player's title is used (AGOT-OR-4)."""
    triggers: tuple[TriggerSequence, ...] = ()
    """Sequences of interrupts and reactions, the innermost last (AGOT-TRG-17)."""
    delayed: tuple[tuple[str, str], ...] = ()
    """Delayed effects: which end they wait for (challenge, phase, round), and what happens."""
    decision: SharedDecision | None = None
    """What an effect asks every player (AGOT-ORD-13)."""
    places: tuple[tuple[str, SeatPlace], ...] = ()
    """Where players sit who do not sit as usual: seat and place."""
    bestow: tuple[str, int] | None = None
    """The card whose controller is asked for gold on it, and how much at most (AGOT-KEY-33)."""
    conflict: tuple[int, ...] = ()
    """Modifiers that set one value: the first player says which is applied last (AGOT-ORD-15)."""
    contest: tuple[str, ...] = ()
    """The players among whom the first player names the winner (AGOT-WIN-3, AGOT-WIN-7)."""
    winner: str = ""
    how: str = ""
    dominant: str = ""
    """Who won dominance last; empty if nobody did (AGOT-END-2)."""
    guided: bool = False
    """Whether the steps of the first round are explained."""

    # -- players -----------------------------------------------------------------------------

    def house(self, seat: str) -> HouseInPlay:
        for one in self.houses:
            if one.id == seat:
                return one
        raise KeyError(seat)

    def with_house(self, house: HouseInPlay) -> ThronesState:
        return replace(
            self, houses=tuple(house if one.id == house.id else one for one in self.houses)
        )

    @property
    def seats(self) -> tuple[str, ...]:
        """All seats, in seating order."""
        return tuple(one.id for one in self.houses)

    @property
    def living(self) -> tuple[str, ...]:
        """The seats that are not eliminated, in seating order."""
        return tuple(one.id for one in self.houses if not one.eliminated)

    @property
    def order(self) -> tuple[str, ...]:
        """The player order: the first player, then clockwise (AGOT-ORD-3)."""
        return self.order_from(self.first)

    def order_from(self, seat: str) -> tuple[str, ...]:
        at = next(n for n, one in enumerate(self.houses) if one.id == seat)
        turned = (*self.houses[at:], *self.houses[:at])
        return tuple(one.id for one in turned if not one.eliminated)

    def place(self, seat: str) -> SeatPlace:
        """Where a player sits at the table."""
        usual = dict(zip(self.seats, seat_places(len(self.seats)), strict=True))
        return dict(self.places).get(seat, usual[seat])

    def opponents(self, seat: str) -> tuple[str, ...]:
        return tuple(one for one in self.order_from(seat) if one != seat)

    @property
    def melee(self) -> bool:
        """Melee: three or more players began (AGOT-FMT-2, AGOT-OR-14)."""
        return len(self.houses) > JOUST

    @property
    def uses_titles(self) -> bool:
        """Whether steps 1.4 and 7.4 take place."""
        few = self.readings.last_two == "none" and len(self.living) <= JOUST
        return self.melee and not self.titles_off and not few

    @property
    def chooser(self) -> str:
        """Who decides next for an effect that asks every player: the first player begins, the
        others follow (AGOT-ORD-7, AGOT-ORD-13)."""
        if self.decision is None:
            return ""
        done = {one.seat for one in self.decision.choices}
        return next((seat for seat in self.order if seat not in done), "")

    # -- cards -------------------------------------------------------------------------------

    def card(self, card: str) -> CardInPlay:
        return next(one for one in self.cards if one.id == card)

    def find_card(self, card: str) -> CardInPlay | None:
        return next((one for one in self.cards if one.id == card), None)

    def with_card(self, card: CardInPlay) -> ThronesState:
        return replace(self, cards=tuple(card if one.id == card.id else one for one in self.cards))

    def controlled(self, seat: str, kind: str = "") -> Iterator[CardInPlay]:
        """The cards in play that a player controls (AGOT-ZONE-1)."""
        return (
            one for one in self.cards if one.controller == seat and kind in ("", one.facts.type)
        )

    def faction_card(self, seat: str) -> CardInPlay:
        """The faction card of a player: the deck's faction (AGOT-CMP-3), which kneels and stands
        (AGOT-CARD-2)."""
        house = self.house(seat)
        facts = CardFacts("", house.name, "faction", house.faction)
        name = say("the faction card of {player}", player=house.name)
        return CardInPlay(FACTION_CARD + seat, facts, seat, seat, name, house.kneeling)

    def attached(self, host: str) -> Iterator[CardInPlay]:
        """What is on a card or faction card; there is no limit to it (AGOT-ATT-4)."""
        return (one for one in self.cards if one.host == host)

    def hanging_on(self, hosts: Iterable[str]) -> tuple[CardInPlay, ...]:
        """What is attached to these cards, and what is attached to that, at every level."""
        known, found = set(hosts), []
        while level := [one for one in self.cards if one.host in known and one.id not in known]:
            found += level
            known.update(one.id for one in level)
        return tuple(found)

    def copies_left(self, seat: str, code: str) -> int:
        """How many copies of a card may still be in the hand or the draw deck of a player."""
        house = self.house(seat)
        total = next((n for card, n in house.deck.cards if card.code == code), 0)
        piles = (house.discard, house.dead, house.removed, house.shadows, house.under)
        gone = sum(pile.count(code) for pile in piles)
        for card in self.cards:
            if card.owner == seat:
                gone += (card.facts.code == code) + card.duplicates.count(code)
        return total - gone - (house.placed or ()).count(code)

    # -- titles ------------------------------------------------------------------------------

    def title(self, title: str) -> MeleeTitle:
        return {one.id: one for one in self.titles}[title]

    def title_of(self, seat: str) -> MeleeTitle | None:
        held = self.house(seat).title
        return self.title(held) if held else None

    def supports(self, seat: str, other: str) -> bool:
        """Whether a player's title supports the title of another (AGOT-TTL-16)."""
        title = self.title_of(seat)
        return title is not None and self.house(other).title in title.supports

    def rivals(self, seat: str, other: str) -> bool:
        """Whether a player's title rivals the title of another (AGOT-TTL-17)."""
        title = self.title_of(seat)
        return title is not None and self.house(other).title in title.rivals

    @property
    def pool(self) -> tuple[str, ...]:
        """The titles that no player holds (AGOT-TTL-2)."""
        held = {one.title for one in self.houses}
        return tuple(one.id for one in self.titles if one.id not in held)

    # -- moments -----------------------------------------------------------------------------

    @property
    def sufferer(self) -> str:
        """Who suffers the claim next; nobody once all have who are still in the game
        (AGOT-OR-13)."""
        found = self.challenge
        every = (found.defender, *(found.wide or ())) if found is not None else ()
        done = found.suffered if found is not None else ()
        return next((one for one in every if one in self.living and one not in done), "")

    @property
    def phase(self) -> str:
        """The phase of the current step."""
        if self.step.startswith("SETUP"):
            return "set-up"
        return PHASES[self.step.removeprefix("AW")[0]]

    @property
    def bestowing(self) -> CardInPlay | None:
        """The card that is being given gold; nobody is asked about one that left play."""
        card = self.find_card(self.bestow[0]) if self.bestow else None
        return card if card is not None and self.house(card.controller).gold else None

    @property
    def unanswered(self) -> CardInPlay | None:
        """An attachment on a character of which nobody said yet what it gives."""
        known = {code for code, _ in self.gives}
        for card in self.cards:
            host = self.find_card(card.host) if card.type == "attachment" else None
            if host is not None and host.type == "character" and card.facts.code not in known:
                return card
        return None

    @property
    def stopped(self) -> bool:
        """Whether the game is over, or waits for the first player to name its winner."""
        return bool(self.winner or self.contest)


def total_power(state: ThronesState, seat: str) -> int:
    """The power on all cards that a player controls (AGOT-WIN-4, AGOT-TOK-9)."""
    return state.house(seat).power + sum(card.power for card in state.controlled(seat))
