"""Units and NCUs as players see them: badge, card and corrections."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from companion.games.api.prompt import Choice, Entry, PromptForm
from companion.games.api.screen_views import Badge, PieceView
from companion.games.tmg.play.commands.activations import granted, may_grant
from companion.games.tmg.play.commands.cards import order_word
from companion.games.tmg.play.commands.conditions import effects_now, joining_refused
from companion.games.tmg.play.names import GameNames, mate_name, names_of
from companion.games.tmg.play.state.contacts import wall_refused
from companion.games.tmg.play.state.game_state import GameState, NcuState, WallState
from companion.games.tmg.play.state.mode_play import play_of
from companion.games.tmg.play.state.play_rules import CONDITIONS
from companion.games.tmg.play.state.table_facts import seen, speed_of
from companion.games.tmg.play.state.unit_state import DESTROYED, RESERVE, UnitState
from models import Attack
from models.message import Name, ShortName, joined, say

DUEL = 2


def owner_entries(state: GameState, names: GameNames) -> Iterator[Entry]:
    """Whose effect it is: of several opponents only one scores (TMG-VIC-8), and some units score
    more (TMG-MODE-COK-11, -12, TMG-MODE-FAB-7)."""
    play = play_of(state)
    counts = play.commander_kills or play.commander_prize or play.marked
    if len(state.playing) <= DUEL and not counts:
        return
    sides = tuple((side, names.of(side)) for side in state.playing)
    units = tuple(
        (unit.id, names.of(unit.id))
        for unit in state.standing()
        if unit.marked or (play.commander_kills and unit.commander)
    )
    options = (*units, *sides, ("nobody", say("nobody")))
    yield Entry("by", say("Whose effect is it?"), "option", options)


PieceState = Literal["ready", "acting", "spent", "lost"]
CONDITION_WORDS = {
    "panicked": (say("Panicked"), say("An opponent may spend it to reroll a panic test.")),
    "vulnerable": (say("Vulnerable"), say("An opponent may spend it to reroll defense dice.")),
    "weakened": (say("Weakened"), say("An opponent may spend it to reroll attack dice.")),
}
ICONS = {"panicked": "bolt", "vulnerable": "shield", "weakened": "swords"}


def piece_views(state: GameState) -> tuple[PieceView, ...]:
    """Every unit, NCU and castle wall."""
    names = names_of(state)
    return (
        *(unit_view(state, unit, names) for unit in state.units),
        *(ncu_view(state, ncu, names) for ncu in state.ncus),
        *(wall_view(state, wall, names) for wall in state.walls),
    )


def unit_view(state: GameState, unit: UnitState, names: GameNames) -> PieceView:
    name = names.of(unit.id)
    return PieceView(
        id=unit.id,
        name=name,
        short=badge_name(state, unit, name),
        seat=unit.side,
        player=mate_name(state.player(unit.player), state.players),
        kind=unit.type,
        left=unit.wounds_left,
        most=unit.total,
        counts=say("wounds"),
        ranks=(unit.ranks, unit.full_ranks) if unit.full_ranks else None,
        state=piece_state(state, unit.id, unit.activated, unit.place == DESTROYED),
        leader=unit.commander,
        engaged=bool(unit.engaged),
        badges=tuple(badges(state, unit, names)),
        lines=tuple(card_lines(state, unit, names)),
        corrections=(
            *granted_action(state, unit),
            *corrections(unit),
            *ability_choices(state, unit, names),
            *counter_choices(state, unit.id),
        ),
        forms=(
            *effect_forms(state, unit, names),
            *company_forms(state, unit, names),
            *told_forms(state, unit),
            *wound_forms(unit.id, unit.wounds, unit.total),
        ),
    )


def piece_state(state: GameState, key: str, activated: bool, lost: bool) -> PieceState:
    """Whether a unit may still act, or does; one that an effect lets act does, too (TMG-ACT-5)."""
    if lost:
        return "lost"
    if any(task.unit == key for task in granted(state)[:1]):
        return "acting"
    if state.acting is not None and state.acting.unit == key and not activated:
        return "acting"
    return "spent" if activated else "ready"


def badges(state: GameState, unit: UnitState, names: GameNames) -> Iterator[Badge]:
    """Conditions, marks and what else lies on the tray."""
    for token in unit.tokens:
        word, help_ = CONDITION_WORDS[token]
        yield Badge(word, ICONS[token], "bad", help_)
    if unit.marked:
        yield Badge(say("Marked"), "flag", "warn")
    if unit.vp_tokens:
        counted = say("{n} VP token", "{n} VP tokens", n=unit.vp_tokens)
        yield Badge(counted, "crown", "warn")
    for ncu, _side in unit.influence:
        yield Badge(say("Influenced by {name}", name=names.of(ncu)), "letter")
    if unit.abilities_lost:
        yield Badge(say("No abilities"), "cross", "bad")
    for key, name in effects_now(state):
        if key == unit.id:
            yield Badge(names.spelled(name), "star")
    if unit.place == RESERVE:
        yield Badge(say("In reserve"), "clock")
    for token, number in counters(state, unit.id).items():
        yield Badge(counter_text(token, number), "star")


def counters(state: GameState, piece: str) -> dict[str, int]:
    """The tokens on the card of a unit or NCU."""
    return {token: number for unit, token, number in state.counters if unit == piece}


def counter_text(token: str, number: int) -> str:
    """How many tokens of a kind lie on a card."""
    return say("{token} × {n}", token=say(token), n=number)


def counter_choices(state: GameState, piece: str) -> Iterator[Choice]:
    """One token fewer, or one more, for each kind on a card."""
    for token, number in counters(state, piece).items():
        command = {"do": "counter", "unit": piece, "token": token}
        if number:
            text = say("{token} token: one fewer", token=say(token))
            yield Choice(text, ({**command, "by": -1},), piece=piece)
        text = say("{token} token: one more", token=say(token))
        yield Choice(text, ({**command, "by": 1},), piece=piece)


def card_lines(state: GameState, unit: UnitState, names: GameNames) -> Iterator[str]:
    """The lines of a unit's card: its numbers, attacks, abilities and company."""
    morale = say("no Morale") if unit.morale is None else say("Morale {n}+", n=unit.morale)
    yield say(
        "Speed {speed} · Defense {defense}+ · {morale}",
        speed=speed_of(state, unit),
        defense=unit.defense,
        morale=morale,
    )
    for attack in unit.attacks:
        yield attack_line(unit, attack)
    if abilities := unit.abilities_now():
        yield ability_line(abilities, names)
    if unit.attachments:
        yield say("With {names}", names=joined(names.spelled(one.name) for one in unit.attachments))
    if unit.wound_tokens:
        yield say(
            "{n} wound on the next model",
            "{n} wounds on the next model",
            n=unit.wound_tokens,
        )
    if foes := state.enemies_engaged(unit):
        yield say("Engaged with {names}", names=names.several(one.id for one in foes))


