"""Everything that can happen: what each event does to the state, and how it is told."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion.games.playing import Event, Roll
from companion.games.tmg.play.rules import CONDITIONS, ZONES
from companion.games.tmg.play.state import (
    ACTIVATION,
    CLEAN_UP,
    OVER,
    SET_UP,
    Acting,
    AttackState,
    Mod,
    Proposal,
    Standing,
    State,
    Task,
    Token,
    Trial,
)
from companion.games.tmg.play.unit_state import DESTROYED, FIELD
from models import CompanionError

Data = Mapping[str, Any]
Change = Callable[[State, Data], State]
Told = Callable[[Data], str]

KINDS: dict[str, tuple[Change, Told]] = {}


class Shy(dict[str, Any]):
    """Facts for a title: what is missing is left out, never an error."""

    def __missing__(self, key: str) -> str:
        return ""


def kind(name: str, title: str | Told) -> Callable[[Change], Change]:
    """Make a function what an event of that name does."""

    def known(change: Change) -> Change:
        told: Told
        if isinstance(title, str):
            text = title

            def told(data: Data) -> str:
                return text.format_map(Shy(data))

        else:
            told = title
        KINDS[name] = (change, told)
        return change

    return known


def apply(state: State, event: Event) -> State:
    """The state after an event."""
    known = KINDS.get(event.type)
    if known is None or event.version > 1:
        raise CompanionError(f"an event {event.type!r} of version {event.version} is not known")
    if drawn := event.data.get("drawn", 0):
        state = replace(state, rolls=state.rolls + drawn)
    return known[0](state, event.data)


def title(event: Event) -> str:
    """The event in a short public sentence."""
    known = KINDS.get(event.type)
    return known[1](event.data) if known else event.type


def count(number: int, word: str) -> str:
    """'1 wound', '3 wounds'."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def mods(raw: Any) -> tuple[Mod, ...]:
    """Modifiers as a log writes them."""
    return tuple((str(name), int(value)) for name, value in raw)


# -- the course of the game -------------------------------------------------------------------


@kind("step", lambda data: f"now: {data['say']}")
def step(state: State, data: Data) -> State:
    """The next step of the pipeline."""
    return replace(
        state,
        step=data["step"],
        phase=data["phase"],
        done=(),
        window=state.window + 1,
        roll_off=(),
        active=data.get("active", state.active),
    )


@kind("round-began", "round {round} begins, {first} is first player")
def round_began(state: State, data: Data) -> State:
    """The round marker advances (TMG-RND-23)."""
    return replace(
        state, round=data["round"], active=data["first"], first=data["first"], fresh=True
    )


@kind("turn-began", "turn {turn}: {side}")
def turn_began(state: State, data: Data) -> State:
    """A side's turn; what held until the end of a turn is over."""
    return replace(
        state,
        turn=data["turn"],
        fresh=False,
        active=data["side"],
        acting=None,
        barred=(),
        window=state.window + 1,
        used=(),
        effects=tuple(one for one in state.effects if one[2] != "turn"),
    )


@kind("passed", "{side} has no unit left to activate and must pass")
def passed(state: State, data: Data) -> State:
    """A forced pass (TMG-RND-10)."""
    return state


@kind("went-on", lambda data: f"{data['side'] or 'both'} done: {data['step']}")
def went_on(state: State, data: Data) -> State:
    """A side has finished with the step that waits."""
    sides = (data["side"],) if data["side"] else state.side_names
    return replace(state, done=tuple(dict.fromkeys((*state.done, *sides))))


@kind("first-player", "{side} is first player")
def first_player(state: State, data: Data) -> State:
    """The first player token passes (TMG-RND-22)."""
    return replace(state, first=data["side"])


@kind(
    "won",
    lambda data: (
        f"{data['side']} wins: {data['how']}" if data["side"] != "draw" else f"draw: {data['how']}"
    ),
)
def won(state: State, data: Data) -> State:
    """The game is over."""
    return replace(
        state,
        winner=data["side"],
        how=data["how"],
        phase=OVER,
        step="over",
        acting=None,
        attack=None,
        trials=(),
        tasks=(),
    )


@kind("eliminated", "{side} has no combat unit left on the battlefield and is eliminated")
def eliminated(state: State, data: Data) -> State:
    """A side is out (TMG-VIC-7, TMG-FFA-7)."""
    state = state.with_side(replace(state.side(data["side"]), eliminated=True))
    gone = tuple(
        replace(unit, place=DESTROYED) if unit.side == data["side"] else unit
        for unit in state.units
    )
    ncus = {ncu.id for ncu in state.ncus if ncu.side == data["side"]}
    return replace(
        state,
        units=gone,
        ncus=tuple(ncu for ncu in state.ncus if ncu.id not in ncus),
        board=tuple("" if ncu in ncus else ncu for ncu in state.board),
    )


# -- set-up -----------------------------------------------------------------------------------


