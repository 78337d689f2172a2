"""What the battle waits for, as cards on the screen: facts, dice with chances, buttons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.games.api.play import Pending
from companion.games.api.prompt import (
    Choice,
    DiceSymbol,
    Entry,
    Fact,
    Look,
    Prompt,
    PromptForm,
    TargetCell,
)
from companion.games.shared.places import listed
from companion.games.westeros.cards.command_card import LAST
from companion.games.westeros.cards.unit_cards import RANK_WORDS, CommanderCard
from companion.games.westeros.combat.attack_odds import (
    HexOdds,
    attack_odds,
    best_reroll,
)
from companion.games.westeros.combat.die import (
    SIGNS,
    SYMBOL_WORDS,
    SYMBOLS,
    counted,
    losses,
    retreats,
)
from companion.games.westeros.combat.odds_query import attack_room, unit_question, unit_rule
from companion.games.westeros.play.answer_commands import DIRECTIONS
from companion.games.westeros.play.context import symbols_of
from companion.games.westeros.play.draw_flow import setup_part
from companion.games.westeros.play.prompts import card_commands, waiting
from companion.games.westeros.play.skirmish_flow import next_units, setup_values
from companion.games.westeros.play.state import (
    CHOOSE,
    NOBODY,
    HexAttack,
    OrderTurn,
    WesterosState,
    battle_position,
    hex_field,
)
from companion.games.westeros.play.turn_commands import silenceable
from companion.games.westeros.rules.attack_options import (
    attack_dice,
    balance_dice,
    dice_cap,
    ignored_hits,
)
from companion.games.westeros.rules.fire import spread_cell
from companion.games.westeros.rules.hex_field import TERRAIN_WORDS
from companion.games.westeros.rules.places import edge_place, place
from companion.games.westeros.rules.position import BoardUnit, HexPosition
from companion.games.westeros.screen.prompt_dice import dice_request, die_symbol, reroll_dice
from companion.games.westeros.screen.views import choice_words
from companion.text.verdicts import Share
from models.board import parse_cell
from models.message import Name, joined, say

TITLES = {
    "choose": say("Secret choice of commanders"),
    "draw": say("Set-up cards"),
    "mace": say("Mace"),
    "overlays": say("Overlays"),
    "overlay-hex": say("Overlays"),
    "place": say("Placing"),
    "reactivation": say("The battle begins"),
    "turn": say("Token, card or pass"),
    "act": say("Ordered units"),
    "orders": say("Order dice"),
    "card-units": say("Command card"),
    "attack-roll": say("Attack roll"),
    "fire-roll": say("Fire"),
    "hound-roll": say("War hounds"),
    "reroll": say("Flank attack"),
    "capture-value": say("Capture value"),
    "stalwart": say("Stalwart"),
    "retreat": say("Retreat"),
    "parting-blow": say("Parting blow"),
    "counter": say("Counterattack"),
    "fire-level": say("Fire"),
    "direction": say("The fire spreads"),
    "keep": say("Regroup"),
    "rebuild": say("Rebuild morale"),
}
RULES = {
    "choose": "BOW-SKM-4", "draw": "BOW-SKM-7", "mace": "BOW-SKM-14",
    "overlays": "BOW-SKM-9", "overlay-hex": "BOW-SKM-11", "place": "BOW-SKM-9",
    "reactivation": "BOW-RND-3", "turn": "BOW-RND-11", "act": "BOW-OPT-1", "orders": "BOW-RND-8",
    "card-units": "BOW-CRD-1",
    "attack-roll": "BOW-CMB-1", "fire-roll": "BOW-FIR-15",
    "hound-roll": "BOW-KEY-6", "reroll": "BOW-ENG-6",
    "capture-value": "BOW-CDR-9", "stalwart": "BOW-KEY-18", "retreat": "BOW-RET-2",
    "follow": "BOW-KEY-1",
    "parting-blow": "BOW-PBL-1", "counter": "BOW-CTR-1",
    "fire-level": "BOW-FIR-3", "direction": "BOW-FIR-9",
    "keep": "BOW-RND-18", "rebuild": "BOW-MOR-9",
}  # fmt: skip
ROLL_TITLES = {"counter": say("Counterattack"), "parting": say("Parting blow")}
"""What a roll is called that is no attack of the unit's own."""
OFFERED = ("turn", "act", "place")
"""Prompts that are answered by tapping a unit first: its offers have the cells."""
ENTERED = ("roll", "orders", "units", "commanders")
"""Commands of dice and forms."""
BY_TAP = (
    "move", "attack", "hounds", "scorch", "place", "order", "card", "overlay", "retreat",
)  # fmt: skip
"""Commands that are answered by tapping a unit or a hex instead of a button."""


