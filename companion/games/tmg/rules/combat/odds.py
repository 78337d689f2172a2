"""The exact odds of an attack, from all dice, rerolls, blocks and the panic test; no sampling.

>>> odds(AttackRoll(hit=4, dice=1, defense=4, morale=6)).wounds_from_hits.to_json()
{'0': 0.75, '1': 0.25}
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from companion.games.api.rules import OddsField
from companion.games.tmg.rules.combat.dice import (
    ABILITIES,
    DICE_RULES,
    FACES,
    Modifier,
    PanicTest,
    Spread,
    ability_word,
    attack_dice,
    bonus_share,
    count_hits,
    dice_rules,
    panic_is_rolled,
    panic_spread,
    stacked,
    succeeds,
)
from companion.games.tmg.rules.rulebook import MORALE
from companion.text.translation import _, translate
from companion.text.verdicts import Share
from models import Attack, Unit
from models.field import Field, shown
from models.message import say

ZONE_BONUS = {"front": 0, "flank": -1, "rear": -2}
"""The penalty to the defender's defense and panic rolls by zone (TMG-BON-3..6)."""

ZONE_OF_ARC = {"left": "flank", "right": "flank"}
FULL_TRAY_OF_SINGLE_WOUNDS = "infantry"  # TMG-UNT-10: other models often bear several wounds


@dataclass(frozen=True, slots=True)
class AttackRoll:
    """Everything an attack's dice depend on; `models` are the wounds the defender has left.

    The modifiers exclude those of zone and abilities, which this record adds itself. `orderly` is
    the chance that a charge has its bonus: one that arrives on a 1 has none (TMG-CHG-25).
    """

    hit: int
    dice: int
    defense: int
    morale: int
    edition: str = "2021"
    zone: str = "front"
    ranged: bool = False
    charge: bool = False
    abilities: frozenset[str] = frozenset()
    attack_mod: int = 0
    defense_mod: int = 0
    morale_mod: int = 0
    models: int | None = None
    orderly: Fraction = Fraction(1)

    @property
    def zone_bonus(self) -> int:
        """The zone's penalty to the defender's rolls; in 2018 in melee only."""
        helps = not self.ranged or dice_rules(self.edition).zones_help_shots
        return ZONE_BONUS[self.zone] if helps else 0

    @property
    def rerolls(self) -> bool:
        """Whether the charge bonus rerolls misses; only melee attacks charge (TMG-BON-1)."""
        return self.charge and not self.ranged

    @property
    def defense_total(self) -> int:
        """The sum of all modifiers to the defense rolls."""
        return stacked(
            (
                Modifier("zone", self.zone_bonus),
                Modifier("asked", self.defense_mod),
                *(Modifier(name, ABILITIES[name].defense) for name in self.abilities),
            )
        )

    @property
    def panic_test(self) -> PanicTest:
        """The panic test after the attack, with all its modifiers."""
        modifier = stacked(
            (
                Modifier("zone", self.zone_bonus),
                Modifier("asked", self.morale_mod),
                *(Modifier(name, ABILITIES[name].panic) for name in self.abilities),
            )
        )
        return PanicTest(self.morale, modifier, self.edition)


@dataclass(frozen=True, slots=True)
class AttackOdds:
    """The distribution of an attack's wounds, and the chances of panic and destruction.

    `panic_fails` is the probability that a panic test is rolled and failed. `destroys` is 0 where
    the roll does not say how many wounds the defender has left.
    """

    roll: AttackRoll
    wounds_from_hits: Spread
    panic_fails: float
    wounds: Spread
    destroys: float

    @property
    def left_known(self) -> bool:
        """Whether the roll says how many wounds the defender has left."""
        return self.roll.models is not None

    @property
    def mean(self) -> float:
        """The expected number of wounds; never more than the defender has left."""
        return self.wounds.mean

    def to_json(self) -> dict[str, Any]:
        return {
            "wounds_from_hits": self.wounds_from_hits.to_json(),
            "panic_fails": self.panic_fails,
            "wounds": self.wounds.to_json(),
            "mean": self.mean,
            "destroys": self.destroys,
        }

    def line(self) -> str:
        """The odds in one line, for a label or a list."""
        parts = [
            translate(say("{mean:.1f} wounds", mean=self.mean)),
            _("panic fails {chance}").format(chance=percent(self.panic_fails)),
        ]
        if self.left_known:
            parts.append(_("destroys {chance}").format(chance=percent(self.destroys)))
        return ", ".join(parts)

    def text(self) -> str:
        """The odds as a small table: the chances of exactly and at least n wounds."""
        head = (_("wounds"), _("exactly"), _("at least"))
        widths = [max(8, len(word)) for word in head]
        rows = [
            (
                str(number),
                percent(self.wounds.chance(number)),
                percent(self.wounds.at_least(number)),
            )
            for number in range(len(self.wounds.weights))
        ]
        return "\n".join(
            [
                self.line(),
                *(
                    "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
                    for row in (head, *rows)
                ),
            ]
        )