@kind(
    "roll-off",
    lambda data: "roll-off: " + ", ".join(f"{side} {face}" for side, face in data["dice"]),
)
def roll_off(state: State, data: Data) -> State:
    """Who rolled what; the higher begins."""
    return replace(
        state,
        roll_off=tuple((side, face) for side, face in data["dice"]),
        chooser=data["chooser"],
    )


@kind("zone-chosen", "{side} deploys {zone}")
def zone_chosen(state: State, data: Data) -> State:
    """Where a side deploys (TMG-DEP-1)."""
    return state.with_side(replace(state.side(data["side"]), zone=data["zone"]))


@kind("role-chosen", "{side} is the {role}")
def role_chosen(state: State, data: Data) -> State:
    """Attacker or defender (TMG-MODE-SOS-1)."""
    return state.with_side(replace(state.side(data["side"]), role=data["role"]))


@kind("zone-left", "{side} leaves the choice of zone to {other}")
def zone_left(state: State, data: Data) -> State:
    """The choice goes to the opponent (TMG-DEP-1)."""
    return replace(state, chooser=data["other"])


@kind("piece-count", "{count} terrain pieces will be placed")
def piece_count(state: State, data: Data) -> State:
    """How many pieces (TMG-SET-9, TMG-SET-10)."""
    return replace(state, piece_count=data["count"])


@kind("piece-placed", "{side} places a {piece}")
def piece_placed(state: State, data: Data) -> State:
    """A terrain piece (TMG-SET-7)."""
    return replace(state, pieces=(*state.pieces, data["piece"]), active=data["next"])


@kind("deployed", "{unit} is deployed")
def deployed(state: State, data: Data) -> State:
    """A combat unit enters the battlefield with its attachments (TMG-DEP-3, TMG-DEP-5)."""
    unit = replace(state.unit(data["unit"]), place=FIELD)
    return replace(state.with_unit(unit), active=data.get("next", state.active))


@kind("reserved", "{unit} goes to reserve")
def reserved(state: State, data: Data) -> State:
    """A unit waits off the table."""
    return state.with_unit(replace(state.unit(data["unit"]), place="reserve"))


@kind("redeployed", "{unit} returns to the battlefield")
def redeployed(state: State, data: Data) -> State:
    """A destroyed or reserved unit comes back."""
    unit = state.unit(data["unit"])
    if data.get("whole"):
        unit = replace(unit, wounds=0, tokens=(), orders=(), influence=(), vp_tokens=0, engaged=())
    if not data.get("characters", True):
        unit = unit.without_characters()
    unit = replace(unit, place=FIELD, activated=data.get("activated", unit.activated))
    return replace(state.with_unit(unit), moved=(*state.moved, unit.id))


@kind("renamed-leader", "{unit} stands in for the commander")
def representative(state: State, data: Data) -> State:
    """A commander beside the board is represented on the field (TMG-MODE-COK-14)."""
    return state.with_unit(replace(state.unit(data["unit"]), commander=True))


@kind("table", "the table is seen")
def table_seen(state: State, data: Data) -> State:
    """A new picture of the table; who is engaged comes with it."""
    engaged = data["engaged"]
    units = tuple(
        replace(unit, engaged=tuple(engaged[unit.id])) if unit.id in engaged else unit
        for unit in state.units
    )
    text = json.dumps(data["table"], ensure_ascii=False)
    return replace(state, units=units, table=text, moved=())


@kind(
    "engaged", lambda data: f"{data['unit']} is engaged with {', '.join(data['with']) or 'nobody'}"
)
def engaged(state: State, data: Data) -> State:
    """Who is in contact with a unit; contact goes both ways (TMG-GLO-11)."""
    name, others = data["unit"], tuple(data["with"])
    units = []
    for unit in state.units:
        if unit.id == name:
            unit = replace(unit, engaged=others)
        elif unit.id in others and name not in unit.engaged:
            unit = replace(unit, engaged=(*unit.engaged, name))
        elif unit.id not in others and name in unit.engaged:
            unit = replace(unit, engaged=tuple(one for one in unit.engaged if one != name))
        units.append(unit)
    return replace(state, units=tuple(units))


# -- activations ------------------------------------------------------------------------------


@kind("activated", "{unit} is activated")
def activated(state: State, data: Data) -> State:
    """A unit's activation begins."""
    return replace(
        state,
        acting=Acting(data["unit"]),
        step="action",
        phase=ACTIVATION,
        window=state.window + 1,
        used=(),
    )


@kind(
    "acted",
    lambda data: (
        f"{data['unit']}: {data['action']}" + (f" ({data['note']})" if data.get("note") else "")
    ),
)
def acted(state: State, data: Data) -> State:
    """The action it performs."""
    state = replace(state, window=state.window + 1)
    if state.acting and state.acting.unit == data["unit"] and not data.get("free"):
        state = replace(state, acting=replace(state.acting, stage="doing", action=data["action"]))
    if data.get("moves"):
        state = replace(state, moved=tuple(dict.fromkeys((*state.moved, data["unit"]))))
    return state


