"""Events of decisions: every player chooses, and the order of effects that exclude each other."""

from __future__ import annotations

from dataclasses import replace

from companion.games.thrones.play.events.event_kinds import SILENT, Data, kind
from companion.games.thrones.play.shared_decision import PlayerChoice, SharedDecision
from companion.games.thrones.play.state import ThronesState
from models.lazy_message import joined, say


@kind("each-chooses", "every player decides: {what}")
def each_chooses(state: ThronesState, data: Data) -> ThronesState:
    return replace(state, decision=SharedDecision(data["what"], data.get("how", "")))


def chose_title(data: Data) -> str:
    words = [*data.get("names", ()), *([data["text"]] if data.get("text") else [])]
    return say("{player} chooses: {what}", player=data["player"],
               what=joined(words) if words else say("nothing"))  # fmt: skip


@kind("chose", chose_title)
def chose(state: ThronesState, data: Data) -> ThronesState:
    assert state.decision is not None
    saves = tuple(sorted(data.get("saves", {}).items()))
    one = PlayerChoice(data["seat"], tuple(data["cards"]), saves, data.get("text", ""))
    decision = replace(state.decision, choices=(*state.decision.choices, one))
    return replace(state, decision=decision)


@kind("all-chose", SILENT)
def all_chose(state: ThronesState, data: Data) -> ThronesState:
    """All have decided: what was chosen happens now, at once (AGOT-ORD-13)."""
    return replace(state, decision=None)


@kind("effects-conflict", SILENT)
def effects_conflict(state: ThronesState, data: Data) -> ThronesState:
    return replace(state, conflict=tuple(data["modifiers"]))


@kind("effects-ordered", "{player} orders the effects: {last} is applied last")
def effects_ordered(state: ThronesState, data: Data) -> ThronesState:
    """The effect that is applied last stands behind the others (AGOT-ORD-15, AGOT-MOD-6)."""
    last = [one for one in state.modifiers if one.id == data["modifier"]]
    rest = [one for one in state.modifiers if one.id != data["modifier"]]
    return replace(state, modifiers=(*rest, *last), conflict=())