def prompts(state: WesterosState, seat: str | None = None) -> Iterator[Prompt]:
    """Each thing the battle waits for as one card."""
    for asked, commands in waiting(state):
        secret = asked.what == CHOOSE
        yield prompt(state, asked, [] if secret and seat != asked.side else commands, secret)


def prompt(
    state: WesterosState, asked: Pending, commands: list[dict[str, Any]], secret: bool
) -> Prompt:
    """One card."""
    if asked.what == "overlays" and len(overlays_left(state)) > 1:  # first which, then where
        commands = [{"do": "overlay", "terrain": one} for one in overlays_left(state)]
    tapped = [one for one in commands if one["do"] in BY_TAP or ("to" in one)]
    tapped = [one for one in tapped if one["do"] != "overlay" or "to" in one]
    tapped = [one for one in tapped if not comes_back(state, one)]
    buttons = [
        one
        for one in commands
        if one not in tapped and (one["do"] not in ENTERED or one.get("units") == [])
    ]
    buttons += off_board(state, asked)
    cells = [one for one in tapped if "to" in one] if asked.what not in OFFERED else []
    best = proposed(asked, commands)
    return Prompt(
        asked.what,
        title(state, asked),
        at_hand(state) if asked.what == "turn" and len(commands) > 1 else asked.say,
        (asked.side,) if asked.side else (),
        tuple(facts(state, asked)),
        dice=dice_request(state, asked),
        rolled=rolled(state, asked),
        choices=tuple(
            Choice(
                choice_words(state, one),
                (one,),
                "primary" if one == best else look_of(one),
                detail=choice_detail(state, one),
                piece=str(one.get("unit", "")),
                dice=reroll_dice(state, one),
                passes=one["do"] == "pass",
            )
            for one in buttons
        ),
        forms=(*commander_forms(state, asked, commands), *unit_forms(state, asked)),
        pieces=tuple(tapped_units(tapped)),
        cells=(
            *listed_cells(state, asked, [target_cell(state, one) for one in cells]),
            *spread_cells(state, asked),
            *fire_cells(asked),
        ),
        mover=state.tasks[0].unit if asked.what in MOVED else "",
        ranged=state.tasks[0].unit if asked.what == "card-units" else "",
        secret=secret,
        rule=rule(state, asked),
        data=dict(asked.data),
    )


def look_of(command: dict[str, Any]) -> Look:
    """What ends a turn without an order is only shown by its row: the golden button does it."""
    return "shown" if command["do"] in ("pass", "morale") else "plain"


def title(state: WesterosState, asked: Pending) -> str:
    """The head of a card; who follows a target advances or pursues, by its keyword."""
    if asked.what == "follow":
        return say("Pursue") if pursues(state) else say("Advance")
    if asked.what == "attack-roll" and state.attack is not None:
        return ROLL_TITLES.get(state.attack.kind, TITLES[asked.what])
    return TITLES[asked.what]


def rule(state: WesterosState, asked: Pending) -> str:
    """The rule of a card: who pursues does so by another keyword than who advances."""
    return "BOW-KEY-12" if asked.what == "follow" and pursues(state) else RULES[asked.what]


def pursues(state: WesterosState) -> bool:
    """Whether the unit that may follow its target pursues it, to attack again (BOW-KEY-12)."""
    return battle_position(state).by_id[state.tasks[0].unit].has("pursue")