@kind("activation-ended", "{unit} has been activated")
def activation_ended(state: State, data: Data) -> State:
    """It gets its activation token (TMG-ACT-3)."""
    name = data["unit"]
    units = tuple(replace(u, activated=True) if u.id == name else u for u in state.units)
    ncus = tuple(replace(n, activated=True) if n.id == name else n for n in state.ncus)
    walls = tuple(replace(w, activated=True) if w.id == name else w for w in state.walls)
    barred = tuple(one for one in state.barred if one[1] != "action")
    acting = replace(state.acting, stage="done") if state.acting else None
    return replace(state, units=units, ncus=ncus, walls=walls, acting=acting, barred=barred)


@kind("tokens-cleared", "activation tokens and orders are cleared")
def tokens_cleared(state: State, data: Data) -> State:
    """All units may be activated again (TMG-RND-15), used orders too (TMG-ORD-5)."""
    return replace(
        state,
        units=tuple(replace(u, activated=False, orders=()) for u in state.units),
        ncus=tuple(replace(n, activated=False, orders=()) for n in state.ncus),
        walls=tuple(replace(w, activated=False) for w in state.walls),
        effects=tuple(one for one in state.effects if one[2] == "game"),
        acting=None,
    )


@kind("board-cleared", "the tactics board is cleared")
def board_cleared(state: State, data: Data) -> State:
    """All models leave the tactics board (TMG-RND-16)."""
    return replace(
        state,
        board=("",) * len(ZONES),
        ncus=tuple(replace(ncu, quadrant="") for ncu in state.ncus),
    )


@kind("influence-cleared", "influence effects are removed")
def influence_cleared(state: State, data: Data) -> State:
    """No influence outlasts a round (TMG-RND-17, TMG-INF-4)."""
    return replace(state, units=tuple(replace(u, influence=()) for u in state.units))


# -- wounds -----------------------------------------------------------------------------------


@kind(
    "wounds",
    lambda data: (
        f"{data['unit']} suffers {count(data['wounds'], 'wound')}"
        + (f" ({data['why']})" if data.get("why") else "")
    ),
)
def wounds(state: State, data: Data) -> State:
    """A unit takes wounds."""
    return state.with_unit(state.unit(data["unit"]).wounded(data["wounds"]))


@kind("healed", lambda data: f"{data['unit']} heals {count(data['wounds'], 'wound')}")
def healed(state: State, data: Data) -> State:
    """A unit is healed (TMG-WND-5, TMG-WND-6)."""
    return state.with_unit(state.unit(data["unit"]).healed(data["wounds"]))


@kind("corrected", lambda data: f"correction: {data['unit']} {data['say']}")
def corrected(state: State, data: Data) -> State:
    """The players set a number right."""
    unit = state.unit(data["unit"])
    changes: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in data["set"].items()
    }
    return state.with_unit(replace(unit, **changes))


@kind(
    "destroyed",
    lambda data: (
        f"{data['unit']} is destroyed"
        + (f" by {data['by_unit'] or data['by']}" if data.get("by_unit") or data.get("by") else "")
    ),
)
def destroyed(state: State, data: Data) -> State:
    """The last model is gone: the unit leaves the battlefield (TMG-UNT-11)."""
    name = data["unit"]
    units = []
    for unit in state.units:
        if unit.id == name:
            unit = replace(
                unit,
                place=data.get("place", DESTROYED),
                engaged=(),
                influence=(),
                tokens=(),
                fallen=unit.fallen + 1,
            )
            if data.get("place") == "reserve":  # TMG-MODE-COK-16: it waits whole in reserve
                unit = replace(unit.without_characters(), wounds=0, orders=())
        elif name in unit.engaged:
            unit = replace(unit, engaged=tuple(one for one in unit.engaged if one != name))
        units.append(unit)
    return replace(
        state,
        units=tuple(units),
        trials=tuple(trial for trial in state.trials if trial.unit != name),
        tokens=tuple(
            replace(token, holder="", touched=tuple(t for t in token.touched if t != name))
            if token.holder == name or name in token.touched
            else token
            for token in state.tokens
        ),
    )


@kind("condition", lambda data: f"{data['unit']} is {data['token']}")
def condition(state: State, data: Data) -> State:
    """A condition token is placed: one of each kind at most (TMG-CON-2)."""
    unit = state.unit(data["unit"])
    kept = [one for one in CONDITIONS if one in unit.tokens or one == data["token"]]
    return state.with_unit(replace(unit, tokens=tuple(kept)))


