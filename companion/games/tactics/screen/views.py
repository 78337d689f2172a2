"""Figures, score, pages, tokens and outcomes as the screen shows them, and its short words.

The counts of cardboard tokens are not printed (TAC-CMP-7): the page says how many are in use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.games.api.play import Event
from companion.games.api.prompt import Choice, PromptForm
from companion.games.api.screen_views import (
    Badge,
    Outcome,
    PageCard,
    PieceView,
    ScoreLine,
    ScoreView,
    SeatScore,
    Section,
)
from companion.games.shared.event_registry import OutcomeRules, StepName
from companion.games.tactics.cards.card_forms import ABILITY_WORDS
from companion.games.tactics.cards.coins import Coins
from companion.games.tactics.cards.figure_card import CardAbility, CoinEffect, effect_name
from companion.games.tactics.cards.squad import EQUIPMENT
from companion.games.tactics.play.context import AGENDA_POINTS, EVENTS, note_words
from companion.games.tactics.play.defence import item_bearers
from companion.games.tactics.play.prompts import pending
from companion.games.tactics.play.scoring import (
    MOST_CAPTIVES,
    held_words,
    most_captives,
    objective_points,
)
from companion.games.tactics.play.state import (
    END,
    ROUND,
    FigureInPlay,
    SkirmishState,
    SquadInPlay,
    agenda_name,
    battle_position,
)
from companion.games.tactics.play.walked_way import told_way
from companion.games.tactics.rules.contact import engaged_with
from companion.games.tactics.rules.places import place
from companion.games.tactics.rules.space_effects import LOOT_MARKS, OBJECTIVE
from companion.games.tactics.screen.card_effects import (
    corrections,
    does_words,
    forms,
    points_form,
)
from companion.games.tactics.screen.equipment_words import equipment_words
from companion.games.tactics.screen.ground_effects import (
    ground_choices,
    ground_forms,
    terrain_forms,
)
from companion.games.tactics.screen.other_offers import ending
from companion.games.tactics.screen.scoring_terms import scoring_terms
from models.board import parse_cell
from models.message import ShortName, joined, say, word

WON = AGENDA_POINTS
AGENDAS = {
    "A1": say(
        "Heroes unharmed: {points} points if no hero was killed or captured", points=AGENDA_POINTS
    ),
    "A2": say("Spent out: {points} points for spending the last coin first", points=WON),
    "A3": say(
        "Hold the field: {points} points for more objectives at the end", points=AGENDA_POINTS
    ),
    "A4": say(
        "Into their camp: {points} points for two soldiers in the enemy zone", points=AGENDA_POINTS
    ),
    "A5": say(
        "No leaders left: {points} points if all enemy characters are dead", points=AGENDA_POINTS
    ),
}
AGENDA_USES = {
    "A4": say("once, at the start of a soldier’s activation: a free Move"),
    "A5": say("once, at the start of an activation: a free attack"),
}
"""What agenda cards let a figure do besides their points (TAC-AGD-5, -7)."""
KINDS = {"hero": say("hero"), "veteran": say("veteran"), "soldier": say("soldier")}
ZONE_WORDS = {"gold": say("Take the gold zone"), "silver": say("Take the silver zone")}


def agenda_words(card: str) -> str:
    """An agenda in one line: its points, and what else its owner may do with it."""
    use = [AGENDA_USES[card]] if card in AGENDA_USES else []
    return joined([AGENDAS.get(card, card), *use], "; ")


def choice_words(state: SkirmishState, command: Mapping[str, Any]) -> str:
    """A command as the text of a button."""
    match command["do"]:
        case "zone":
            return ZONE_WORDS[command["zone"]]
        case "start-marker":
            player = state.squad(command["side"]).player
            return say("Start marker for {player}", player=player)
        case "deployed":
            return say("Deployment is complete")
        case "laid":
            return say("The cards are laid out")
        case "begin":
            return say("Begin round 1")
        case "end-round":
            return say("Count the points")
        case "battle-end":
            return say("End the battle")
        case "pass":
            return say("Pass (2 copper stars)")
        case "end":
            return ending(state)
        case "wait":
            return say("Wait")
        case "defend":
            effects = command.get("effects", ())
            return joined(map(effect_name, effects)) if effects else say("No ability")
        case "aftermath":
            name = state.figure(command["figure"]).name
            return say("{figure}: {ability}", figure=name, ability=command["ability"])
        case "announce" if "item" in command:
            item = EQUIPMENT[command["item"]].name
            bearers = item_bearers(state, command["item"])
            bearer = command.get("figure") or next((one.id for one in bearers), "")
            name = state.figure(bearer).name if bearer else ""
            return say("{figure}: {ability}", figure=name, ability=item) if name else item
        case "announce" if "dice" in command:
            return say("{n} more die", "{n} more dice", n=command["dice"])
        case "announce":
            return joined(map(effect_name, command["effects"]))
        case "motivation":
            return say("Pay for {name}", name=command["name"])
        case "no-motivation":
            return say("Do not pay")
        case "fate":
            return say("Kill") if command["choose"] == "kill" else say("Capture")
        case "leaf":
            return say("A stake pit") if command["pit"] else say("Nothing")
        case "turned":
            return say("A purse") if command["kind"] == "purse" else say("A secret letter")
        case "flank":
            who, cell = state.tasks[0].figure, parse_cell(command["to"])
            return say("Through {place}", place=place(battle_position(state), cell, who))
        case "set-die" if "face" in command:
            return say("The {n}", n=command["face"])
        case "set-die":
            return say("No die")
        case "way":
            return told_way(state, command["path"])
        case "continue":
            return say("Go on")
        case "ability":
            return say("use {ability}", ability=command["ability"])
        case "approach":
            return say("It stays where it is")
        case "poison":
            return say("drink it: killed, not captured") if command["on"] else say("Not now")
        case "objective-done":
            return say("Nothing to count")
        case "strike":
            return say("Attack")
        case "activate":
            return say("Activate {figure}", figure=state.figure(command["figure"]).name)
    return say(command["do"])


DICE_IN_BOX = 8
"""The ten-sided dice of a set (TAC-CMP-2)."""


def tokens_in_use(state: SkirmishState) -> dict[str, int]:
    """How many tokens of each kind the table shows now (TAC-CMP-7)."""
    board = [one for one in state.figures if one.on_board]
    marks = [word for words in state.board.marks.values() for word in words]
    return {
        "objective": marks.count(OBJECTIVE),
        "loot": sum(word in LOOT_MARKS for word in marks),
        "equipment": sum(bool(one.equipment) for one in board),
        "wounds": sum(one.wounds for one in board),
        "captive": sum(one.fate == "captive" for one in state.figures),
        "shaken": sum(one.shaken for one in board),
        "frozen": sum(one.frozen for one in board),
        "nemesis": sum(len(one.nemeses) for one in board),
        "points": sum(squad.vp for squad in state.squads),
        "start": int(bool(state.first)),
    }


TOKEN_WORDS = {
    "objective": say("objectives"),
    "loot": say("loot"),
    "equipment": say("equipment"),
    "wounds": say("wounds"),
    "captive": say("captives"),
    "shaken": say("shaken"),
    "frozen": say("frozen"),
    "nemesis": say("nemeses"),
    "points": say("victory points"),
    "start": say("start marker"),
}


def token_section(state: SkirmishState) -> Section:
    """The tokens on the table, for whoever compares it with the app."""
    holder = next((squad.player for squad in state.squads if squad.id == state.first), "")
    cards = tuple(
        PageCard(
            f"token-{kind}",
            TOKEN_WORDS[kind],
            (holder,) if kind == "start" and holder else (),
            count=count,
        )
        for kind, count in tokens_in_use(state).items()
    )
    return Section(say("Tokens on the table"), cards, "grid")


def dice_hint(count: int) -> Iterator[str]:
    """What to do when a roll needs more dice than the box holds (TAC-CMP-2)."""
    if count > DICE_IN_BOX:
        yield say(
            "{n} dice, but the box holds {most}: roll {most} first, then the rest",
            n=count,
            most=DICE_IN_BOX,
        )


OUTCOME = OutcomeRules(
    EVENTS,
    quiet=("coins", "activation-ended", "turn", "defence-chosen"),
    loud=(
        "killed",
        "captured",
        "loot-taken",
        "scored",
        "over",
        "round-began",
        "attack-rolled",
        "defence-rolled",
    ),
    big=("over", "round-began", "end-phase"),
    bad=("killed", "captured"),
    undo={
        "moved": StepName(say("the move of {name}"), say("the move")),
        "moved surge": StepName(say("the surge of {name}"), say("the surge")),
        "loot-taken purse": StepName(say("the purse of {name}"), word("undo", "the purse")),
        "loot-taken letter": StepName(say("the letter of {name}"), word("undo", "the letter")),
        "cards-laid": StepName(say("the paper cards")),
        "unhorsed": StepName(say("the lost mount of {name}"), say("the lost mount")),
        "scored": StepName(say("the points of {player}"), say("the points")),
        "attack-declared": StepName(say("the attack of {name}"), say("the attack")),
        "attack-rolled": StepName(say("the attack roll of {name}"), say("the attack roll")),
        "defence-rolled": StepName(say("the defence roll of {name}"), say("the defence roll")),
        "placed": StepName(say("the place of {name}"), say("the place")),
        "motivation-passed": StepName(
            say("that {name} pays for no motivation"), say("the motivation")
        ),
        "objective-noted": StepName(say("an objective card: {card}"), say("an objective card")),
        "will-tested": StepName(say("the Will test of {name}"), say("the Will test")),
        "terrain-rolled": StepName(say("the blow of {name} at the terrain"), say("the roll")),
        "hazard-rolled": StepName(say("the defence roll of {name}"), say("the defence roll")),
        "roll-off": StepName(say("the roll-off")),
    },
)


# -- figures ---------------------------------------------------------------------------------------


def pieces(state: SkirmishState) -> Iterator[PieceView]:
    """Every figure, on the board or beside it."""
    position = battle_position(state)
    engaged = {one.id for one in position.figures if engaged_with(position, one)}
    acting = state.acting.figure if state.acting else ""
    for one in state.figures:
        status = "spent" if one.activated else "ready"
        if one.fate in ("killed", "captive"):
            status = "lost"
        elif one.id == acting:
            status = "acting"
        yield PieceView(
            one.id,
            one.name,
            short(one.name),
            one.side,
            "large" if one.card.size > 1 else "infantry",
            one.remains,
            one.health,
            state=status,  # type: ignore[arg-type]
            leader=one.kind == "hero",
            engaged=one.id in engaged,
            badges=tuple(badges(state, one)),
            lines=tuple(card_lines(one)),
            corrections=(*corrections(state, one), *ground_choices(state, one)),
            forms=(*forms(state, one), *ground_forms(state, one), *terrain_forms(state, one)),
            puts={"do": "place", "figure": one.id} if one.on_board and not state.winner else {},
            counts=say("Health"),
        )


def short(name: str) -> ShortName:
    """A name for a badge: a title, or its last word; numbered figures keep their number."""
    words = name.replace(" (mounted)", "").partition(" of ")[0].split()
    return ShortName(" ".join(words[-2:]) if words[-1].isdigit() else words[-1])


def badges(state: SkirmishState, figure: FigureInPlay) -> Iterator[Badge]:
    """The tokens beside a figure."""
    if figure.shaken:
        yield Badge(say("shaken"), "bolt", "bad", say("its next roll: -2 on every die"))
    if figure.frozen:
        yield Badge(say("frozen"), "clock", "warn", say("1 action point less"))
    if figure.equipment:
        worn = equipment_words(figure.equipment, state.readings)
        yield Badge(EQUIPMENT[figure.equipment].name, "star", help=worn)
    for one in state.figures:
        if one.captor == figure.id:
            yield Badge(say("holds {figure}", figure=one.name), "lock", "good")
        if figure.id in one.nemeses:
            yield Badge(say("nemesis of {figure}", figure=one.name), "swords", "warn")
    if figure.fate == "captive":
        yield Badge(say("captive"), "lock", "bad")


def card_lines(figure: FigureInPlay) -> Iterator[str]:
    """The lines of its card: kind and numbers, attacks, abilities."""
    card = figure.card
    yield say(
        "{kind}: Will {will}+, Defence {defence}+, Health {health}",
        kind=KINDS[card.kind],
        will=card.will or "–",
        defence=card.defence or "–",
        health=card.health or "–",
    )
    for attack in card.attacks:
        kind = say("melee") if attack.kind == "melee" else say("ranged")
        yield say(
            "{attack} ({kind}): {n} die, {hit}+",
            "{attack} ({kind}): {n} dice, {hit}+",
            attack=attack.name,
            kind=joined([kind, *coin_words(attack.spend)]),  # TAC-CRD-12
            n=attack.dice,
            hit=attack.hit,
        )
        for effect in attack.effects:
            charge = [say("only in a charge")] if effect.charge_only else []
            what = joined([*coin_words(effect.price), *effect_parts([effect]), *charge])
            yield say("{ability}: {what}", ability=effect_name(effect.name), what=what)
    for ability in card.abilities:
        yield say("{ability}: {what}", ability=ability.name, what=ability_words(ability))
        for effect in ability.effects:
            what = joined([*coin_words(effect.price), *effect_parts([effect])])
            yield say("{ability}: {what}", ability=effect_name(effect.name), what=what)


def coin_words(price: Coins) -> list[str]:
    return [price.say()] if price else []


def effect_parts(effects: Sequence[CoinEffect]) -> Iterator[str]:
    """What effects add to an attack or a defence, as far as their numbers tell (TAC-CRD-9)."""
    dice, modifier = sum(one.dice for one in effects), sum(one.modifier for one in effects)
    cancels = sum(one.cancels for one in effects)
    if cancels:
        yield say("{n} hit is cancelled", "{n} hits are cancelled", n=cancels)
    if dice:
        yield say("{n} more die", "{n} more dice", n=dice)
    if modifier:
        yield say("{n:+d} on every die", n=modifier)


def ability_words(ability: CardAbility) -> str:
    """When an ability is used, what it costs, and the words about what it does."""
    parts = [ABILITY_WORDS[ability.kind]]
    if ability.aftermath:
        parts.append(say("after the rolls"))
    if ability.ap:
        parts.append(say("{n} action point", "{n} action points", n=ability.ap))
    if ability.range:
        parts.append(say("within {n} space", "within {n} spaces", n=ability.range))
    if ability.melee:
        parts.append(say("only in melee"))
    return joined([joined([*parts, *coin_words(ability.price)]), *does_words(ability)], "; ")


# -- score -----------------------------------------------------------------------------------------


def score(state: SkirmishState) -> ScoreView:
    """Victory points by seat; in the end phase what will be scored."""
    seats = tuple(
        SeatScore(squad.id, squad.vp, None, say("VP"), squad.coins.say(), set_points(state, squad))
        for squad in state.squads
    )
    confirm = None
    if state.phase == END and not state.counts_paper:  # else its card asks for the agendas first
        confirm = Choice(say("Count the points"), ({"do": "end-round"},), "primary")
    ends = tuple(ways_to_end(state))
    lines, terms = tuple(score_lines(state)), tuple(scoring_terms(state))
    return ScoreView(seats, lines, confirm, state.winner, state.how, ends, terms)


def ways_to_end(state: SkirmishState) -> Iterator[Choice]:
    """All may stop, and either player may give up (TAC-END-12)."""
    if state.phase in (ROUND, END):
        text, how = say("All agree: stop here"), say("the winner as after the last round")
        yield Choice(text, ({"do": "stop"},), "quiet", how)
    for one in () if state.winner else state.squads:
        text = say("{player} concedes", player=one.player)
        yield Choice(text, ({"do": "concede", "side": one.id},))


def set_points(state: SkirmishState, squad: SquadInPlay) -> PromptForm | None:
    """The form of a squad's points while they still count."""
    return None if state.winner else points_form(squad)


