"""The rival of the card game: it plays a deck as far as the app knows its cards.

The app shuffles its deck and keeps its hand; the players lay its cards on the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.api.play import Plain, Refusal
from companion.games.api.prompt import Fact
from companion.games.api.rival import Line, LineText, Rival, Temper
from companion.games.thrones.cards.card import CHALLENGES
from companion.games.thrones.game import GAME_NAME
from companion.games.thrones.play import PLAY
from companion.games.thrones.play.challenge_flow import allowance, allowed_opponents
from companion.games.thrones.play.numbers import eligible, plot_value, strength
from companion.games.thrones.play.state import ThronesState
from companion.games.thrones.rival_lines import ALL_PASS, asked_seats, lines
from companion.games.thrones.rival_value import kinds_left, position
from companion.games.thrones.screen.new_game import card_words
from models.message import joined, say

ADVISED = ("SETUP-9", "1.3.II", "4.2", "4.2.1", "4.2.4", "4.2.5")
"""The steps at which all that matters lies on the table."""
DO_IT = {
    "marshal": say("{what}. Lay the card before {player}."),
    "ambush": say("{what}. Lay the card before {player}."),
    "out-of-shadows": say("{what}. Lay the card before {player}."),
    "into-shadows": say("{what}. Lay a card face down before {player}."),
    "challenge": say("{what}. Kneel the attackers."),
}


class ThronesRival(Rival[ThronesState]):
    """A Game of Thrones: the card game; `games/api/rival.py` documents the methods."""

    games = (GAME_NAME,)
    play = PLAY
    behind = say("worth {n:.1f} power less")
    ahead = say("worth {n:.1f} power more: {line}")
    deals = "dealt"
    note = say(
        "It plays by numbers, icons and keywords. Texts of cards it cannot read: it plays no"
        " events, and you carry out what its cards say. The app shuffles its deck; you keep the"
        " deck open and lay its cards on the table when it names them. Your own deck you shuffle"
        " and draw from yourself: the app does not know your hand."
    )
    seconds = 0.6
    slips = 2.6

    def worth(self, state: ThronesState, side: str, temper: Temper) -> float:
        return position(state, side, temper)

    def busy(self, state: ThronesState) -> bool:
        """A challenge is played to its end."""
        return state.challenge is not None and not state.stopped

    def waits(self, state: ThronesState) -> Sequence[str]:
        return asked_seats(state) if not state.winner else ()

    def lines(self, state: ThronesState, side: str) -> Sequence[Line]:
        return lines(state, side)

    def knows(self, state: ThronesState, side: str) -> bool:
        """Its hand is known where the app has shuffled the deck."""
        return bool(state.house(side).dealt)

    def advises(self, state: ThronesState) -> bool:
        return state.step in ADVISED

    def told(self, state: ThronesState, commands: Sequence[Plain]) -> LineText:
        """The first thing that the commands do; what they uncover is not told before."""
        first = commands[0]
        word, seat = first["do"], str(first.get("seat", "")) or (*asked_seats(state), "")[0]
        player = state.house(seat).name if seat else ""
        if word == "pass" and state.step == "AW3":
            if first == ALL_PASS:  # others still have the opportunity (AGOT-ORD-10)
                text = say("{player} marshals no more. If nobody else acts, go on.", player=player)
                return LineText(text)
            return LineText(say("{player} marshals no more.", player=player))
        decision = PLAY.decide(state, first)
        events = () if isinstance(decision, Refusal) or first == ALL_PASS else decision.events
        titles = [title for one in events if (title := PLAY.title(one))]
        what = titles[0] if titles else ""
        if word in DO_IT:
            what = say(DO_IT[word], what=what, player=player)
        elif word == "defend" and first["defenders"]:
            what = say("{what}. Kneel the defenders.", what=what)
        cards = first.get("attackers") or first.get("defenders") or first.get("cards") or [""]
        known = {one.id for one in state.cards}
        piece = str(cards[0]) if cards[0] in known else ""
        return LineText(what, piece, str(first.get("against", "")))

    def compared(self, state: ThronesState, commands: Sequence[Plain], ways: int) -> int:
        """Whoever passes does not say that there was a card for the window (AGOT-ZONE-30)."""
        passes = state.window is not None and commands[0]["do"] == "pass"
        return 1 if passes else ways

    def deed(self, told: LineText, commands: Sequence[Plain]) -> object:
        first = commands[0]
        challenge = first["do"], first.get("type"), first.get("against")
        return challenge if first["do"] == "challenge" else super().deed(told, commands)

    def facts(self, state: ThronesState, commands: Sequence[Plain]) -> Sequence[Fact]:
        return [*line_facts(state, commands[0])]


def line_facts(state: ThronesState, first: Plain) -> Iterator[Fact]:
    """What speaks for a line that begins with this command, or what has to be done before it."""
    seat = str(first.get("seat", ""))
    match first["do"]:
        case "choose-plot" if state.round == 1 and state.cards:
            names = [one.name for one in state.controlled(seat)]
            text = say("Lay out the set-up cards of {player}: {cards}", cards=joined(names),
                       player=state.house(seat).name)  # fmt: skip
            yield Fact(text)
        case "marshal" | "ambush" | "out-of-shadows":
            yield Fact(card_words(state.house(seat).card(str(first["card"]))))
        case "challenge":
            yield from attack_facts(state, first)
        case "no-challenge":
            yield from kept_facts(state)
        case "defend":
            yield from defence_facts(state, first)


def attack_facts(state: ThronesState, command: Plain) -> Iterator[Fact]:
    """The strength of an attack, what may stand against it, and the claim."""
    kind, passed = command["type"], set(dict(command.get("stealth", {})).values())
    total = sum(strength(state, state.card(one)) for one in command["attackers"])
    able = [one for one in eligible(state, command["against"], kind) if one.id not in passed]
    most = sum(strength(state, one) for one in able)
    text = say("Attack {total} against at most {most}", total=total, most=most)
    yield Fact(text, "good" if total >= most else "")
    for one in passed:
        yield Fact(say("{card} is bypassed by stealth", card=state.card(one).name))
    yield Fact(say("Claim {claim}", claim=plot_value(state, state.active, "claim")))


def kept_facts(state: ThronesState) -> Iterator[Fact]:
    """Who could still attack and stays standing instead, for challenges of others to come."""
    if set(state.living) <= set(state.been_active):
        return
    able = {
        one.id: one.name
        for kind in CHALLENGES
        if allowance(state, kind) and allowed_opponents(state, kind)
        for one in eligible(state, state.active, kind)
    }
    if able:
        yield Fact(say("Stay standing to defend: {cards}", cards=joined([*able.values()])))


def defence_facts(state: ThronesState, command: Plain) -> Iterator[Fact]:
    """Both strengths of a challenge with these defenders."""
    found = state.challenge
    assert found is not None
    attack = sum(strength(state, state.card(one)) for one in found.attackers)
    total = sum(strength(state, state.card(one)) for one in command["defenders"])
    yield Fact(say("Attack {attack}, defence {total}", attack=attack, total=total))
    if attack and not total:
        player = state.house(found.attacker).name
        yield Fact(say("{player} wins unopposed", player=player), "bad")
        if "power" in kinds_left(state, found.defender):
            own = state.house(found.defender).name
            yield Fact(say("{player} may take that power later in a power challenge", player=own))


RIVAL = ThronesRival()