@kind(
    "condition-gone",
    lambda data: (
        f"{data['unit']} is no longer {data['token']}"
        + (f", spent by {data['by']}" if data.get("by") else "")
    ),
)
def condition_gone(state: State, data: Data) -> State:
    """A condition token is spent or removed (TMG-CON-3)."""
    unit = state.unit(data["unit"])
    left = tuple(one for one in unit.tokens if one != data["token"])
    return state.with_unit(replace(unit, tokens=left))


@kind(
    "abilities",
    lambda data: (
        f"{data['unit']} " + ("loses its abilities" if data["lost"] else "has its abilities again")
    ),
)
def abilities(state: State, data: Data) -> State:
    """A unit loses its abilities or has them back (TMG-ABL-7)."""
    return state.with_unit(replace(state.unit(data["unit"]), abilities_lost=data["lost"]))


@kind("effect", lambda data: f"{data['unit']}: {data['name']} until the end of the {data['until']}")
def effect(state: State, data: Data) -> State:
    """An effect that lasts, as the players note it."""
    return replace(state, effects=(*state.effects, (data["unit"], data["name"], data["until"])))


# -- attacks ----------------------------------------------------------------------------------


@kind(
    "attack",
    lambda data: (
        f"{data['attacker'] or data['by'] or 'an effect'} attacks "
        f"{data['defender']}: {data['weapon']}"
        if data["stage"] == "attack-dice"
        else f"{data['defender']} takes {count(data['hits'], 'hit')}: {data['weapon']}"
    ),
)
def attack(state: State, data: Data) -> State:
    """An attack begins, or hits strike that are no attack."""
    begun = AttackState(
        defender=data["defender"],
        attacker=data["attacker"],
        by=data["by"],
        weapon=data["weapon"],
        kind=data["kind"],
        dice=data["dice"],
        hit=data["hit"],
        zone=data["zone"],
        abilities=tuple(data["abilities"]),
        charge=data["charge"],
        bonus=data["bonus"],
        free=data["free"],
        attack_mods=mods(data["attack_mods"]),
        defense_mods=mods(data["defense_mods"]),
        panic_mods=mods(data["panic_mods"]),
        stage=data["stage"],
        hits=data["hits"],
        friends=tuple(data["friends"]),
        companions=tuple(data["companions"]),
    )
    return replace(state, attack=begun, window=state.window + 1)


@kind(
    "attack-changed",
    lambda data: (
        f"the attack: {data['name']}" + (f" {data['value']:+d}" if data.get("value") else "")
    ),
)
def attack_changed(state: State, data: Data) -> State:
    """An effect changes the attack that runs."""
    now = state.attack
    if now is None:
        return state
    what = data["what"]
    mod = (data["name"], data["value"])
    if what in ("attack", "defense", "panic"):
        field = f"{what}_mods"
        added: dict[str, Any] = {field: (*getattr(now, field), mod)}
        changed = replace(now, **added)
    elif what == "ability":
        changed = replace(now, abilities=tuple(dict.fromkeys((*now.abilities, data["name"]))))
    elif what == "dice":
        changed = replace(now, dice=max(0, now.dice + data["value"]))
    elif what == "panic-wounds":
        changed = replace(now, extra_panic_wounds=now.extra_panic_wounds + data["value"])
    else:  # highest, lowest: the number of dice stands in the event
        flags: dict[str, Any] = {what: True}
        changed = replace(now, dice=data["dice"], **flags)
    return replace(state, attack=changed)


@kind(
    "rolled",
    lambda data: (
        f"{data['side']} rolls {data['what']}: " + " ".join(str(face) for face in data["faces"])
    ),
)
def rolled(state: State, data: Data) -> State:
    """Attack or defense dice fall."""
    now = state.attack
    if now is None:
        return state
    faces = tuple(data["faces"])
    roll = Standing(data["what"], data["side"], faces, ((),) * len(faces))
    changed = replace(now, roll=roll, stage=f"{data['what']}-rerolls")
    return replace(state, attack=changed, window=state.window + 1)


@kind(
    "rerolled",
    lambda data: (
        f"{data['side']} rerolls "
        + (
            ", ".join(f"{old} to {new}" for old, new in zip(data["old"], data["new"], strict=False))
            or "nothing"
        )
        + f" ({data['because']})"
    ),
)
def rerolled(state: State, data: Data) -> State:
    """Dice are rolled again; the earlier result is void (TMG-RER-3)."""

    def again(roll: Standing) -> Standing:
        faces, who = list(roll.faces), list(roll.rerolled)
        for place, face in zip(data["places"], data["new"], strict=True):
            faces[place] = face
            who[place] = (*who[place], data["side"])
        return replace(
            roll,
            faces=tuple(faces),
            rerolled=tuple(who),
            reasons=(*roll.reasons, data["because"]),
            opponent_spoke=roll.opponent_spoke or data["side"] != state.active,
        )

    if data["test"]:
        return replace(
            state,
            trials=tuple(
                replace(trial, roll=again(trial.roll))
                if trial.id == data["test"] and trial.roll
                else trial
                for trial in state.trials
            ),
        )
    if state.attack and state.attack.roll:
        return replace(state, attack=replace(state.attack, roll=again(state.attack.roll)))
    return state


