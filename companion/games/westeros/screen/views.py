"""Units, score and outcomes as the screen shows them, and its short words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.games.api.play import Event, Plain
from companion.games.api.prompt import Choice, Entry, PromptForm
from companion.games.api.screen_views import (
    Badge,
    Outcome,
    PieceView,
    ScoreLine,
    ScoreView,
    SeatScore,
)
from companion.games.shared.event_registry import OutcomeRules, StepName
from companion.games.westeros.cards.battle_plan import short_name
from companion.games.westeros.cards.command_card import ZONE_WORDS, zone_of
from companion.games.westeros.cards.unit_cards import (
    RANK_WORDS,
    CommanderCard,
    keyword_words,
    plain_row,
)
from companion.games.westeros.combat.die import SYMBOL_WORDS
from companion.games.westeros.play.context import EVENTS, symbols_of
from companion.games.westeros.play.effect_commands import MOST_POINTS
from companion.games.westeros.play.prompts import pending
from companion.games.westeros.play.setup_commands import IN_BATTLE
from companion.games.westeros.play.state import (
    CAPTURED,
    ELIMINATED,
    GONE,
    PHASE_WORDS,
    REGROUP,
    HouseInBattle,
    UnitInBattle,
    WesterosState,
    battle_position,
    hex_field,
)
from companion.games.westeros.rules.hex_field import TERRAIN_WORDS
from companion.games.westeros.rules.places import place
from companion.games.westeros.rules.position import commanders_of
from models.message import Name, joined, say

CLASS_WORDS = {
    "foot": say("foot"),
    "ranged": say("ranged unit"),
    "cavalry": say("cavalry"),
    "special": say("special unit"),
}


def token_words(tokens: Sequence[str]) -> str:
    """Order tokens as players name them."""
    return joined([SYMBOL_WORDS[one] for one in tokens], " + ")


def choice_words(state: WesterosState, command: Mapping[str, Any]) -> str:
    """A command as the text of a button."""
    match command["do"]:
        case "begin":
            return say("Begin round 1")
        case "pass":
            return say("Pass")
        case "morale":
            if command["use"] == "raise":
                return say("Raise morale by 1")
            name = state.unit(command["unit"]).name
            return say("Lower morale by 1 and reactivate {unit}", unit=name)
        case "end-turn":
            return say("End the turn")
        case "reroll":
            if "symbol" not in command:
                return say("Keep all dice")
            return say("Re-roll {symbol}", symbol=SYMBOL_WORDS[command["symbol"]])
        case "capture-value" | "fire-level":
            return str(command["number"])
        case "stalwart":
            return say("Ignore the first flag") if command["ignore"] else say("Ignore no flag")
        case "parting-blow" | "counterattack":
            return say("Strike") if command["strike"] else say("Do not strike")
        case "follow":
            if "to" not in command:
                return say("Stay")
            pursues = battle_position(state).by_id[state.tasks[0].unit].has("pursue")
            return say("There and back, to attack again") if pursues else say("There and back")
        case "keep":
            kept = say("Keep no token")
            if "token" in command:
                kept = say("Keep {symbol}", symbol=SYMBOL_WORDS[command["token"]])
            if not state.house(state.tasks[0].side).hand:
                return kept
            cards = command.get("cards", 1)
            return say("{kept}, {n} card", "{kept}, {n} cards", kept=kept, n=cards)
        case "direction":
            drawn = "number" in command
            return say("It points off the board") if drawn else say("The app draws the marker")
        case "rebuild":
            return say("Rebuild morale") if command["yes"] else say("Leave it")
        case "commanders":
            assert state.skirmish is not None
            cards = {one.id: one for one in state.skirmish.setup_cards}
            known = {one.id: one for one in state.commanders}
            same = Counter(one.commander for one in cards.values())
            return joined(
                [
                    commander_words(known[card.commander], card.rank, same[card.commander] > 1)
                    for card in map(cards.__getitem__, command["choose"])
                ],
                " + ",
            )
        case "units":
            return say("Order no unit")
        case "draw":
            return say("The app draws")
        case "mace":
            if "side" not in command:
                return say("The app draws")
            return say("{player} has the mace", player=state.house(command["side"]).player)
        case "overlay":
            return TERRAIN_WORDS[command["terrain"]]
        case "order":
            name = state.unit(command["unit"]).name
            return say("Order {unit}: {tokens}", unit=name, tokens=token_words(command["tokens"]))
        case "fight-fire":
            return say("{unit} fights the fire", unit=state.unit(command["unit"]).name)
    return say(command["do"])


def commander_words(commander: CommanderCard, rank: str, twice: bool) -> str:
    """A commander with the title that tells the version, and the value (BOW-SET-3, BOW-SKM-10);
    with the rank where two set-up cards have the same commander."""
    about = {"commander": commander.titled, "value": commander.value}
    if twice:
        return say("{commander}, {rank} ({value})", rank=RANK_WORDS[rank], **about)
    return say("{commander} ({value})", **about)


OUTCOME = OutcomeRules(
    EVENTS,
    quiet=("turn-ended",),
    loud=(
        "lost",
        "over",
        "burnt",
        "round-began",
        "attack-rolled",
        "hits",
        "retreated",
        "not-followed",
        "morale",
        "scored",
    ),
    big=("over", "round-began", "regroup", "lost"),
    bad=("lost", "hits"),
    between=". ",
    whose=("scored",),
    undo={
        "moved": StepName(say("the move of {name}"), say("the move")),
        "followed": StepName(say("the move of {name}"), say("the move")),
        "retreated": StepName(say("the retreat of {name}"), say("the retreat")),
        "fire": StepName(say("the fire")),
        "fire-spreads": StepName(say("the fire")),
        "ordered": StepName(say("orders: {names}"), say("the orders")),
        "organised": StepName(say("{player}’s order dice"), say("the order dice")),
        "attack-rolled": StepName(say("the dice of {name}"), say("the dice")),
        "attack-rolled again": StepName(say("the re-roll of {name}"), say("the re-roll")),
        "fire-rolled": StepName(say("the dice of {name}"), say("the dice")),
        "round-began": StepName(say("start of round {round}")),
        "morale": StepName(say("{player}’s morale"), say("morale")),
        "forces": StepName(say("the forces of the skirmish")),
        "commanders-chosen": StepName(say("{player}’s commanders"), say("the commanders")),
        "overlay-chosen": StepName(say("the overlay")),
        "overlay": StepName(say("the overlay")),
        "placed": StepName(say("the place of {name}"), say("the place")),
        "attacked": StepName(say("the attack of {name}"), say("the attack")),
        "attacked counter": StepName(say("the counterattack of {name}"), say("the counterattack")),
        "card-played": StepName(say("the command card of {name}"), say("the command card")),
        "kept": StepName(say("what {player} keeps"), say("what is kept")),
        "fire-by-card": StepName(say("the fire")),
        "control": StepName(say("who holds the site")),
        "control-lost": StepName(say("who holds the site")),
        "corrected": StepName(say("the correction")),
        "committed": StepName(say("the ability of {name}"), say("the ability")),
    },
)
RANK_ICONS = {"green": "triangle", "blue": "ring", "red": "diamond"}
"""Each rank has a shape of its own, which tells it without colour."""


def pieces(state: WesterosState) -> Iterator[PieceView]:
    """Every unit, on the field or beside it."""
    ordered = state.acting.units if state.acting else ()
    for one in state.units:
        status = "ready" if one.active else "spent"
        if one.fate in (ELIMINATED, CAPTURED, GONE):
            status = "lost"
        elif one.id in ordered:
            status = "acting"
        yield PieceView(
            one.id,
            one.name,
            short_name(one),
            one.side,
            one.card.base,
            one.figures,
            one.card.strength,
            state=status,  # type: ignore[arg-type]
            leader=one.commander is not None,
            engaged=bool(state.opponent(one.id)),
            badges=tuple(badges(state, one)),
            lines=(*engaged_line(state, one), *card_lines(one)),
            corrections=tuple(corrections(state, one)) if not state.winner and state.turn else (),
            puts=placing(state, one),
            counts=say("figures"),
        )


def engaged_line(state: WesterosState, unit: UnitInBattle) -> Iterator[str]:
    """With whom a unit is engaged, and whose marker lies between them (BOW-ENG-1)."""
    marker = next((one for one in state.markers if one.other(unit.id)), None)
    if marker is not None:
        foe, house = state.unit(marker.other(unit.id)), state.house(marker.house)
        words = {"unit": short_name(foe), "player": house.player}
        yield say("engaged with {unit}; the marker is {player}’s", **words)


def placing(state: WesterosState, unit: UnitInBattle) -> Plain:
    """The command that puts a unit on another hex by hand, where nothing else is under way."""
    busy = state.winner or not state.turn or state.attack is not None or state.tasks
    return {} if busy or not unit.on_field else {"do": "effect", "unit": unit.id}


def badges(state: WesterosState, unit: UnitInBattle) -> Iterator[Badge]:
    """Rank, order, command, Stalwart, fire."""
    yield Badge(RANK_WORDS[unit.rank], RANK_ICONS[unit.rank])
    if not unit.on_field:
        return
    if state.acting is not None and unit.id in state.acting.units:
        yield Badge(say("ordered"), "flag")
    position = battle_position(state)
    mine = position.by_id[unit.id]
    leaders = [one.name for one in commanders_of(position, mine) if one.id != unit.id]
    if leaders:
        yield Badge(say("under command"), "star", "good", joined(leaders))
    if position.stalwart(mine):
        yield Badge(say("Stalwart"), "shield", "good")
    if level := hex_field(state).fire.get(mine.cell):
        yield Badge(say("fire {n}", n=level), "drop", "bad", say("it can neither move nor attack"))


def card_lines(unit: UnitInBattle) -> Iterator[str]:
    """The lines of its card: class and rank, options and dice, keywords."""
    row = unit.card.row(unit.rank)
    yield say("{kind}, {rank}", kind=CLASS_WORDS[unit.card.kind], rank=RANK_WORDS[unit.rank])
    for option in row.options:
        if option.attack:
            yield say("move {n} and attack", n=option.hexes)
        else:
            yield say("move {n}", n=option.hexes)
    yield say("{n} die, range {range}", "{n} dice, range {range}", n=row.dice, range=row.range)
    words = dict(row.keywords)
    if unit.commander is not None:
        words |= unit.commander.keywords
        yield from commander_lines(unit, unit.commander)
    texts = (unit.card.text, unit.commander.text if unit.commander else "")
    yield from (Name(one) for one in texts if one)
    if unit.card.traits:
        yield joined(unit.card.traits)
    if words:
        yield joined([keyword_words(one, number) for one, number in words.items()])
    usual = row == plain_row(unit.card.kind, unit.rank, row.keywords)
    if not unit.card.sure and usual:
        yield say("These are the usual numbers of its class: enter those of your card.")


def commander_lines(unit: UnitInBattle, commander: CommanderCard) -> Iterator[str]:
    """The numbers of a commander's card, and which of them nobody has entered."""
    if commander.limit is None:
        yield say(
            "{n} command token on the card; its limit is printed there",
            "{n} command tokens on the card; their limit is printed there",
            n=unit.tokens,
        )
    else:
        most = commander.limit
        yield say("{n} of {most} command tokens on the card", n=unit.tokens, most=most)
    if unit.committed:
        yield say("committed: the special ability is used")
    else:
        yield say("uncommitted: the special ability is free")
    if commander.capture is None:
        yield say("capture value: asked for when it is needed")
    else:
        yield say("capture value {n}", n=commander.capture)