def percent(chance: float) -> str:
    """A probability in whole percent; an uncertain outcome is never shown as 0 % or 100 %."""
    return translate(say("{chance:.0%}", chance=Share(chance)))


# -- computing -------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def odds(roll: AttackRoll) -> AttackOdds:
    """The exact odds of an attack."""
    again = roll.orderly if roll.rerolls else Fraction(0)
    hits = Spread.mixed(
        (weight, wounds_of_a_die(roll, rerolls).times(roll.dice))
        for weight, rerolls in (
            (again.numerator, True),
            (again.denominator - again.numerator, False),
        )
    )
    panic = panic_spread(roll.panic_test)
    left = roll.models
    calm = [0] * len(hits.weights)
    shaken = [0] * len(hits.weights)
    for wounds, weight in enumerate(hits.weights):
        (shaken if panic_is_rolled(wounds, left) else calm)[wounds] = weight
    weights = Spread(tuple(shaken), hits.total).plus(panic).weights
    every = Spread.of(
        weight + (calm[wounds] * panic.total if wounds < len(calm) else 0)
        for wounds, weight in enumerate(weights)
    )
    failures = sum(shaken) * (panic.total - panic.weights[0])
    if left is not None:
        hits, every = hits.capped(left), every.capped(left)
    return AttackOdds(
        roll,
        hits,
        failures / (hits.total * panic.total),
        every,
        0.0 if left is None else every.chance(left),
    )


def wounds_of_a_die(roll: AttackRoll, rerolls: bool) -> Spread:
    """The distribution of the wounds of one attack die, after its reroll and the defense dice."""
    modifier = roll.attack_mod
    faces = dict.fromkeys(FACES, 0)
    for first in FACES:
        if rerolls and not succeeds(first, roll.hit, modifier):
            for second in FACES:  # TMG-RER-1, TMG-RER-3: once, and the new face replaces the old
                faces[second] += 1
        else:
            faces[first] += len(FACES)
    against = roll.defense_total
    blocks = sum(succeeds(face, roll.defense, against) for face in FACES)
    wound_of_a_hit = Spread.of((blocks, len(FACES) - blocks))  # TMG-ATK-12
    parts = []
    for face, weight in faces.items():
        landed = count_hits((face,), roll.hit, modifier, roll.abilities)
        wounds = wound_of_a_hit.times(landed.hits)
        parts.append((weight, Spread((0,) * landed.sure_wounds + wounds.weights, wounds.total)))
    return Spread.mixed(parts)


# -- queries ---------------------------------------------------------------------------------


def odds_for(
    attacker: Unit,
    attack: Attack,
    defender: Unit,
    *,
    edition: str,
    zone: str = "front",
    charge: bool = False,
    needs: int | None = None,
    effects: Collection[str] = (),
    near: Collection[str] = (),
    wounds_each: int | None = None,
    attack_mod: int = 0,
    defense_mod: int = 0,
    morale_mod: int = 0,
) -> AttackOdds:
    """The odds of one unit's attack on another.

    `zone` is the defender's arc; `effects` are the terrain keywords the charge crossed or the shot
    passed, `near` those within Short Range of the defender, `needs` the lowest charge die that
    arrives (without it the charge is orderly). Abilities without an effect on dice are
    ignored. Without `wounds_each`, infantry is assumed to have one wound per model; for other
    defenders the chance of destruction is unknown.
    """
    rules = dice_rules(edition)
    terrain = []
    if charge and not attack.ranged and "fortified" in effects:
        terrain.append(Modifier("fortified", 1))  # TMG-TER-5
    if attack.ranged and "cover" in effects:
        terrain.append(Modifier("cover", rules.cover_defense))  # TMG-TER-6
    spirit = [Modifier(one.name, one.morale) for one in MORALE if one.name in near]
    orderly = Fraction(1)
    if charge and not attack.ranged:
        orderly = bonus_share(needs or max(FACES), edition, "hindering" in effects)  # TMG-TER-14
    if wounds_each is None and defender.tray.name == FULL_TRAY_OF_SINGLE_WOUNDS:
        wounds_each = 1
    left = None
    if wounds_each is not None:
        left = max(0, defender.models * wounds_each - defender.wounds)
    words = (ability_word(word) for word in attack.abilities)
    return odds(
        AttackRoll(
            hit=attack.hit,
            dice=attack_dice(attack, attacker.ranks_lost),
            defense=defender.defense,
            morale=defender.morale,
            edition=edition,
            zone=zone_of(zone),
            ranged=attack.ranged,
            charge=charge and not attack.ranged and orderly > 0,
            orderly=orderly or Fraction(1),
            abilities=frozenset(word for word in words if word in ABILITIES),
            attack_mod=attack_mod,
            defense_mod=defense_mod + stacked(terrain),
            morale_mod=morale_mod + stacked(spirit),
            models=left,
        )
    )