@kind(
    "hits",
    lambda data: (
        f"{count(data['hits'], 'hit')}"
        + (f" and {count(data['sure'], 'sure wound')}" if data["sure"] else "")
    ),
)
def hits(state: State, data: Data) -> State:
    """What the attack dice came to."""
    if state.attack is None:
        return state
    changed = replace(
        state.attack, hits=data["hits"], sure=data["sure"], roll=None, stage="defense-dice"
    )
    return replace(state, attack=changed, window=state.window + 1)


@kind(
    "attack-wounds",
    lambda data: f"{data['defender']}: {count(data['wounds'], 'wound')} from the attack",
)
def attack_wounds(state: State, data: Data) -> State:
    """The dice are done; the wounds follow as an event of their own."""
    if state.attack is None:
        return state
    changed = replace(state.attack, wounds=data["wounds"], roll=None, stage="panic")
    return replace(state, attack=changed, window=state.window + 1)


@kind("attack-completed", "the attack on {defender} is completed")
def attack_completed(state: State, data: Data) -> State:
    """Effects after the attack may be used now (TMG-ATK-17)."""
    if state.attack is None:
        return state
    return replace(state, attack=replace(state.attack, stage="completed"), window=state.window + 1)


@kind("attack-ended", "the attack is over")
def attack_ended(state: State, data: Data) -> State:
    """Nothing of the attack is left to do."""
    return replace(state, attack=None)


@kind(
    "charge-rolled",
    lambda data: (
        f"{data['unit']} charges {data['target']}: rolls "
        + " ".join(str(face) for face in data["faces"])
        + (", disorderly" if data["disorderly"] else "")
    ),
)
def charge_rolled(state: State, data: Data) -> State:
    """The charge die (TMG-CHG-11, TMG-CHG-16); a disorderly charge bars cards (TMG-CHG-26)."""
    barred = state.barred
    if data["disorderly"]:
        barred = (*barred, (data["side"], data["until"]))
    return replace(state, barred=barred, window=state.window + 1)


@kind(
    "charge-ended",
    lambda data: f"the charge of {data['unit']} " + ("succeeds" if data["success"] else "fails"),
)
def charge_ended(state: State, data: Data) -> State:
    """Contact or not (TMG-CHG-14, TMG-CHG-15)."""
    if not data["success"]:
        return state
    one, two = state.unit(data["unit"]), None
    if state.has_unit(data["target"]):
        two = state.unit(data["target"])
        state = state.with_unit(replace(one, engaged=tuple(dict.fromkeys((*one.engaged, two.id)))))
        state = state.with_unit(replace(two, engaged=tuple(dict.fromkeys((*two.engaged, one.id)))))
    return state


@kind(
    "retreat-rolled",
    lambda data: f"{data['unit']} retreats up to {data['reach']:g}″ (rolled {data['faces'][0]})",
)
def retreat_rolled(state: State, data: Data) -> State:
    """The retreat die (TMG-RET-2)."""
    return replace(state, window=state.window + 1)


# -- panic ------------------------------------------------------------------------------------


@kind(
    "test",
    lambda data: f"{data['unit']} must take a {data['kind']} test: " + ", ".join(data["causes"]),
)
def test(state: State, data: Data) -> State:
    """A test joins the queue."""
    trial = Trial(
        id=data["id"],
        unit=data["unit"],
        kind=data["kind"],
        causes=tuple(data["causes"]),
        mods=mods(data["mods"]),
        extra=data["extra"],
        by=data["by"],
        by_unit=data["by_unit"],
        after=data["after"],
    )
    return replace(
        state,
        trials=(*state.trials, trial),
        numbered=max(state.numbered, data["id"]),
        window=state.window + 1,
    )


@kind("test-changed", lambda data: f"test {data['test']}: {data['name']} {data['value']:+d}")
def test_changed(state: State, data: Data) -> State:
    """An effect changes a test that waits."""
    mod = (data["name"], data["value"])
    return replace(
        state,
        trials=tuple(
            trial
            if trial.id != data["test"]
            else replace(trial, extra=trial.extra + data["value"])
            if data["what"] == "wounds"
            else replace(trial, mods=(*trial.mods, mod))
            for trial in state.trials
        ),
    )


@kind(
    "test-rolled",
    lambda data: (
        f"{data['unit']} rolls "
        + " ".join(str(face) for face in data["faces"])
        + f" for {data['kind']}"
    ),
)
def test_rolled(state: State, data: Data) -> State:
    """The dice of a test fall; in 2021 the D3 lies with them (TMG-PAN-2)."""
    faces = tuple(data["faces"])
    roll = Standing(data["kind"], data["side"], faces, ((),) * len(faces))
    return replace(
        state,
        trials=tuple(
            replace(trial, roll=roll) if trial.id == data["test"] else trial
            for trial in state.trials
        ),
        window=state.window + 1,
    )


