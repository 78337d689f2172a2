"""What a figure may do now, with verdicts, odds and reasons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.games.api.play import Refusal
from companion.games.api.prompt import ActionOffer, CellMark, TargetCell
from companion.games.tactics.cards.figure_card import (
    CardAbility,
    CardAttack,
    CoinEffect,
    effect_name,
)
from companion.games.tactics.play import PLAY
from companion.games.tactics.play.defence import attack_question
from companion.games.tactics.play.move_commands import ability_move
from companion.games.tactics.play.setup import free_cells
from companion.games.tactics.play.state import (
    CHARGE_POINTS,
    DEPLOY,
    ROUND,
    FigureInPlay,
    SkirmishState,
    battle_position,
    own_move,
)
from companion.games.tactics.rules.attack_odds import (
    CHARGE_DICE,
    FigureOdds,
    PaidOption,
    PricedOdds,
    priced_odds,
)
from companion.games.tactics.rules.contact import attack_refusal
from companion.games.tactics.rules.movement import (
    ChargeAnswer,
    MoveOptions,
    MoveTarget,
    charge_answer,
    move_ends,
)
from companion.games.tactics.rules.position import (
    BattlePosition,
    BoardFigure,
    one_point_attacks,
)
from companion.games.tactics.rules.readings import reason
from companion.games.tactics.rules.space_effects import has_harm
from companion.games.tactics.rules.way_words import MUST_INTERACT, end_words
from companion.games.tactics.screen.card_effects import does_words, with_price
from companion.games.tactics.screen.charge_odds import ChargeGround, charge_grounds
from companion.games.tactics.screen.other_offers import other_offers, points_words
from companion.text.verdicts import percent
from models.board import Cell, cell_text
from models.message import joined, say


def offers(state: SkirmishState, piece: str | None = None) -> list[ActionOffer]:
    """The offers of a figure, or the best of the acting side; illegal ones last."""
    if state.phase == DEPLOY and piece is not None:
        return [one for one in deploy_offers(state) if one.piece == piece]
    if state.tasks or (state.phase != ROUND and state.acting is None):
        return []
    found = list(every_offer(state, piece))
    found.sort(key=lambda one: (one.verdict == "no", -one.value))
    if piece is None:
        return [one for one in found if one.verdict == "yes"][:6]
    return found


def every_offer(state: SkirmishState, piece: str | None) -> Iterator[ActionOffer]:
    """Activation, or the actions of the acting figure."""
    now = state.acting
    if now is None:
        for figure in state.of(state.active):
            if piece in (None, figure.id) and figure.on_board:
                yield from activation_offer(state, figure, piece is not None)
        if piece is not None and state.round == 1:
            yield from (one for one in deploy_offers(state) if one.piece == piece)
        return
    if piece not in (None, now.figure):
        return
    position = battle_position(state)
    mine = position.by_id.get(now.figure)
    if mine is not None:
        yield from attack_offers(state, position, mine)
        yield from move_offers(state, position, mine)
        yield from (tried(state, one) for one in other_offers(state, position, mine))


def deploy_offers(state: SkirmishState) -> Iterator[ActionOffer]:
    """The figures of the active side that wait, on every space where they fit (TAC-SET-8)."""
    late = state.phase != DEPLOY  # TAC-SET-11, -12
    price = joined([say("1 copper star"), say("no actions this round")]) if late else ""
    for figure in state.of(state.active):
        if figure.fate != "waiting":
            continue
        about = {"do": "deploy", "figure": figure.id}
        cells = tuple(
            TargetCell(cell, ({**about, "to": cell_text(cell)},), size=figure.card.size)
            for cell in free_cells(state, figure)
        )
        if cells:
            offer = ActionOffer("flag", say("Deploy"), (), figure.id, cells=cells, detail=price)
            yield tried(state, offer)


def tried(state: SkirmishState, offer: ActionOffer) -> ActionOffer:
    """The offer with the game's own verdict on its command."""
    found = PLAY.decide(state, (offer.commands or offer.cells[0].commands)[0])
    if isinstance(found, Refusal):
        return replace(offer, verdict="no", rules=(found.why,), reason=found.say, value=0.0)
    return offer