def attack_line(unit: UnitState, attack: Attack) -> str:
    """An attack with the dice it rolls now."""
    kinds = {
        "melee": say("melee"),
        "short": say("short range"),
        "long": say("long range"),
    }
    return say(
        "{attack}: {n} die, hits on {hit}+, {kind}",
        "{attack}: {n} dice, hits on {hit}+, {kind}",
        attack=attack.name,
        n=attack.dice_at(unit.ranks_lost),
        hit=attack.hit,
        kind=kinds[attack.kind],
    )


def granted_action(state: GameState, unit: UnitState) -> Iterator[Choice]:
    """A free action by the text of a card, an order or an ability (TMG-ACT-4, TMG-ACT-5)."""
    if unit.standing and may_grant(state):
        text = say("A card or ability lets it act")
        yield Choice(text, ({"do": "grant", "unit": unit.id},), piece=unit.id)


def effect_forms(state: GameState, unit: UnitState, names: GameNames) -> Iterator[PromptForm]:
    """What else the text of a card, an order or an ability does to a unit."""
    if not unit.standing or not may_grant(state):
        return
    why = (*owner_entries(state, names), Entry("why", say("Which effect?"), "text", required=False))
    adds = Entry("modifier", say("What it adds to the result"), "number", (), -20, 20, 0)
    many = Entry("wounds", say("How many wounds?"), "number", (), 1, 60, 1)
    own = {"unit": unit.id}
    if unit.morale is not None:
        yield PromptForm(say("A panic test by an effect"), {"do": "test", **own}, (adds, *why))
    if unit.wounds:
        heal = replace(many, most=unit.wounds)
        yield PromptForm(say("Healed by an effect"), {"do": "heal", **own}, (heal,))
    yield PromptForm(say("Wounds by an effect"), {"do": "wounds", **own}, (many, *why))
    hits = Entry("hits", say("How many hits?"), "number", (), 1, 60, 1)
    yield PromptForm(say("Automatic hits"), {"do": "hits", **own}, (hits, *why))