def choice_detail(state: WesterosState, command: dict[str, Any]) -> str:
    """What follows from a button."""
    if command["do"] == "pass":
        return say("no further turn in this round")
    if command["do"] == "capture-value":
        data, counts = state.tasks[0].data, state.readings.leftover_hits == "count"
        if "hits" not in data:
            return ""
        if losses(data["hits"], data["figures"], command["number"], counts).captured:
            return say("captured")
        n = data["hits"] - (data["figures"] - 1)
        stays = say("withstands {n} hit", "withstands {n} hits", n=n)
        return joined((stays, say("its retreat follows"))) if flags_to_come(state) else stays
    if command["do"] == "stalwart":
        assert state.attack is not None
        flags = dict(state.tasks[0].data)["flags"] - command["ignore"]
        told = [one.text for one in retreat_facts(state, state.attack, flags)]
        return joined(told) if flags else say("no retreat")
    if command["do"] == "morale" and command["use"] == "raise":
        enemy = state.house(state.other(state.active))
        if enemy.rout and state.depth(enemy.side) + 1 >= LAST:
            return say("{player} is routed, the battle is won", player=enemy.player)
    if command["do"] == "rebuild" and command["yes"]:
        task = state.tasks[0]
        depth = state.depth(task.side)
        return say("from field {n} to {to}", n=depth, to=depth - task.data["by"])
    return ""


def flags_to_come(state: WesterosState) -> bool:
    """Whether the flags of the attack are still to be carried out (BOW-CMB-9)."""
    attack = state.attack
    if attack is None or attack.stage == "retreat" or attack.kind == "parting" or attack.sure:
        return False
    return retreats(counted(symbols_of(attack.faces))) > 0


def setup_words(state: WesterosState, chosen: str) -> str:
    """What tells set-up cards apart: the commander with the value, the rank of the commander's
    unit, and what else is on the card."""
    assert state.skirmish is not None
    card = next(one for one in state.skirmish.setup_cards if one.id == chosen)
    names = {one.id: one.name for one in state.references}
    return say(
        "{commander}: {rank}, the card’s units: {units}",
        commander=choice_words(state, {"do": "commanders", "choose": [chosen]}),
        rank=RANK_WORDS[card.rank],
        units=joined([names[unit.card] for unit in card.units]),
    )


def at_hand(state: WesterosState) -> str:
    """What the house has for its turns: order tokens by their signs, cards, command tokens
    (BOW-RND-11)."""
    house = state.house(state.active)
    pool = Name(" ".join(SIGNS[one] for one in SYMBOLS for _ in range(house.pool.count(one))))
    parts = (
        pool if house.pool else say("No order tokens"),
        say("{n} command card", "{n} command cards", n=house.hand),
        say("{n} command token", "{n} command tokens", n=house.tokens),
    )
    return joined(parts, " · ")


def comes_back(state: WesterosState, command: dict[str, Any]) -> bool:
    """Whether a unit follows and comes back onto its own hex: a button, no tap on itself."""
    if command["do"] != "follow" or "to" not in command:
        return False
    return parse_cell(command["to"]) == state.unit(state.tasks[0].unit).cell


def tapped_units(commands: list[dict[str, Any]]) -> Iterator[str]:
    yield from dict.fromkeys(one["unit"] for one in commands if "unit" in one)


def called(leader: CommanderCard, same: Mapping[str, int]) -> str:
    """A commander, with the title where the name alone tells no card apart."""
    return leader.titled if same[leader.name] > 1 else leader.name


def draw_form(state: WesterosState, asked: Pending) -> PromptForm:
    """The set-up cards that a player has drawn, each by its commander (BOW-SKM-7, BOW-SKM-8)."""
    assert state.skirmish is not None
    n, what = asked.data["n"], asked.data["draws"]
    leaders = {one.id: one for one in state.commanders}
    cards = {one.id: leaders[one.commander] for one in state.skirmish.setup_cards}
    same = Counter(cards[one].name for one in asked.data["cards"])
    known = tuple(
        (one, joined([Name(called(cards[one], same)), setup_part(state, one, what)], ": "))
        for one in asked.data["cards"]
    )
    entry = Entry("choose", say("Set-up cards"), "several", known, n, n, worth=(1,) * len(known))
    tallies = tuple(say("{n} of {most}", n=at, most=n) for at in range(n + 1))
    command = {"do": "draw", "side": asked.side}
    return PromptForm(say("We have drawn these"), command, (entry,), "primary", tallies=tallies)


