"""Events of challenges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.thrones.play.events.event_kinds import SILENT, kind
from companion.games.thrones.play.state import Challenge, ThronesState
from models.frozen_records import replace
from models.message import listed_names, say

CHALLENGE_WORDS = {
    "military": say("military challenge"),
    "intrigue": say("intrigue challenge"),
    "power": say("power challenge"),
}


def challenge_title(
    player: str, opponent: str, kind: str, names: Sequence[str], bypassed: Sequence[str] = ()
) -> str:
    """Who attacks with what, and whom stealth bypasses; older logs do not say that."""
    told = say(
        "{player} attacks {opponent}: {kind} with {cards}",
        player=player,
        kind=CHALLENGE_WORDS[kind],
        opponent=opponent,
        cards=listed_names(names),
    )
    if not bypassed:
        return told
    return say("{attack}; stealth bypasses {cards}", attack=told, cards=listed_names(bypassed))


@kind("challenge", challenge_title)
def challenge(
    state: ThronesState,
    *,
    kind: str,
    player: str,
    against: str,
    opponent: str,
    attackers: Sequence[str],
    names: Sequence[str],
    stealth: Sequence[Sequence[Any]],
    extra: bool = False,
    assault: str = "",
    bypassed: Sequence[str] = (),
) -> ThronesState:
    """A challenge is initiated: its attackers kneel with another event."""
    begun = Challenge(
        kind,
        state.active,
        against,
        against,
        tuple(attackers),
        tuple((one, other) for one, other in stealth),
        assault=assault,
    )
    declared = (*state.declared, (kind, against))
    left, title_challenges = list(state.extra), state.title_challenges
    if extra:
        left.remove(kind)
    elif any(before == kind for before, _ in state.declared):
        title_challenges = (*title_challenges, kind)
    return replace(
        state,
        challenge=begun,
        declared=declared,
        extra=tuple(left),
        title_challenges=title_challenges,
    )


def running(state: ThronesState) -> Challenge:
    """The challenge that is resolving."""
    assert state.challenge is not None
    return state.challenge


@kind("redirect-offered", SILENT)
def redirect_offered(state: ThronesState) -> ThronesState:
    return replace(state, challenge=replace(running(state), redirect="asked"))


def redirect_title(use: bool, player: str) -> str:
    if not use:
        return say("{player} does not redirect", player=player)
    return say("{player} redirects the challenge", player=player)


@kind("redirect", redirect_title)
def redirect(state: ThronesState, *, seat: str, player: str, use: bool) -> ThronesState:
    """The Crown Regent redirects, once a round (AGOT-TTL-20)."""
    if not use:
        return replace(state, challenge=replace(running(state), redirect="done"))
    state = state.with_house(replace(state.house(seat), redirected=True))
    found = running(state)
    found = replace(found, redirect="choosing", stealth=(), assault="")
    return replace(state, challenge=found)


@kind("redirected", "The challenge is resolved against {opponent}")
def redirected(
    state: ThronesState,
    *,
    against: str,
    opponent: str,
    stealth: Sequence[Sequence[Any]],
    assault: str = "",
) -> ThronesState:
    """Resolved against another opponent, with new stealth targets (AGOT-TTL-24, AGOT-TTL-25)."""
    avoided = tuple((one, other) for one, other in stealth)
    changed = replace(
        running(state), defender=against, stealth=avoided, redirect="done", assault=assault
    )
    return replace(state, challenge=changed)


def defenders_title(names: Sequence[str], player: str) -> str:
    if not names:
        return say("{player} declares no defenders", player=player)
    return say("{player} defends with {cards}", player=player,
               cards=listed_names(names))  # fmt: skip


@kind("defenders", defenders_title)
def defenders(
    state: ThronesState, *, cards: Sequence[str], names: Sequence[str], player: str
) -> ThronesState:
    found = replace(running(state), defenders=tuple(cards))
    return replace(state, challenge=found, confirmed=True)


def compared_title(unopposed: bool, attack: int, defence: int, winner: str, player: str) -> str:
    values = {"attack": attack, "defence": defence}
    if not winner:
        return say("{attack} : {defence}, nobody wins the challenge", **values)
    if unopposed:
        return say("{attack} : {defence}, {player} wins unopposed", **values, player=player)
    return say("{attack} : {defence}, {player} wins", **values, player=player)


@kind("compared", compared_title)
def compared(
    state: ThronesState,
    *,
    attack: int,
    defence: int,
    winner: str,
    player: str,
    difference: int,
    unopposed: bool,
) -> ThronesState:
    return replace(
        state,
        challenge=replace(
            running(state),
            compared=True,
            winner=winner,
            difference=difference,
            unopposed=unopposed,
        ),
    )


@kind("rival-beaten", SILENT)
def rival_beaten(state: ThronesState, *, seat: str, rival: str) -> ThronesState:
    house = state.house(seat)
    beaten = (*house.rivals_beaten, rival)
    return state.with_house(replace(house, rivals_beaten=beaten))


@kind("wide-claim", "{player}: the claim also hits {names}")
def wide_claim(
    state: ThronesState, *, seats: Sequence[str], player: str, names: str
) -> ThronesState:
    """The attacker's title lets several opponents suffer the claim (AGOT-OR-4)."""
    return replace(state, challenge=replace(running(state), wide=tuple(seats)))


