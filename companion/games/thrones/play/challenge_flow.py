"""The course of a challenge: from its declaration to its end."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.thrones.cards.card import CHALLENGES
from companion.games.thrones.play.context import ThronesContext
from companion.games.thrones.play.events import challenge_events
from companion.games.thrones.play.events.challenge_events import running
from companion.games.thrones.play.numbers import challenge_side, claim_value, has_keyword, strength
from companion.games.thrones.play.state import (
    FACTION_CARD,
    GOAL,
    CardInPlay,
    ThronesState,
    total_power,
)
from companion.games.thrones.rules.values import ChallengeResult, ChallengeSide, challenge_result
from models.message import say

KEYWORDS = ("insight", "intimidate", "pillage", "renown")
"""The challenge keywords (AGOT-KEY-6); those of the expansions have their own moments
(AGOT-KEY-31)."""


def broken(state: ThronesState) -> bool:
    """Whether a player of the challenge has been eliminated (AGOT-OR-13)."""
    found = state.challenge
    return found is not None and not {found.attacker, found.defender} <= set(state.living)


# -- declaring -------------------------------------------------------------------------------------


def allowance(state: ThronesState, kind: str, against: str = "") -> str:
    """What lets the active player initiate a challenge of a type: "usual", "title" or "extra".

    One of each type (AGOT-CHL-2), more by card text (AGOT-CHL-3), one by a title against another
    opponent (AGOT-OR-4); empty if none is left (AGOT-CHL-6). Without an opponent: against anybody.
    """
    before = {seat for one, seat in state.declared if one == kind}
    if not before:
        return "usual"
    title = state.title_of(state.active)
    if title is not None and title.extra_challenge == kind and kind not in state.title_challenges:
        others = (against,) if against else state.opponents(state.active)
        if not before.issuperset(others):
            return "title"
    return "extra" if kind in state.extra else ""


def allowed_opponents(state: ThronesState, kind: str) -> tuple[str, ...]:
    """The opponents against whom the active player may initiate a challenge of a type.

    Not the holder of a supported title (AGOT-TTL-16, AGOT-CHL-7); the additional challenge of a
    title goes against another opponent (AGOT-OR-4).
    """
    return tuple(
        seat
        for seat in state.opponents(state.active)
        if not state.supports(state.active, seat) and allowance(state, kind, seat)
    )


def assault_targets(
    state: ThronesState, attackers: Sequence[CardInPlay], opponents: Sequence[str]
) -> list[CardInPlay]:
    """The locations of opponents that cost less than an attacker with assault (AGOT-KEY-41),
    kneeling or blank ones among them (AGOT-KEY-48)."""
    costs = [
        one.facts.cost
        for one in attackers
        if one.facts.cost is not None and has_keyword(state, one, "assault")
    ]
    most = max(costs, default=-1)
    return [
        card
        for seat in opponents
        for card in state.controlled(seat, "location")
        if card.facts.cost is not None and card.facts.cost < most
    ]


def may_declare(state: ThronesState) -> bool:
    """Whether the active player may still initiate a challenge or pass (AGOT-CHL-4)."""
    if state.challenge or state.confirmed or state.active not in state.living:
        return False
    return any(allowance(state, kind) for kind in CHALLENGES)


# -- redirecting -----------------------------------------------------------------------------------


def redirect_holder(state: ThronesState) -> str:
    """Who may redirect the challenge: the Crown Regent, once a round (AGOT-TTL-20)."""
    found = running(state)
    for seat in state.order:
        title = state.title_of(seat)
        if title is None or not title.redirect or state.house(seat).redirected:
            continue
        if state.readings.redirect == "of-others" and seat == found.attacker:  # AGOT-OR-17
            continue
        if redirect_opponents(state):
            return seat
    return ""


def redirect_opponents(state: ThronesState) -> tuple[str, ...]:
    """Against whom the challenge may be resolved instead: anyone but the original opponent
    (AGOT-TTL-23), supported titles too (AGOT-TTL-26)."""
    found = running(state)
    return tuple(one for one in state.opponents(found.attacker) if one != found.against)


def offer_redirect(ctx: ThronesContext) -> None:
    if redirect_holder(ctx.state):
        ctx.add(challenge_events.redirect_offered)


def redirect_pending(state: ThronesState) -> bool:
    """Whether a redirect is decided on: it lapses when nobody may redirect any more, or when no
    other opponent is left (AGOT-TTL-10, AGOT-WIN-5, AGOT-OR-17)."""
    match state.challenge.redirect if state.challenge else "":
        case "asked":
            return bool(redirect_holder(state))
        case "choosing":
            return bool(redirect_opponents(state))
    return False


def lapse_redirect(ctx: ThronesContext) -> None:
    """A redirect without a new opponent: the original one defends; the first targets of stealth
    are no longer bypassed (AGOT-TTL-24)."""
    found = running(ctx.state)
    if found.redirect == "choosing":
        player = ctx.player(found.against)
        ctx.add(challenge_events.redirected, against=found.against, opponent=player, stealth=[])


# -- resolving -------------------------------------------------------------------------------------


def result_of(
    state: ThronesState, attack: ChallengeSide, defence: ChallengeSide
) -> tuple[str, ChallengeResult]:
    """The seat that wins with these sides, empty for nobody (AGOT-CHL-25 to -30)."""
    found = running(state)
    result = challenge_result(attack, defence, state.readings.higher_total == "lower-side")
    winner = {"attacker": found.attacker, "defender": found.defender, "": ""}[result.winner]
    return winner, result


def compare(ctx: ThronesContext) -> None:
    """Strength is compared (AGOT-CHL-25 to -30)."""
    state = ctx.state
    found = running(state)
    attack = challenge_side(state, found.attacker)
    defence = challenge_side(state, found.defender)
    winner, result = result_of(state, attack, defence)
    ctx.add(
        challenge_events.compared,
        attack=attack.total,
        defence=defence.total,
        winner=winner,
        player=ctx.player(winner) if winner else "",
        difference=result.difference,
        unopposed=result.unopposed,
    )
    kneel_assaulted(ctx)


def kneel_assaulted(ctx: ThronesContext) -> None:
    """The assaulted location kneels if the attacker wins with such a character (AGOT-KEY-46)."""
    found = ctx.state.challenge
    if found is None or not found.assault or found.winner != found.attacker:
        return
    location = ctx.state.card(found.assault)
    attackers = [ctx.state.card(one) for one in found.attackers]
    able = any(has_keyword(ctx.state, one, "assault") for one in attackers)
    if able and not location.kneeling:
        ctx.kneel([location])


def beats_rival(state: ThronesState) -> bool:
    """Whether the winner gains power for a rival, once a round for each (AGOT-TTL-18)."""
    found = running(state)
    beaten = state.house(found.winner).rivals_beaten
    return state.rivals(found.winner, found.loser) and found.loser not in beaten


def bonuses_win(state: ThronesState) -> bool:
    """Whether the bonuses end the game before any claim (AGOT-WIN-2)."""
    found = running(state)
    if not found.winner:
        return False
    bonus = int(found.unopposed) + int(beats_rival(state))
    return bonus > 0 and total_power(state, found.winner) + bonus >= GOAL


def gain_bonuses(ctx: ThronesContext) -> None:
    """The unopposed and the rival bonus (AGOT-CHL-32, AGOT-CHL-33), at once (AGOT-CHL-34)."""
    found = running(ctx.state)
    if not found.winner:
        return
    rival = beats_rival(ctx.state)
    if rival:
        ctx.add(challenge_events.rival_beaten, seat=found.winner, rival=found.loser)
    bonus = int(found.unopposed) + int(rival)
    if found.unopposed and rival:
        why = say("unopposed, and a rival beaten")
    else:
        why = say("unopposed") if found.unopposed else say("a rival beaten")
    ctx.gain_power([(FACTION_CARD + found.winner, bonus)], why)


def wide_opponents(state: ThronesState) -> tuple[str, ...]:
    """To whom the attacker's title may widen the claim: opponents with a hand (AGOT-OR-4)."""
    found = running(state)
    title = state.title_of(found.attacker)
    if title is None or title.wide_claim != found.type or found.winner != found.attacker:
        return ()
    others = (seat for seat in state.opponents(found.attacker) if seat != found.defender)
    return tuple(seat for seat in others if state.house(seat).hand)