@kind(
    "test-over",
    lambda data: (
        f"{data['unit']} "
        + ("passes" if data["passed"] else "fails")
        + f" its {data['kind']} test"
        + (" without a roll" if data.get("automatic") else "")
    ),
)
def test_over(state: State, data: Data) -> State:
    """A test was taken, rolled or not (TMG-ATK-16)."""
    return replace(
        state,
        trials=tuple(trial for trial in state.trials if trial.id != data["test"]),
        window=state.window + 1,
    )


# -- tasks ------------------------------------------------------------------------------------


@kind("task", "{say}")
def task(state: State, data: Data) -> State:
    """Something waits for a player."""
    waiting = Task(
        data["id"],
        data["kind"],
        data["say"],
        data["side"],
        data["unit"],
        data["other"],
        data["number"],
        tuple(data["commands"]),
    )
    return replace(state, tasks=(*state.tasks, waiting), numbered=max(state.numbered, data["id"]))


@kind("task-done", lambda data: data.get("say") or "done")
def task_done(state: State, data: Data) -> State:
    """It no longer waits."""
    return replace(state, tasks=tuple(one for one in state.tasks if one.id != data["task"]))


# -- board, cards, effects --------------------------------------------------------------------


@kind("claimed", "{unit} claims {zone}")
def claimed(state: State, data: Data) -> State:
    """An NCU takes a zone of the tactics board (TMG-NCU-3)."""
    board = tuple(
        data["unit"] if zone == data["zone"] else ncu
        for zone, ncu in zip(ZONES, state.board, strict=True)
    )
    acting = state.acting
    if acting and acting.unit == data["unit"]:
        acting = replace(acting, stage="doing", action="claim", claimed=data["zone"])
    return replace(state, board=board, acting=acting, window=state.window + 1)


@kind("no-zone", "no zone is free: {unit} stays off the board")
def no_zone(state: State, data: Data) -> State:
    """The board is full (TMG-NCU-6)."""
    return state


@kind("in-quadrant", "{unit} is placed in the {quadrant} quadrant")
def in_quadrant(state: State, data: Data) -> State:
    """An NCU adds its points to a quadrant (TMG-MODE-HWS-7)."""
    state = state.with_ncu(replace(state.ncu(data["unit"]), quadrant=data["quadrant"]))
    if state.acting and state.acting.unit == data["unit"]:
        state = replace(state, acting=replace(state.acting, stage="doing", action="quadrant"))
    return state


@kind("influence", "{ncu} influences {unit}")
def influence(state: State, data: Data) -> State:
    """An NCU's card is attached to a unit (TMG-INF-1)."""
    unit = state.unit(data["unit"])
    attached = (*unit.influence, (data["ncu"], data["side"]))
    return state.with_unit(replace(unit, influence=attached))


@kind("order", "{unit} uses its order {order}")
def order(state: State, data: Data) -> State:
    """An order is used for this round (TMG-ORD-1)."""
    name = data["unit"]
    if state.has_ncu(name):
        ncu = state.ncu(name)
        state = state.with_ncu(replace(ncu, orders=(*ncu.orders, data["order"])))
    else:
        unit = state.unit(name)
        state = state.with_unit(replace(unit, orders=(*unit.orders, data["order"])))
    return spoke(state, data["trigger"], data["player"], "used")


def spoke(state: State, trigger: str, player: str, what: str) -> State:
    """A player used or declined a trigger's occurrence."""
    if not trigger:
        return state
    return replace(state, used=(*state.used, (state.window, trigger, player, what)))


@kind("ability", "{unit} uses {name}")
def ability(state: State, data: Data) -> State:
    """An optional ability is used."""
    return spoke(state, data["trigger"], data["player"], "used")


@kind("declined", "{player} declines: {trigger}")
def declined(state: State, data: Data) -> State:
    """A player lets a trigger pass (TMG-TIM-4)."""
    return spoke(state, data["trigger"], data["player"], "declined")


@kind("drawn", lambda data: f"{data['player']} draws {count(data['count'], 'card')}")
def drawn(state: State, data: Data) -> State:
    """Cards go from the deck to the hand; which ones stays hidden."""
    player = state.player(data["player"])
    named = tuple(data.get("cards") or player.deck[: data["count"]])
    deck = list(player.deck)
    for card in named:
        deck.remove(card)
    return state.with_player(replace(player, deck=tuple(deck), hand=(*player.hand, *named)))


@kind(
    "played",
    lambda data: (
        f"{data['player']} plays {data['card']}"
        + (f" on {data['unit']}" if data.get("unit") else "")
    ),
)
def played(state: State, data: Data) -> State:
    """A card goes face up on the discard pile (TMG-DECK-4)."""
    state = spoke(state, data["trigger"], data["player"], "used")
    return laid_down(state, data["player"], (data["card"],))