def score_lines(state: SkirmishState) -> Iterator[ScoreLine]:
    """Who holds objectives now, and what was scored before, the newest first."""
    if not state.winner:
        for side, text, points, figure in counted_next(state):
            if state.phase != END:
                text = say("{held}, if nothing changes", held=text)
            yield ScoreLine(side, text, points, figure)
    for side, points, why in reversed(state.points):
        text = AGENDAS.get(why, why)
        if not state.winner:  # beside what is counted only later
            text = say("{held}, counted before", held=text)
        yield ScoreLine(side, text, points)


def counted_next(state: SkirmishState) -> Iterator[tuple[str, str, int, str]]:
    """What the end phase will count as things stand: side, reason, points and figure."""
    for side, found in objective_points(state).items():
        for figure, points in found:
            yield side, held_words(state, figure), points, figure
    yield from ((side, MOST_CAPTIVES, 1, "") for side in most_captives(state))


def counted_words(state: SkirmishState) -> Iterator[str]:
    """The same as lines."""
    for side, why, points, _figure in counted_next(state):
        yield say(
            "{player}: {n} victory point ({why})",
            "{player}: {n} victory points ({why})",
            player=state.squad(side).player,
            n=points,
            why=why,
        )


# -- outcomes --------------------------------------------------------------------------------------


