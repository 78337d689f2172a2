"""Events of challenges."""

from __future__ import annotations

from dataclasses import replace

from companion.games.thrones.play.events.event_kinds import SILENT, Data, kind
from companion.games.thrones.play.state import Challenge, ThronesState
from models.message import say

CHALLENGE_WORDS = {
    "military": say("military challenge"),
    "intrigue": say("intrigue challenge"),
    "power": say("power challenge"),
}


def challenge_title(data: Data) -> str:
    return say(
        "{player}: {kind} against {opponent} with {cards}",
        player=data["player"],
        kind=CHALLENGE_WORDS[data["kind"]],
        opponent=data["opponent"],
        cards=", ".join(data["names"]),
    )


@kind("challenge", challenge_title)
def challenge(state: ThronesState, data: Data) -> ThronesState:
    """A challenge is initiated: its attackers kneel with another event."""
    begun = Challenge(
        data["kind"],
        state.active,
        data["against"],
        data["against"],
        tuple(data["attackers"]),
        tuple((one, other) for one, other in data["stealth"]),
    )
    declared = (*state.declared, (data["kind"], data["against"]))
    extra, title_challenges = list(state.extra), state.title_challenges
    if data.get("extra"):
        extra.remove(data["kind"])
    elif any(kind == data["kind"] for kind, _ in state.declared):
        title_challenges = (*title_challenges, data["kind"])
    return replace(
        state,
        challenge=begun,
        declared=declared,
        extra=tuple(extra),
        title_challenges=title_challenges,
    )


def running(state: ThronesState) -> Challenge:
    """The challenge that is resolving."""
    assert state.challenge is not None
    return state.challenge


@kind("redirect-offered", SILENT)
def redirect_offered(state: ThronesState, data: Data) -> ThronesState:
    return replace(state, challenge=replace(running(state), redirect="asked"))


def redirect_title(data: Data) -> str:
    if not data["use"]:
        return say("{player} does not redirect", player=data["player"])
    return say("{player} redirects the challenge", player=data["player"])


@kind("redirect", redirect_title)
def redirect(state: ThronesState, data: Data) -> ThronesState:
    """The Crown Regent redirects, once a round (AGOT-TTL-20)."""
    if not data["use"]:
        return replace(state, challenge=replace(running(state), redirect="done"))
    state = state.with_house(replace(state.house(data["seat"]), redirected=True))
    found = running(state)
    found = replace(found, redirect="choosing", stealth=(), first_stealth=found.stealth)
    return replace(state, challenge=found)


@kind("redirected", "the challenge is resolved against {opponent}")
def redirected(state: ThronesState, data: Data) -> ThronesState:
    """Resolved against another opponent, with new stealth targets (AGOT-TTL-24, AGOT-TTL-25)."""
    stealth = tuple((one, other) for one, other in data["stealth"])
    changed = replace(running(state), defender=data["against"], stealth=stealth, redirect="done")
    return replace(state, challenge=changed)


def defenders_title(data: Data) -> str:
    if not data["names"]:
        return say("{player} declares no defenders", player=data["player"])
    return say("{player} defends with {cards}", player=data["player"],
               cards=", ".join(data["names"]))  # fmt: skip


@kind("defenders", defenders_title)
def defenders(state: ThronesState, data: Data) -> ThronesState:
    found = replace(running(state), defenders=tuple(data["cards"]))
    return replace(state, challenge=found, confirmed=True)


def compared_title(data: Data) -> str:
    values = {"attack": data["attack"], "defence": data["defence"]}
    if not data["winner"]:
        return say("{attack} : {defence}, nobody wins the challenge", **values)
    if data["unopposed"]:
        return say("{attack} : {defence}, {player} wins unopposed", **values, player=data["player"])
    return say("{attack} : {defence}, {player} wins", **values, player=data["player"])


@kind("compared", compared_title)
def compared(state: ThronesState, data: Data) -> ThronesState:
    return replace(
        state,
        challenge=replace(
            running(state),
            compared=True,
            winner=data["winner"],
            difference=data["difference"],
            unopposed=data["unopposed"],
        ),
    )


@kind("rival-beaten", SILENT)
def rival_beaten(state: ThronesState, data: Data) -> ThronesState:
    house = state.house(data["seat"])
    beaten = (*house.rivals_beaten, data["rival"])
    return state.with_house(replace(house, rivals_beaten=beaten))


def claim_title(data: Data) -> str:
    if data.get("why"):
        return say("claim {claim}: {why}", claim=data["claim"], why=data["why"])
    return say("claim {claim} is resolved", claim=data["claim"])


@kind("claimed", claim_title)
def claimed(state: ThronesState, data: Data) -> ThronesState:
    return replace(state, challenge=replace(running(state), claimed=True))


@kind("keywords", SILENT)
def keywords(state: ThronesState, data: Data) -> ThronesState:
    return replace(state, challenge=replace(running(state), keywords=tuple(data["keywords"])))


def keyword_title(data: Data) -> str:
    if not data["cards"]:
        return say("No {keyword}", keyword=say(data["keyword"]))
    return say("{keyword}: {cards}", keyword=say(data["keyword"]), cards=", ".join(data["names"]))


@kind("keyword", keyword_title)
def keyword(state: ThronesState, data: Data) -> ThronesState:
    """A keyword was resolved: it is not asked again."""
    found = running(state)
    left = tuple(one for one in found.keywords if one != data["keyword"])
    return replace(state, challenge=replace(found, keywords=left))


@kind("removed-from-challenge", "{name} no longer participates")
def removed_from_challenge(state: ThronesState, data: Data) -> ThronesState:
    return replace(state, challenge=running(state).without({data["card"]}))


@kind("challenge-ended", SILENT)
def challenge_ended(state: ThronesState, data: Data) -> ThronesState:
    return replace(state, challenge=None)


@kind("extra-challenge", "{player} may initiate one more {challenge} ({why})")
def extra_challenge(state: ThronesState, data: Data) -> ThronesState:
    return replace(state, extra=(*state.extra, data["kind"]))