@kind("discarded", lambda data: f"{data['player']} discards {', '.join(data['cards'])}")
def discarded(state: State, data: Data) -> State:
    """Cards go from the hand to the discard pile."""
    return laid_down(state, data["player"], tuple(data["cards"]))


@kind("returned", lambda data: f"{data['player']} takes {data['card']} from the {data['from']}")
def returned(state: State, data: Data) -> State:
    """An effect fetches a card from the deck or the discard pile."""
    player = state.player(data["player"])
    pile = list(getattr(player, data["from"]))
    pile.remove(data["card"])
    changes: dict[str, Any] = {data["from"]: tuple(pile), "hand": (*player.hand, data["card"])}
    changed = replace(player, **changes)
    return state.with_player(changed)


def laid_down(state: State, player_id: str, cards: tuple[str, ...]) -> State:
    """The cards from the hand onto the discard pile."""
    player = state.player(player_id)
    hand = list(player.hand)
    for card in cards:
        hand.remove(card)
    return state.with_player(replace(player, hand=tuple(hand), discard=(*player.discard, *cards)))


# -- objectives, missions, points -------------------------------------------------------------


@kind("token-held", lambda data: f"{data['token']} is held by {data['unit'] or 'nobody'}")
def token_held(state: State, data: Data) -> State:
    """A unit claims a token, or loses it."""
    token = state.token(data["token"])
    touched = tuple(data["touched"]) if "touched" in data else token.touched
    return state.with_token(replace(token, holder=data["unit"], touched=touched))


@kind("token-new", "a new objective token {token} is placed")
def token_new(state: State, data: Data) -> State:
    """A token comes into play (TMG-MODE-FFC-15)."""
    token = Token(data["token"], data["name"], data["vp"], "", data["card"], data.get("pile", ""))
    return replace(
        state,
        tokens=(*state.tokens, token),
        card_deck=tuple(card for card in state.card_deck if card != data["card"]),
    )


@kind("token-card", "objective card {card} lies beside {token}")
def token_card(state: State, data: Data) -> State:
    """A card gives a token its ability (TMG-MODE-GOT-4)."""
    token = replace(state.token(data["token"]), card=data["card"])
    deck = tuple(card for card in state.card_deck if card != data["card"])
    return replace(state.with_token(token), card_deck=deck)


@kind("pile-new", "a corpse pile is placed")
def pile_new(state: State, data: Data) -> State:
    """One more corpse pile (TMG-MODE-FFC-14)."""
    return replace(state, piles=state.piles + 1)


@kind("card-chosen", "{player} chooses objective card {card}")
def card_chosen(state: State, data: Data) -> State:
    """An objective card for the commander (TMG-MODE-COK-4)."""
    player = state.player(data["player"])
    state = state.with_player(replace(player, cards=(*player.cards, data["card"])))
    deck = tuple(card for card in state.card_deck if card != data["card"])
    return replace(state, card_deck=deck, active=data.get("next", state.active))


@kind("card-used", "{player} uses objective card {card}")
def card_used(state: State, data: Data) -> State:
    """Its effect holds until the end of the round, once a game (TMG-MODE-COK-5, -6)."""
    player = state.player(data["player"])
    state = state.with_player(replace(player, cards_used=(*player.cards_used, data["card"])))
    if data["unit"]:
        until = (data["unit"], f"objective card {data['card']}", "round")
        state = replace(state, effects=(*state.effects, until))
    return state


@kind("marked", "{unit} is Marked")
def marked(state: State, data: Data) -> State:
    """An enemy unit gets a token (TMG-MODE-FAB-3); its owner gives it a card (TMG-MODE-FAB-4)."""
    unit = replace(state.unit(data["unit"]), marked=True, card=data["card"])
    deck = tuple(card for card in state.card_deck if card != data["card"])
    return replace(state.with_unit(unit), card_deck=deck, active=data.get("next", state.active))


@kind("vp-token", "a VP token is put on {unit}")
def vp_token(state: State, data: Data) -> State:
    """Points that wait on a tray (TMG-MODE-FAB-6, TMG-MODE-FFC-18)."""
    unit = state.unit(data["unit"])
    state = state.with_unit(replace(unit, vp_tokens=unit.vp_tokens + 1))
    if data.get("by") and state.acting:
        state = replace(state, acting=replace(state.acting, marked=True))
    return state


@kind(
    "missions-taken",
    lambda data: f"{data['player']} takes {count(len(data['cards']), 'card')} in hand",
)
def missions_taken(state: State, data: Data) -> State:
    """Mission or siege cards go to a hand, hidden."""
    player = state.player(data["player"])
    deck = tuple(card for card in player.mission_deck if card not in data["cards"])
    common = tuple(card for card in state.mission_deck if card not in data["cards"])
    changed = replace(player, missions=(*player.missions, *data["cards"]), mission_deck=deck)
    return replace(state.with_player(changed), mission_deck=common)