def activation_offer(
    state: SkirmishState, figure: FigureInPlay, alone: bool
) -> Iterator[ActionOffer]:
    """Activate the figure for a copper star."""
    command = {"do": "activate", "figure": figure.id}
    price = say("1 copper star")
    offer = ActionOffer(
        "activate", say("Activate"), (command,), figure.id, detail=price, begins=True
    )
    checked = tried(state, offer)
    if alone or checked.verdict == "yes":
        yield checked


def attack_offers(
    state: SkirmishState, position: BattlePosition, figure: BoardFigure
) -> Iterator[ActionOffer]:
    """Attacks and charges against every enemy, the best odds first."""
    for enemy in position.enemies(figure):
        for attack in figure.attacks:
            odds = play_odds(state, position, figure, enemy, attack)
            command = {"do": "attack", "target": enemy.id, "attack": attack.name}
            aimed = say("{attack} against {figure}", attack=attack.name, figure=enemy.name)
            text = with_price(aimed, attack.spend)
            kind = "swords" if attack.kind == "melee" else "bow"
            rule = attack_refusal(position, figure, enemy, attack)
            offer = priced(kind, text, command, figure, enemy, odds, rule)
            yield offer if rule else tried(state, offer)
        answer = charge_answer(position, figure, enemy, options=own_move(state))
        if figure.charge_attack is None:
            continue
        yield from charge_offers(state, position, figure, enemy, answer)
        for ability in movement_abilities(state, figure):
            yield from ability_charges(state, position, figure, enemy, answer, ability)


def movement_abilities(state: SkirmishState, figure: BoardFigure) -> list[CardAbility]:
    """Its abilities that may be announced and paid with a Move or a charge (TAC-ABL-3, -4)."""
    purse = state.squad(figure.side).coins
    own = state.figure(figure.id).card.abilities
    return [one for one in own if one.kind == "movement" and purse.covers(one.price)]


def ability_charges(
    state: SkirmishState,
    position: BattlePosition,
    figure: BoardFigure,
    enemy: BoardFigure,
    plain: ChargeAnswer,
    ability: CardAbility,
) -> Iterator[ActionOffer]:
    """Charges with a movement ability that changes them (TAC-ABL-3, TAC-CHG-7)."""
    answer = charge_answer(position, figure, enemy, options=move_with(state, figure, ability))
    more = ability_ends(ability, answer.ends, plain.ends)
    if not (answer.reaches and more):
        return
    for offer in charge_offers(state, position, figure, enemy, replace(answer, ends=more)):
        cells = tuple(
            replace(one, commands=tuple({**sent, "ability": ability.name} for sent in one.commands))
            for one in offer.cells
        )
        text = with_ability(offer.text, ability)
        only = cells[0].commands if len(cells) == 1 else ()
        kin = f"{offer.family}:{ability.name}"
        offer = replace(offer, text=text, cells=cells, commands=only, by_row=True, family=kin)
        yield tried(state, replace(offer, verdict="yes", rules=(), reason=""))


def ability_ends(
    ability: CardAbility, ends: dict[Cell, MoveTarget], plain: dict[Cell, MoveTarget]
) -> dict[Cell, MoveTarget]:
    """The ends that only an ability makes possible; all of them if only its card tells what it
    does."""
    if not ability.spaces and not ability.unstoppable:
        return ends
    return {cell: end for cell, end in ends.items() if cell not in plain}


def with_ability(text: str, ability: CardAbility) -> str:
    """An action with the ability that is announced with it, and its price."""
    return with_price(say("{what} with {ability}", what=text, ability=ability.name), ability.price)