def company_forms(state: GameState, unit: UnitState, names: GameNames) -> Iterator[PromptForm]:
    """Who joins a unit by an effect (TMG-ATM-2); who is in contact, unless a table tells it."""
    if not unit.standing:
        return
    if joining_refused(state, unit) is None:
        name = Entry("name", say("Which attachment?"), "text")
        text = say("An attachment joins by an effect")
        yield PromptForm(text, {"do": "attach", "unit": unit.id}, (name,))
    if seen(state, unit.id) or any(one.unit == unit.id for one in state.declared):
        return  # the table tells it, or will once the tray is moved
    foes = tuple((one.id, names.of(one.id)) for one in state.standing() if one.side != unit.side)
    walls = tuple((one.id, names.of(one.id)) for one in state.walls if one.standing)
    allowed = tuple(one for one in walls if wall_refused(state, unit, one[0]) is None)
    whom = Entry(
        "with", say("Tap all enemies in contact."), "several", (*foes, *allowed), required=False
    )
    command = {"do": "engage", "unit": unit.id}
    text = say("Who is in contact with it?")
    yield PromptForm(text, command, (replace(whom, value=list(unit.engaged)),))


LASTS = (
    ("activation", say("for its activation")),
    ("turn", say("until the end of the turn")),
    ("round", say("until the end of the round")),
    ("game", say("for the whole game")),
)


def told_forms(state: GameState, unit: UnitState) -> Iterator[PromptForm]:
    """An effect to remember; VP tokens set right (TMG-MODE-FAB-6); numbers no card told so far."""
    if not unit.standing:
        return
    own = {"unit": unit.id}
    name = Entry("name", say("Which effect?"), "text")
    lasts = Entry("until", say("How long?"), "option", LASTS)
    yield PromptForm(say("Remember an effect"), {"do": "effect", **own}, (name, lasts))
    numbers = [
        Entry("vp_tokens", say("VP tokens on its tray"), "number", (), 0, 35, unit.vp_tokens),
        Entry("cost", say("Its cost in points"), "number", (), 0, 100, unit.cost),
        Entry("wounds_per_model", say("Wounds of each model"), "number", (), 1, 60, unit.per_model),
    ]
    known = {"cost": "cost" in unit.assumed, "wounds_per_model": "wounds" in unit.assumed}
    asked = {**known, "vp_tokens": play_of(state).marked}
    for entry in numbers:
        if asked[entry.field]:
            yield PromptForm(entry.text, {"do": "correct", **own}, (entry,))


def ability_choices(state: GameState, unit: UnitState, names: GameNames) -> Iterator[Choice]:
    """Abilities that an effect takes or gives back (TMG-ABL-7), attachments that it removes."""
    if not unit.standing:
        return
    lost = {"do": "lose-abilities", "unit": unit.id, "lost": not unit.abilities_lost}
    if state.rules.innate and (unit.abilities or unit.abilities_lost):
        text = say("It loses all abilities")
        text = say("Its abilities are back") if unit.abilities_lost else text
        yield Choice(text, (lost,), piece=unit.id)
    for one in unit.attachments:
        command = {"do": "attach", "unit": unit.id, "name": one.name, "remove": True}
        yield Choice(say("{name} leaves it", name=names.spelled(one.name)), (command,))


def corrections(unit: UnitState) -> Iterator[Choice]:
    """What may have been entered wrongly, as one tap each."""
    if unit.place == DESTROYED:
        command = {"do": "correct", "unit": unit.id, "wounds": unit.total - 1}
        yield Choice(say("It is not destroyed: 1 wound left"), (command,), piece=unit.id)
        return
    if unit.wounds_left > 1:
        command = {"do": "correct", "unit": unit.id, "wounds": unit.wounds + 1}
        yield Choice(say("1 wound more"), (command,), piece=unit.id)
    if unit.wounds:
        command = {"do": "correct", "unit": unit.id, "wounds": unit.wounds - 1}
        yield Choice(say("1 wound fewer"), (command,), piece=unit.id)
    acted = say("It has not acted yet") if unit.activated else say("It has acted this round")
    yield Choice(
        acted, ({"do": "correct", "unit": unit.id, "activated": not unit.activated},), piece=unit.id
    )
    for token in CONDITIONS:
        has = token in unit.tokens
        word = CONDITION_WORDS[token][0]
        text = say("No longer {condition}", condition=word) if has else word
        command = {"do": "token", "unit": unit.id, "token": token}
        yield Choice(text, ({**command, "remove": True} if has else command,), piece=unit.id)


