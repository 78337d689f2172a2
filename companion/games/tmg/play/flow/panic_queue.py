"""Pending panic and morale tests: each stays visible, with its total, until rolled or passed."""

from __future__ import annotations

from typing import Any

from companion.games.api.play import Refusal
from companion.games.tmg.play.context import (
    WHOSE,
    CommandContext,
    CommandFields,
    ask,
    effect_owner,
    interrupt,
    no,
    unsure,
)
from companion.games.tmg.play.events import fight_events, flow_events, score_events
from companion.games.tmg.play.flow.casualties import (
    ask_spent,
    pass_token,
    suffer,
    token_asked,
    wait,
)
from companion.games.tmg.play.state.game_state import (
    GameState,
    Mod,
    MoraleTrial,
    PendingTask,
    table_of,
)
from companion.games.tmg.play.state.mode_play import play_of
from companion.games.tmg.play.state.play_rules import PlayRules
from companion.games.tmg.play.state.table_facts import ground_seen, seen
from companion.games.tmg.play.state.unit_state import UnitState, listed, spelling
from companion.games.tmg.rules.combat.dice import (
    Modifier,
    PanicTest,
    morale_chance,
    panic_spread,
    stacked,
)
from companion.games.tmg.rules.ground_effects import GroundEffect
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.rulebook import MORALE, RANGES_IN, TERRAIN_KEYWORDS
from models.message import say

ENDS_ELSEWHERE = ("charge", "back", "retreat", "maneuver", "march")
"""Moves after which a unit stands elsewhere."""
MORALE_GROUND = "morale-ground"
"""The task that asks, before a test is rolled, whether Inspiring or Horrific ground counts."""


def queue_test(
    context: CommandContext,
    unit_id: str,
    cause: str,
    *,
    kind: str = "panic",
    mods: tuple[Mod, ...] = (),
    extra: int = 0,
    extra_names: tuple[str, ...] = (),
    by: str = "",
    by_unit: str = "",
    after: str = "",
) -> None:
    """Queue a test with all its modifiers."""
    unit = context.state.unit(unit_id)
    ground = ground_seen(context.state, unit_id).morale
    every = (*mods, *((one.keyword, one.value) for one in ground.felt if one.answer))
    test = context.state.numbered + 1
    context.add(
        fight_events.trial_queued,
        id=test,
        unit=unit_id,
        kind=kind,
        causes=[cause],
        mods=listed(every),
        extra=extra,
        extra_names=list(extra_names),
        by=by,
        by_unit=by_unit,
        after=after,
    )
    if unit.morale is None:  # its card prints a dash: nothing to test
        pass_unrolled(context, context.state.trials[-1])
        return
    for felt in ground.doubtful:
        ask_morale(context, test, unit, felt)


def feel_where_it_stopped(context: CommandContext, before: GameState) -> None:
    """A unit that moved tests where its move ended: ground counts as soon as a table shows its
    tray there (TMG-CHG-23, TMG-TER-12, -13)."""
    for trial in context.state.trials:
        unit = context.state.unit(trial.unit)
        if trial.roll is not None or seen(before, unit.id) or unit.morale is None:
            continue
        ground = ground_seen(context.state, unit.id).morale
        asked = {one.other for one in context.state.tasks if one.number == trial.id}
        known = {*dict(trial.mods), *asked}
        for felt in ground.felt:
            if felt.answer and felt.keyword not in known:
                context.add(
                    fight_events.trial_changed,
                    test=trial.id,
                    what="result",
                    name=felt.keyword,
                    value=felt.value,
                )
        for felt in ground.doubtful:
            if felt.keyword not in known:
                ask_morale(context, trial.id, unit, felt)