def move_with(
    state: SkirmishState, figure: BoardFigure, ability: CardAbility | None = None
) -> MoveOptions:
    """What changes the Moves of the acting figure: ground that is open for it, an ability."""
    return ability_move(state, figure, ability) if ability else own_move(state)


def charge_offers(
    state: SkirmishState,
    position: BattlePosition,
    figure: BoardFigure,
    enemy: BoardFigure,
    answer: ChargeAnswer,
) -> Iterator[ActionOffer]:
    """A charge at an enemy with each of the figure's attacks that it may take (TAC-CHG-1)."""
    attacks = [one for one in one_point_attacks(figure.attacks) if one.kind == "melee"]
    for attack in attacks:
        aimed = say("Charge {figure}", figure=enemy.name)
        if len(attacks) > 1:
            aimed = say("{what}: {attack}", what=aimed, attack=attack.name)
        text = with_price(aimed, attack.spend)
        if answer.reaches:
            for ground in charge_grounds(state, position, figure, enemy, attack, answer.ends):
                yield from paid_charges(state, position, figure, enemy, attack, ground, text)
        elif not answer.declare:
            odds = play_odds(state, position, figure, enemy, attack, charge=True)
            command = {"do": "charge", "target": enemy.id}
            yield priced("charge", text, command, figure, enemy, odds, answer.why[0])
        elif answer.ends:
            cells = charge_cells(position, figure, enemy, answer.ends, attack.name, [])
            short = tried(state, short_charge(figure, enemy, cells))
            yield warned(position, figure, short, answer.ends)
            return  # without an attack they are all alike


def paid_charges(
    state: SkirmishState,
    position: BattlePosition,
    figure: BoardFigure,
    enemy: BoardFigure,
    attack: CardAttack,
    ground: ChargeGround,
    text: str,
) -> Iterator[ActionOffer]:
    """A charge with each choice of coins: announced and paid before the move (TAC-CHG-7)."""
    for paid in ground.odds.options:
        effects = [one.name for one in paid.effects]
        cells = charge_cells(position, figure, enemy, ground.ends, attack.name, effects)
        command = dict(cells[0].commands[0])
        told = PricedOdds(paid.odds) if effects else ground.odds
        named = paid_text(ground.text(text), paid)
        offer = priced("charge", named, command, figure, enemy, told, "")
        proposed = offer.commands if len(cells) == 1 else ()
        worth = min(offer.value, plain_value(ground.odds) - COIN * len(effects))
        offer = replace(tried(state, offer), commands=proposed, cells=cells)
        offer = replace(
            offer,
            value=worth if offer.possible else 0.0,
            expected=dice_words(charge_dice(attack, paid.effects), paid.odds),
            family=f"charge:{enemy.id}:{attack.name}",
            variant=bought_words(paid),
        )
        yield warned(position, figure, offer, ground.ends)


def charge_dice(attack: CardAttack, effects: Sequence[CoinEffect]) -> int:
    """The dice of a charge's attack: 1 more than its own (TAC-CHG-6), and those that are bought."""
    return attack.dice + CHARGE_DICE + sum(one.dice for one in effects)


def dice_words(dice: int, odds: FigureOdds) -> str:
    """How many dice an attack has, and the wounds they deal on average."""
    mean = float(odds.mean)
    return say("{n} die, {mean:.2f} wounds", "{n} dice, {mean:.2f} wounds", n=dice, mean=mean)


def bought_words(paid: PaidOption) -> str:
    """The effects that are bought for an attack, and their price."""
    if not paid.effects:
        return say("without coins")
    names = joined(effect_name(one.name) for one in paid.effects)
    return with_price(names, paid.price)


NEAREST = say("a charge takes the shortest way: it ends only on the nearest spaces at its target")