@kind("mission-left", "{player} lays a mission aside, face down")
def mission_left(state: State, data: Data) -> State:
    """A secret mission is discarded unseen (TMG-MODE-WOW-12)."""
    player = state.player(data["player"])
    missions = tuple(card for card in player.missions if card != data["card"])
    return replace(
        state.with_player(
            replace(
                player,
                missions=missions,
                mission_discard=(*player.mission_discard, data["card"]),
            )
        ),
    )


@kind("mission-shown", "{player} reveals mission {card}")
def mission_shown(state: State, data: Data) -> State:
    """A mission from a hand is open to all (TMG-MODE-WOW-4)."""
    player = state.player(data["player"])
    missions = tuple(card for card in player.missions if card != data["card"])
    state = state.with_player(replace(player, missions=missions))
    if data.get("keep", True):
        return replace(state, missions=(*state.missions, data["card"]))
    return state


@kind(
    "missions-set",
    lambda data: (
        "missions: "
        + (", ".join(data["active"]) or "none")
        + (f"; reserve: {', '.join(data['reserve'])}" if data["reserve"] else "")
    ),
)
def missions_set(state: State, data: Data) -> State:
    """The open missions and what is left of their deck (TMG-MODE-DWW-4..6)."""
    return replace(
        state,
        missions=tuple(data["active"]),
        reserve_missions=tuple(data["reserve"]),
        mission_deck=tuple(data["deck"]),
        mission_discard=tuple(data["discard"]),
        missions_scored=tuple(one for one in state.missions_scored if one[0] in data["active"]),
    )


@kind("mission-scored", "{side} meets mission {card}")
def mission_scored(state: State, data: Data) -> State:
    """Who has scored which mission (TMG-MODE-WOW-6)."""
    return replace(state, missions_scored=(*state.missions_scored, (data["card"], data["side"])))


@kind(
    "proposed",
    lambda data: (
        "to be scored: "
        + (
            "; ".join(f"{one['side']} {one['vp']} ({one['why']})" for one in data["proposals"])
            or "nothing"
        )
    ),
)
def proposed(state: State, data: Data) -> State:
    """Points are offered for confirmation."""
    offers = tuple(
        Proposal(one["side"], one["vp"], one["rule"], one["why"], one.get("token", ""))
        for one in data["proposals"]
    )
    return replace(state, proposals=offers)


@kind("proposals-closed", "the points of this round are settled")
def proposals_closed(state: State, data: Data) -> State:
    """Nothing is offered any more."""
    tally = tuple((state.round, side.id, side.vp) for side in state.sides)
    return replace(state, proposals=(), tally=(*state.tally, *tally))


@kind("scored", lambda data: f"{data['side']} scores {data['vp']} VP: {data['why']}")
def scored(state: State, data: Data) -> State:
    """Victory points."""
    side = state.side(data["side"])
    return state.with_side(replace(side, vp=max(0, side.vp + data["vp"])))


@kind("overridden", "the players set {side} from {old} to {new} VP: {why}")
def overridden(state: State, data: Data) -> State:
    """The players correct a score; the log keeps both numbers."""
    return state.with_side(replace(state.side(data["side"]), vp=data["new"]))


@kind("commander-fell", "{side} destroys the enemy commander for the first time")
def commander_fell(state: State, data: Data) -> State:
    """Only the first time counts (TMG-MODE-COK-12)."""
    return state.with_side(replace(state.side(data["side"]), commander_killed=True))


@kind("wall-hit", lambda data: f"{data['wall']} suffers {count(data['wounds'], 'wound')}")
def wall_hit(state: State, data: Data) -> State:
    """A castle wall is damaged."""
    walls = tuple(
        replace(wall, wounds=min(wall.total, wall.wounds + data["wounds"]))
        if wall.id == data["wall"]
        else wall
        for wall in state.walls
    )
    return replace(state, walls=walls)


@kind("dangerous", lambda data: f"{data['unit']} is on Dangerous ground: rolls {data['faces'][0]}")
def dangerous(state: State, data: Data) -> State:
    """Dangerous ground hurts once a charge (TMG-TER-9..11)."""
    if state.acting and state.acting.unit == data["unit"]:
        return replace(state, acting=replace(state.acting, hurt=True))
    return state


# -- dice for the report ----------------------------------------------------------------------

SELDOM = (SET_UP, CLEAN_UP)


def dice(event: Event) -> tuple[Roll, ...]:
    """The dice that fell in an event."""
    data = event.data
    if event.type == "roll-off":
        return tuple(Roll(side, "roll-off", (face,)) for side, face in data["dice"])
    if event.type == "rerolled":
        return (Roll(data["side"], f"reroll ({data['because']})", tuple(data["new"])),)
    faces = data.get("faces")
    if not faces:
        return ()
    return (Roll(data.get("side"), data.get("what") or event.type, tuple(faces)),)