def ask_morale(context: CommandContext, test: int, unit: UnitState, felt: GroundEffect) -> None:
    """Ask the players whether ground counts whose range is too close to call."""
    words = say(
        'is {unit} within {inches:g}" of {piece}? It is too close to call:'
        " {value:+d} to its test ({rule})",
        unit=unit.id,
        inches=RANGES_IN["short"],
        piece=felt.piece,
        value=felt.value,
        rule=felt.rule,
    )
    wait(
        context,
        MORALE_GROUND,
        words,
        side=unit.side,
        unit=unit.id,
        other=felt.keyword,
        number=test,
        commands=("ground",),
    )


def feel_morale(context: CommandContext, task: PendingTask) -> None:
    """Apply ground to the pending test by the players' word."""
    if any(trial.id == task.number for trial in context.state.trials):
        value = TERRAIN_KEYWORDS[task.other].morale
        context.add(
            fight_events.trial_changed,
            test=task.number,
            what="result",
            name=task.other,
            value=value,
        )


def ground_waits(state: GameState, trial: MoraleTrial) -> Refusal | None:
    """A refusal to roll before the players have answered what could not be measured."""
    for task in state.tasks:
        if task.kind == MORALE_GROUND and task.number == trial.id:
            return no(TERRAIN_KEYWORDS[task.other].rule, "first: {what}", what=task.say)
    return None


def tray_waits(state: GameState, trial: MoraleTrial) -> Refusal | None:
    """A unit that moved tests where its move ended: a refusal to roll while its tray is still to be
    put there, where ground on the table may count (TMG-TER-12, TMG-TER-13)."""
    due = any(one.unit == trial.unit and one.action in ENDS_ELSEWHERE for one in state.declared)
    if not due or not state.table or trial.unit in state.hidden:
        return None
    table = table_of(state.table)
    here = {word for piece in table.terrain for word in piece.keywords}
    keyword = next((one for one in MORALE if one.name in here), None)
    if keyword is None or trial.unit not in table:
        return None
    words = "first put the tray of {unit} where its move ended: the ground there counts"
    return unsure("agreed", keyword.rule, words, unit=trial.unit)


def taken_unrolled(context: CommandContext, unit_id: str, cause: str, by: str) -> None:
    """Log a test passed without a roll: it still counts as taken (TMG-ATK-15, TMG-ATK-16)."""
    test = context.state.numbered + 1
    context.add(
        fight_events.trial_queued,
        id=test,
        unit=unit_id,
        kind="panic",
        causes=[cause],
        mods=[],
        extra=0,
        by=by,
        by_unit="",
        after="attack",
    )
    pass_unrolled(context, context.state.trials[-1])


def pass_unrolled(context: CommandContext, trial: MoraleTrial) -> None:
    """Pass a queued test automatically, logged as taken; the ground no longer matters."""
    for task in context.state.tasks:
        if task.kind == MORALE_GROUND and task.number == trial.id:
            context.add(flow_events.task_done, task=task.id, say_="the test needs no roll")
    context.add(
        fight_events.trial_over,
        test=trial.id,
        unit=trial.unit,
        kind=trial.kind,
        passed=True,
        wounds=0,
        automatic=True,
    )


def modifier(trial: MoraleTrial) -> int:
    """The sum of all modifiers, each name once (TMG-ABL-5)."""
    return stacked(Modifier(spelling(name), value) for name, value in trial.mods)


def test_of(trial: MoraleTrial, unit: UnitState, rules: PlayRules) -> PanicTest:
    """The test as the dice rules need it."""
    morale = unit.morale if unit.morale is not None else 2
    return PanicTest(morale, modifier(trial), rules.year, trial.extra)


def resolve(context: CommandContext, trial: MoraleTrial) -> None:
    """Resolve the dice that lie."""
    assert trial.roll is not None
    one, two, *d3 = trial.roll.faces
    conclude(context, trial, one + two, d3[0] if d3 else 1)


