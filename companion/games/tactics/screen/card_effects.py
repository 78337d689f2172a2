"""What cards do that only players can read: effects and corrections at a figure and a squad."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.api.play import Plain
from companion.games.api.prompt import Choice, DiceRequest, Entry, PromptForm
from companion.games.tactics.cards.coins import Coins
from companion.games.tactics.cards.figure_card import CardAbility, MotivationSide
from companion.games.tactics.play.context import SIDES_OF_DIE, WITH_EFFECTS
from companion.games.tactics.play.defence import PLAIN_WILL, will_modifier
from companion.games.tactics.play.motivations import motivation_refusal
from companion.games.tactics.play.move_commands import AGENDA_ACTIONS, agenda_refusal
from companion.games.tactics.play.state import (
    DEPLOY,
    END,
    ROUND,
    START,
    FigureInPlay,
    SkirmishState,
    SquadInPlay,
    battle_position,
)
from models.message import joined, say

AT_ANY_TIME = ("triggered", "will", "wound")
"""Abilities of figures that need not be active (TAC-ABL-5, -7, -9)."""
MOST_PUSHED = 6
"""The spaces of a forced move that the form offers."""


def corrections(state: SkirmishState, figure: FigureInPlay) -> Iterator[Choice]:
    """What the page of a figure offers: tokens, and what abilities of cards do."""
    if not figure.on_board:
        return
    about = {"figure": figure.id}
    yield Choice(say("1 wound more"), ({"do": "wound", **about, "wounds": 1},), piece=figure.id)
    if figure.wounds:
        yield Choice(say("1 wound less"), ({"do": "heal", **about, "wounds": 1},), piece=figure.id)
    for kind in ("shaken", "frozen"):
        now = bool(getattr(figure, kind))
        text = say("no longer {condition}", condition=say(kind)) if now else say(kind)
        command = {"do": "condition", **about, "kind": kind, "on": not now}
        yield Choice(text, (command,), piece=figure.id)
    if state.phase in (ROUND, END):
        yield will_choice(state, figure)
    yield from ability_choices(state, figure)
    if state.paper and state.acting is not None and state.acting.figure == figure.id:
        for card in AGENDA_ACTIONS:
            yield from agenda_choices(state, figure.side, card)
    if state.phase in WITH_EFFECTS and not state.tasks and state.granted is None:
        for ap in (1, 2):
            text = say(
                "an ability lets it act at once: {n} action point",
                "an ability lets it act at once: {n} action points",
                n=ap,
            )
            yield Choice(text, ({"do": "grant", **about, "ap": ap},), piece=figure.id)


def will_choice(state: SkirmishState, figure: FigureInPlay) -> Choice:
    """A Will test that a card asks for (TAC-CRD-4)."""
    command = {"do": "will", "figure": figure.id, "asked": True}
    told = say("passed on {value}+", value=will_dice(state, figure, command).wanted)
    return Choice(say("Will test"), (command,), detail=told, piece=figure.id)


def will_dice(state: SkirmishState, figure: FigureInPlay, command: Plain) -> DiceRequest:
    """The die of a Will test and the result that passes it."""
    needed = (figure.card.will or PLAIN_WILL) - will_modifier(state, figure)
    wanted = max(1, min(SIDES_OF_DIE, needed))
    return DiceRequest(1, command, sides=SIDES_OF_DIE, wanted=wanted, text=say("Will test"))


def ability_choices(state: SkirmishState, figure: FigureInPlay) -> Iterator[Choice]:
    """Abilities that are used when their trigger is there, active or not (TAC-ABL-5 to -9)."""
    if state.phase not in WITH_EFFECTS:
        return
    for ability in usable(state, figure):
        if ability.aimed:
            continue  # its form asks for whom
        command = {"do": "ability", "figure": figure.id, "ability": ability.name}
        text, detail = ability_text(ability)
        yield Choice(text, (command,), detail=detail, piece=figure.id)


def usable(state: SkirmishState, figure: FigureInPlay) -> list[CardAbility]:
    """The abilities of a figure that need no action and that its player can pay."""
    purse, used = state.squad(figure.side).coins, state.used_for_wounds(figure.id)
    ready = [one for one in figure.card.abilities if one.kind in AT_ANY_TIME and not one.aftermath]
    return [one for one in ready if one.name not in used and purse.covers(one.price)]


def ability_text(ability: CardAbility) -> tuple[str, str]:
    """The button of an ability, and what stands under it: its price and what it does."""
    return say("use {ability}", ability=ability.name), joined(priced_words(ability), "; ")


def priced_words(ability: CardAbility) -> list[str]:
    """What an ability costs in coins, and what it does."""
    return [*([ability.price.say()] if ability.price else []), *does_words(ability)]


def does_words(ability: CardAbility) -> list[str]:
    """What an ability does: in the players' own words, or as far as its numbers tell."""
    return [ability.text] if ability.text else counted_words(ability)


def counted_words(ability: CardAbility) -> list[str]:
    """What an ability does as far as its numbers tell."""
    found: list[str] = []
    if ability.spaces:
        found.append(say("{n} space more", "{n} spaces more", n=ability.spaces))
    if ability.unstoppable:
        found.append(say("enemies do not stop the Move"))
    if ability.hero_defence:
        found.append(say("{n:+d} on the Defence of heroes in contact", n=ability.hero_defence))
    if ability.wounds:
        found.append(say("it deals {n} wound", "it deals {n} wounds", n=ability.wounds))
    if ability.heals:
        found.append(
            say("its target loses {n} wound", "its target loses {n} wounds", n=ability.heals)
        )
    if ability.calms:
        found.append(say("its target is no longer shaken"))
    if ability.gives:
        found.append(say("its target becomes {condition}", condition=say(ability.gives)))
    if ability.deals:
        found.append(
            say("its target suffers {n} wound", "its target suffers {n} wounds", n=ability.deals)
        )
    return found


