"""What a card in play may do now, what players may do with it, and why not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.games.api.play import Plain, Refusal
from companion.games.api.prompt import ActionOffer
from companion.games.thrones.cards.card import CHALLENGES
from companion.games.thrones.cards.packs import timing_words
from companion.games.thrones.play import PLAY, challenge_flow
from companion.games.thrones.play.dealt_cards import acts_unasked
from companion.games.thrones.play.numbers import claim_value, eligible, is_blank, strength
from companion.games.thrones.play.prompts.challenge_prompts import (
    DECLARE,
    kill_choices,
    stealth_options,
)
from companion.games.thrones.play.prompts.reminders import USED_WORDS, timely_cards, use_command
from companion.games.thrones.play.state import FACTION_CARD, CardInPlay, HouseInPlay, ThronesState
from companion.games.thrones.screen.card_table import SIGNS
from models.message import joined, say

MOST_BYPASSES = 3
"""How many targets of stealth a card's own rows name for each challenge."""


def offers(state: ThronesState, piece: str | None) -> Iterator[ActionOffer]:
    """The offers of a card: those that are accepted first, then those that are not."""
    card = state.find_card(piece or "")
    if card is not None:
        found = card_offers(state, card)
    elif piece and piece.startswith(FACTION_CARD):
        house = state.house(piece.removeprefix(FACTION_CARD))
        found = house_offers(state, house) if not house.eliminated else iter(())
    else:
        return
    tried = [tested(state, one) for one in found]
    yield from (one for one in tried if one.verdict == "yes")
    yield from (one for one in tried if one.verdict == "no")


def tested(state: ThronesState, offer: ActionOffer) -> ActionOffer:
    """The offer with its verdict: every button is tried before it is shown."""
    for command in offer.commands:
        decision = PLAY.decide(state, command)
        if isinstance(decision, Refusal):
            break
        state = decision.after
    else:
        return offer
    return replace(
        offer,
        verdict="no",
        rules=(decision.why,) if decision.why != "INPUT" else (),
        reason=decision.say,
    )


def offer(card: CardInPlay, kind: str, text: str, *commands: Plain) -> ActionOffer:
    return ActionOffer(kind, text, commands, card.id)


def house_offers(state: ThronesState, house: HouseInPlay) -> Iterator[ActionOffer]:
    """What players do with a player's faction card, gold and hand."""
    piece = FACTION_CARD + house.id
    for card, word in timely_cards(state):
        if not card.piece and card.seat == house.id:
            used = say("{card}: {used}", card=card.name, used=USED_WORDS[word])
            yield ActionOffer("star", used, (use_command(state, card),), piece)
    acts: tuple[tuple[str, str, Plain], ...] = (
        ("power", say("Gain 1 power"), {"do": "power", "target": piece, "change": 1}),
        ("power", say("Lose 1 power"), {"do": "power", "target": piece, "change": -1}),
        ("coins", say("Gain 1 gold"), {"do": "gold", "seat": house.id, "change": 1}),
        ("coins", say("Spend 1 gold"), {"do": "gold", "seat": house.id, "change": -1}),
        ("cards", say("Draw a card"), {"do": "draw", "seat": house.id}),
        ("cards", say("Discard a card from hand"), {"do": "discard", "seat": house.id}),
    )
    for kind, text, command in acts:
        yield ActionOffer(kind, text, (command,), piece)
    turn, words = ("stand", say("Stand")) if house.kneeling else ("kneel", say("Kneel"))
    yield ActionOffer(turn, words, ({"do": turn, "cards": [piece]},), piece)


def card_offers(state: ThronesState, card: CardInPlay) -> Iterator[ActionOffer]:
    """Everything that can be done with a card."""
    name = card.name
    passing: tuple[Plain, ...] = ({"do": "pass", "all": True},) if state.window else ()
    agreed = state.window is None or not (acts_unasked(state) or state.house(card.controller).dealt)
    if agreed and state.step in ("4.2", "AW4") and card.controller == state.active:
        for kind in CHALLENGES:
            for seat in challenge_flow.allowed_opponents(state, kind):
                yield from attack_offers(state, card, kind, seat)
        yield from supported_offers(state, card)
    defender = state.challenge.defender if state.challenge is not None else ""
    if state.step == "4.2.1" or (agreed and state.step == "AW4A" and card.controller == defender):
        defending = {"do": "defend", "defenders": [card.id]}
        text = say("Defend with {card}", card=name)
        if passing:
            text = say("All pass, {card} defends", card=name)
        yield offer(card, "defend", text, *passing, defending)
    if state.step == "4.2.4":
        victims = challenge_flow.claim_victims(state)
        if card in victims and min(claim_value(state), len(victims)) == 1:
            for choice in kill_choices(state, card):
                yield offer(card, "claim", choice.text, choice.commands[0])
            saved = {"do": "claim", "cards": [card.id], "save": "ability"}
            yield offer(card, "claim", say("{card}, saved by an ability", card=name), saved)
    for one, word in timely_cards(state):
        if one.piece == card.id:
            yield offer(card, "star", USED_WORDS[word], use_command(state, one))
    if acts_now(state, card):
        action = {"do": "act", "seat": card.controller, "what": name}
        yield offer(card, "star", say("Action used"), action)
    if card.kneeling:
        turning = offer(card, "stand", say("Stand"), {"do": "stand", "cards": [card.id]})
    else:
        turning = offer(card, "kneel", say("Kneel"), {"do": "kneel", "cards": [card.id]})
    yield replace(turning, closes=True)  # a second tap there would turn it back
    gain: Plain = {"do": "power", "target": card.id, "change": 1}
    yield offer(card, "power", say("Gain 1 power"), gain)
    if card.type == "attachment":
        yield from attach_offers(state, card)
    yield from leaving_offers(card)
    for change in (1, -1):
        if card.type == "character":
            command = {"do": "modify", "target": card.id, "stat": "strength", "value": change}
            yield offer(card, "strength", say("Strength {change:+d}", change=change), command)
    if state.challenge and card.id in state.challenge.participants:
        command = {"do": "remove-from-challenge", "card": card.id}
        yield offer(card, "remove", say("Remove from the challenge"), command)
    for seat in state.living:
        if seat != card.controller:
            taking = {"do": "control", "card": card.id, "seat": seat}
            text = say("{player} takes control", player=state.house(seat).name)
            yield offer(card, "control", text, taking)
    if card.power:  # last, so that nothing moves under the finger when power is gained
        yield offer(card, "power", say("Lose 1 power"), {**gain, "change": -1})