def conclude(context: CommandContext, trial: MoraleTrial, total: int, d3: int) -> None:
    """The result of a test: passed, or failed with the consequences of this edition."""
    state = context.state
    unit = state.unit(trial.unit)
    test = test_of(trial, unit, state.rules)
    passed = test.passes(total)
    wounds = 0
    if not passed and trial.kind == "panic":
        wounds = test.wounds(total, d3)  # TMG-PAN-4
    context.add(
        fight_events.trial_over,
        test=trial.id,
        unit=trial.unit,
        kind=trial.kind,
        passed=passed,
        result=test.result(total),
        total=total,
        morale=test.morale,
        wounds=wounds,
    )
    play = play_of(state)
    if not passed and play.morale_tokens:  # TMG-MODE-FFC-18
        context.add(score_events.vp_token, unit=trial.unit)
    if not passed and trial.kind == "panic" and play.carried:
        for token in state.tokens:
            if token.holder == unit.id and wounds < unit.wounds_left:
                pass_token(context, state, token.id, unit)
    if wounds:
        suffer(
            context,
            trial.unit,
            wounds,
            trial.by,
            trial.by_unit,
            say("{kind} test", kind=trial.kind),
        )


def trial_plain(trial: MoraleTrial, unit: UnitState, rules: PlayRules) -> dict[str, Any]:
    """The test as a JSON object for the view and the prompts."""
    test = test_of(trial, unit, rules)
    text: dict[str, Any] = {
        "test": trial.id,
        "unit": trial.unit,
        "kind": trial.kind,
        "causes": [say(cause) for cause in trial.causes],
        "morale": unit.morale,
        "modifiers": named_once(trial.mods),
        "modifier": test.modifier,
        "chance": round(morale_chance(test.morale, test.modifier), 4),
        "fails": failing(trial, rules),
    }
    if trial.kind == "panic":
        text["mean_wounds"] = round(panic_spread(test).capped(unit.wounds_left).mean, 4)
    if trial.roll:
        text["rolled"] = list(trial.roll.faces)
    return text


def named_once(mods: tuple[Mod, ...]) -> dict[str, int]:
    """The modifiers that count: the first of each name (TMG-ABL-5)."""
    found: dict[str, Mod] = {}
    for name, value in mods:
        found.setdefault(spelling(name), (name, value))
    return dict(found.values())


def failing(trial: MoraleTrial, rules: PlayRules) -> str:
    """The consequences of failing in this edition."""
    if trial.kind != "panic":
        return say("the effect that demands the test says what happens (TMG-MOR-2)")
    more = say(", {extra:+d}", extra=trial.extra) if trial.extra else ""
    if rules.panic_d3:
        return say("D3 wounds{more} (TMG-PAN-4)", more=more)
    return say("wounds by the difference to Morale{more} (TMG-PAN-4)", more=more)


def find(state: GameState, given: CommandFields) -> MoraleTrial | Refusal:
    """The test a command refers to: by number, by unit, else the first one pending."""
    if given.has("test"):
        number = given.whole("test", 0, 10**6)
        found = [trial for trial in state.trials if trial.id == number]
    elif given.has("unit"):
        name = given.need("unit")
        found = [trial for trial in state.trials if trial.unit == name]
    else:
        found = list(state.trials)
    return found[0] if found else no("TMG-PAN-7", "no such test is waiting")