def asks_wide_claim(state: ThronesState) -> bool:
    """Whether the attacker first says whom else the claim hits."""
    found = running(state)
    return found.wide is None and claim_value(state) > 0 and bool(wide_opponents(state))


def claim_pending(state: ThronesState) -> bool:
    """Whether the defending player, or another whom it hits, still has to resolve claim
    (AGOT-CLM-2)."""
    found = running(state)
    return found.winner == found.attacker and not found.claimed and bool(state.sufferer)


def claim_victims(state: ThronesState) -> tuple[CardInPlay, ...]:
    """The characters a military claim may kill: all that the loser controls (AGOT-CLM-4)."""
    return tuple(state.controlled(state.sufferer, "character"))


def asks_claim(state: ThronesState) -> bool:
    """Whether the defending player is asked what the claim takes: not where it takes power, or
    nothing."""
    found = running(state)
    losing = list(state.controlled(found.defender, "character"))
    there = {"military": losing, "intrigue": state.house(found.defender).hand}
    return found.type != "power" and claim_value(state) > 0 and bool(there[found.type])


def begin_claim(ctx: ThronesContext) -> None:
    """Power claim moves power at once (AGOT-CLM-11 to -13); a claim that can do nothing lapses."""
    state = ctx.state
    found = running(state)
    if found.winner != found.attacker:
        return  # AGOT-CHL-36
    if asks_wide_claim(state):
        return
    claim = claim_value(state)
    if found.replaced and found.defender not in found.suffered:
        why, seat = found.replaced, found.defender
        ctx.add(challenge_events.claimed, claim=claim, seat=seat, why=why)
    elif found.type == "power":
        taken = take_power(ctx, claim)
        why = "" if taken or not claim else unharmed(ctx, found.defender, found.type)
        ctx.add(challenge_events.claimed, claim=claim, seat=found.defender, why=why)
    while (
        not ctx.state.stopped  # prized may have ended the game: nothing happens any more
        and ctx.state.challenge
        and (seat := ctx.state.sufferer)
    ):
        hand = ctx.state.house(seat).hand
        if claim and (claim_victims(ctx.state) if found.type == "military" else hand):
            return
        why = unharmed(ctx, seat, found.type) if claim else ""
        ctx.add(
            challenge_events.claimed, claim=claim, seat=seat, why=why
        )  # AGOT-CLM-8, AGOT-CLM-10