def commander_forms(
    state: WesterosState, asked: Pending, commands: list[dict[str, Any]]
) -> Iterator[PromptForm]:
    """The commanders of a skirmish, each by itself, with their total value (BOW-SKM-4,
    BOW-SKM-10)."""
    rules, side = state.skirmish, asked.side
    if asked.what != CHOOSE or rules is None or not commands or side is None:
        return
    values = setup_values(state, rules, side)
    known = tuple((one, setup_words(state, one)) for one in values)
    worth = tuple(values[one] for one, _text in known)
    text, most = say("Commanders"), rules.commanders
    entry = Entry("choose", text, "several", known, 1, most, worth=worth)
    tallies = tuple(
        say("value {n} of {most}", n=n, most=rules.value) for n in range(sum(worth) + 1)
    )
    command = {"do": "commanders", "side": side}
    choose = say("Choose these commanders")
    yield PromptForm(choose, command, (entry,), "primary", tallies=tallies, most=rules.value)


def unit_forms(state: WesterosState, asked: Pending) -> Iterator[PromptForm]:
    """The units of a command card are chosen by the player, on the board or here (BOW-CRD-9)."""
    if asked.what == "draw":
        yield draw_form(state, asked)
    if asked.what == "card-units":
        known = tuple((one, state.unit(one).name) for one in asked.data["units"])
        most = asked.data["most"]
        worth = (1,) * len(known)
        entry = Entry("units", say("Units"), "several", known, 1, most, worth=worth)
        entries = (entry, *tactic_entries(state, asked))
        tallies = tuple(say("{n} of {most}", n=n, most=most) for n in range(most + 1))
        yield PromptForm(
            say("Order these units"), {"do": "units"}, entries, "primary", tallies=tallies
        )


def tactic_entries(state: WesterosState, asked: Pending) -> Iterator[Entry]:
    """What a card does besides that changes rolls: dice of a card on paper, and whom it keeps from
    striking back (BOW-CRD-11, BOW-CRD-17)."""
    if asked.data.get("paper"):
        text = say("Dice that it adds to their attacks")
        dice = asked.data["dice"]
        numbers = range(min(-2, dice), max(4, dice + 1))
        options = tuple((n, f"{n:+d}" if n else "0") for n in numbers)
        yield Entry("dice", text, "option", options, value=dice, required=False)
    enemies = silenceable(state, state.unit(state.tasks[0].unit))
    if enemies and not asked.data["silenced"]:
        nobody = (NOBODY, say("no enemy"))
        # By name: a tap on an enemy is a look at it, and takes nothing from it.
        options_ = (nobody, *((str(one.name), one.name) for one in enemies))
        text = say("May not counterattack this turn")
        yield Entry("silence", text, "option", options_, value=NOBODY, required=False)


PROPOSED = {
    "begin": {},
    "stalwart": {"ignore": True},
    "counterattack": {"strike": True},
    "parting-blow": {"strike": True},
    "rebuild": {"yes": True},
}
"""Answers that nobody regrets: the golden button. Where they weigh up, none is proposed."""