ABILITY = say("Use the special ability")
ONCE = say("once per battle: the card is turned to its committed side")


def corrections(state: WesterosState, unit: UnitInBattle) -> Iterator[Choice]:
    """What the "Correct…" sheet offers."""
    if not unit.on_field:
        return
    about = {"do": "effect", "unit": unit.id}
    if unit.commander is not None and not unit.committed:  # at any moment (BOW-CDR-6)
        commit = {"do": "commit", "unit": unit.id}
        yield Choice(ABILITY, (commit,), detail=ONCE, seat=unit.side, piece=unit.id)
    fewer = {**about, "figures": unit.figures - 1}
    if unit.figures > 1:
        yield Choice(say("1 figure less"), (fewer,), piece=unit.id)
    elif unit.commander is None and state.attack is None and not state.tasks:
        yield Choice(say("the last figure is lost: eliminated"), (fewer,), piece=unit.id)
    if unit.figures < unit.card.strength:
        more = {**about, "figures": unit.figures + 1}
        yield Choice(say("1 figure more"), (more,), piece=unit.id)
    text = say("turn the banner to inactive") if unit.active else say("turn the banner to active")
    yield Choice(text, ({**about, "active": not unit.active},), piece=unit.id)
    if state.attack is not None or state.tasks:
        return
    leaves = say("leaves the field: the scenario lets it")  # BOW-MOV-4
    detail = say("it is not eliminated: no morale, no points")
    yield Choice(leaves, ({**about, "leaves": True},), detail=detail, piece=unit.id)
    if state.opponent(unit.id):
        yield Choice(say("no longer engaged"), ({**about, "disengage": True},), piece=unit.id)
        return
    position = battle_position(state)
    mine = position.by_id[unit.id]
    for enemy in position.enemies(mine):  # the marker that players put down (BOW-ENG-1)
        near = position.field.distance(mine.cell, enemy.cell) == 1
        if near and not state.opponent(enemy.id):
            text = say("engaged with {unit}", unit=short_name(state.unit(enemy.id)))
            yield Choice(text, ({**about, "engage": enemy.id},), piece=unit.id)