def acts_now(state: ThronesState, card: CardInPlay) -> bool:
    """Whether a card has an action for the window that is open (AGOT-ABL-5)."""
    words = {"action", f"{state.phase} action"} & {*timing_words().get(card.facts.code, ())}
    return state.window is not None and bool(words) and not is_blank(state, card.id)


def attack_offers(
    state: ThronesState, card: CardInPlay, kind: str, seat: str
) -> Iterator[ActionOffer]:
    """A challenge with one attacker: whom its stealth bypasses, the strongest first, then without
    stealth (AGOT-KEY-27). Others than these are chosen in the form of the challenge."""
    command = {"do": "challenge", "type": kind, "against": seat, "attackers": [card.id]}
    words = {"challenge": DECLARE[kind], "player": state.house(seat).name}
    text, passing = say("{challenge} against {player}", **words), tuple[Plain, ...]()
    if state.window:
        text = say("All pass, {challenge} against {player}", **words)
        passing = ({"do": "pass", "all": True},)
    pairs = dict(stealth_options(state, (card,), (seat,)))
    able = sorted(eligible(state, seat, kind), key=lambda one: -strength(state, one))
    stealthy = [pair for one in able if (pair := f"{card.id}>{one.id}") in pairs]
    ways = [([pair], pairs[pair]) for pair in stealthy[:MOST_BYPASSES]]
    ways.append(([], say("without stealth") if pairs else ""))
    others = len(pairs) > len(ways) - 1
    assault = challenge_flow.assault_targets(state, (card,), (seat,))  # AGOT-KEY-41
    for stealth, told in ways:
        said = [one for one in (told, say("without assault") if assault else "") if one]
        full = joined([text, joined(said)], ": ") if said else text
        using = {**command, "stealth": stealth} if stealth else command
        found = offer(card, SIGNS[kind], full, *passing, using)
        more = say("other targets of its stealth: in the form of the challenge")
        yield replace(found, detail=more) if others and not stealth else found


def supported_offers(state: ThronesState, card: CardInPlay) -> Iterator[ActionOffer]:
    """The players whom the active one supports, one row each: why they are no opponents."""
    left = [kind for kind in CHALLENGES if challenge_flow.allowance(state, kind)]
    for seat in state.opponents(state.active) if card.type == "character" else ():
        if left and state.supports(state.active, seat):
            command = {"do": "challenge", "type": left[0], "against": seat, "attackers": [card.id]}
            passing = ({"do": "pass", "all": True},) if state.window else ()
            text = say("Challenge against {player}", player=state.house(seat).name)
            yield offer(card, SIGNS[left[0]], text, *passing, command)  # AGOT-TTL-16


def attach_offers(state: ThronesState, card: CardInPlay) -> Iterator[ActionOffer]:
    """Other characters that an attachment may move to, those of its controller first."""
    hosts = sorted(
        (one for one in state.cards if one.type == "character" and one.id != card.host),
        key=lambda one: one.controller != card.controller,
    )
    for host in hosts:
        command = {"do": "attach", "card": card.id, "host": host.id}
        yield offer(card, "attach", say("Move to {host}", host=host.name), command)


def leaving_offers(card: CardInPlay) -> Iterator[ActionOffer]:
    """The ways a card leaves play, and what may save it (AGOT-UNI-7)."""
    going = {"do": "leave", "cards": [card.id]}
    if card.type == "character":
        killed = {**going, "how": "killed", "save": "none"}
        yield offer(card, "kill", say("Killed"), killed)
    if card.duplicates:
        saved = {**going, "how": "discarded", "save": "duplicate"}
        yield replace(offer(card, "save", say("Saved by its duplicate"), saved), closes=True)
    saved = {**going, "how": "killed" if card.type == "character" else "discarded"}
    yield offer(card, "save", say("Saved by an ability"), {**saved, "save": "ability"})
    discarded = {**going, "how": "discarded", "save": "none"}
    yield offer(card, "discard", say("Discarded"), discarded)
    sacrificed = {**going, "how": "sacrificed"}
    yield offer(card, "sacrifice", say("Sacrificed"), sacrificed)
    returned = {**going, "how": "returned", "save": "none"}
    yield offer(card, "hand", say("Back to hand"), returned)