def proposed(asked: Pending, commands: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The golden button: an answer that helps, the end of a turn without actions left, or the pass
    of who can order nobody."""
    if asked.what == "turn":
        return commands[0] if len(commands) == 1 else None
    if asked.what == "act":
        return commands[0] if commands[0]["do"] == "end-turn" else None
    for one in commands:
        values = PROPOSED.get(one["do"])
        if values is not None and all(one.get(key) == value for key, value in values.items()):
            return one
    return None


def unused_units(state: WesterosState, turn: OrderTurn) -> list[str]:
    """The ordered units that have neither attacked nor moved too far for it."""
    done = {*turn.acted, *turn.no_attack}
    return [one for one in turn.units if one not in done and state.unit(one).on_field]


def spread_cells(state: WesterosState, asked: Pending) -> Iterator[TargetCell]:
    """The hexes beside a fire that spreads, for a tap: the compass of the scenario says which
    number leads where (BOW-CMP-5, BOW-FIR-9)."""
    if asked.what != "direction":
        return
    fire, field = parse_cell(asked.data["cell"]), hex_field(state)
    for number in range(1, DIRECTIONS + 1):
        there = spread_cell(fire, number)
        if there in field.cells:
            yield TargetCell(there, ({"do": "direction", "number": number},))


def off_board(state: WesterosState, asked: Pending) -> list[dict[str, Any]]:
    """The answer for a marker that points off the board, where one may (BOW-FIR-9)."""
    if asked.what != "direction":
        return []
    fire, field = parse_cell(asked.data["cell"]), hex_field(state)
    outside = (n for n in range(1, DIRECTIONS + 1) if spread_cell(fire, n) not in field.cells)
    return [{"do": "direction", "number": one} for one in outside][:1]


def capture_words(hits: int, figures: int) -> str:
    """What the capture value decides about (BOW-CDR-9)."""
    return say(
        "{n} hit; figures, the commander among them: {figures}",
        "{n} hits; figures, the commander among them: {figures}",
        n=hits,
        figures=figures,
    )


def overlays_left(state: WesterosState) -> dict[str, int]:
    """The overlays that the active house has not placed yet, and how many of each (BOW-SKM-8)."""
    return dict(Counter(state.house(state.active).overlays))


def fire_cells(asked: Pending) -> Iterator[TargetCell]:
    """The hex of the fire that is asked about: marked, and no tap on it does anything."""
    if asked.what in ("fire-roll", "fire-level") and "to" in asked.data:
        yield TargetCell(parse_cell(asked.data["to"]), (), "danger")


MOVED = ("retreat", "follow")
"""Questions about where a unit goes that is no longer its player's to move freely."""


def listed_cells(
    state: WesterosState, asked: Pending, cells: Sequence[TargetCell]
) -> Sequence[TargetCell]:
    """The hexes of a retreat or a pursuit, each named: a finger or a badge may hide one."""
    if asked.what not in MOVED:
        return cells
    position, unit = battle_position(state), state.tasks[0].unit
    return listed(cells, lambda cell: place(position, cell, unit), single=True)


def target_cell(state: WesterosState, command: dict[str, Any]) -> TargetCell:
    """A hex that answers a prompt; an overlay's hex says what would lie there."""
    what = choice_words(state, command) if command["do"] == "overlay" else ""
    return TargetCell(parse_cell(command["to"]), (command,), detail=what)


def rolled(state: WesterosState, asked: Pending) -> tuple[DiceSymbol, ...]:
    """Dice that already lie on the table."""
    if state.attack is None or asked.what not in ("reroll", "stalwart"):
        return ()
    return tuple(die_symbol(one) for one in symbols_of(state.attack.faces))


def running_odds(state: WesterosState, attack: HexAttack) -> HexOdds:
    """The odds of the running attack before its roll."""
    position = battle_position(state)
    mine, theirs = position.by_id[attack.attacker], position.by_id[attack.target]
    question = unit_question(position, mine, theirs, attack.dice, attack.flank)
    return attack_odds(replace(question, flags_count=attack.kind != "parting"))  # BOW-PBL-3


def facts(state: WesterosState, asked: Pending) -> Iterator[Fact]:
    """What is known and helps to decide."""
    attack = state.attack
    if asked.what == "reactivation":
        yield from setup_facts(state)
    if asked.what == CHOOSE and state.skirmish is not None:  # BOW-SKM-1, BOW-SKM-10
        yield Fact(say("Each house takes its set-up cards and the skirmish card lies open."))
        yield Fact(
            say(
                "at most {n} commander, worth {value} together",
                "at most {n} commanders, worth {value} together",
                n=state.skirmish.commanders,
                value=state.skirmish.value,
            )
        )
    if asked.what in ("overlays", "overlay-hex"):
        left = [
            say("{n} × {symbol}", n=count, symbol=TERRAIN_WORDS[one])
            for one, count in overlays_left(state).items()
        ]
        yield Fact(say("still to be placed: {overlays}", overlays=joined(left)))
    yield from placing_facts(state, asked)
    if asked.what == "card-units" and asked.data.get("text"):
        yield Fact(Name(asked.data["text"]))
    if asked.what == "act" and state.acting is not None and state.acting.text:
        yield Fact(Name(state.acting.text))
    if asked.what == "direction":
        yield Fact(say("The compass of your scenario decides: tap the hex to which it points."))
    if asked.what == "capture-value" and "hits" in asked.data:
        yield Fact(capture_words(asked.data["hits"], asked.data["figures"]), "bad")
    if asked.what in ("follow", "retreat") and asked.data.get("cells"):
        yield Fact(say("Tap a marked hex."))
    if asked.what == "turn" and any(one["do"] == "card" for one in card_commands(state)):
        yield Fact(say("Tap a commander to play a command card."))
    if asked.what in ("counter", "parting-blow"):
        yield from strike_facts(state, asked.what == "counter")
    if attack is None:
        return
    position = battle_position(state)
    if attack.attacker not in position.by_id or attack.target not in position.by_id:
        return
    theirs = position.by_id[attack.target]
    if asked.what == "attack-roll":
        rule = unit_rule(position.by_id[attack.attacker], theirs)
        hitting = [SYMBOL_WORDS[one] for one in SYMBOLS if rule.hit_by(one)]
        yield Fact(say("hits: {symbols}", symbols=joined(hitting, " + ")))
        if theirs.has("heavy-armour") and theirs.rank == "red":  # BOW-KEY-10
            yield Fact(say("heavy armour: valour does not hit it"), "warn")
        elif theirs.has("heavy-armour"):  # BOW-KEY-9
            yield Fact(say("heavy armour: attacked as one rank higher"), "warn")
        parts = list(dice_parts(position, position.by_id[attack.attacker], theirs, attack.kind))
        if len(parts) > 1:
            yield Fact(say("dice: {parts}", parts=joined(parts)))
        if position.stalwart(theirs) and attack.kind != "parting":  # BOW-KEY-18, BOW-KEY-19
            yield Fact(stalwart_words(state, attack), "warn")
        if ignored := ignored_hits(position, theirs):
            yield Fact(say("{n} hit is ignored", "{n} hits are ignored", n=ignored), "warn")
        yield from odds_facts(running_odds(state, attack))
    elif asked.what == "reroll":
        mine = position.by_id[attack.attacker]
        question = unit_question(position, mine, theirs, attack.dice, flank=True)
        counts = tuple(symbols_of(attack.faces).count(one) for one in SYMBOLS)
        if not attack_odds(question).left_known:  # what is best depends on the capture value
            yield Fact(UNENTERED)
            return
        best, _ = best_reroll(question, counts)
        words = say("best: re-roll {symbol}", symbol=SYMBOL_WORDS[best]) if best else None
        yield Fact(words or say("best: keep all dice"), "good")
    elif asked.what in ("stalwart", "retreat"):
        yield Fact(say("{n} figure left", "{n} figures left", n=theirs.figures))
        yield from retreat_facts(state, attack, int(asked.data.get("flags", attack.steps)))


def odds_facts(odds: HexOdds) -> Iterator[Fact]:
    """What a roll does on average and how likely it is the end of its target, or drives it off,
    where it can."""
    mean = say("{n:.2f} figures on average", n=float(odds.mean))
    yield Fact(UNENTERED if alone_unentered(odds) else mean)
    lost = float(odds.destroys)
    if odds.left_known and lost:
        text = say("eliminated: {share:.0%}", share=Share(lost))
        if odds.commander:
            text = say("captured: {share:.0%}", share=Share(lost))
        yield Fact(text, chance=lost)
    away = float(odds.escapes)
    if away:
        yield Fact(say("retreats: {share:.0%}", share=Share(away)), chance=away)


def strike_facts(state: WesterosState, counter: bool) -> Iterator[Fact]:
    """What a counterattack or a parting blow would do, before it is decided (BOW-CTR-7, BOW-PBL-2,
    BOW-PBL-3)."""
    task, position = state.tasks[0], battle_position(state)
    mine, theirs = position.by_id[task.unit], position.by_id[task.data["target"]]
    parts = list(dice_parts(position, mine, theirs, "counter" if counter else "parting"))
    yield Fact(say("dice: {parts}", parts=joined(parts)))
    dice = attack_dice(position, mine, theirs, counter)
    question = unit_question(position, mine, theirs, dice, flank=False)
    yield from odds_facts(attack_odds(replace(question, flags_count=counter)))


def stalwart_words(state: WesterosState, attack: HexAttack) -> str:
    """What a Stalwart target may do about an attack."""
    turn = state.acting
    silenced = turn is not None and attack.target in turn.silenced
    burning = state.unit(attack.target).cell in hex_field(state).fire  # BOW-FIR-13
    if attack.kind != "melee" or silenced or burning:
        return say("Stalwart: it may ignore the first flag")
    return say("Stalwart: it may ignore the first flag, and counterattack if it stays")


def placing_facts(state: WesterosState, asked: Pending) -> Iterator[Fact]:
    """Who is placed first and how far from the own edge (BOW-SKM-9, -11, -12, -13)."""
    rules = state.skirmish
    if rules is None or asked.what not in ("overlays", "overlay-hex", "place"):
        return
    yield house_edge(state, asked.side)
    if asked.what in ("overlays", "overlay-hex"):
        yield Fact(edge_words(rules.overlay_rows))
    if asked.what == "place" and any(one.commander for one in next_units(state, state.active)):
        yield Fact(say("Commanders first, the houses in turns."))
        yield Fact(edge_words(rules.commander_rows))
        yield Fact(say("The command ranges of one house do not overlap."))
    elif asked.what == "place":
        yield Fact(edge_words(rules.unit_rows))


def house_edge(state: WesterosState, side: str | None) -> Fact:
    """Which board edge a house has (BOW-GEN-7)."""
    house = state.house(side or state.active)
    return Fact(edge_place(state.plan.house(house.side).name, house.edge))


def edge_words(rows: int) -> str:
    return say(
        "Within {n} hex of the own board edge.", "Within {n} hexes of the own board edge.", n=rows
    )


def dice_parts(
    position: HexPosition, mine: BoardUnit, theirs: BoardUnit, kind: str
) -> Iterator[str]:
    """Where the number of dice comes from: the card, the ground, what changes it (BOW-CMB-4)."""
    if kind == "hounds":  # their first die has said as which rank they attack (BOW-KEY-6)
        return
    counter = kind == "counter"
    yield say("{n} on the unit’s card", n=mine.row.dice)
    cap = dice_cap(position, mine, theirs, counter)
    if cap is not None and cap < mine.row.dice:
        yield say("{n} at most, by the ground", n=cap)
    if not counter and mine.card_dice:
        yield say("{n:+d} by the command card", n=mine.card_dice)
    if not counter and (n := balance_dice(mine)):
        yield say("{n:+d} off balance, for it has moved", n=n)


UNENTERED = say("capture value: asked for when it is needed")


def alone_unentered(odds: HexOdds) -> bool:
    """Whether a commander stands alone whose capture value nobody has entered: no number says
    what hits do to it (BOW-CDR-9)."""
    return not odds.left_known and not odds.mean


def retreat_facts(state: WesterosState, attack: HexAttack, steps: int) -> Iterator[Fact]:
    """How far the target must retreat, and the hits of hexes that are blocked (BOW-RET-6)."""
    position = battle_position(state)
    mine, theirs = position.by_id[attack.attacker], position.by_id[attack.target]
    room = min(steps, attack_room(position, mine, theirs))
    if room:
        yield Fact(say("retreat: {n} hex", "retreat: {n} hexes", n=room))
    if blocked := steps - room:
        text = say("{n} hex is blocked: {n} hit", "{n} hexes are blocked: {n} hits", n=blocked)
        yield Fact(text, "warn")


def setup_facts(state: WesterosState) -> Iterator[Fact]:
    """What the players lay out before the battle (BOW-SET-1, BOW-SET-2, BOW-SET-3)."""
    yield Fact(say("Each house takes its command board, command cards and unit cards."))
    yield Fact(say("The board lies with side {side} up, with its overlays.", side=state.plan.side))
    yield from (house_edge(state, house.side) for house in state.houses)
    for unit in state.units:
        if unit.commander is not None:
            title = f"{unit.name}, {unit.commander.title}" if unit.commander.title else unit.name
            yield Fact(say("{commander}: the card lies coloured side up.", commander=title))
    if state.plan.note:  # strategy markers, tents and the like: BOW-CMP-6, BOW-CMP-7
        yield Fact(state.plan.note)