def score(state: WesterosState) -> ScoreView:
    """Victory points by seat, with the morale of each house."""
    seats = []
    for house in state.houses:
        depth = state.depth(house.side)
        zone = zone_of(depth)
        words = say("morale is good") if depth else say("morale is even")
        if depth > 0:
            words = ZONE_WORDS[zone.name if zone else "grey"]
        goal = state.plan.victory.goal or None
        form = points_form(house) if state.phase in IN_BATTLE else None
        seats.append(SeatScore(house.side, house.vp, goal, say("VP"), words, form))
    lines, ends = tuple(score_lines(state)), tuple(ways_to_end(state))
    terms = tuple(victory_terms(state))
    return ScoreView(tuple(seats), lines, None, state.winner, state.how, ends, terms)


def victory_terms(state: WesterosState) -> Iterator[str]:
    """What decides the battle and what gives points, by its plan (BOW-GEN-3, BOW-VIC-1)."""
    victory, rounds = state.plan.victory, state.plan.rounds
    if victory.holder:
        yield say(
            "After round {rounds} {player} wins by holding {n} site, else {other} wins.",
            "After round {rounds} {player} wins by holding {n} sites, else {other} wins.",
            rounds=rounds,
            player=state.house(victory.holder).player,
            n=victory.holds,
            other=state.house(state.other(victory.holder)).player,
        )
    else:
        mace = state.house(state.mace).player if state.mace else say("the holder of the mace")
        yield say(
            "After round {rounds} the most victory points win; a tie goes to the higher morale,"
            " even morale to {player}, who has the mace.",
            rounds=rounds,
            player=mace,
        )
    for house in state.houses:
        if house.rout:
            yield say(
                "At once: morale on the rout field of {player} wins for {other}.",
                player=house.player,
                other=state.house(state.other(house.side)).player,
            )
    if victory.goal:
        yield say(
            "{n} victory point wins at once.",
            "{n} victory points win at once.",
            n=victory.goal,
        )
    yield from point_terms(state)
    yield say(
        "The end of a round: fires burn, points are given, each player keeps at most 1 token and"
        " 1 card, morale may be rebuilt."
    )
    if state.plan.note:
        yield state.plan.note