def zone_of(arc: str) -> str:
    """The zone of an arc: left and right are both flank."""
    return Field(ZONE_OF_ARC.get(arc, arc), "", "zone").choice(ZONE_BONUS)


def odds_from(asked: object, edition: str | None = None) -> AttackOdds:
    """The odds for an object with the fields of `companion odds` as attributes.

    Fields that are missing or None take their default; invalid values are refused by their flag.
    """
    models = field_of(asked, "models")
    roll = AttackRoll(
        hit=whole(field_of(asked, "hit"), 1, 7),
        dice=whole(field_of(asked, "dice"), 0, 100),
        defense=whole(field_of(asked, "defense"), 1, 7),
        morale=whole(field_of(asked, "morale"), 1, 13),
        edition=read_edition(field_of(asked, "edition", "2021"), edition),
        zone=field_of(asked, "zone", "front").choice(ZONE_BONUS),
        ranged=field_of(asked, "ranged", False).flag(),
        charge=field_of(asked, "charge", False).flag(),
        abilities=frozenset(read_abilities(field_of(asked, "abilities", ()))),
        attack_mod=whole(field_of(asked, "attack_mod", 0), -12, 12),
        defense_mod=whole(field_of(asked, "defense_mod", 0), -12, 12),
        morale_mod=whole(field_of(asked, "morale_mod", 0), -12, 12),
        models=None if models.raw is None else whole(models, 0, 200),
    )
    if roll.charge and roll.ranged:
        field_of(asked, "charge").fail("a ranged attack has no charge bonus (TMG-BON-1)")
    return odds(roll)


def field_of(asked: object, name: str, default: object = None) -> Field:
    """The field of that name, with the command-line flag as its place."""
    raw = getattr(asked, name, None)
    return Field(default if raw is None else raw, "", "--" + name.replace("_", "-"))


def whole(field: Field, low: int, high: int) -> int:
    """An integer, or the text of one."""
    if field.raw is None:
        field.fail("is missing")
    if isinstance(field.raw, str):
        if not re.fullmatch(r"\s*[+-]?[0-9]{1,9}\s*", field.raw):
            field.fail(f"{shown(field.raw)} is not a whole number")
        return Field(int(field.raw), field.source, field.place).whole(low, high)
    return field.whole(low, high)


def read_edition(field: Field, edition: str | None) -> str:
    """An edition by its year, or by the game's full name."""
    written = str(field.raw if edition is None else edition).removeprefix("tmg-")
    return Field(written, field.source, field.place).choice(DICE_RULES)


def read_abilities(field: Field) -> Iterator[str]:
    """The abilities in a list, a comma-separated text, or a list of such texts."""
    texts = [field.raw] if isinstance(field.raw, str) else field.raw
    if not isinstance(texts, Collection):
        field.fail(f"{shown(field.raw)} is not a list")
    for text in texts:
        if not isinstance(text, str):
            field.fail(f"{shown(text)} is not a text")
        for part in text.split(","):
            word = ability_word(part)
            if word and word not in ABILITIES:
                field.fail(f"{shown(part)} is unknown; known: {', '.join(sorted(ABILITIES))}")
            if word:
                yield word


ODDS_FIELDS = (
    OddsField("hit", "number", "attack dice hit on N+", True, least=1, most=7),
    OddsField("dice", "number", "attack dice", True, least=0, most=60),
    OddsField("defense", "number", "defense dice block on N+", True, least=1, most=7),
    OddsField("morale", "number", "panic tests pass on N+", True, least=1, most=13),
    OddsField("zone", "word", options=("front", "flank", "rear"), default="front"),
    OddsField("charge", "flag", "with the charge bonus"),
    OddsField("abilities", "words", default=()),
    OddsField("attack_mod", "number", least=-20, most=20, default=0),
    OddsField("defense_mod", "number", least=-20, most=20, default=0),
    OddsField("morale_mod", "number", least=-20, most=20, default=0),
    OddsField("models", "number", "wounds the defender has left", least=1, most=200),
)