@kind("claim-replaced", "The claim will be replaced: {why}")
def claim_replaced(state: ThronesState, *, why: str) -> ThronesState:
    """A card's text takes the place of a claim that asks nobody (AGOT-EFF-10)."""
    return replace(state, challenge=replace(running(state), replaced=why))


def claim_title(claim: int, why: str = "", seat: str = "") -> str:
    if why:
        return say("Claim {claim}: {why}", claim=claim, why=why)
    return say("Claim {claim} is resolved", claim=claim)


@kind("claimed", claim_title)
def claimed(state: ThronesState, *, claim: int, why: str = "", seat: str = "") -> ThronesState:
    """A player has suffered the claim; older games name nobody: then all have."""
    found = running(state)
    found = replace(found, suffered=(*found.suffered, seat or found.defender))
    left = replace(state, challenge=found).sufferer
    return replace(state, challenge=replace(found, claimed=not (seat and left)))


@kind("keywords", SILENT)
def keywords(state: ThronesState, *, keywords: Sequence[str]) -> ThronesState:
    return replace(state, challenge=replace(running(state), keywords=tuple(keywords)))


def order_title(player: str, keyword: str) -> str:
    return say("{player}: next {keyword}", player=player, keyword=say(keyword))


@kind("keyword-order", order_title)
def keyword_order(state: ThronesState, *, player: str, keyword: str) -> ThronesState:
    """The first player has picked the keyword that is resolved next (AGOT-KEY-7)."""
    return replace(state, challenge=replace(running(state), next_keyword=keyword))


def keyword_title(cards: Sequence[str], keyword: str, names: Sequence[str]) -> str:
    if not cards:
        return say("No {keyword}", keyword=say(keyword))
    return say("{keyword}: {cards}", keyword=say(keyword), cards=listed_names(names))


@kind("keyword", keyword_title)
def keyword(
    state: ThronesState, *, keyword: str, cards: Sequence[str], names: Sequence[str]
) -> ThronesState:
    """A keyword was resolved: it is not asked again."""
    found = running(state)
    left = tuple(one for one in found.keywords if one != keyword)
    return replace(state, challenge=replace(found, keywords=left, next_keyword=""))


@kind("removed-from-challenge", "{name} no longer participates")
def removed_from_challenge(state: ThronesState, *, card: str, name: str) -> ThronesState:
    return replace(state, challenge=running(state).without({card}))


@kind("challenge-ended", SILENT)
def challenge_ended(state: ThronesState) -> ThronesState:
    return replace(state, challenge=None)


@kind("extra-challenge", "{player} may initiate one more {challenge} ({why})")
def extra_challenge(
    state: ThronesState, *, kind: str, challenge: str, player: str, why: str
) -> ThronesState:
    return replace(state, extra=(*state.extra, kind))