def warned(
    position: BattlePosition, figure: BoardFigure, offer: ActionOffer, ends: dict[Cell, MoveTarget]
) -> ActionOffer:
    """A charge with what its way does to the figure, before it is announced (TAC-TER-16), and why
    it ends nowhere else."""
    shortest = position.field.readings.charge_path == "shortest"  # TAC-OR-31
    offer = replace(offer, elsewhere=NEAREST if shortest else reason("TAC-CHG-4"))
    if not offer.possible or not has_harm(position):
        return offer
    found = [end_words(position, figure, end) for end in ends.values()]
    harms = list(dict.fromkeys(word for one in found for word in one))
    if not harms:
        return offer
    told = joined(harms)
    if not all(found):
        told = say("to some of the spaces: {harm}", harm=told)
    return replace(offer, detail=joined(filter(None, (offer.detail, told)), "; "), reason=told)


def play_odds(
    state: SkirmishState,
    position: BattlePosition,
    figure: BoardFigure,
    enemy: BoardFigure,
    attack: CardAttack,
    charge: bool = False,
) -> PricedOdds:
    """The odds that the attack will have in play, with what can be paid."""
    mine, foe = state.figure(figure.id), state.figure(enemy.id)
    question = attack_question(state, position, mine, foe, attack, charge)
    return priced_odds(question, attack.effects, state.squad(figure.side).coins)


def charge_cells(
    position: BattlePosition,
    figure: BoardFigure,
    enemy: BoardFigure,
    ends: dict[Cell, MoveTarget],
    attack: str,
    effects: list[str],
) -> tuple[TargetCell, ...]:
    """The spaces in which a charge may end."""
    found = []
    for cell, end in sorted(ends.items()):
        others = tuple(one for one in end.engages if one != enemy.id)
        mark, detail = cell_mark(position, figure, replace(end, engages=others))
        mark = mark or "engages"
        command: dict[str, Any] = {"do": "charge", "target": enemy.id, "to": cell_text(cell)}
        command |= {"attack": attack, **({"effects": effects} if effects else {})}
        spaces = say("{n} space", "{n} spaces", n=end.cost)
        told = joined([spaces, detail] if detail else [spaces])
        found.append(TargetCell(cell, (command,), mark, str(end.cost), told, piece=figure.id))
    return tuple(found)


def short_charge(
    figure: BoardFigure, enemy: BoardFigure, cells: tuple[TargetCell, ...]
) -> ActionOffer:
    """A charge that ends short of its target: allowed, but without an attack (TAC-OR-31)."""
    return ActionOffer(
        "charge",
        say("Charge towards {figure}", figure=enemy.name),
        cells[0].commands,
        figure.id,
        enemy.id,
        cells,
        odds=say("no attack"),
        detail=joined([points_words(CHARGE_POINTS), reason("TAC-CHG-5")]),
        value=-0.5,
    )


def priced(
    kind: str,
    text: str,
    command: dict[str, Any],
    figure: BoardFigure,
    enemy: BoardFigure,
    odds: PricedOdds,
    rule: str,
) -> ActionOffer:
    """An attack with its odds, and what the best coins add."""
    kills, mean = float(odds.odds.destroys), float(odds.odds.mean)
    price = points_words(CHARGE_POINTS) if kind == "charge" and not rule else ""
    return ActionOffer(
        kind,
        text,
        (command,),
        figure.id,
        enemy.id,
        verdict="no" if rule else "yes",
        odds=kill_words(enemy, kills) if odds.left_known else "",
        detail=joined([one for one in (price, coin_words(odds)) if one]),
        expected=say("{n:.2f} wounds", n=mean),
        rules=(rule,) if rule else (),
        reason=reason(rule) if rule else "",
        value=0.0 if rule else plain_value(odds),
    )


def kill_words(enemy: BoardFigure, chance: float) -> str:
    """How likely an attack kills; of a mounted character it kills the mount (TAC-FIG-11)."""
    if enemy.ridden:
        return say("{share} unhorsed", share=percent(chance))
    return say("{share} kill", share=percent(chance))