@interrupt(
    "panic",
    "roll a panic or morale test that waits: 2D6 and, in 2021, the D3",
    ask("test", "number", "its number; the first that waits where it is left out"),
    ask("unit", "unit", "the unit that takes it"),
    ask("faces", "dice", "the 2D6 as they lie; the companion rolls where they are left out"),
    ask("total", "number", "what the 2D6 add up to, all rerolls done, instead of the dice"),
    ask("d3", "number", "the D3 (2021, panic tests only)"),
    ask("keep", "flag", "accept the result at once: nobody rerolls"),
    ask("agreed", "flag", "roll although the tray is still to be put where its move ended"),
    of=find,
)
def panic(context: CommandContext, given: CommandFields, trial: MoraleTrial) -> Refusal | None:
    """Roll a morale test; a panic test is one of them (TMG-PAN-1)."""
    if trial.roll is not None:
        return no("TMG-RER-3", "the test of {unit} is rolled: reroll or continue", unit=trial.unit)
    if refusal := ground_waits(context.state, trial) or token_asked(context.state):
        return refusal
    if (refusal := tray_waits(context.state, trial)) and not given.flag("agreed"):
        return refusal
    faces = given.faces()
    with_d3 = context.state.rules.panic_d3 and trial.kind == "panic"  # TMG-PAN-2
    if given.has("d3") and not with_d3:
        return no("TMG-PAN-2", "only 2D6 are rolled for this test")
    if given.has("total"):
        total = given.whole("total", 2, 12)
        d3 = given.whole("d3", 1, 3) if given.has("d3") else context.dice(1, 3)[0] if with_d3 else 1
        counts = (total, d3)
        if given.flag("keep") or not ask_spent(context, trial.unit, trial.kind, counts, trial.id):
            conclude(context, trial, total, d3)
        return None
    if faces is None:
        faces = context.dice(2)
    elif len(faces) != 2:
        return no(
            "TMG-MOR-1",
            "a test rolls 2D6, not {n} die",
            "a test rolls 2D6, not {n} dice",
            n=len(faces),
        )
    if with_d3:
        faces = [*faces, given.whole("d3", 1, 3) if given.has("d3") else context.dice(1, 3)[0]]
    context.add(
        fight_events.trial_rolled,
        test=trial.id,
        unit=trial.unit,
        side=context.state.unit(trial.unit).side,
        kind=trial.kind,
        what=say("{kind} test of {unit}", kind=trial.kind, unit=trial.unit),
        faces=faces,
    )
    if given.flag("keep"):
        resolve(context, next(one for one in context.state.trials if one.id == trial.id))
    return None


@interrupt(
    "pass-test",
    "a test is passed without a roll: an effect says so",
    ask("test", "number", "its number"),
    ask("unit", "unit", "the unit that takes it"),
    ask("why", "text", "which effect"),
    of=find,
)
def pass_test(context: CommandContext, given: CommandFields, trial: MoraleTrial) -> Refusal | None:
    """A test is passed by an effect."""
    pass_unrolled(context, trial)
    return None


@interrupt(
    "test",
    "an effect demands a panic or morale test",
    ask("unit", "unit", "the unit that takes it", required=True),
    ask("kind", "word", "panic or morale", options=("panic", "morale")),
    ask("why", "text", "which effect"),
    ask("modifier", "number", "what the effect adds to the result"),
    ask("extra", "number", "more (or fewer) wounds on a failure"),
    ask("ranks", "unit", "modifier and extra count for each destroyed rank of this unit (OR-43)"),
    ask("by", "side", WHOSE),
)
def demand(context: CommandContext, given: CommandFields) -> Refusal | None:
    """A test caused by a card, an ability or anything else (TMG-PAN-7)."""
    name = given.need("unit")
    if context.state.wall(name):
        return no("TMG-MODE-SOS-21", "castle walls never take morale tests")
    if context.state.has_ncu(name):
        return no("TMG-NCU-1", "{unit} is not on the battlefield and has no Morale", unit=name)
    unit = context.state.unit(name)
    if not unit.standing:
        return no("TMG-UNT-11", "{unit} is not on the battlefield", unit=name)
    by, by_unit = effect_owner(context.state, given)
    why = given.text("why", "an effect")
    value, extra = given.whole("modifier", -20, 20, 0), given.whole("extra", -20, 20, 0)
    if given.has("ranks"):
        lost = context.state.unit(given.need("ranks")).ranks_lost
        both = Readings.parse(context.state.readings).order_ranks == "both"  # OR-43
        value, extra = value * lost, extra * lost if both else extra
    queue_test(
        context,
        name,
        why,
        kind=given.choice("kind", ("panic", "morale"), "panic"),
        mods=((why, value),) if value else (),
        extra=extra,
        extra_names=(why,) if extra else (),
        by=by,
        by_unit=by_unit,
    )
    return None