def wound_forms(key: str, wounds: int, total: int) -> Iterator[PromptForm]:
    """The wounds as a number to enter."""
    entry = Entry("wounds", say("Wounds taken in all"), "number", (), 0, total, wounds)
    yield PromptForm(say("Set the wounds"), {"do": "correct", "unit": key}, (entry,))


def ncu_view(state: GameState, ncu: NcuState, names: GameNames) -> PieceView:
    name = names.of(ncu.id)
    return PieceView(
        id=ncu.id,
        name=name,
        short=badge_name(state, ncu, name),
        seat=ncu.side,
        player=mate_name(state.player(ncu.player), state.players),
        kind="ncu",
        state=piece_state(state, ncu.id, ncu.activated, lost=False),
        leader=ncu.commander,
        lines=(say("Beside the table"), *ncu_lines(state, ncu, names)),
        corrections=tuple(counter_choices(state, ncu.id)),
    )


def ability_line(abilities: Sequence[str], names: GameNames) -> str:
    """Abilities by name; orders stand apart, so that none is read as an order that is not."""
    orders = [one for one in abilities if order_word(one) != one]
    others = [Name.of(names.spelled(one)) for one in abilities if one not in orders]
    told = (Name.of(order_word(names.spelled(one))) for one in orders)
    listed = [joined(others), *(say("Order: {name}", name=one) for one in told)]
    return joined([one for one in listed if one], " · ")


def ncu_lines(state: GameState, ncu: NcuState, names: GameNames) -> Iterator[str]:
    """The abilities of an NCU by name, where the catalogue has them, and the tokens on its card."""
    yield ability_line(ncu.abilities, names) or say("what it can do: see its card")
    if found := counters(state, ncu.id):
        yield joined(counter_text(*one) for one in found.items())


def wall_view(state: GameState, wall: WallState, names: GameNames) -> PieceView:
    name = names.of(wall.id)
    defender = next((side.id for side in state.sides if side.role == "defender"), "")
    return PieceView(
        id=wall.id,
        name=name,
        short=name,
        seat=defender,
        kind="wall",
        left=wall.total - wall.wounds,
        most=wall.total,
        counts=say("wounds"),
        state=piece_state(state, wall.id, wall.activated, not wall.standing),
        forms=tuple(wound_forms(wall.id, wall.wounds, wall.total)),
    )


HOUSES = frozenset(
    "baratheon bloody bolton cave clegane dweller folk free frey frozen greyjoy harlaw house "
    "karstark lannister martell mormont mummer shore stark stony stormcrow targaryen tully tyrell "
    "umber".split()
)
"""The words of names that say whose unit it is, which the colour of a badge says too."""


def badge_name(state: GameState, unit: UnitState | NcuState, name: str) -> str:
    """The name on a badge and in lists; in a team it says whose unit it is (TMG-TEAM-3)."""
    mate = mate_name(state.player(unit.player), state.players)
    short = short_name(name) if isinstance(unit, UnitState) else Name.of(name)
    return say("{unit} ({player})", unit=short, player=mate) if mate else short


def short_name(name: str) -> ShortName:
    """The name on a badge: without its house and without what comes after "of" or a comma; of a
    person, who has a title behind the comma, all of it.

    >>> [short_name(name) for name in ("Lannister Guardsmen", "Stark Bowmen 2", "Robb Stark")]
    ['Guardsmen', 'Bowmen 2', 'Robb']
    >>> short_name("House Clegane Mountain's Men"), short_name("Knights of Casterly Rock 2")
    ("Mountain's Men", 'Knights 2')
    >>> short_name("House Bolton Flayed Men"), short_name("Mirri Maz Duur, Godswife")
    ('Flayed Men', 'Mirri Maz Duur')
    """
    words = name.split()
    number = words.pop() if len(words) > 1 and words[-1].isdigit() else ""
    first = re.split(r",| of | the ", " ".join(words), flags=re.IGNORECASE)[0].split()
    own = [word for word in first if word.casefold() not in HOUSES] or first or words
    kept = own if "," in name else own[-2:]
    return ShortName(" ".join([*kept, *([number] if number else [])]) or name)