def plain_value(odds: PricedOdds) -> float:
    """What an attack is worth without coins."""
    return float(odds.odds.destroys) * 2 + float(odds.odds.mean)


COIN = 0.001
"""What a paid way is worth less than the same without coins: spending is the players' choice."""


def paid_text(text: str, paid: PaidOption) -> str:
    """An attack with the effects that are bought for it, and their price."""
    if not paid.effects:
        return text
    names = joined(effect_name(one.name) for one in paid.effects)
    return say("{what}, {effects} ({price})", what=text, effects=names, price=paid.price.say())


def coin_words(odds: PricedOdds) -> str:
    """The optional effects that add most wounds per coin."""
    useful = [one for one in odds.options if one.per_coin > 0]
    if not useful:
        return ""
    best = max(useful, key=lambda one: one.per_coin)
    return say(
        "{effects}: +{n:.2f} wounds per coin",
        effects=joined(effect_name(one.name) for one in best.effects),
        n=float(best.per_coin),
    )


def move_offers(
    state: SkirmishState, position: BattlePosition, figure: BoardFigure
) -> Iterator[ActionOffer]:
    """A Move to one of its spaces; where it would be engaged the space says with whom."""
    now = state.acting
    if now is None or now.ap < 1 or now.only not in ("", "move"):
        return
    plain = move_ends(position, figure, move_with(state, figure))
    yield from move_offer(position, figure, plain)
    for ability in movement_abilities(state, figure):
        ends = move_ends(position, figure, move_with(state, figure, ability))
        yield from move_offer(position, figure, ability_ends(ability, ends, plain), ability)


def move_offer(
    position: BattlePosition,
    figure: BoardFigure,
    ends: dict[Cell, MoveTarget],
    ability: CardAbility | None = None,
) -> Iterator[ActionOffer]:
    """A Move to one of these spaces, plain or with a movement ability."""
    added = {"ability": ability.name} if ability is not None else {}
    cells = tuple(
        move_cell(position, figure, cell, end, added) for cell, end in sorted(ends.items())
    )
    if cells:
        odds = say("{n} space", "{n} spaces", n=max(end.most for end in ends.values()))
        price = points_words(1)
        text = say("Move") if ability is None else with_ability(say("Move"), ability)
        told = [price, *(does_words(ability) if ability is not None else ())]
        yield ActionOffer(
            "maneuver",
            text,
            (),
            figure.id,
            figure.id if ability is not None else "",  # its spaces count only once it is picked
            cells,
            odds=odds,
            detail=joined(told),
            by_row=ability is not None,
        )


def move_cell(
    position: BattlePosition,
    figure: BoardFigure,
    cell: Cell,
    end: MoveTarget,
    added: Mapping[str, Any] = {},
) -> TargetCell:
    """One space where a Move may end, with what its way does to the figure."""
    command = {"do": "move", "to": cell_text(cell), **added}
    mark, detail = cell_mark(position, figure, end)
    path = end.ways[0] if has_harm(position) else ()  # around what harms it
    far = len(path) - 1 if path else end.cost
    spaces = say("{n} space", "{n} spaces", n=far)
    told = joined([spaces, detail] if detail else [spaces])
    shown = () if figure.large else path  # of a large figure only the leading space goes there
    return TargetCell(cell, (command,), mark, str(far), told, piece=figure.id, path=shown)


def cell_mark(
    position: BattlePosition, figure: BoardFigure, end: MoveTarget
) -> tuple[CellMark, str]:
    """What a figure meets on its way to a space: terrain that harms it, then enemies."""
    names = [position.by_id[one].name for one in end.engages]
    told = [say("engaged with {figures}", figures=", ".join(names))] if names else []
    harms = end_words(position, figure, end) if has_harm(position) else []
    hurts = any(one != MUST_INTERACT for one in harms)  # a `!` alone wounds nobody
    mark: CellMark = "danger" if hurts else "engages" if names else ""
    return mark, joined([*harms, *told])
