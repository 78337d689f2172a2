"""Events of effects: trigger sequences, decisions of every player, exclusive effects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.shared.step_pipeline import ActionWindow
from companion.games.thrones.play.effects import PlayerChoice, SharedDecision, TriggerSequence
from companion.games.thrones.play.events.event_kinds import SILENT, kind
from companion.games.thrones.play.state import ThronesState
from models.frozen_records import replace
from models.message import joined, say


def with_top(state: ThronesState, top: TriggerSequence | None) -> ThronesState:
    """The state with another innermost sequence, or without it."""
    rest = state.triggers[:-1]
    return replace(state, triggers=(*rest, top) if top else rest)


@kind("trigger", "About to happen: {what}")
def trigger(state: ThronesState, *, what: str) -> ThronesState:
    """A new sequence pauses the one before (AGOT-TRG-17)."""
    new = TriggerSequence(what, ActionWindow("would", state.first))
    return replace(state, triggers=(*state.triggers, new))


@kind("responded", "{player} uses {ability}")
def responded(state: ThronesState, *, seat: str, player: str, ability: str) -> ThronesState:
    top = state.triggers[-1]
    window = replace(top.window, holder=seat).acted(state.order)
    return with_top(state, replace(top, used=(*top.used, (seat, ability)), window=window))


@kind("trigger-passed", "A player passes")
def trigger_passed(state: ThronesState) -> ThronesState:
    top = state.triggers[-1]
    return with_top(state, replace(top, window=top.window.passed(state.order)))


@kind("trigger-stage", "This stage is done")
def trigger_stage(state: ThronesState) -> ThronesState:
    return with_top(state, state.triggers[-1].next_stage(state.first))


@kind("trigger-canceled", "Canceled: {what}")
def trigger_canceled(state: ThronesState, *, what: str) -> ThronesState:
    return with_top(state, None)


@kind("delayed", "Later: {what}")
def delayed(state: ThronesState, *, until: str, what: str) -> ThronesState:
    return replace(state, delayed=(*state.delayed, (until, what)))


@kind("delayed-due", SILENT)
def delayed_due(state: ThronesState, *, until: str) -> ThronesState:
    """Delayed effects of this moment happen now, before reactions to it (AGOT-EFF-8)."""
    due = [what for end, what in state.delayed if end == until]
    new = tuple(
        TriggerSequence(what, ActionWindow("occurs", state.first), "occurs") for what in due
    )
    kept = tuple(one for one in state.delayed if one[0] != until)
    return replace(state, delayed=kept, triggers=(*state.triggers, *reversed(new)))


@kind("trigger-changed", "Instead about to happen: {what}")
def trigger_changed(state: ThronesState, *, what: str) -> ThronesState:
    new = TriggerSequence(what, ActionWindow("would", state.first))
    return with_top(state, new)


@kind("each-chooses", "Every player decides: {what}")
def each_chooses(state: ThronesState, *, what: str, how: str = "") -> ThronesState:
    return replace(state, decision=SharedDecision(what, how))


def chose_title(player: str, names: Sequence[str] = (), text: str = "") -> str:
    words = [*names, *([text] if text else [])]
    return say("{player} chooses: {what}", player=player,
               what=joined(words) if words else say("nothing"))  # fmt: skip


@kind("chose", chose_title)
def chose(
    state: ThronesState,
    *,
    seat: str,
    player: str,
    cards: Sequence[str],
    names: Sequence[str] = (),
    saves: Mapping[str, str] | None = None,
    text: str = "",
) -> ThronesState:
    assert state.decision is not None
    one = PlayerChoice(seat, tuple(cards), tuple(sorted((saves or {}).items())), text)
    decision = replace(state.decision, choices=(*state.decision.choices, one))
    return replace(state, decision=decision)


@kind("all-chose", SILENT)
def all_chose(state: ThronesState) -> ThronesState:
    """All have decided: what was chosen happens now, at once (AGOT-ORD-13)."""
    return replace(state, decision=None)


@kind("effects-conflict", SILENT)
def effects_conflict(state: ThronesState, *, modifiers: Sequence[int]) -> ThronesState:
    return replace(state, conflict=tuple(modifiers))


@kind("effects-ordered", "{player} orders the effects: {last} is applied last")
def effects_ordered(state: ThronesState, *, modifier: int, player: str, last: str) -> ThronesState:
    """The effect that is applied last stands behind the others (AGOT-ORD-15, AGOT-MOD-6)."""
    later = [one for one in state.modifiers if one.id == modifier]
    rest = [one for one in state.modifiers if one.id != modifier]
    return replace(state, modifiers=(*rest, *later), conflict=())