def outcome(events: Sequence[Event], after: SkirmishState) -> Outcome | None:
    """What just happened in one line, and what follows from it."""
    dice = [face for event in events for face in event.data.get("faces", ())]
    faces = [str(face) for face in dice]  # of ten sides: none is drawn with pips
    found = OUTCOME.outcome(events, pending(after), faces, tuple(engagements(events, after)))
    if found is not None and faces:  # whoever rolled them, all can check them (TAC-DIE-1)
        found = replace(found, text=say("{line} [{dice}]", line=found.text, dice=" ".join(faces)))
    if found is not None and (noted := next(to_note(events, after), "")):
        found = replace(found, follows=noted)
    called = step_name(events)
    if found is None or called is None:
        return found
    return replace(found, undo=called.full, undo_short=called.short)


TESTED = {"will-tested", "terrain-rolled", "hazard-rolled"}
ROLLED = {"attack-rolled", "defence-rolled"} | TESTED


def step_name(events: Sequence[Event]) -> StepName | None:
    """What Undo calls a step where its first event alone would not say it."""
    ends = {"round-began", "over"} & {one.type for one in events}
    if ends and events[0].type in ("scored", "copper-returned"):
        return StepName(say("the count of the points"))
    charges = [one.data["name"] for one in events if one.data.get("charge")]
    if charges:
        return StepName(say("the charge of {name}", name=charges[0]), say("the charge"))
    for one in events:
        data = one.data
        if one.type == "ability-used" and not data.get("motivation"):
            used = agenda_name(data["ability"])
            full = say("{figure} uses {ability}", figure=data["name"], ability=used)
            return StepName(full, used)
        if one.type == "task-done" and data.get("said") and ROLLED & {each.type for each in events}:
            return StepName(say("the die that was set"))
        if one.type == "unhorsed" and not data.get("dead", True):
            return StepName(say("{figure} dismounts", figure=data["name"]))
        if one.type in OUTCOME.undo and one.type not in TESTED:
            return None
    return None


