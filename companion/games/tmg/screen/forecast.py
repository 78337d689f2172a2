"""What an attack may be expected to do, in words."""

from __future__ import annotations

from typing import Any

from companion.games.tmg.game import GAME
from companion.games.tmg.play.flow.attacks import attack_modifier, dice_abilities
from companion.games.tmg.play.flow.spelling import spelling
from companion.games.tmg.play.state.game_state import AttackState, GameState, Mod
from companion.games.tmg.rules.combat.dice import Modifier, stacked
from models import CompanionError
from models.lazy_message import say


def percent(chance: float) -> str:
    """A chance in whole percent; 0 % and 100 % only if certain."""
    if 0 < chance < 0.01:
        return "< 1 %"
    if 0.99 < chance < 1:
        return "> 99 %"
    return f"{100 * chance:.0f} %"


def expected(odds: Any) -> str:
    """The expected wounds of an attack, and the chance that it destroys the target."""
    if odds is None:
        return ""
    destroys = odds.plain()["destroys"]
    if not odds.left_known or not destroys:
        return say("about {mean:.1f} wounds", mean=odds.mean)
    chance = percent(destroys)
    return say("about {mean:.1f} wounds · destroys {chance}", mean=odds.mean, chance=chance)


def attack_forecast(state: GameState, now: AttackState) -> str:
    """What the attack that waits for its dice may be expected to do; empty if that is unknown."""
    target = state.unit(now.defender) if state.has_unit(now.defender) else None
    unknown = now.extra_panic_wounds != 0  # the odds do not know what such effects add
    if target is None or target.morale is None or not now.dice or unknown:
        return ""
    asked = {
        "hit": now.hit,
        "dice": now.dice,
        "defense": target.defense,
        "morale": target.morale,
        "zone": now.zone,
        "ranged": now.kind != "melee",
        "charge": now.bonus and now.kind == "melee",
        "abilities": dice_abilities(now),
        "attack_mod": attack_modifier(now),
        "defense_mod": together(now.defense_mods),
        "morale_mod": together(now.panic_mods),
        "models": target.wounds_left,
    }
    try:
        return expected(GAME.odds(state.game, asked))
    except CompanionError:
        return ""  # an ability or a number that the odds do not know


def together(mods: tuple[Mod, ...]) -> int:
    """The sum of modifiers, each name once (TMG-ABL-5)."""
    return stacked(Modifier(spelling(name), value) for name, value in mods)