def forms(state: SkirmishState, figure: FigureInPlay) -> Iterator[PromptForm]:
    """What the page of a figure offers with a value to choose."""
    if figure.on_board and state.phase in WITH_EFFECTS:
        yield from aimed_forms(state, figure)
        if not state.tasks:
            yield from push_form(state, figure)
    if state.phase in (DEPLOY, START):
        yield from nemesis_form(state, figure)


def aimed_forms(
    state: SkirmishState, figure: FigureInPlay, kinds: Sequence[str] = AT_ANY_TIME
) -> Iterator[PromptForm]:
    """Abilities that need no action and are for a figure near enough (TAC-ABL-7, -9)."""
    for ability in usable(state, figure):
        if not ability.aimed or ability.kind not in kinds:
            continue
        position = battle_position(state)
        near = position.targets_of(position.by_id[figure.id], ability)
        if near:
            text, detail = ability_text(ability)
            whom = Entry("target", say("For whom"), options=tuple((x.id, x.name) for x in near))
            command = {"do": "ability", "figure": figure.id, "ability": ability.name}
            yield PromptForm(text, command, (whom,), detail=detail, opens=True)


def push_form(state: SkirmishState, figure: FigureInPlay) -> Iterator[PromptForm]:
    """An ability moves the figure away from another or towards it (TAC-ABL-17 to -19)."""
    others = tuple(
        (one.id, one.name) for one in state.figures if one.on_board and one.id != figure.id
    )
    if not others:
        return
    yield PromptForm(
        say("an ability moves it"),
        {"do": "push", "figure": figure.id, "asked": True},
        (
            Entry("way", say("Which way"), options=WAYS),
            Entry("from", say("The figure that causes it"), options=others),
            Entry("spaces", say("Spaces"), "number", least=1, most=MOST_PUSHED, value=1),
        ),
        detail=say("its owner chooses where it ends"),
        opens=True,
    )


WAYS = (("away", say("away from it")), ("towards", say("towards it")))


def nemesis_form(state: SkirmishState, figure: FigureInPlay) -> Iterator[PromptForm]:
    """A nemesis is named before the battle, as a card says (TAC-GEN-12)."""
    enemies = tuple(
        (one.id, one.name)
        for one in state.figures
        if one.side != figure.side and one.card.is_character and one.id not in figure.nemeses
    )
    if enemies and figure.fate in ("board", "waiting"):
        entry = Entry("target", say("Nemesis"), options=enemies)
        command = {"do": "nemesis", "figure": figure.id}
        yield PromptForm(say("name its nemesis"), command, (entry,), opens=True)


AGENDA_WORDS = {
    "A4": say("show an agenda card: a free Move"),
    "A5": say("show an agenda card: a free attack"),
}


def agenda_choices(state: SkirmishState, side: str, card: str) -> tuple[Choice, ...]:
    """The free action of an agenda card at the start of an activation (TAC-AGD-5, -7)."""
    now = state.acting
    if now is None or state.tasks or card not in AGENDA_ACTIONS:
        return ()
    figure = state.figure(now.figure)
    if figure.side != side or agenda_refusal(state, figure, card) is not None:
        return ()
    command = {"do": "agenda-action", "figure": figure.id, "card": card}
    return (Choice(AGENDA_WORDS[card], (command,), piece=figure.id, seat=side),)


# -- squads ----------------------------------------------------------------------------------------


def motivation_choices(state: SkirmishState, figure: FigureInPlay) -> tuple[Choice, ...]:
    """Motivations whose condition players see for themselves, the dead side too (TAC-MOT-5)."""
    if state.phase not in (ROUND, END):
        return ()
    purse = state.squad(figure.side).coins
    return tuple(
        Choice(
            say("motivation fulfilled: {name}", name=side.name),
            ({"do": "motivation", "figure": figure.id, "name": side.name},),
            detail=motivation_words(side),
            piece=figure.id,
        )
        for side in figure.card.motivation
        if not side.victim
        and purse.covers(side.price)
        and motivation_refusal(state, figure, side) is None
    )


def motivation_words(side: MotivationSide) -> str:
    """What a motivation costs and scores."""
    points = say("{n} victory point", "{n} victory points", n=side.points)
    return say("{price}: {what}", price=side.price.say(), what=points) if side.price else points


def with_price(text: str, price: Coins) -> str:
    """An action with what must be paid for it at all (TAC-CRD-12)."""
    return say("{what} ({price})", what=text, price=price.say()) if price else text


def coin_choices(squad: SquadInPlay, kind: str) -> tuple[Choice, ...]:
    """One coin of a kind more or less, by a card or because it was miscounted (TAC-COI-8)."""
    about = {"do": "coins", "side": squad.id}
    more = Choice(say("1 coin more"), ({**about, kind: 1},), seat=squad.id)
    less = Choice(say("1 coin less"), ({**about, kind: -1},), seat=squad.id)
    return (more, less) if getattr(squad.coins, kind) else (more,)


def points_form(squad: SquadInPlay) -> PromptForm:
    """Victory points that only the cards or the scenario know (TAC-GEN-2, -13)."""
    entry = Entry("total", say("Victory points"), "number", most=99, value=squad.vp)
    why = Entry("why", say("What for"), "text", required=False)
    text = say("{player}: set the points", player=squad.player)
    return PromptForm(text, {"do": "score", "side": squad.id}, (entry, why), opens=True)