def point_terms(state: WesterosState) -> Iterator[str]:
    """What gives points (BOW-RND-16)."""
    victory = state.plan.victory
    if victory.unit:
        yield points_for(victory.unit, say("each enemy unit that is eliminated"))
    if victory.capture:
        more = say("each captured commander, besides those for the unit")
        yield points_for(victory.capture, more if victory.unit else say("each captured commander"))
    yield from site_terms(state)
    if any(victory.morale):
        words = zip(("green", "yellow", "red"), victory.morale, strict=True)
        zones = [say("{zone} {n} VP", zone=ZONE_WORDS[zone], n=n) for zone, n in words]
        yield say("Enemy morale after the last round: {zones}.", zones=joined(zones))


def site_terms(state: WesterosState) -> Iterator[str]:
    """Each site with its points and its holder, and how one is taken (BOW-CMP-8)."""
    sites, held = state.plan.victory.sites, dict(state.control)
    for site in sites:
        side = held.get(site.cell, "")
        told = [
            say("{n} VP each round", n=site.each_round) if site.each_round else "",
            say("{n} VP after the last round", n=site.at_end) if site.at_end else "",
            say("held by {player}", player=state.house(side).player)
            if side
            else say("held by nobody"),
        ]
        where = place(battle_position(state), site.cell)
        about = joined([one for one in told if one])
        yield say("Whoever holds {place}: {about}.", place=where, about=about)
    if sites:
        yield say("A unit that enters a site takes it; it stays taken when the unit leaves.")