def resume_claim(ctx: ThronesContext) -> None:
    """The claim goes on among those whom a player has left behind (AGOT-OR-13)."""
    if ctx.state.challenge and claim_pending(ctx.state) and not broken(ctx.state):
        begin_claim(ctx)


def unharmed(ctx: ThronesContext, seat: str, kind: str) -> str:
    """Why a claim does nothing to a player."""
    words = {
        "military": say("{player} has no character to lose", player=ctx.player(seat)),
        "intrigue": say("{player} has no card to lose", player=ctx.player(seat)),
        "power": say("{player} has no power to lose", player=ctx.player(seat)),
    }
    return words[kind]


def take_power(ctx: ThronesContext, claim: int) -> int:
    """Move claim from the loser's faction card to the winner's, as much as is there; how much."""
    wanted = claim
    found = running(ctx.state)
    sources = [FACTION_CARD + found.defender]
    if ctx.state.readings.power_claim == "all-cards":  # AGOT-OR-9
        sources += [one.id for one in ctx.state.controlled(found.defender) if one.power]
    for source in sources:
        if source.startswith(FACTION_CARD):
            there = ctx.state.house(found.defender).power
        else:
            there = ctx.state.card(source).power
        count = min(claim, there)
        if count:
            target = FACTION_CARD + found.attacker
            ctx.move_power(source, target, count)
            claim -= count
    return wanted - claim


# -- keywords --------------------------------------------------------------------------------------


def keyword_cards(state: ThronesState, word: str) -> tuple[CardInPlay, ...]:
    """The winner's participating characters with a challenge keyword (AGOT-KEY-8, AGOT-KEY-9).

    Intimidate works only for an attacking player who won (AGOT-KEY-14).
    """
    found = running(state)
    if not found.winner:
        return ()  # AGOT-KEY-10
    ids = found.attackers if found.winner == found.attacker else found.defenders
    if word == "intimidate":
        if found.winner != found.attacker:
            return ()
        if state.readings.intimidate == "controlled":  # AGOT-OR-5
            ids = tuple(one.id for one in state.controlled(found.winner, "character"))
    cards = (state.card(one) for one in ids)
    return tuple(card for card in cards if has_keyword(state, card, word))


def due_keyword(state: ThronesState) -> str:
    """The keyword that the winner uses now or does not: the one that the first player has picked,
    or the only one left; "" while there is an order to choose (AGOT-KEY-7)."""
    found = running(state)
    if found.next_keyword in found.keywords:
        return found.next_keyword
    return found.keywords[0] if len(found.keywords) == 1 else ""


def order_asked(state: ThronesState) -> bool:
    """Whether the first player picks a keyword of somebody else, who then decides (AGOT-KEY-7)."""
    return not due_keyword(state) and state.first != running(state).winner


def intimidated(state: ThronesState) -> tuple[CardInPlay, ...]:
    """The loser's standing characters whose strength is at most the difference (AGOT-KEY-16)."""
    found = running(state)
    return tuple(
        card
        for card in state.controlled(found.loser, "character")
        if not card.kneeling and strength(state, card) <= found.difference
    )


def find_keywords(ctx: ThronesContext) -> None:
    """Which challenge keywords are there to resolve (AGOT-CHL-37)."""
    words = [word for word in KEYWORDS if keyword_cards(ctx.state, word)]
    if "intimidate" in words and not intimidated(ctx.state):
        words.remove("intimidate")
    if words:
        ctx.add(challenge_events.keywords, keywords=words)


def end_challenge(ctx: ThronesContext) -> None:
    """Nobody participates any more (AGOT-CHL-38); effects until its end expire, and the same player
    may go on (AGOT-CHL-39)."""
    ctx.add(challenge_events.challenge_ended)
    ctx.expire("challenge")