def to_note(events: Sequence[Event], after: SkirmishState) -> Iterator[str]:
    """Where players note what a card does that only they can read (TAC-ABL-20, TAC-OBJ-5)."""
    for event in events:
        data = event.data
        if event.type != "ability-used" or data.get("agenda") or data.get("motivation"):
            continue
        own = after.figure(data["figure"]).card.abilities
        if any(one.name == data["ability"] and one.counted for one in own):
            continue
        yield note_words(data.get("target") or data["name"])


def engagements(events: Sequence[Event], after: SkirmishState) -> Iterator[str]:
    """With whom the figures that moved are engaged now."""
    moved = dict.fromkeys(one.data["figure"] for one in events if one.type == "moved")
    position = battle_position(after) if moved else None
    for figure in moved:
        me = position.by_id.get(figure) if position is not None else None
        enemies = engaged_with(position, me) if position is not None and me is not None else []
        if enemies:
            names = ", ".join(after.figure(one.id).name for one in enemies)
            name = after.figure(figure).name
            yield say("{name} is engaged with {figures}", name=name, figures=names)


def headline(state: SkirmishState) -> str:
    """The round, and how many figures are still to be activated."""
    if state.winner:
        return say("The battle is over")
    if state.round < 1:
        return say("Set-up")
    left = sum(len(state.activatable(side)) for side in state.sides)
    return say(
        "Round {round} of {rounds} · {n} figure still to act",
        "Round {round} of {rounds} · {n} figures still to act",
        round=state.round,
        rounds=state.scenario.rounds,
        n=left,
    )