def points_for(points: int, why: str) -> str:
    return say("{n} victory point for {why}", "{n} victory points for {why}", n=points, why=why)


def points_form(house: HouseInBattle) -> PromptForm:
    """Sets the points of a house right by the players' word, or a card's (BOW-GEN-2)."""
    entry = Entry("vp", say("How many?"), "number", most=MOST_POINTS, value=house.vp)
    text = say("Set the points of {name}", name=house.player)
    return PromptForm(text, {"do": "effect", "side": house.side}, (entry,))


def ways_to_end(state: WesterosState) -> Iterator[Choice]:
    """All may stop, and either player may give up."""
    if state.phase in IN_BATTLE:
        text, how = say("All agree: stop here"), say("the winner as after the last round")
        yield Choice(text, ({"do": "stop"},), "quiet", how)
    for one in () if state.winner else state.houses:
        text = say("{player} concedes", player=one.player)
        yield Choice(text, ({"do": "concede", "side": one.side},))


def score_lines(state: WesterosState) -> Iterator[ScoreLine]:
    """The sites that are held now, and what was scored before, the newest first."""
    held = dict(state.control)
    last = state.round >= state.plan.rounds
    scored = state.winner or state.phase == REGROUP  # BOW-RND-16: this round's points are given
    for site in () if scored else state.plan.victory.sites:
        points = site.each_round + (site.at_end if last else 0)
        if site.cell in held and points:
            text = say(
                "holds {place}, if nothing changes", place=place(battle_position(state), site.cell)
            )
            yield ScoreLine(held[site.cell], text, points)
    for side, points, why in reversed(state.points):
        yield ScoreLine(side, why, points)


def outcome(events: Sequence[Event], after: WesterosState) -> Outcome | None:
    """What just happened in one line, and what follows from it."""
    faces = [face for event in events for face in event.data.get("faces", ())]
    dice = [SYMBOL_WORDS[one] for one in symbols_of(faces)]
    found = OUTCOME.outcome(events, pending(after), dice)
    told = (one.data for one in events if one.type == "task-done" and one.data.get("said"))
    side = next((data["side"] for data in told if data.get("side")), "")
    if found is None or not side:
        return found
    answer = say("{player}’s answer", player=after.house(side).player)
    return replace(found, undo=answer, undo_short=say("the answer"))


def headline(state: WesterosState) -> str:
    """Round, phase and the units of the side in turn that are still active."""
    if state.winner or state.round == 0:
        return PHASE_WORDS[state.phase]
    active = sum(one.on_field and one.active for one in state.units if one.side == state.active)
    if state.phase == REGROUP or state.turn == 0:
        return say(
            "Round {round} of {rounds} · {phase}",
            round=state.round,
            rounds=state.plan.rounds,
            phase=PHASE_WORDS[state.phase],
        )
    return say(
        "Round {round} of {rounds} · {n} active unit",
        "Round {round} of {rounds} · {n} active units",
        round=state.round,
        rounds=state.plan.rounds,
        n=active,
    )
